// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Plans that commands make, and which limit to loosen where one has nothing to recommend: options of that command with
// values that lead to a recommendation. Every one that is named was planned with, and found to be enough.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {

/// Who asks for a scheme takes what it reads and the time it takes, unless limits are given, too.
inline void take_any_cost(sluice::plan_request& q) {
  const sluice::plan_request usual;
  if (q.max_blocks == usual.max_blocks) q.max_blocks = std::numeric_limits<std::uint32_t>::max();
  if (q.mean_cost_limit == usual.mean_cost_limit) q.mean_cost_limit = std::numeric_limits<double>::infinity();
  if (q.by == usual.by) q.by = sluice::plan_by::bits;
}

/// What a command makes of a plan.
struct plan_use {
  /// Which candidates it can build; unless given, all.
  std::function<bool(const sluice::plan_candidate&)> wanted = [](const sluice::plan_candidate&) { return true; };
  /// Its options; unless given, all that a plan has.
  std::optional<std::vector<std::string_view>> options = std::nullopt;
  double rates = 1;                                  ///< its --fpr is this many times the plan's
  std::optional<std::string> scheme = std::nullopt;  ///< that is wanted, if it was named
  bool or_any = false;                               ///< where none is wanted, all are

  [[nodiscard]] bool has_option(std::string_view text) const {
    const std::string_view name = text.substr(0, text.find(' '));
    return !options || std::find(options->begin(), options->end(), name) != options->end();
  }
};

/// A request that allows more, and the options that say what.
struct looser_request {
  sluice::plan_request request = {};
  std::vector<std::string> options = {};
};

/// The least number of three digits that is no smaller.
[[nodiscard]] inline double rounded_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return std::ceil(value / unit * (1 - 1e-12)) * unit;
}

/// What a candidate needs beyond what the request allows.
[[nodiscard]] inline looser_request allowing(const sluice::plan_candidate& c, const sluice::plan_request& q,
                                             double rates = 1) {
  namespace plan = sluice::extend;
  looser_request looser{q, {}};
  const auto option = [&](const char* name, double value) {
    looser.options.push_back(std::string(name) + " " + plan::number_text(value, 12));
  };
  const auto raise = [&](const char* name, auto& limit, double needed) {
    limit = rounded_up(needed);
    option(name, rounded_up(needed));
  };
  if (q.fpr && c.predicted.fpr_exact > *q.fpr) {
    raise("--fpr", looser.request.fpr, c.predicted.fpr_exact * rates);
    *looser.request.fpr /= rates;
  }
  if (q.memory_bits && 8 * c.memory_bytes > *q.memory_bits) {
    looser.request.memory_bits = 8 * std::ceil(c.memory_bytes);
    option("--memory", std::ceil(c.memory_bytes));
  }
  const auto blocks = sluice::extend::reach_of(c.params).blocks;
  if (blocks > q.max_blocks) {
    looser.request.max_blocks = static_cast<std::uint32_t>(blocks);
    option("--max-blocks", static_cast<double>(blocks));
  }
  const auto& p = c.predicted;
  if (q.accesses_hit && p.accesses_hit > *q.accesses_hit) {
    raise("--accesses-hit", looser.request.accesses_hit, p.accesses_hit);
  }
  if (q.accesses_miss && p.accesses_miss > *q.accesses_miss) {
    raise("--accesses-miss", looser.request.accesses_miss, p.accesses_miss);
  }
  if (c.mean_cost > q.mean_cost_limit) raise("--mean-cost", looser.request.mean_cost_limit, c.mean_cost);
  if (plan::takes_too_long(c, q)) {
    looser.request.by = sluice::plan_by::lines;
    looser.options.emplace_back("--by lines");
  }
  if (q.no_list && plan::has_list(c.params)) {
    looser.request.no_list = false;
    looser.options.emplace_back("a list (without --no-list)");
  }
  return looser;
}

/// The recommendation, if there is one.
[[nodiscard]] inline std::optional<sluice::plan_candidate> recommend(const sluice::plan_request& q,
                                                                     const plan_use& use = {}) {
  try {
    const std::vector<sluice::plan_candidate> all = sluice::plan(q);
    const auto first = std::find_if(all.begin(), all.end(), use.wanted);
    if (first != all.end() && first->broken_limit.empty()) return *first;
  } catch (const sluice::parameter_error&) {
    return std::nullopt;  // nothing reaches it
  }
  return std::nullopt;
}

/// The lowest rate at which something is recommended for the same keys, or in the same memory for a single key.
[[nodiscard]] inline std::optional<looser_request> with_a_higher_rate(const sluice::plan_request& q,
                                                                      const plan_use& use = {}) {
  if (!q.fpr || !(*q.fpr > 0 && *q.fpr < 1)) return std::nullopt;
  sluice::plan_request free = q;
  free.fpr.reset();
  if (!q.keys) free.keys = 1;
  constexpr double two_pages = 2 * 8.0 * sluice::extend::page_bytes;  // less is too little for gated filters
  if (q.keys) free.memory_bits = std::max(two_pages, sluice::extend::most_bits * *q.keys * q.overload);
  const auto best = recommend(free, use);
  if (!best) return std::nullopt;
  looser_request looser{q, {}};
  const double least = best->predicted.fpr_exact;
  double rate = least;
  while (rate <= *q.fpr) rate *= 1.1;
  while (rate < 1) {
    const double said = rounded_up(rate * use.rates);
    if (said >= 1) break;
    looser.request.fpr = said / use.rates;
    looser.options = {"--fpr " + sluice::extend::number_text(said, 12)};
    if (recommend(looser.request, use)) return looser;
    if (rate > 10 * least) break;
    rate *= 1.1;
  }
  return std::nullopt;
}

/// What would do, the nearest first: a higher rate, or the candidate that needs the fewest limits loosened. Joined by
/// "or"; empty if nothing is known to do. `candidates` as plan() gave them, none of which keeps all limits.
[[nodiscard]] inline std::string what_to_loosen(const sluice::plan_request& q,
                                                const std::vector<sluice::plan_candidate>& candidates,
                                                const plan_use& use = {}) {
  std::vector<looser_request> ways;
  if (use.has_option("--fpr")) {
    if (auto looser = with_a_higher_rate(q, use)) ways.push_back(std::move(*looser));
  }
  std::vector<looser_request> others;
  for (const sluice::plan_candidate& c : candidates) {
    if (use.wanted(c)) others.push_back(allowing(c, q, use.rates));
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.options.size() < b.options.size(); });
  for (looser_request& looser : others) {
    const auto can_be_said = [&](const std::string& option) { return use.has_option(option); };
    if (looser.options.empty() || !std::all_of(looser.options.begin(), looser.options.end(), can_be_said)) continue;
    if (!recommend(looser.request, use)) continue;
    ways.push_back(std::move(looser));
    break;
  }
  std::string text;
  for (const looser_request& way : ways) {
    if (!text.empty()) text += ", or ";
    for (std::size_t i = 0; i < way.options.size(); ++i) text += (i == 0 ? "" : " with ") + way.options[i];
  }
  return text;
}

/// Why the plan's first candidate that a command can build is not built, in words; empty if it keeps all limits.
[[nodiscard]] inline std::string why_not_built(const std::vector<sluice::plan_candidate>& all, const plan_use& use) {
  const auto first = std::find_if(all.begin(), all.end(), use.wanted);
  if (first == all.end()) {
    return use.scheme ? "the planner has no design of scheme " + *use.scheme + " for this request"
                      : "plan: no filter of those asked for can be made";
  }
  if (first->broken_limit.empty()) return {};
  const std::string name(sluice::extend::scheme_name(first->params));
  return use.scheme ? "the " + name + " filter that was asked for breaks a limit: " + first->broken_limit
                    : "plan: no filter keeps all limits; the nearest is " + name + ", but " + first->broken_limit;
}

/// The first candidate that the command can build, where it keeps all limits. Throws parameter_error with the limit
/// that it breaks, and with what to loosen.
[[nodiscard]] inline sluice::plan_candidate best_plan_or_way_out(const sluice::plan_request& q,
                                                                 const plan_use& use = {}) {
  std::vector<sluice::plan_candidate> all;
  std::string why_not;
  try {
    all = sluice::plan(q);
    why_not = why_not_built(all, use);
  } catch (const sluice::parameter_error& e) {  // nothing reaches it, or the request makes no sense
    why_not = e.what();
  }
  if (why_not.empty()) return *std::find_if(all.begin(), all.end(), use.wanted);
  if (use.or_any && !all.empty() && std::none_of(all.begin(), all.end(), use.wanted)) {
    return best_plan_or_way_out(q, {.options = use.options, .rates = use.rates});
  }
  const std::string loosen = what_to_loosen(q, all, use);
  throw sluice::parameter_error(loosen.empty() ? why_not : why_not + "; allow " + loosen);
}

}  // namespace sluice_cli
