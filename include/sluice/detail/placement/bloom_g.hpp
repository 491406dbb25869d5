// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/bloom_g: Bloom-g. A key has g different blocks of one group (a page by default) and a share of its k bits
// in each; a lookup reads the next block only if the last one passed.
//
// Unlike the other placements, a key is found only if ALL its candidates contain it: the false positive rate is about
// the product of g small filters' rates, the overfull tail is averaged away, and a miss still reads hardly more than
// one block. The price is that a stored key always costs g. The first k mod g blocks have one bit more than the others.
// Cost: insert and hit g blocks, all in one page; miss about 1 + 2^(-k/g).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

class bloom_g_placement {
public:
  static constexpr bool needs_all_candidates = true;

  /// Preconditions: spread from 1 to most_candidates and at most groups.drawn_group(); hashes at least spread.
  constexpr bloom_g_placement(block_groups groups, std::uint32_t hashes, std::uint32_t spread) noexcept
      : groups_(groups), hashes_(hashes), spread_(spread) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups_.blocks(); }
  [[nodiscard]] constexpr const block_groups& groups() const noexcept { return groups_; }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest /*x*/) const noexcept { return spread_; }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    const std::uint32_t share = hashes_ / spread_;
    const std::uint32_t larger = hashes_ % spread_;  // this many blocks have one bit more
    const std::uint32_t first = j * share + (j < larger ? j : larger);
    return {groups_.nth(x, j), {.first = first, .count = share + (j < larger ? 1 : 0)}};
  }

  [[nodiscard]] static constexpr bool goes_on(const auto& /*blocks*/, digest /*x*/, std::uint32_t /*j*/,
                                              const candidate& /*c*/) noexcept {
    return false;
  }

  [[nodiscard]] constexpr placed place(const auto& blocks, digest x, walk_result /*walked*/) const noexcept {
    for (std::uint32_t j = 0; j < spread_; ++j) {
      const candidate c = at(x, j);
      blocks.put(c.block, x, c.positions);
    }
    return {true, spread_};
  }

  /// The mean, over ordered choices of different blocks of a group, of the product of their match probabilities. Blocks
  /// with the larger share and those with the smaller one are told apart: sums[a][b] is the sum, over a blocks of the
  /// first kind and b of the second, all different, of the product; one pass over the group adds block after block. A
  /// block of a folded filter is as many as are drawn from: it adds up to that many of either kind at once.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const {
    const std::uint32_t share = hashes_ / spread_;
    const std::uint32_t larger = hashes_ % spread_;
    const std::uint32_t smaller = spread_ - larger;
    const std::uint64_t group_blocks = groups_.group_blocks();
    const std::uint64_t drawn_group = groups_.drawn_group();
    const std::size_t width = smaller + 1;
    std::vector<double> sums((larger + 1) * width);
    std::vector<double> reach(spread_ +
                              1);  // reach[j]: chance that the first j candidates all pass, summed over groups
    for (std::uint64_t base = 0; base < blocks.size(); base += group_blocks) {
      std::fill(sums.begin(), sums.end(), 0.0);
      sums[0] = 1;
      for (std::uint64_t b = base; b < base + group_blocks; ++b) {
        // The first share of each size stands for all; in lanes with more than two blocks that is off by up to 15%,
        // because others begin in the middle of a quad.
        const double q_large = blocks.kind().match_probability(blocks[b], position_slice{.count = share + 1});
        const double q_small =
            blocks.kind().match_probability(blocks[b], position_slice{.first = larger * (share + 1), .count = share});
        const std::uint64_t drawn = groups_.drawn_of_a_group_in(b);
        for (std::uint32_t a = larger + 1; a-- > 0;) {
          for (std::uint32_t c = smaller + 1; c-- > 0;) {
            sums[a * width + c] = with_block(sums, width, a, c, drawn, q_large, q_small);
          }
        }
      }
      // A block may be whole groups.
      const double whole_groups = static_cast<double>(std::max<std::uint64_t>(1, groups_.drawn_in(base) / drawn_group));
      double orders = whole_groups;  // times (ordered choices in the group) / (orders counted by sums)
      for (std::uint32_t j = 0; j <= spread_; ++j) {
        const std::uint32_t a = j < larger ? j : larger;
        if (j > 0) orders *= static_cast<double>(j <= larger ? a : j - a) / static_cast<double>(drawn_group - (j - 1));
        reach[j] += sums[a * width + (j - a)] * orders;
      }
    }
    const double groups = static_cast<double>(groups_.drawn_blocks()) / static_cast<double>(drawn_group);
    fill_estimate result{reach[spread_] / groups, 0};
    for (std::uint32_t j = 0; j < spread_; ++j) result.blocks_per_miss += reach[j] / groups;
    return result;
  }

private:
  /// sums[a][c] with a block more, of which i and j are among the a and c: `drawn` (drawn - 1) ... / (i! j!) ways.
  [[nodiscard]] static double with_block(const std::vector<double>& sums, std::size_t width, std::uint32_t a,
                                         std::uint32_t c, std::uint64_t drawn, double q_large, double q_small) {
    double sum = 0;
    double of_large = 1;
    for (std::uint32_t i = 0; i <= a && i <= drawn; ++i) {
      double ways = of_large;
      for (std::uint32_t j = 0; j <= c && i + j <= drawn; ++j) {
        sum += sums[(a - i) * width + (c - j)] * ways;
        ways *= q_small * static_cast<double>(drawn - i - j) / static_cast<double>(j + 1);
      }
      of_large *= q_large * static_cast<double>(drawn - i) / static_cast<double>(i + 1);
    }
    return sum;
  }

  block_groups groups_;
  std::uint32_t hashes_;
  std::uint32_t spread_;
};

}  // namespace sluice::detail
