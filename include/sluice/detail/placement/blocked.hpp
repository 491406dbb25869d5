// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/blocked: one block per key, k positions inside it: the blocked filter.
//
// Loads are binomial (Poisson for many blocks), and the few overfull blocks make most of the false positives: that is
// what all other placements improve.
// Cost: insert, hit and miss read 1 block.
#pragma once

#include <cstdint>

#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

template <number Hashes = dynamic, number Folds = dynamic>
class blocked_placement {
public:
  constexpr blocked_placement(std::uint64_t drawn_blocks, Hashes hashes, Folds folds = {}) noexcept
      : drawn_blocks_(drawn_blocks), hashes_(hashes), folds_(folds) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups().blocks(); }
  /// A key has one block: every block is a group of its own.
  [[nodiscard]] constexpr basic_block_groups<Folds> groups() const noexcept { return {drawn_blocks_, 1, folds_}; }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] static constexpr std::uint32_t candidates(digest /*x*/) noexcept { return 1; }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t /*j*/) const noexcept {
    return {groups().first(x), {.count = hashes_}};
  }

  [[nodiscard]] static constexpr bool goes_on(const auto& /*blocks*/, digest /*x*/, std::uint32_t /*j*/,
                                              const candidate& /*c*/) noexcept {
    return false;
  }

  /// The walk, with a key's whole set of positions tested in one where blocks have lanes.
  template <class Blocks>
    requires requires(const Blocks& blocks, digest x) { blocks.kind().holds_first(blocks[0], x, fixed<1>{}); }
  [[nodiscard, gnu::always_inline]] walk_result walk(const Blocks& blocks, digest x) const noexcept {
    const bool found = blocks.kind().holds_first(blocks[groups().first(x)], x, hashes_);
    return {found ? walk_end::found : walk_end::stopped, 0, 1};
  }

  [[nodiscard]] constexpr placed place(const auto& blocks, digest x, walk_result walked) const noexcept {
    const candidate c = at(x, 0);
    if constexpr (requires { blocks.kind().add_first(blocks[c.block], x, hashes_); }) {
      blocks.kind().add_first(blocks[c.block], x, hashes_);
    } else {
      blocks.put(c.block, x, c.positions);
    }
    return {true, walked.accesses};
  }

  /// f = mean over the blocks that are drawn from of the probability that a block contains a random key.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const noexcept {
    double sum = 0;
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      const double match = blocks.kind().match_probability(blocks[b], position_slice{.count = hashes_});
      sum += match * static_cast<double>(groups().drawn_in(b));
    }
    return {sum / static_cast<double>(groups().drawn_blocks()), 1};
  }

private:
  std::uint64_t drawn_blocks_;
  [[no_unique_address]] Hashes hashes_;
  [[no_unique_address]] Folds folds_;
};

}  // namespace sluice::detail
