// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/bloom_g: Bloom-g (and, with g = 1, the blocked filter). A block's bits come from the keys that chose it; given
// the number of keys in its group these are binomial, and the g blocks of a lookup are nearly independent:
//
//   f = E over the group's keys N of  prod over the g blocks of E[(ones / U)^(bits asked there) | N]
//
// For the whole table N does not vary, and the number of keys in a block is Poisson. In a filter that was folded,
// blocks of a key may coincide: then all that is asked in them is asked in one. Of g > 2 blocks, one pair is looked at.
//
//   symbol here   the letter
//   spread        g          blocks per key
//   share         k / g      bits per block, the first k mod g blocks have one more
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"
#include "theory/distribution.hpp"
#include "theory/lanes.hpp"

namespace sluice::theory {

struct spread_scheme {
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 1;
  std::uint32_t spread = 1;
  double group_blocks = 64;  ///< infinity: the whole table
  bool lanes = false;        ///< positions in lanes, or uniform over the block
  double coincide = 0;       ///< chance that two blocks of a key are one, in a filter that was folded
};

/// How many keys a block is considered with: those that have it among their larger shares, and among the others. Whole
/// numbers.
struct spread_extent {
  double with_more;
  double with_less;

  spread_extent(const spread_scheme& s, double keys_per_block) {
    const double group = s.group_blocks;
    const double mean_keys = keys_per_block * group;
    const double most =
        std::isfinite(group) ? (mean_keys + 8 * std::sqrt(mean_keys) + 8) / group : keys_per_block;  // in a full group
    const auto of = [&](std::uint32_t blocks) { return blocks == 0 ? 0 : std::floor(law_end(most * blocks)); };
    with_more = of(s.hashes % s.spread);
    with_less = of(s.spread - s.hashes % s.spread);
  }
};

/// [i][j]: the chance that `asked` positions are set in a block into which i keys put share + 1 bits and j keys share
/// bits, and the usual approximation of it, which takes the ones as certain.
class match_table {
public:
  match_table(const spread_scheme& s, detail::position_slice asked, std::size_t most_with_more,
              std::size_t most_with_less)
      : width_(most_with_less + 1), exact_((most_with_more + 1) * width_), usual_(exact_.size()) {
    const std::uint32_t share = s.hashes / s.spread;
    const std::uint32_t larger = s.hashes % s.spread;
    const double u = s.block_bits;
    const std::size_t most_thrown = most_with_more * (share + 1) + most_with_less * share;
    std::vector<double> thrown_exact;
    std::optional<lane_match> in_lanes;
    if (s.lanes) {
      in_lanes.emplace(s.block_bits / detail::lanes::quad_bits, asked,
                       std::array{detail::position_slice{.count = share + 1},
                                  detail::position_slice{.first = larger * (share + 1), .count = share}});
    } else {
      const std::vector<double> value = extend::fill_powers(s.block_bits, asked.count);
      extend::thrown_ones ones(s.block_bits);
      for (std::size_t thrown = 0; thrown <= most_thrown; ++thrown, ones.throw_bit()) {
        thrown_exact.push_back(ones.expect(value));
      }
    }
    for (std::size_t i = 0; i <= most_with_more; ++i) {
      for (std::size_t j = 0; j <= most_with_less; ++j) {
        const std::size_t thrown = i * (share + 1) + j * share;
        exact_[i * width_ + j] =
            in_lanes ? (*in_lanes)(static_cast<double>(i), static_cast<double>(j)) : thrown_exact[thrown];
        usual_[i * width_ + j] = std::pow(-std::expm1(static_cast<double>(thrown) * std::log1p(-1 / u)), asked.count);
      }
    }
  }

  [[nodiscard]] double exact(std::size_t i, std::size_t j) const { return exact_[i * width_ + j]; }
  [[nodiscard]] double usual(std::size_t i, std::size_t j) const { return usual_[i * width_ + j]; }

private:
  std::size_t width_;
  std::vector<double> exact_;
  std::vector<double> usual_;
};

[[nodiscard]] prediction predict(const spread_scheme& s, double keys_per_block);

}  // namespace sluice::theory
