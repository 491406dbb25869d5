// block/plain: a block that is nothing but a local Bloom filter. U = B.
//
//   | bit 0 ............................................ bit B-1 | padding to a whole word, always 0 |
//
// Its load is the number of bits set: no counter is needed, and the union of two blocks is a plain OR.
// A random absent key is contained with probability (ones / U)^k.
#pragma once

#include <cmath>

#include "sluice/block/block.hpp"

namespace sluice {

template <number Bits = dynamic>
class plain_block {
public:
  static constexpr load_unit unit = load_unit::set_bits;

  constexpr explicit plain_block(Bits bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return detail::stride_for(bits_); }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  [[nodiscard]] constexpr probe contains(const_block block, digest x, position_slice slice) const noexcept {
    return {detail::all_set(block.bits, detail::uniform_positions(x, slice, bits_), slice.count), 1};
  }
  constexpr void set(mutable_block block, digest x, position_slice slice) const noexcept {
    detail::set_all(block.bits, detail::uniform_positions(x, slice, bits_), slice.count);
  }
  [[nodiscard]] std::uint64_t ones(const_block block) const noexcept { return bits::count_ones(block.bits, bits_); }
  [[nodiscard]] std::uint64_t load(const_block block) const noexcept { return ones(block); }
  constexpr void note_key(mutable_block /*block*/) const noexcept {}
  void absorb(mutable_block block, const_block other) const noexcept { bits::or_bits(block.bits, other.bits, bits_); }

  /// The probability that a random key's slice of `count` positions is fully set here.
  [[nodiscard]] double match_probability(const_block block, std::uint32_t count) const noexcept {
    return std::pow(static_cast<double>(ones(block)) / usable_bits(), count);
  }

private:
  [[no_unique_address]] Bits bits_;
};

}  // namespace sluice
