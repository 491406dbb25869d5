// block/sealed: a block of 256 or 512 bits as a system of linear equations over GF(2): C columns of r bits, and the XOR
// of the columns that a key selects is its fingerprint (block/sealed_layout.hpp has the layout).
//
// Nothing is ever inserted into such a block: a builder solves the equations of all its keys at once. What the block
// kind offers beside lookups is for builders: columns and meta bits one by one. Free columns are 0, so that the columns
// that are not 0 are as many as the block has keys, but for one in 2^r.
//
// A random absent key is contained with probability 2^-r: its fingerprint is independent of its mask. (In an empty
// block never, and with less than 2^-r in one of a few keys, where the XOR is often 0, which no fingerprint is.)
// Cost: one access.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/sealed_layout.hpp"

namespace sluice {

class sealed_block {
public:
  static constexpr load_unit unit = load_unit::keys;
  static constexpr bool is_monotone = false;

  constexpr explicit sealed_block(const sealed_layout& layout) noexcept : layout_(layout) {}

  [[nodiscard]] constexpr const sealed_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return layout_.block_bits; }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits() - layout_.meta_bits(); }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return bits() / 8; }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  /// The XOR of the columns that the mask selects.
  [[nodiscard]] std::uint32_t value(const_block block, std::uint64_t mask) const noexcept {
    std::uint32_t sum = 0;
    for (; mask != 0; mask &= mask - 1) sum ^= column(block, static_cast<std::uint32_t>(std::countr_zero(mask)));
    return sum;
  }
  [[nodiscard]] std::uint32_t value(const_block block, const sealed_key& key) const noexcept {
    return value(block, layout_.mask(key.mask_word, layout_.seed_of(meta(block))));
  }
  /// The whole of a key; there are no slices.
  [[nodiscard]] probe contains(const_block block, digest x, position_slice /*whole*/) const noexcept {
    const sealed_key key(x);
    return {value(block, key) == key.fingerprint(layout_.fingerprint_bits), 1};
  }
  [[nodiscard]] std::uint64_t meta(const_block block) const noexcept { return bits::load_word(block.bits, 0); }
  [[nodiscard]] bool gate_closed(const_block block, const sealed_key& key) const noexcept {
    return ((layout_.gates_of(meta(block)) >> key.class_of(layout_.classes)) & 1U) != 0;
  }
  [[nodiscard]] bool is_bumped(const_block block) const noexcept { return layout_.is_bumped(meta(block)); }

  [[nodiscard]] std::uint32_t column(const_block block, std::uint32_t number) const noexcept {
    std::uint64_t bits = 0;
    std::uint32_t from = 0;
    for (const auto [at, width] : planes()) {
      if (width == 0) continue;
      bits |= bits::read_field(block.bits, at + std::uint64_t{width} * number, width) << from;
      from += width;
    }
    for (std::uint32_t plane = 0; plane < layout_.single_planes(); ++plane) {
      bits |= bits::read_field(block.bits, single_bit(plane, number), 1) << from++;
    }
    return static_cast<std::uint32_t>(bits);
  }
  void set_column(mutable_block block, std::uint32_t number, std::uint32_t value) const noexcept {
    for (const auto [at, width] : planes()) {
      if (width == 0) continue;
      bits::write_field(block.bits, at + std::uint64_t{width} * number, width, value);
      value = width == 32 ? 0 : value >> width;
    }
    for (std::uint32_t plane = 0; plane < layout_.single_planes(); ++plane) {
      bits::write_field(block.bits, single_bit(plane, number), 1, value >> plane);
    }
  }
  void set_seed(mutable_block block, std::uint64_t seed) const noexcept {
    bits::write_field(block.bits, layout_.seed_at(), layout_.seed_bits, seed);
  }
  void close_gate(mutable_block block, std::uint32_t gate) const noexcept { bits::set_bit(block.bits, gate); }
  void set_bumped(mutable_block block) const noexcept { bits::set_bit(block.bits, layout_.bump_bit()); }

  /// Columns that are not 0: keys, but for one in 2^r.
  [[nodiscard]] std::uint64_t load(const_block block) const noexcept {
    std::uint64_t keys = 0;
    for (std::uint32_t j = 0; j < layout_.columns; ++j) keys += column(block, j) != 0 ? 1U : 0U;
    return keys;
  }
  [[nodiscard]] std::uint64_t ones(const_block block) const noexcept {
    return bits::count_ones_in(block.bits, layout_.meta_bits(), usable_bits());
  }
  /// Each key is one throw.
  [[nodiscard]] double throws(const_block block) const noexcept {
    return static_cast<double>(load(block)) / (1 - std::ldexp(1.0, -static_cast<int>(layout_.fingerprint_bits)));
  }

  // What blocks of other filters do, and these never: filters refuse insertions and unions before they get here.
  void set(mutable_block /*block*/, digest /*x*/, position_slice /*slice*/) const noexcept {}
  void note_key(mutable_block /*block*/) const noexcept {}
  void absorb(mutable_block /*block*/, const_block /*other*/) const noexcept {}

private:
  struct plane_place {
    std::uint32_t at;
    std::uint32_t width;
  };
  [[nodiscard]] constexpr std::array<plane_place, 2> planes() const noexcept {
    return {plane_place{layout_.wide_at(), layout_.wide_bits()}, plane_place{layout_.bytes_at(), layout_.byte_bits()}};
  }
  [[nodiscard]] constexpr std::uint64_t single_bit(std::uint32_t plane, std::uint32_t number) const noexcept {
    return layout_.singles_at() + std::uint64_t{plane} * layout_.columns + number;
  }

  sealed_layout layout_;
};

}  // namespace sluice
