// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/evaluate.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include "plan/designs.hpp"
#include "plan/time.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/overflow/exact_list.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/plan.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace sluice::detail::planning {

std::string number_text(double value, int digits) { return sluice::detail::number_text(value, digits); }

std::string tell_apart(double value, const std::string& between, double limit) {
  int digits = 3;
  while (digits < 17 && number_text(value, digits) == number_text(limit, digits)) ++digits;
  return number_text(value, digits) + between + number_text(limit, digits);
}

std::string why_not_mergeable(const parameters& p) {
  const bool counts_keys = std::visit([](const auto& q) { return requires { q.acceptance; }; }, p);
  if (counts_keys) return "its counters and list do not merge by a plain OR";
  if (is_sealed(p)) return "sealed filters have no union";
  if (is_static(p)) return "a union is read as an online filter, and has its rate";
  if (erases_keys(p)) return "its entries do not merge by a plain OR";
  return {};
}

namespace {

constexpr std::uint32_t steady_turnovers = 8;

}  // namespace

theory::prediction predict(const parameters& p, double keys, const plan_request& q) {
  // What cannot be united is shown as one filter, with the reason.
  // Who wants to erase will: what is promised of a ledger must hold when its keys have come and gone.
  const auto of_union = [&](std::uint64_t shards) {
    return theory::predict(p, keys, {.shards = shards, .turnovers = steady_turnovers});
  };
  if (!why_not_mergeable(p).empty()) return of_union(1);
  theory::prediction c = of_union(shards_of(q));
  if (!q.keys_at_most || shards_of(q) == 1) return c;
  // All keys that were said may come, and the filter is not folded then: what is worse is promised.
  const theory::prediction unfolded = of_union(1);
  const double hit = std::max(c.accesses_hit, unfolded.accesses_hit);
  const double miss = std::max(c.accesses_miss, unfolded.accesses_miss);
  if (unfolded.fpr_exact > c.fpr_exact) c = unfolded;
  c.accesses_hit = hit;
  c.accesses_miss = miss;
  return c;
}

namespace {

/// By how much the rate of a real filter may lie above its model, on average: filters are planned to keep a rate in
/// spite of it. Of gated filters it was up to 0.9% (a million keys, rates of 1e-3 to 1e-9, six filters each); all other
/// models are exact.
[[nodiscard]] double model_error(const parameters& p) { return scheme_of(p) == scheme::gated ? 1.01 : 1; }

}  // namespace

double excess_over(double fpr, const plan_candidate& c) {
  return std::log(c.predicted.fpr_exact * model_error(c.params) / fpr);
}

namespace {

/// What a list of this many digests occupies: exact, or of a sealed filter or ledger.
[[nodiscard]] double list_bits(const parameters& p, double members) {
  if (is_sealed(p) || erases_keys(p)) return 64 * members;
  if (members < 1) return 0;
  return 64 * static_cast<double>(exact_list::slots_for(static_cast<std::uint64_t>(std::ceil(members))));
}

}  // namespace

bool has_list(const parameters& p) {
  return std::visit(
      [](const auto& q) {
        if constexpr (requires { q.overflow; }) return q.overflow == overflow_rule::exact_list;
        return traits_of(q.which).may_have_a_list;
      },
      p);
}

double filter_bits(const parameters& p) { return 8 * static_cast<double>(bytes_for(p)); }

plan_candidate evaluate(const parameters& p, double keys, const plan_request& q) {
  plan_candidate c{.params = with_seed(normalised(p), q.seed), .predicted = predict(p, keys, q), .keys = keys};
  c.bits_per_key = filter_bits(c.params) / keys;
  c.memory_bytes = extend::memory_bits(c.params, c.predicted, keys) / 8;
  c.memory_bits_per_key = 8 * c.memory_bytes / keys;
  c.design = designs::design_of(c.params);
  const relative_times times = times_of(designs::timed_of(c.params), q.block_bits, c.memory_bits_per_key, q.hit_ratio);
  c.time_in_cache = times.in_cache;
  c.time_in_memory = times.in_memory;
  c.time = times.of(c.memory_bytes);
  const double further = designs::reach_of(c.params).same_page ? q.second_line_cost : 1;
  const auto cost = [&](double accesses) { return 1 + (accesses - 1) * further; };
  c.mean_cost = q.hit_ratio * cost(c.predicted.accesses_hit) + (1 - q.hit_ratio) * cost(c.predicted.accesses_miss);
  return c;
}

bool takes_too_long(const plan_candidate& c, const plan_request& q) {
  const bool may_be_slow = is_sealed(c.params) || erases_keys(c.params);
  return q.by == plan_by::balanced && !may_be_slow && c.time > plan_request::most_time;
}

std::string broken_limit(const plan_candidate& c, const plan_request& q) {
  const designs::reach most = designs::reach_of(c.params);
  const bool counts_keys = std::visit([](const auto& p) { return requires { p.acceptance; }; }, c.params);
  if (q.erase && !erases_keys(c.params)) return "its keys share their bits, and cannot be erased";
  if (q.fpr && c.predicted.fpr_exact > *q.fpr * (1 + 1e-9)) {
    return "its false positive rate of " + tell_apart(c.predicted.fpr_exact, " is above ", *q.fpr);
  }
  if (q.memory_bits && 8 * c.memory_bytes > *q.memory_bits * (1 + 1e-9)) {
    return "it needs " + tell_apart(c.memory_bytes, " bytes, more than ", *q.memory_bits / 8);
  }
  if (most.blocks > q.max_blocks) {
    return "a lookup may read " + std::to_string(most.blocks) + " blocks, more than " + std::to_string(q.max_blocks);
  }
  if (q.accesses_hit && c.predicted.accesses_hit > *q.accesses_hit) {
    return "a hit reads " + tell_apart(c.predicted.accesses_hit, " blocks, more than ", *q.accesses_hit);
  }
  if (q.accesses_miss && c.predicted.accesses_miss > *q.accesses_miss) {
    return "a miss reads " + tell_apart(c.predicted.accesses_miss, " blocks, more than ", *q.accesses_miss);
  }
  if (c.mean_cost > q.mean_cost_limit) {
    return "its mean cost of " + tell_apart(c.mean_cost, " is above ", q.mean_cost_limit);
  }
  if (q.no_list && has_list(c.params)) return "it keeps an exact list beside the filter";
  if (q.concurrent && is_sealed(c.params)) return "it takes no keys once it is built";
  if (q.concurrent && erases_keys(c.params)) return "its entries cannot be moved by several threads at once";
  if (q.concurrent && counts_keys) return "its counters cannot be raised by several threads at once";
  if (q.keys_at_most && !may_be_folded(c.params)) return "it cannot be folded where fewer keys come";
  if (q.mergeable || shards_of(q) > 1) return why_not_mergeable(c.params);
  return {};
}

}  // namespace sluice::detail::planning

namespace sluice::extend {

double memory_bits(const parameters& p, const theory::prediction& predicted, double keys) {
  namespace planning = detail::planning;
  const double listed = predicted.overflow_fraction * keys;
  return planning::filter_bits(p) + (planning::has_list(p) ? planning::list_bits(p, listed) : 0);
}

}  // namespace sluice::extend
