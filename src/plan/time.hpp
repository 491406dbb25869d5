// plan/time: how long lookups take, in times of a blocked filter with the same bits a key: from the table of measured
// times (plan/costs.hpp), by scheme and number of steps.
//
// The mean of single lookups and of lookups in bulk, each at the hit ratio of the request. Times in the table are of
// streams of hits alone and of misses alone: what a branch predictor loses on a mixture is not in them. Blocks of 256
// bits are taken for blocks of 512 with as many positions. Three tables made on one busy machine agreed at a hit ratio
// of one half to 8% (the median of all rows), 18% (nine rows of ten) and 28% (the worst).
//
// Invariants: a blocked filter takes 1. A design that is kept while its memory grows never takes longer, as long as
// blocked takes longer with more positions: so what is fast enough stays so, and the best of it gets no worse
// (plan/designs.hpp). Cost: some hundred comparisons, and no model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>

#include "plan/cost_row.hpp"
#include "plan/costs.hpp"
#include "plan/designs.hpp"
#include "plan/schemes.hpp"
#include "plan/sealed_costs.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

using designs::cost_row;
using designs::lookup_times;
using designs::sealed_cost_row;

/// Filters above this many bytes are in no cache, whatever else is in it.
inline constexpr double most_cached_bytes = 32 * 1024 * 1024;

/// The times of so many steps in one place: on a line between the rows, beyond them those of the nearest. In lanes
/// every number of steps has a row.
[[nodiscard]] inline lookup_times times_at(timed_as what, std::uint32_t hashes, lookup_times cost_row::* place) {
  const std::uint32_t steps = designs::steps_of(hashes, what.lanes);
  const cost_row* low = nullptr;
  const cost_row* high = nullptr;
  for (const cost_row& r : designs::cost_rows) {  // ascending in steps
    if (r.which != what.which || r.lanes != what.lanes) continue;
    if (low == nullptr || r.steps <= steps) low = &r;
    high = &r;
    if (r.steps >= steps) break;
  }
  const double part =
      low == high ? 0 : std::clamp((double{1} * steps - low->steps) / (double{1} * high->steps - low->steps), 0.0, 1.0);
  const auto between = [&](double lookup_times::* kind) {
    return low->*place.*kind + (high->*place.*kind - low->*place.*kind) * part;
  };
  return {between(&lookup_times::single_hit), between(&lookup_times::single_miss), between(&lookup_times::bulk_hit),
          between(&lookup_times::bulk_miss)};
}

/// The same for a sealed filter, by the bits of its fingerprints.
[[nodiscard]] inline lookup_times times_at(const sealed_parameters& p, lookup_times sealed_cost_row::* place) {
  const std::span<const sealed_cost_row> rows(designs::sealed_cost_rows);
  std::size_t high = 1;
  while (high + 1 < rows.size() && rows[high].fingerprint_bits < p.fingerprint_bits) ++high;
  const sealed_cost_row& a = rows[high - 1];
  const sealed_cost_row& b = rows[high];
  const double part = std::clamp(
      (double{1} * p.fingerprint_bits - a.fingerprint_bits) / (double{1} * b.fingerprint_bits - a.fingerprint_bits),
      0.0, 1.0);
  const auto between = [&](double lookup_times::* kind) {
    return a.*place.*kind + (b.*place.*kind - a.*place.*kind) * part;
  };
  return {between(&lookup_times::single_hit), between(&lookup_times::single_miss), between(&lookup_times::bulk_hit),
          between(&lookup_times::bulk_miss)};
}

/// The positions of the blocked filter that others are compared with.
[[nodiscard]] inline std::uint32_t blocked_hashes(std::uint32_t block_bits, double bits_per_key) {
  const auto table = designs::rows_of(designs::family::blocked, lanes::has_lanes(block_bits) ? block_bits : 512);
  const double within = std::clamp(bits_per_key, table.front().bits_per_key, table.back().bits_per_key);
  const auto row = designs::at_bits(table, within);
  return row ? row->whole(&designs::row::hashes) : 1;  // within the table there is one
}

/// Times of a lookup in cache and in memory.
struct relative_times {
  double in_cache;
  double in_memory;

  /// The one that counts for a filter of so many bytes: a small one may be in a cache or not, a large one is not.
  [[nodiscard]] double of(double bytes) const {
    return bytes <= most_cached_bytes ? std::max(in_cache, in_memory) : in_memory;
  }
};

/// One place: the mean of single lookups and of bulk, in times of blocked.
[[nodiscard]] inline double relative_time(const lookup_times& ours, lookup_times cost_row::* place,
                                          std::uint32_t block_bits, double bits_per_key, double hit_ratio) {
  const timed_as blocked{designs::family::blocked, lanes::has_lanes(block_bits)};
  const lookup_times theirs = times_at(blocked, blocked_hashes(block_bits, bits_per_key), place);
  const auto mixed = [&](double hit, double miss) { return hit_ratio * hit + (1 - hit_ratio) * miss; };
  const double single = mixed(ours.single_hit, ours.single_miss) / mixed(theirs.single_hit, theirs.single_miss);
  const double bulk = mixed(ours.bulk_hit, ours.bulk_miss) / mixed(theirs.bulk_hit, theirs.bulk_miss);
  return (single + bulk) / 2;
}

[[nodiscard]] inline relative_times times_of(timed_as what, std::uint32_t hashes, std::uint32_t block_bits,
                                             double bits_per_key, double hit_ratio) {
  if (what.which == designs::family::blocked) return {1, 1};
  const auto ratio = [&](lookup_times cost_row::* place) {
    return relative_time(times_at(what, hashes, place), place, block_bits, bits_per_key, hit_ratio);
  };
  return {ratio(&cost_row::in_cache), ratio(&cost_row::in_memory)};
}

[[nodiscard]] inline relative_times times_of(const parameters& p, std::uint32_t block_bits, double bits_per_key,
                                             double hit_ratio) {
  return std::visit(
      [&](const auto& q) -> relative_times {
        if constexpr (requires { q.fingerprint_bits; }) {
          const auto ratio = [&](const lookup_times& ours, lookup_times cost_row::* place) {
            return relative_time(ours, place, block_bits, bits_per_key, hit_ratio);
          };
          return {ratio(times_at(q, &sealed_cost_row::in_cache), &cost_row::in_cache),
                  ratio(times_at(q, &sealed_cost_row::in_memory), &cost_row::in_memory)};
        } else {
          return times_of(timed_of(q), q.hashes, block_bits, bits_per_key, hit_ratio);
        }
      },
      p);
}

/// The most positions with which a filter of a scheme and so many bytes takes no longer than the request allows; any
/// number where the request does not ask for time, and where no number is few enough: such filters are shown as they
/// are.
[[nodiscard]] inline std::uint32_t most_hashes(designs::family which, const plan_request& q, double bytes,
                                               double bits_per_key) {
  constexpr auto any = std::numeric_limits<std::uint32_t>::max();
  if (q.by != plan_by::balanced || which == designs::family::blocked) return any;
  const bool gated = which == designs::family::gated || which == designs::family::static_gated;
  const timed_as what = gated ? timed_as{designs::family::gated, true} : timed_as{which};
  for (std::uint32_t k = 64; k >= 1; --k) {
    if (times_of(what, k, q.block_bits, bits_per_key, q.hit_ratio).of(bytes) <= plan_request::most_time)
      return k == 64 ? any : k;
  }
  return any;
}

}  // namespace sluice::detail::planning
