// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// derive: the words that are made of a digest, one for every use of it.
//
// The rule that keeps predictions true: every use of the digest (candidate j, position words, coin j) is its own
// full-avalanche mix of the WHOLE digest. The digest itself is such a mix, of the key: its highest bits are the first
// block, its lowest four the start of a key's lanes (block/lanes.hpp). No use ever takes bits that another use left
// over; sealed filters save a mix where a product of the whole digest is as good (block/sealed_layout.hpp). A filter
// that takes its block index and its bit pattern from the same product still has no false negatives, so nobody notices,
// but every block then sees a biased set of patterns and the false positive rate rises by a factor of 2 to 15.
// tests/statistics/hash_independence_test.cpp measures the uses pairwise and shows that it would catch such sharing.
// Cost: no block is read.
#pragma once

#include <cstdint>

#include "sluice/hash.hpp"

namespace sluice::detail {

/// The uses of a digest. Each value names one family of derived words; within a family, `index` tells members apart.
/// 3 and 9 were uses of older designs; their numbers stay free, so that none of the others changed.
enum class use : std::uint8_t {
  candidate = 1,       ///< index j: the block of candidate j
  second_choice = 2,   ///< does this key have a second block at all (Phi of the 1+alpha filter)
  coin = 4,            ///< index j: the coin that decides at a block whose load is exactly the threshold
  positions = 5,       ///< index: group and number of the word that positions are cut from
  overflow_slot = 6,   ///< the home slot in the exact overflow list
  forced_choice = 7,   ///< the candidate into which a key is forced that none accepts
  sealed_columns = 8,  ///< the word that selects columns of a sealed block
};

/// The word that belongs to one use of a digest: a full mix of the whole digest, displaced by a constant of the use.
[[nodiscard]] constexpr std::uint64_t derive(digest x, use purpose, std::uint64_t index = 0) noexcept {
  const std::uint64_t member = (static_cast<std::uint64_t>(purpose) << 56) | index;  // index < 2^56
  return full_mix(x.value + member * golden);
}

/// Maps a word uniformly onto [0, n): the high half of the 128-bit product. n may be anything from 1 to 2^64 - 1.
[[nodiscard]] constexpr std::uint64_t reduce(std::uint64_t word, std::uint64_t n) noexcept {
  return static_cast<std::uint64_t>((static_cast<uint128>(word) * n) >> 64);
}

/// How many blocks, or bits, are left of so many that were folded so often (docs/sizes.md).
[[nodiscard]] constexpr std::uint64_t folded_count(std::uint64_t count, std::uint32_t folds) noexcept {
  return ((count - 1) >> folds) + 1;
}

/// The first block of a key, of filters whose first block is uniform over all n: the highest bits of the digest.
[[nodiscard]] constexpr std::uint64_t first_block(digest x, std::uint64_t n) noexcept { return reduce(x.value, n); }

/// The same as reduce for a 32-bit number; the bias is below n / 2^32.
[[nodiscard]] constexpr std::uint32_t reduce_32(std::uint32_t word, std::uint32_t n) noexcept {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * n) >> 32);
}

/// A decision "with probability p" made by a derived word: true for p = 1, false for p = 0, and always the same for
/// the same word.
[[nodiscard]] constexpr bool decide(std::uint64_t word, double p) noexcept {
  return static_cast<double>(word >> 11) * 0x1.0p-53 < p;
}

}  // namespace sluice::detail
