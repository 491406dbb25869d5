// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/choice: the choice groups of Lumetta and Mitzenmacher. One bit array, and c groups of k positions for
// every key; a key is stored in the group that needs the fewest new ones, and a lookup is true if any group is fully
// set.
//
//   c = 1   the classic Bloom filter             c = 2, 3, ...   fewer ones, but c chances to be wrong
//
// A candidate is here (the one block, group j): the same walk as everywhere else. Ties go to the first group, which
// makes hits cheaper and changes the number of ones not at all. Bits only ever go from 0 to 1, so a group that is set
// stays set: no false negatives, and a union is an OR. The offline form, which moves keys between their groups, is
// choice_builder (builders.hpp).
// Cost, in probed positions: insert c k; hit k in the first group, more in later ones; miss about 2 per group.
#pragma once

#include <cstdint>

#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

class choice_placement {
public:
  constexpr choice_placement(std::uint32_t groups, std::uint32_t hashes) noexcept : groups_(groups), hashes_(hashes) {}

  [[nodiscard]] static constexpr std::uint64_t blocks() noexcept { return 1; }
  [[nodiscard]] constexpr std::uint32_t hashes() const noexcept { return hashes_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest /*x*/) const noexcept { return groups_; }
  [[nodiscard]] constexpr candidate at(digest /*x*/, std::uint32_t j) const noexcept {
    return {0, {.group = j, .count = hashes_}};
  }

  [[nodiscard]] static constexpr bool goes_on(const auto& /*blocks*/, digest /*x*/, std::uint32_t /*j*/,
                                              const candidate& /*c*/) noexcept {
    return true;
  }

  [[nodiscard]] constexpr placed place(const auto& blocks, digest x, walk_result /*walked*/) const noexcept {
    candidate best = at(x, 0);
    if (groups_ > 1) {
      std::uint32_t fewest = blocks.kind().missing(blocks[0], x, best.positions);
      for (std::uint32_t j = 1; j < groups_; ++j) {
        const candidate c = at(x, j);
        const std::uint32_t missing = blocks.kind().missing(blocks[0], x, c.positions);
        if (missing < fewest) {
          fewest = missing;
          best = c;
        }
      }
    }
    blocks.put(best.block, x, best.positions);
    return {true, groups_ * hashes_};
  }

  /// With z the fraction of ones: f = 1 - (1 - z^k)^c; a group that is not fully set costs 1 + z + ... + z^(k-1)
  /// probes. (With double hashing lines coincide, and z^k has more beside it: block/bit_array.hpp.)
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t keys) const noexcept {
    const auto [full, probes] = blocks.kind().random_group(blocks[0], hashes_, keys);
    fill_estimate result;
    double reach = 1;
    for (std::uint32_t j = 0; j < groups_; ++j) {
      result.fpr += reach * full;
      result.blocks_per_miss += reach * probes;
      reach *= 1 - full;
    }
    return result;
  }

private:
  std::uint32_t groups_;
  std::uint32_t hashes_;
};

}  // namespace sluice::detail
