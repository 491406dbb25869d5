// candidate: a candidate of the planner under the names of `sluice plan --json`, and its parameters as a C++ program
// writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "answer.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice_web {

/// The parameters that a scheme has; null for the others.
inline void describe_parameters(answer& out, const sluice::parameters& p) {
  const auto put = [&](std::string_view name, const auto& get) {
    out.put(name, std::visit([&](const auto& q) -> std::optional<double> { return get(q); }, p));
  };
#define SLUICE_FIELD(name, field)                        \
  put(name, [](const auto& q) -> std::optional<double> { \
    if constexpr (requires { q.field; }) return q.field; \
    return std::nullopt;                                 \
  })
  SLUICE_FIELD("block_bits", block_bits);
  SLUICE_FIELD("h", threshold);
  SLUICE_FIELD("p", acceptance);
  SLUICE_FIELD("hashes", hashes);
  SLUICE_FIELD("fingerprint_bits", fingerprint_bits);
  SLUICE_FIELD("choices", choices);
  SLUICE_FIELD("groups", groups);
  SLUICE_FIELD("spread", spread);
  SLUICE_FIELD("alpha", alpha);
  SLUICE_FIELD("trace", trace);
  SLUICE_FIELD("second_hashes", second_hashes);
  SLUICE_FIELD("margin", margin);
#undef SLUICE_FIELD
  out.name("positions");
  std::visit(
      [&](const auto& q) {
        if constexpr (requires { q.positions; }) {
          out.text(q.positions == sluice::position_rule::lanes ? "lanes" : "uniform");
        } else {
          out.null();
        }
      },
      p);
  out.name("static");
  sluice::is_static(p) ? out.truth(true) : out.null();
}

/// The shares of the subtables, of MHT.
inline void describe_subtables(answer& out, const sluice::parameters& p) {
  const auto* const mht = std::get_if<sluice::mht_parameters>(&p);
  if (mht == nullptr) {
    out.null();
    return;
  }
  double blocks = 0;
  for (const std::uint64_t size : mht->subtables) blocks += static_cast<double>(size);
  std::vector<double> shares;
  for (const std::uint64_t size : mht->subtables) shares.push_back(static_cast<double>(size) / blocks);
  out.numbers(shares);
}

/// The struct's name and the members that a program must name to have these parameters: whole numbers as text, since
/// a page's numbers end at 2^53.
inline void describe_cpp(answer& out, const sluice::parameters& p) {
  std::visit(
      [&](const auto& q) {
        using type = std::remove_cvref_t<decltype(q)>;
        const type usual{};
        std::string name(sluice::name_of(type::which));
        for (char& c : name) c = c == '-' ? '_' : c;
        out.open('{').put("type", name + "_parameters").name("members").open('[');
        const auto member = [&](std::string_view field, const auto& put) {
          out.open('[').text(field);
          put();
          out.close(']');
        };
#define SLUICE_WHOLE(field)                                                                                \
  if constexpr (requires { q.field; }) {                                                                   \
    if (q.field != usual.field) member(#field, [&] { out.text(std::to_string(std::uint64_t{q.field})); }); \
  }
#define SLUICE_REAL(field)                                                    \
  if constexpr (requires { q.field; }) {                                      \
    if (q.field != usual.field) member(#field, [&] { out.number(q.field); }); \
  }
#define SLUICE_WORD(field, word)                                         \
  if constexpr (requires { q.field; }) {                                 \
    if (q.field != usual.field) member(#field, [&] { out.text(word); }); \
  }
        // In the order of the structs, as C++ demands.
        SLUICE_WHOLE(bits)
        SLUICE_WHOLE(groups)
        SLUICE_WHOLE(blocks)
        if constexpr (requires { q.subtables; }) {
          member("subtables", [&] {
            std::string sizes = "{";
            for (const std::uint64_t size : q.subtables) sizes += (sizes.size() > 1 ? ", " : "") + std::to_string(size);
            out.text(sizes + "}");
          });
        }
        SLUICE_WHOLE(block_bits)
        SLUICE_WHOLE(hashes)
        SLUICE_WHOLE(fingerprint_bits)
        SLUICE_REAL(alpha)
        SLUICE_WHOLE(choices)
        SLUICE_WHOLE(trace)
        SLUICE_WHOLE(second_hashes)
        SLUICE_WHOLE(threshold)
        SLUICE_REAL(acceptance)
        SLUICE_WHOLE(margin)
        SLUICE_WHOLE(spread)
        SLUICE_WORD(second, "sluice::second_block::table")
        SLUICE_WORD(positions, q.positions == sluice::position_rule::lanes ? "sluice::position_rule::lanes"
                                                                           : "sluice::position_rule::uniform")
#undef SLUICE_WHOLE
#undef SLUICE_REAL
#undef SLUICE_WORD
        out.close(']').close('}');
      },
      p);
}

inline void describe(answer& out, const sluice::plan_candidate& c) {
  const bool has_coin = std::visit([](const auto& q) { return requires { q.acceptance; }; }, c.params);
  const std::optional<double> k0 = !has_coin ? std::nullopt
                                             : std::visit(
                                                   [](const auto& q) -> std::optional<double> {
                                                     if constexpr (requires { q.acceptance; }) return q.threshold;
                                                     return std::nullopt;
                                                   },
                                                   c.params);
  out.open('{');
  out.put("scheme", sluice::scheme_name(c.params));
  out.put("design", c.design);
  out.put("fpr", c.predicted.fpr_usual);
  out.put("fpr_exact", c.predicted.fpr_exact);
  out.put("fpr_overfull", c.fpr_overfull);
  out.put("accesses_insert", c.predicted.accesses_insert);
  out.put("accesses_hit", c.predicted.accesses_hit);
  out.put("accesses_miss", c.predicted.accesses_miss);
  out.put("mean_cost", c.mean_cost);
  out.put("time", c.time);
  out.put("time_in_cache", c.time_in_cache);
  out.put("time_in_memory", c.time_in_memory);
  out.put("overflow_fraction", c.predicted.overflow_fraction);
  out.put("keys", c.keys);
  describe_parameters(out, c.params);
  out.put("k0", k0);  // the planner's thresholds are the optimum's
  out.name("subtables");
  describe_subtables(out, c.params);
  out.put("bits_per_key", c.bits_per_key);
  out.put("memory_bits_per_key", c.memory_bits_per_key);
  out.put("memory_bytes", c.memory_bytes);
  out.put_truth("admissible", c.broken_limit.empty());
  out.put("why", c.why);
  out.name("cpp");
  describe_cpp(out, c.params);
  out.close('}');
}

}  // namespace sluice_web
