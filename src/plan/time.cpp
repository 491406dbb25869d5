// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/time.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "plan/cost_row.hpp"
#include "plan/costs.hpp"
#include "plan/designs.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

/// The times of so many steps in one place: on a line between the rows, beyond them those of the nearest; nothing where
/// the scheme was not measured. In lanes every number of steps has a row.
[[nodiscard]] std::optional<lookup_times> times_at(const processor_costs& on, designs::timed_as what,
                                                   lookup_times cost_row::* place) {
  const cost_row* low = nullptr;
  const cost_row* high = nullptr;
  for (const cost_row& r : on.rows) {  // ascending in steps
    if (r.which != what.which || r.lanes != what.lanes) continue;
    if (low == nullptr || r.steps <= what.steps) low = &r;
    high = &r;
    if (r.steps >= what.steps) break;
  }
  if (low == nullptr) return std::nullopt;
  const double share =
      low == high
          ? 0
          : std::clamp((double{1} * what.steps - low->steps) / (double{1} * high->steps - low->steps), 0.0, 1.0);
  const auto between = [&](double lookup_times::* kind) {
    return low->*place.*kind + (high->*place.*kind - low->*place.*kind) * share;
  };
  return lookup_times{between(&lookup_times::single_hit), between(&lookup_times::single_miss),
                      between(&lookup_times::bulk_hit), between(&lookup_times::bulk_miss)};
}

/// The positions of the blocked filter that others are compared with.
[[nodiscard]] std::uint32_t blocked_hashes(std::uint32_t block_bits, double bits_per_key) {
  const auto table = designs::rows_of(designs::family::blocked, lanes::has_lanes(block_bits) ? block_bits : 512);
  const double within = std::clamp(bits_per_key, table.front().bits_per_key, table.back().bits_per_key);
  const auto row = designs::at_bits(table, within);
  return row ? row->whole(&designs::row::hashes) : 1;  // within the table there is one
}

/// One place: the mean of single lookups and of bulk, in times of blocked, where that is larger.
[[nodiscard]] double relative_time(designs::timed_as what, lookup_times cost_row::* place, designs::timed_as blocked,
                                   double hit_ratio) {
  const auto mixed = [&](double hit, double miss) { return hit_ratio * hit + (1 - hit_ratio) * miss; };
  double longest = 0;
  for (const processor_costs& on : designs::costs) {
    const auto ours = times_at(on, what, place);
    const auto theirs = times_at(on, blocked, place);
    if (!ours || !theirs) continue;
    const double single = mixed(ours->single_hit, ours->single_miss) / mixed(theirs->single_hit, theirs->single_miss);
    const double bulk = mixed(ours->bulk_hit, ours->bulk_miss) / mixed(theirs->bulk_hit, theirs->bulk_miss);
    longest = std::max(longest, (single + bulk) / 2);
  }
  return longest;
}

}  // namespace

relative_times times_of(designs::timed_as what, std::uint32_t block_bits, double bits_per_key, double hit_ratio) {
  if (what.which == designs::family::blocked) return {1, 1};
  const designs::timed_as blocked = designs::timed_as_of(designs::family::blocked, lanes::has_lanes(block_bits),
                                                         blocked_hashes(block_bits, bits_per_key));
  return {relative_time(what, &cost_row::in_cache, blocked, hit_ratio),
          relative_time(what, &cost_row::in_memory, blocked, hit_ratio)};
}

std::uint32_t most_hashes(designs::family which, const plan_request& q, double bytes, double bits_per_key) {
  constexpr auto any = std::numeric_limits<std::uint32_t>::max();
  if (q.by != plan_by::balanced || which == designs::family::blocked) return any;
  const bool gated = which == designs::family::gated || which == designs::family::static_gated;
  for (std::uint32_t k = 64; k >= 1; --k) {
    const designs::timed_as what = designs::timed_as_of(gated ? designs::family::gated : which, gated, k);
    if (times_of(what, q.block_bits, bits_per_key, q.hit_ratio).of(bytes) <= plan_request::most_time)
      return k == 64 ? any : k;
  }
  return any;
}

}  // namespace sluice::detail::planning
