// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/sealed: a block of 256 or 512 bits as a system of linear equations over GF(2): C columns of r bits, and the XOR
// of the five columns that a key selects is its fingerprint (block/sealed_layout.hpp has the layout).
//
// Nothing is ever inserted into such a block: a builder solves the equations of all its keys at once. What the block
// kind offers beside lookups is for builders: columns and meta bits one by one. Free columns are 0, so that the columns
// that are not 0 are as many as the block has keys, but for one in 2^r: that is how keys are counted.
//
// A random absent key is contained with probability 2^-r: its fingerprint is independent of its columns. (In an empty
// block never, and with less than 2^-r in one of a few keys, where the XOR is often 0, which no fingerprint is; with
// one bit a half, whatever the block.)
// Cost: one access.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/sealed_layout.hpp"

namespace sluice::detail {

class sealed_block {
public:
  static constexpr load_unit unit = load_unit::keys;

  constexpr explicit sealed_block(const sealed_layout& layout) noexcept : layout_(layout) {}

  [[nodiscard]] constexpr const sealed_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return layout_.block_bits; }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits() - layout_.meta_bits(); }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return bits() / 8; }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  /// The XOR of the columns that the key selects.
  [[nodiscard]] std::uint32_t value(const_block block, const sealed_key& key) const noexcept {
    std::uint32_t sum = 0;
    for (const std::uint32_t n : layout_.numbers(key.word, layout_.seed_of(meta(block)))) sum ^= column(block, n);
    return sum;
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
    return static_cast<std::uint32_t>(
        bits::read_field(block.bits, layout_.column_at(number), layout_.fingerprint_bits));
  }
  void set_column(mutable_block block, std::uint32_t number, std::uint32_t value) const noexcept {
    bits::write_field(block.bits, layout_.column_at(number), layout_.fingerprint_bits, value);
  }
  void set_seed(mutable_block block, std::uint64_t seed) const noexcept {
    bits::write_field(block.bits, layout_.seed_at(), layout_.seed_bits, seed);
  }
  void close_gate(mutable_block block, std::uint32_t gate) const noexcept { bits::set_bit(block.bits, gate); }
  void set_bumped(mutable_block block) const noexcept { bits::set_bit(block.bits, layout_.bump_bit()); }

  /// Keys, by the columns that are not 0: a guess where r is small.
  [[nodiscard]] std::uint64_t load(const_block block) const noexcept {
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::llround(throws(block))), layout_.columns);
  }
  [[nodiscard]] std::uint64_t ones(const_block block) const noexcept {
    return bits::count_ones_in(block.bits, layout_.meta_bits(), usable_bits());
  }
  /// Each key is one throw.
  [[nodiscard]] double throws(const_block block) const noexcept {
    double used = 0;
    for (std::uint32_t j = 0; j < layout_.columns; ++j) used += column(block, j) != 0 ? 1 : 0;
    return used / (1 - std::ldexp(1.0, -static_cast<int>(layout_.fingerprint_bits)));
  }

private:
  sealed_layout layout_;
};

}  // namespace sluice::detail
