// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/order: which candidate comes first, and the sentence that says so.
//
// The rank of a candidate is what the request leaves open: its memory, for given memory its rate, or how few keys it
// holds. Those that are too slow come after those that keep all limits, and those that break another limit last. Where
// memory is given, the order by rank is strict: a rule that took what is cheaper among nearly equal rates would let the
// rate rise with the memory wherever two schemes come near each other. By time, the times are what is ranked.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/evaluate.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

inline constexpr double ties = 0.02;  // memory nearer than this is equally good

class order {
public:
  explicit order(const plan_request& q) : q_(q), by_rate_(!q.fpr), by_keys_(!q.keys) {}

  void sort(std::vector<plan_candidate>& all) const {
    std::sort(all.begin(), all.end(), [&](const plan_candidate& a, const plan_candidate& b) {
      if (q_.by == plan_by::time) return key(a, a.time, rank(a)) < key(b, b.time, rank(b));
      return key(a, rank(a), price(a)) < key(b, rank(b), price(b));
    });
    if (by_rate_ || by_keys_ || q_.by == plan_by::bits || q_.by == plan_by::time) return;
    for (auto first = all.begin(); first != all.end();) {  // runs of ties, the cheapest first
      const auto end = std::find_if(first, all.end(), [limit = rank(*first) * (1 + ties), first, this](const auto& c) {
        return place(c) != place(*first) || rank(c) > limit;
      });
      std::sort(first, end, [&](const auto& a, const auto& b) {
        return std::pair(price(a), rank(a)) < std::pair(price(b), rank(b));
      });
      first = end;
    }
  }

  /// Says of every candidate why it stands where it does.
  void explain(std::vector<plan_candidate>& all) const {
    const plan_candidate& first = all.front();
    const bool least =
        std::none_of(all.begin(), all.end(), [&](const auto& c) { return !broken(c) && rank(c) < rank(first); });
    const std::string what = by_rate_ ? "the fewest false positives" : by_keys_ ? "the most keys" : "the least memory";
    const double best = rank(first);
    const bool slow_sealed = std::any_of(all.begin(), all.end(), slow_and_sealed);
    for (plan_candidate& c : all) {
      std::string cost = "mean cost " + number_text(c.mean_cost) + " at a hit ratio of " + number_text(q_.hit_ratio) +
                         ", " + number_text(c.time) + " times the time of blocked";
      if (q_.by == plan_by::balanced && slow_and_sealed(c)) {
        cost += ", which is no limit for sealed filters";
      } else if (q_.by != plan_by::time && slow_sealed && is_sealed(c.params)) {
        cost += "; a plan by time has it before the smaller one";
      }
      if (broken(c)) {
        c.why = "Not recommended: " + c.broken_limit + ".";
      } else if (&c == &first) {
        c.why = "Recommended: " + describe_best(what, least) + " of those that keep the limits, " + cost + ".";
      } else {
        c.why = compare(rank(c) / best) + " of the recommendation, " + cost + ".";
      }
    }
  }

private:
  [[nodiscard]] static bool slow_and_sealed(const plan_candidate& c) {
    return is_sealed(c.params) && c.time > plan_request::most_time;
  }
  [[nodiscard]] static bool broken(const plan_candidate& c) { return !c.broken_limit.empty(); }
  /// What is only too slow stands before what breaks another limit: it is the nearest where nothing else is left. Last
  /// comes what no looser limit mends.
  [[nodiscard]] int place(const plan_candidate& c) const {
    if (!broken(c)) return 0;
    if (c.too_slow) return 1;
    return q_.erase && !erases_keys(c.params) ? 3 : 2;
  }
  [[nodiscard]] std::tuple<int, double, double> key(const plan_candidate& c, double first, double second) const {
    return {place(c), first, second};
  }
  [[nodiscard]] double rank(const plan_candidate& c) const {
    return by_rate_ ? c.predicted.fpr_exact : by_keys_ ? 1 / c.keys : c.memory_bytes;
  }
  /// What decides between equals.
  [[nodiscard]] double price(const plan_candidate& c) const {
    return q_.by == plan_by::balanced ? c.time : c.mean_cost;
  }
  [[nodiscard]] std::string describe_best(const std::string& what, bool least) const {
    if (q_.by == plan_by::time) return "the least time";
    if (least) return what;
    return std::string(q_.by == plan_by::balanced ? "the least time" : "the fewest reads") +
           " within 2% of the least memory";
  }
  [[nodiscard]] std::string compare(double ratio) const {
    if (by_rate_) return number_text(ratio) + " times the false positives";
    if (by_keys_) return number_text(1 / ratio) + " times the keys";
    return number_text(ratio) + " times the memory";
  }

  const plan_request& q_;
  bool by_rate_;  ///< memory and keys are given
  bool by_keys_;  ///< memory and rate are given: the more keys, the better
};

}  // namespace sluice::detail::planning
