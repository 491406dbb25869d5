// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// candidate: a candidate of the planner under the names of `sluice plan --json`, the bits of its filter (m of the
// calculators), and its parameters as a C++ program writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "answer.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice_web {

/// The parameters that a scheme has; null for the others.
inline void describe_parameters(answer& out, const sluice::parameters& p) {
  sluice::extend::for_each_shown(p, [&](const char* name, const auto& value) {
    using type = std::remove_cvref_t<decltype(value)>;
    out.name(name);
    if constexpr (std::is_null_pointer_v<type>) {
      out.null();
    } else if constexpr (std::is_enum_v<type>) {
      out.text(sluice::extend::word_of(value));
    } else if constexpr (std::is_same_v<type, bool>) {
      out.truth(value);
    } else {
      out.number(value);
    }
  });
}

/// The shares of the subtables, of MHT.
inline void describe_subtables(answer& out, const sluice::parameters& p) {
  const auto* const mht = std::get_if<sluice::mht_parameters>(&p);
  mht == nullptr ? out.null() : out.numbers(sluice::extend::subtable_shares(mht->subtables));
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
        const auto member = [&](const char* field, const auto& value, const auto& otherwise) {
          using kind = std::remove_cvref_t<decltype(value)>;
          if (value == otherwise) return;
          if constexpr (std::is_same_v<kind, std::vector<std::uint64_t>>) {
            std::string sizes;
            for (const std::uint64_t size : value) sizes += (sizes.empty() ? "{" : ", ") + std::to_string(size);
            out.open('[').text(field).text(sizes + "}").close(']');
          } else if constexpr (std::is_same_v<kind, double>) {
            out.open('[').text(field).number(value).close(']');
          } else if constexpr (std::is_same_v<kind, sluice::second_block>) {
            out.open('[')
                .text(field)
                .text("sluice::second_block::" + std::string(sluice::extend::word_of(value)))
                .close(']');
          } else if constexpr (std::is_same_v<kind, sluice::position_rule>) {
            out.open('[')
                .text(field)
                .text("sluice::position_rule::" + std::string(sluice::extend::word_of(value)))
                .close(']');
          } else if constexpr (std::is_integral_v<kind> && !std::is_same_v<kind, bool>) {  // is_static: a builder's
            out.open('[').text(field).text(std::to_string(std::uint64_t{value})).close(']');
          }
        };
        sluice::extend::for_each_member(member, q, usual);
        out.close(']').close('}');
      },
      p);
}

inline void describe(answer& out, const sluice::plan_candidate& c) {
  const std::optional<double> k0 = std::visit(
      [](const auto& q) -> std::optional<double> {
        if constexpr (requires { q.acceptance; }) return q.threshold;
        return std::nullopt;
      },
      c.params);
  out.open('{');
  out.put("scheme", sluice::extend::scheme_name(c.params));
  out.put("design", c.design);
  out.put("fpr", c.predicted.fpr_exact);
  out.put("fpr_exact", c.predicted.fpr_exact);
  out.put("fpr_textbook", c.predicted.fpr_usual);
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
  out.put("bits", sluice::extend::filter_bits(c.params));
  out.name("cpp");
  describe_cpp(out, c.params);
  out.close('}');
}

}  // namespace sluice_web
