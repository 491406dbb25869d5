// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/counted: a local filter and the number of keys that were put into it, in one block.
//
//   | filter: bits 0 .. U-1 | counter: b bits | padding to a whole word, always 0 |      U = B - b
//
// The placements SINGLE, SEQUENTIAL and MHT compare the load with a threshold h and ask only "below h, exactly h, or
// above": the counter therefore saturates at h + 1 and needs b = ceil(log2(h + 2)) bits. Saturation is harmless.
// The union of two blocks ORs the filters and adds the counters, saturating: the sum is at least either load, so a key
// that either block had rejected is still rejected, and no lookup stops early.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sluice/detail/block/plain.hpp"

namespace sluice::detail {

/// A plain local filter of U bits, followed by its counter.
class counted_block : public plain_block<dynamic> {
public:
  static constexpr load_unit unit = load_unit::keys;
  static constexpr bool is_monotone = false;

  /// Precondition: counter_bits(threshold) < bits.
  constexpr counted_block(std::uint32_t bits, std::uint32_t threshold) noexcept
      : plain_block(bits - counter_bits(threshold)),
        counter_bits_(counter_bits(threshold)),
        most_(std::uint64_t{threshold} + 1) {}

  /// b = ceil(log2(h + 2)): enough to count from 0 to h + 1.
  [[nodiscard]] static constexpr std::uint32_t counter_bits(std::uint32_t threshold) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(std::uint64_t{threshold} + 1));
  }

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return usable_bits() + counter_bits_; }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return stride_for(bits()); }

  [[nodiscard]] std::uint64_t load(const_block block) const noexcept {
    return bits::read_field(block.bits, usable_bits(), counter_bits_);
  }
  void note_key(mutable_block block) const noexcept { raise_load(block, 1); }
  void absorb(mutable_block block, const_block other) const noexcept {
    plain_block::absorb(block, other);
    raise_load(block, load(other));
  }

private:
  void raise_load(mutable_block block, std::uint64_t keys) const noexcept {
    bits::write_field(block.bits, usable_bits(), counter_bits_, std::min(load(block) + keys, most_));
  }

  std::uint32_t counter_bits_;
  std::uint64_t most_;  // h + 1, where the counter saturates
};

}  // namespace sluice::detail
