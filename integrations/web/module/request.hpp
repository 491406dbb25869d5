// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// request: what the page wants, as an array of doubles in the order of `fields`, NaN for what is not said. The page
// asks for the names and their usual values, so that both are the library's own. The names are those of
// `sluice plan --json`.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "answer.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/plan.hpp"

namespace sluice_web {

using sluice::plan_request;

/// Throws parameter_error for what is no whole number of 32 bits.
[[nodiscard]] inline std::uint32_t whole(const char* name, double value) {
  if (value >= 0 && value <= std::numeric_limits<std::uint32_t>::max() && value == std::floor(value)) {
    return static_cast<std::uint32_t>(value);
  }
  throw sluice::parameter_error(std::string("plan: ") + name + " is a whole number from 0 to 4294967295");
}

struct request_field {
  const char* name;
  void (*set)(plan_request& q, double value);
  std::optional<double> (*get)(const plan_request& q);
};

inline constexpr std::array<request_field, 18> fields = {{
    {"keys", [](auto& q, double v) { q.keys = v; }, [](const auto& q) { return q.keys; }},
    {"fpr", [](auto& q, double v) { q.fpr = v; }, [](const auto& q) { return q.fpr; }},
    {"memory_bytes", [](auto& q, double v) { q.memory_bits = 8 * v; },
     [](const auto& q) -> std::optional<double> {
       if (!q.memory_bits) return std::nullopt;
       return *q.memory_bits / 8;
     }},
    {"by",
     [](auto& q, double v) {
       if (!(v <= 3)) throw sluice::parameter_error("plan: the order goes by balanced, lines, bits or time");
       q.by = static_cast<sluice::plan_by>(whole("by", v));
     },
     [](const auto& q) -> std::optional<double> { return static_cast<double>(q.by); }},
    {"hit_ratio", [](auto& q, double v) { q.hit_ratio = v; },
     [](const auto& q) -> std::optional<double> { return q.hit_ratio; }},
    {"max_blocks", [](auto& q, double v) { q.max_blocks = whole("the most blocks a lookup may read", v); },
     [](const auto& q) -> std::optional<double> { return q.max_blocks; }},
    {"mean_cost", [](auto& q, double v) { q.mean_cost_limit = v; },
     [](const auto& q) -> std::optional<double> { return q.mean_cost_limit; }},
    {"accesses_hit", [](auto& q, double v) { q.accesses_hit = v; }, [](const auto& q) { return q.accesses_hit; }},
    {"accesses_miss", [](auto& q, double v) { q.accesses_miss = v; }, [](const auto& q) { return q.accesses_miss; }},
    {"second_line_cost", [](auto& q, double v) { q.second_line_cost = v; },
     [](const auto& q) -> std::optional<double> { return q.second_line_cost; }},
    {"block_bits", [](auto& q, double v) { q.block_bits = whole("the number of bits of a block", v); },
     [](const auto& q) -> std::optional<double> { return q.block_bits; }},
    {"overload", [](auto& q, double v) { q.overload = v; },
     [](const auto& q) -> std::optional<double> { return q.overload; }},
    {"static", [](auto& q, double v) { q.all_keys_known = v != 0; },
     [](const auto& q) -> std::optional<double> { return q.all_keys_known ? 1 : 0; }},
    {"erase", [](auto& q, double v) { q.erase = v != 0; },
     [](const auto& q) -> std::optional<double> { return q.erase ? 1 : 0; }},
    {"no_list", [](auto& q, double v) { q.no_list = v != 0; },
     [](const auto& q) -> std::optional<double> { return q.no_list ? 1 : 0; }},
    {"mergeable", [](auto& q, double v) { q.mergeable = v != 0; },
     [](const auto& q) -> std::optional<double> { return q.mergeable ? 1 : 0; }},
    {"shards", [](auto& q, double v) { q.shards = whole("the number of shards", v); },
     [](const auto& q) -> std::optional<double> { return static_cast<double>(sluice::extend::shards_of(q)); }},
    {"concurrent", [](auto& q, double v) { q.concurrent = v != 0; },
     [](const auto& q) -> std::optional<double> { return q.concurrent ? 1 : 0; }},
}};

[[nodiscard]] inline plan_request request_of(std::span<const double> values) {
  plan_request q;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!std::isnan(values[i])) fields[i].set(q, values[i]);
  }
  return q;
}

inline void describe(answer& out, const plan_request& q) {
  out.open('{');
  for (const request_field& f : fields) out.put(f.name, f.get(q));
  out.close('}');
}

}  // namespace sluice_web
