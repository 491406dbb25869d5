// Which limit to loosen where a plan has nothing to recommend: options with values that lead to a recommendation. Every
// one that is named was planned with, and found to be enough.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plan/evaluate.hpp"
#include "plan/fit.hpp"
#include "sluice/errors.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {

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
[[nodiscard]] inline looser_request allowing(const sluice::plan_candidate& c, const sluice::plan_request& q) {
  namespace plan = sluice::plan_detail;
  looser_request looser{q, {}};
  const auto option = [&](const char* name, double value) {
    looser.options.push_back(std::string(name) + " " + plan::number_text(value, 12));
  };
  const auto raise = [&](const char* name, auto& limit, double needed) {
    limit = rounded_up(needed);
    option(name, rounded_up(needed));
  };
  if (q.fpr && c.predicted.fpr_exact > *q.fpr) raise("--fpr", looser.request.fpr, c.predicted.fpr_exact);
  if (q.memory_bits && 8 * c.memory_bytes > *q.memory_bits) {
    looser.request.memory_bits = 8 * std::ceil(c.memory_bytes);
    option("--memory", std::ceil(c.memory_bytes));
  }
  const auto blocks = plan::reach_of(c.params).blocks;
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
[[nodiscard]] inline std::optional<sluice::plan_candidate> recommended(const sluice::plan_request& q) {
  try {
    sluice::plan_candidate first = sluice::plan(q).front();
    if (first.broken_limit.empty()) return first;
  } catch (const sluice::parameter_error&) {  // nothing reaches it
  }
  return std::nullopt;
}

/// The lowest rate at which something is recommended for the same keys, or in the same memory for a single key.
[[nodiscard]] inline std::optional<looser_request> with_a_higher_rate(const sluice::plan_request& q) {
  if (!q.fpr || !(*q.fpr > 0 && *q.fpr < 1)) return std::nullopt;
  sluice::plan_request free = q;
  free.fpr.reset();
  if (!q.keys) free.keys = 1;
  if (q.keys) free.memory_bits = sluice::plan_detail::most_bits * *q.keys * q.overload;
  const auto best = recommended(free);
  if (!best) return std::nullopt;
  looser_request looser{q, {}};
  for (double rate = best->predicted.fpr_exact; rate < 1; rate *= 1.1) {
    if (rate <= *q.fpr) continue;
    looser.request.fpr = rounded_up(rate);
    looser.options = {"--fpr " + sluice::plan_detail::number_text(*looser.request.fpr, 12)};
    if (recommended(looser.request)) return looser;
    if (rate > 10 * best->predicted.fpr_exact) break;
  }
  return std::nullopt;
}

/// What would do, the nearest first: a higher rate, or the candidate that needs the fewest limits loosened. Joined by
/// "or"; empty if nothing is known to do. `candidates` as plan() gave them, none of which keeps all limits.
[[nodiscard]] inline std::string what_to_loosen(const sluice::plan_request& q,
                                                const std::vector<sluice::plan_candidate>& candidates) {
  std::vector<looser_request> ways;
  if (auto looser = with_a_higher_rate(q)) ways.push_back(std::move(*looser));
  std::vector<looser_request> others;
  for (const sluice::plan_candidate& c : candidates) others.push_back(allowing(c, q));
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.options.size() < b.options.size(); });
  for (looser_request& looser : others) {
    if (looser.options.empty() || !recommended(looser.request)) continue;
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

}  // namespace sluice_cli
