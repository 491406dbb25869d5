// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/time: how long lookups take, in times of a blocked filter with the same bits a key: from the tables of measured
// times (plan/costs.hpp), by scheme and number of steps.
//
// The mean of single lookups and of lookups in bulk, each at the hit ratio of the request, on the processor where that
// is larger: a plan is the same on every machine, and what it calls fast enough is so on each that was measured. Times
// in the tables are of streams of hits alone and of misses alone: what a branch predictor loses on a mixture is not in
// them. Blocks of 256 bits are taken for blocks of 512 with as many positions. Three tables made on one busy machine
// agreed at a hit ratio of one half to 8% (the median of all rows), 18% (nine rows of ten) and 28% (the worst).
//
// Invariants: a blocked filter takes 1. A design that is kept while its memory grows never takes longer, as long as
// blocked takes longer with more positions: so what is fast enough stays so, and the best of it gets no worse
// (plan/designs.hpp). Cost: some hundred comparisons, and no model.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan/cost_row.hpp"
#include "plan/designs.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

using designs::cost_row;

using designs::lookup_times;

using designs::processor_costs;

/// Filters above this many bytes are in no cache, whatever else is in it.
inline constexpr double most_cached_bytes = 32 * 1024 * 1024;

/// Times of a lookup in cache and in memory.
struct relative_times {
  double in_cache;
  double in_memory;

  /// The one that counts for a filter of so many bytes: a small one may be in a cache or not, a large one is not.
  [[nodiscard]] double of(double bytes) const {
    return bytes <= most_cached_bytes ? std::max(in_cache, in_memory) : in_memory;
  }
};

[[nodiscard]] relative_times times_of(designs::timed_as what, std::uint32_t block_bits, double bits_per_key,
                                      double hit_ratio);

/// The most positions with which a filter of a scheme and so many bytes takes no longer than the request allows; any
/// number where the request does not ask for time, and where no number is few enough: such filters are shown as they
/// are.
[[nodiscard]] std::uint32_t most_hashes(designs::family which, const plan_request& q, double bytes,
                                        double bits_per_key);

}  // namespace sluice::detail::planning
