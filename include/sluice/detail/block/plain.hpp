// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/plain: a block that is nothing but a local Bloom filter. U = B.
//
//   | bit 0 ............................................ bit B-1 | padding to a whole word, always 0 |
//
// Its load is the number of bits set: no counter is needed, and the union of two blocks is a plain OR.
// A random absent key is contained with probability (ones / U)^k.
#pragma once

#include <cmath>
#include <cstdint>

#include "sluice/detail/block/block.hpp"

namespace sluice::detail {

template <number Bits = dynamic>
class plain_block {
public:
  static constexpr load_unit unit = load_unit::set_bits;
  static constexpr bool is_monotone = true;

  constexpr explicit plain_block(Bits bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return stride_for(bits_); }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  template <class Byte>
  [[nodiscard]] constexpr probe contains(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    return {all_set(block.bits, uniform_positions(x, slice, bits_), slice.count), 1};
  }
  template <class Byte>
  constexpr void set(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    set_all(block.bits, uniform_positions(x, slice, bits_), slice.count);
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t ones(block_handle<Byte> block) const noexcept {
    return bits::count_ones(block.bits, bits_);
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t load(block_handle<Byte> block) const noexcept {
    return ones(block);
  }
  template <class Byte>
  constexpr void note_key(block_handle<Byte> /*block*/) const noexcept {}
  void absorb(mutable_block block, const_block other) const noexcept { bits::or_bits(block.bits, other.bits, bits_); }

  /// The probability that a random key's slice is fully set here.
  [[nodiscard]] double match_probability(const_block block, position_slice slice) const noexcept {
    return std::pow(static_cast<double>(ones(block)) / usable_bits(), slice.count);
  }
  /// How many bits were thrown into the block, estimated from those that are set.
  [[nodiscard]] double throws(const_block block) const noexcept { return thrown_into(usable_bits(), ones(block)); }

private:
  [[no_unique_address]] Bits bits_;
};

}  // namespace sluice::detail
