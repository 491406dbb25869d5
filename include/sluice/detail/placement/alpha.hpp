// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/alpha: the 1+alpha blocked filter of Krimer and Erez. A share alpha of the keys, chosen by a bit Phi
// of the digest, has two candidate blocks and goes to the less loaded one; all others have one.
//
//   alpha = 0   the blocked filter          alpha = 1   the two-choice blocked filter
//
// Which of the two blocks holds a key is not remembered: a lookup reads both, unless the first contains the key. That
// is why a union needs only an OR, why the false positive rate is (1 + alpha) times a block's, and why the best alpha
// lies between: balance against a second chance to be wrong. The second block is uniform over all blocks but the first.
// Ties go to the first block, which makes hits cheaper and the balance no worse.
// Cost: insert and miss 1 + alpha blocks; hit 1 + alpha/2 (less where ties are frequent).
#pragma once

#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

template <number Hashes = dynamic>
class alpha_placement {
public:
  /// Precondition: at least 2 blocks unless alpha is 0.
  constexpr alpha_placement(std::uint64_t blocks, Hashes hashes, double alpha) noexcept
      : blocks_(blocks), hashes_(hashes), alpha_(alpha) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest x) const noexcept {
    return decide(derive(x, use::second_choice), alpha_) ? 2 : 1;
  }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    return {block_groups(blocks_, blocks_).nth(x, j), {.count = hashes_}};
  }

  [[nodiscard]] static constexpr bool goes_on(const auto& /*blocks*/, digest /*x*/, std::uint32_t /*j*/,
                                              const candidate& /*c*/) noexcept {
    return true;
  }

  [[nodiscard]] constexpr placed place(const auto& blocks, digest x, walk_result walked) const noexcept {
    candidate chosen = at(x, 0);
    if (candidates(x) == 2) {
      const candidate second = at(x, 1);
      if (blocks.load(second.block) < blocks.load(chosen.block)) chosen = second;
    }
    blocks.put(chosen.block, x, chosen.positions);
    return {true, walked.accesses};
  }

  /// With q_b the probability that block b contains a random key: f = (1 - alpha) E q + alpha (1 - E (1 - q)(1 - q'))
  /// over ordered pairs of different blocks.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const noexcept {
    double sum = 0;
    double squares = 0;
    for (std::uint64_t b = 0; b < blocks_; ++b) {
      const double q = blocks.kind().match_probability(blocks[b], position_slice{.count = hashes_});
      sum += q;
      squares += q * q;
    }
    const auto m = static_cast<double>(blocks_);
    const double mean = sum / m;
    if (blocks_ == 1) return {mean, 1};
    const double both = (sum * sum - squares) / (m * (m - 1));
    return {mean + alpha_ * (mean - both), 1 + alpha_ * (1 - mean)};
  }

private:
  std::uint64_t blocks_;
  [[no_unique_address]] Hashes hashes_;
  double alpha_;
};

}  // namespace sluice::detail
