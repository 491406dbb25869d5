// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/growth.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/numbers.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

/// A link leaves 0.85 of the rate to those behind it, so that the fifteenth still has a 72nd: halves would be gone
/// sooner, and the newest links have most of the keys. A fifth of the rate is shared by 1/3, 1/6, 1/10 and so on, which
/// never becomes too little. Where others have taken more than that, of what is left.
[[nodiscard]] double rate_of_planned_link(double fpr, std::uint64_t number, double rate_so_far) noexcept {
  constexpr double caution = 0.9;  // models are good to 5%, and one filter differs from the next
  constexpr double left_by_each = 0.85;
  constexpr double for_long_chains = 0.2;
  double left = 1 - for_long_chains;
  for (std::uint64_t i = 0; i < number; ++i) left *= left_by_each;  // products are the same on every machine
  const auto i = static_cast<double>(number);
  const double rest = left + for_long_chains * 2 / (i + 2);  // the shares of this link and all behind it
  const double own = left * (1 - left_by_each) + for_long_chains * 2 / ((i + 2) * (i + 3));
  const double by_number = fpr * caution * own;
  const double of_what_is_left = (fpr * caution - rate_so_far) * own / rest;
  return of_what_is_left > 0 ? std::min(by_number, of_what_is_left) : by_number;  // a union may have taken all
}

}  // namespace

parameters best_of_chain(const growth& how, double keys, double fpr) {
  plan_request q{.keys = keys, .fpr = fpr, .block_bits = how.block_bits, .shards = 1, .seed = how.seed};
  if (how.erasable) {
    q.erase = true;
    return best_plan(q).params;
  }
  // Links are united only while both together have room: as two halves of one, not as many shards.
  q.mergeable = true;
  return plan(q).front().params;
}

planned_link plan_link(const growth& how, std::uint64_t number, std::uint64_t capacity, double rate_so_far) {
  if (how.erasable) {
    const ledger_parameters first = extend::first_ledger(how.first_keys, how.fpr / extend::planned_ledgers, how.seed);
    const ledger_parameters p = extend::next_ledger(first, capacity / how.first_keys);
    return {p, extend::rate_of_ledger(p, capacity), capacity};
  }
  const double fpr = rate_of_planned_link(how.fpr, number, rate_so_far);
  return {best_of_chain(how, static_cast<double>(capacity), fpr), fpr, capacity};
}

std::uint64_t next_capacity(const growth& how, std::uint64_t held) {
  if (held == 0) return how.first_keys;
  constexpr std::uint64_t not_much = std::uint64_t{1} << 20;
  return checked_product(held, how.factor - 1, "the keys of the next link") +
         std::min(how.first_keys, std::max(held, not_much));
}

void plan_links(const growth& how, double keys, std::vector<planned_link>& links) {
  check(how);
  if (!(keys >= 1 && keys <= 1e15)) throw parameter_error("growing filter: the number of keys is from 1 to 1e15");
  std::uint64_t held = 0;
  double rates = 0;
  for (const planned_link& l : links) {
    held += l.capacity;
    rates += l.fpr;
  }
  while (static_cast<double>(held) < keys) {
    links.push_back(plan_link(how, links.size(), next_capacity(how, held), rates));
    held += links.back().capacity;
    rates += links.back().fpr;
  }
}

chain_cost cost_of_chain(std::span<const planned_link> links, double keys) {
  const auto note = [](chain_cost::range& r, double value, std::size_t noted) {
    r.best = noted == 0 ? value : std::min(r.best, value);
    r.worst = std::max(r.worst, value);
    r.mean += (value - r.mean) / static_cast<double>(noted + 1);
    r.in_the_end = value;
  };
  constexpr double step = 1.01;
  chain_cost cost;
  std::size_t number = 0;
  double keys_before = 0;  // in the links before this one
  double bits_before = 0;
  std::size_t noted = 0;
  for (double n = std::min(static_cast<double>(links.front().capacity), keys);; n = std::min(n * step, keys)) {
    while (number + 1 < links.size() && keys_before + static_cast<double>(links[number].capacity) < n) {
      keys_before += static_cast<double>(links[number].capacity);
      bits_before += filter_bits(links[number].params);
      ++number;
    }
    const planned_link& last = links[number];
    double folded = 1;
    if (may_be_folded(last.params)) {
      while (static_cast<double>(last.capacity) * folded / 2 >= n - keys_before) folded /= 2;
    }
    const double bits = filter_bits(last.params);
    note(cost.bits_in_memory, (bits_before + bits) / n, noted);
    note(cost.bits_in_file, (bits_before + bits * folded) / n, noted);
    note(cost.links, static_cast<double>(number + 1), noted);
    ++noted;
    if (n >= keys) return cost;
  }
}

}  // namespace sluice::detail::planning
