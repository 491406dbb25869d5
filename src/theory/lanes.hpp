// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/lanes: what the lanes of a block (block/lanes.hpp) do to its false positive rate.
//
// A key sets its bits quad by quad, so lanes are not filled independently: two lanes of one quad tend to be used by the
// same keys. The chance that all asked positions are set is corrected for that to second order in the lanes' deviations
// from the mean fill q: E prod fill = q^count exp(sum over pairs of asked positions of cov / q^2). The layout is
// symmetric, so a covariance depends on two differences only: of the quads, and of the lanes within a quad.
//
//   lane_pairs       for one slice of positions: how many pairs of positions lie at each difference
//   lane_coverage    for one slice, over a random start: how two lanes at each difference are covered together
//   lane_match       the chance that a slice is set in a block that holds given numbers of keys of two kinds (blocked,
//                    Bloom-g)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/positions.hpp"

namespace sluice::theory {

/// One number for every difference of two lanes; [0] is a lane and itself.
using by_difference = std::array<double, detail::lanes::most_lanes>;

/// Unordered pairs of positions of a slice.
[[nodiscard]] by_difference lane_pairs(std::uint32_t quads, detail::position_slice slice);

/// The mean, over a random start, of a function of how often a slice visits two lanes at each difference.
[[nodiscard]] by_difference lane_coverage(std::uint32_t quads, detail::position_slice slice,
                                          const std::function<double(double, double)>& value);

class lane_match {
public:
  /// The asked slice, and the two slices that stored keys may have set.
  lane_match(std::uint32_t quads, detail::position_slice asked, std::array<detail::position_slice, 2> stored)
      : quads_(quads), count_(asked.count), pairs_(lane_pairs(quads, asked)) {
    for (std::size_t kind = 0; kind < stored.size(); ++kind) {
      const double miss = 1 - 1.0 / detail::lanes::lane_bits;  // one throw leaves a given bit empty
      const double miss_two = 1 - 2.0 / detail::lanes::lane_bits;
      both_empty_[kind] = lane_coverage(quads, stored[kind], [&](double a, double b) { return std::pow(miss, a + b); });
      empty_[kind] = lane_coverage(quads, stored[kind], [&](double a, double) { return std::pow(miss, a); })[0];
      // Two different bits of one lane.
      both_empty_[kind][0] =
          lane_coverage(quads, stored[kind], [&](double a, double) { return std::pow(miss_two, a); })[0];
    }
  }

  /// With this many keys of each kind in the block.
  [[nodiscard]] double operator()(double first_kind, double second_kind) const {
    const auto after = [&](double first, double second) {
      return std::pow(first, first_kind) * std::pow(second, second_kind);
    };
    const double empty = after(empty_[0], empty_[1]);
    const double q = 1 - empty;
    if (q <= 0) return count_ == 0 ? 1 : 0;
    double exponent = 0;
    double least = q;  // the chance of all is at most that of any one, and of any two
    for (std::uint32_t d = 0; d < quads_ * detail::lanes::quad_lanes; ++d) {
      if (pairs_[d] == 0) continue;
      const double pair = after(both_empty_[0][d], both_empty_[1][d]);
      double both_set = 1 - 2 * empty + pair;
      if (d == 0)
        both_set = both_set + (q - both_set) / detail::lanes::lane_bits;  // perhaps it is one and the same bit
      exponent += pairs_[d] * (both_set / (q * q) - 1);
      least = std::min(least, both_set);
    }
    // Where a block has few keys, deviations are as large as the fill, and the second order alone leads far astray.
    return std::min(count_ == 0 ? 1 : least, std::pow(q, count_) * std::exp(exponent));
  }

private:
  std::uint32_t quads_;
  std::uint32_t count_;
  by_difference pairs_;
  std::array<double, 2> empty_{};
  std::array<by_difference, 2> both_empty_{};
};

}  // namespace sluice::theory
