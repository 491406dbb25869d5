// One result of model, simulate or plan, in the order and under the names in which it is printed; what a scheme does not
// have is null in JSON and left out of tables.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "message.hpp"
#include "scheme_options.hpp"
#include "sluice/file/contents.hpp"
#include "sluice/filter.hpp"
#include "sluice/keyed_filter.hpp"
#include "sluice/theory/prediction.hpp"

namespace sluice_cli {

using nlohmann::ordered_json;

/// File names may be any bytes, JSON is UTF-8: what is not becomes U+FFFD.
inline std::string json_text(const ordered_json& j, int indent = -1) {
  return j.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// 0 says that something is not known.
template <class T>
ordered_json or_null_if_zero(T value) {
  return value == 0 ? ordered_json(nullptr) : ordered_json(value);
}

/// The parameters that a scheme has; null for the others.
inline ordered_json parameters_json(const sluice::parameters& p) {
  ordered_json j;
  const auto put = [&](const char* name, auto&& has) {
    j[name] = std::visit([&](const auto& q) -> ordered_json { return has(q); }, p);
  };
#define SLUICE_FIELD(name, field)               \
  put(name, [](const auto& q) -> ordered_json { \
    if constexpr (requires { q.field; }) {      \
      return q.field;                           \
    } else {                                    \
      return nullptr;                           \
    }                                           \
  })
  SLUICE_FIELD("block_bits", block_bits);
  SLUICE_FIELD("h", threshold);
  SLUICE_FIELD("p", acceptance);
  SLUICE_FIELD("hashes", hashes);
  SLUICE_FIELD("choices", choices);
  SLUICE_FIELD("groups", groups);
  SLUICE_FIELD("spread", spread);
  SLUICE_FIELD("alpha", alpha);
  SLUICE_FIELD("trace", trace);
  SLUICE_FIELD("second_hashes", second_hashes);
  SLUICE_FIELD("margin", margin);
#undef SLUICE_FIELD
  put("positions", [](const auto& q) -> ordered_json {
    if constexpr (requires { q.positions; }) {
      return q.positions == sluice::position_rule::lanes ? "lanes" : "uniform";
    } else {
      return nullptr;
    }
  });
  const auto* const gated = std::get_if<sluice::gated_parameters>(&p);
  j["static"] = gated != nullptr && gated->is_static ? ordered_json(true) : ordered_json(nullptr);
  return j;
}

/// The subtables' shares of the blocks; null for schemes that have none.
inline ordered_json subtables_json(const sluice::parameters& p) {
  const auto* mht = std::get_if<sluice::mht_parameters>(&p);
  if (mht == nullptr) return nullptr;
  double blocks = 0;
  for (const std::uint64_t size : mht->subtables) blocks += static_cast<double>(size);
  ordered_json fractions = ordered_json::array();
  for (const std::uint64_t size : mht->subtables) fractions.push_back(static_cast<double>(size) / blocks);
  return fractions;
}

inline ordered_json loads_json(const std::vector<double>& loads) {
  return loads.empty() ? ordered_json(nullptr) : ordered_json(loads);
}

/// Lines of "name   value", nulls and long arrays left out.
inline void print_table(const ordered_json& result) {
  for (const auto& [name, value] : result.items()) {
    if (value.is_null() || name == "load_distribution") continue;
    if (value.is_number_float()) {
      fmt::print("{:<22} {:.5g}\n", name, value.get<double>());
    } else if (value.is_array()) {
      std::string text;
      for (const auto& element : value)
        text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", element.get<double>());
      fmt::print("{:<22} {}\n", name, text);
    } else {
      fmt::print("{:<22} {}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

/// Of a filter, from its bits; of a large one whose blocks, or pages, are independent of each other, from the first 16 MiB of them, which are as good
/// and take no time. The rate and the reads are those of the whole; counts are those of the part.
inline sluice::statistics quick_statistics(const sluice::stored_filter& f) {
  constexpr std::uint64_t enough = std::uint64_t{16} << 20;
  sluice::parameters p = f.params;
  const bool in_parts = std::visit(
      [&](auto& q) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(q)>, sluice::blocked_parameters>) {
          q.blocks = std::min(q.blocks, enough * 8 / q.block_bits);
          return q.block_bits % 64 == 0;
        } else if constexpr (requires { q.second; }) {
          q.blocks = std::min(q.blocks, enough * 8 / q.block_bits);
          return q.second == sluice::second_block::page;
        } else {
          return false;
        }
      },
      p);
  if (!in_parts || f.blocks.size() <= enough) {
    return sluice::filter_view(f.params, f.blocks, f.overflowed).stats(f.keys);
  }
  const std::uint64_t part = std::visit([](const auto& recipe) { return recipe.bytes(); }, sluice::recipe_for(p));
  return sluice::filter_view(p, f.blocks.first(part)).stats(f.keys);
}

/// On the error output, if a file has more keys than it was made for, or more false positives. One filter differs from the next: by a fifth at most, of
/// those that are not tiny.
inline void warn_if_not_as_promised(const std::string& file, const sluice::keyed_filter& f, double fpr) {
  constexpr double by_chance = 1.2;
  if (f.planned_keys() != 0 && f.keys_inserted() > f.planned_keys()) {
    warn("{} was planned for {} keys and has {} or more; its false positive rate is now {:.2g}, planned were {:.2g}",
         file, f.planned_keys(), f.keys_inserted(), fpr, f.planned_fpr());
  } else if (f.planned_fpr() != 0 && fpr > by_chance * f.planned_fpr()) {
    warn("{} has a false positive rate of {:.2g}, planned were {:.2g}", file, fpr, f.planned_fpr());
  }
}
inline void print_result(const ordered_json& result, bool json) {
  json ? fmt::print("{}\n", json_text(result, 2)) : print_table(result);
}

}  // namespace sluice_cli
