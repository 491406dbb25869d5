// placement/blocked: one block per key, k positions inside it: the blocked filter.
//
// Loads are binomial (Poisson for many blocks), and the few overfull blocks make most of the false positives: that is
// what all other placements improve.
// Cost: insert, hit and miss read 1 block.
#pragma once

#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

template <number Hashes = dynamic>
class blocked_placement {
public:
  constexpr blocked_placement(std::uint64_t blocks, Hashes hashes) noexcept : blocks_(blocks), hashes_(hashes) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return blocks_; }
  /// A key has one block: every block is a group of its own.
  [[nodiscard]] constexpr block_groups groups() const noexcept { return {blocks_, 1}; }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] static constexpr std::uint32_t candidates(digest /*x*/) noexcept { return 1; }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t /*j*/) const noexcept {
    return {first_block(x, blocks_), {.count = hashes_}};
  }

  [[nodiscard]] static constexpr bool goes_on(const auto& /*blocks*/, digest /*x*/, std::uint32_t /*j*/,
                                              const candidate& /*c*/) noexcept {
    return false;
  }

  /// The walk, with a key's whole set of positions tested in one where blocks have lanes.
  template <class Blocks>
    requires requires(const Blocks& blocks, digest x) { blocks.kind().holds_first(blocks[0], x, fixed<1>{}); }
  [[nodiscard, gnu::always_inline]] walk_result walk(const Blocks& blocks, digest x) const noexcept {
    const bool found = blocks.kind().holds_first(blocks[first_block(x, blocks_)], x, hashes_);
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

  /// f = mean over the blocks of the probability that a block contains a random key.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const noexcept {
    double sum = 0;
    for (std::uint64_t b = 0; b < blocks_; ++b)
      sum += blocks.kind().match_probability(blocks[b], position_slice{.count = hashes_});
    return {sum / static_cast<double>(blocks_), 1};
  }

private:
  std::uint64_t blocks_;
  [[no_unique_address]] Hashes hashes_;
};

}  // namespace sluice::detail
