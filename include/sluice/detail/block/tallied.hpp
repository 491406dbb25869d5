// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/tallied: a plain local filter whose keys are counted beside the blocks. U = B.
//
//   blocks: | bits 0 .. B-1 | ...          after all blocks: | tally of block 0 | tally of block 1 | ...
//
// This is how the paper on 1+alpha filters measures load. It exists to reproduce that paper to the letter: the tallies
// are read on insertion only, but they are memory that a lookup never needs, and plain_block's popcount serves as well.
// Tallies have 32 bits, little-endian, and saturate; the union of two blocks ORs the bits and adds the tallies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sluice/detail/block/plain.hpp"

namespace sluice::detail {

template <number Bits = dynamic>
class tallied_block : public plain_block<Bits> {
public:
  static constexpr load_unit unit = load_unit::keys;
  static constexpr bool is_monotone = false;
  static constexpr std::uint32_t tally_bits = 32;

  using plain_block<Bits>::plain_block;

  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return tally_bits / 8; }

  [[nodiscard]] std::uint64_t load(const_block block) const noexcept {
    std::uint64_t tally = 0;
    for (std::uint32_t i = 0; i < side_bytes(); ++i) tally |= std::to_integer<std::uint64_t>(block.side[i]) << (8 * i);
    return tally;
  }
  void note_key(mutable_block block) const noexcept { raise_load(block, 1); }
  void absorb(mutable_block block, const_block other) const noexcept {
    plain_block<Bits>::absorb(block, other);
    raise_load(block, load(other));
  }

private:
  void raise_load(mutable_block block, std::uint64_t keys) const noexcept {
    const std::uint64_t tally = std::min<std::uint64_t>(load(block) + keys, std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t i = 0; i < side_bytes(); ++i) block.side[i] = static_cast<std::byte>(tally >> (8 * i));
  }
};

}  // namespace sluice::detail
