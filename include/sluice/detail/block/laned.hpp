// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/laned: a block of 256 or 512 bits as lanes of 32 bits (block/lanes.hpp has the layout): the block of the
// blocked filter and of Bloom-g, and, with gates, of the gated filter. A lookup tests four bits with one vector
// operation.
//
//   without gates   U = B
//   with gates      U = B - G, G = 2 gates a quad: 8 in 512 bits, 4 in 256; the load is the number of FILTER bits set
//
// The union of two blocks is a plain OR, gates included.
//
// A random absent key with start s is contained with probability  prod over its positions of (share of its lane's
// positions that are set); fill and match_probability compute it from the final bits. With gates, position 30 of lanes
// 1 and 3 counts twice, because it is drawn twice as often.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/lane_masks.hpp"

namespace sluice::detail {

template <number Bits = dynamic, bool Gated = true>
class laned_block {
public:
  static constexpr load_unit unit = load_unit::set_bits;
  static constexpr bool is_monotone = true;

  /// Precondition: lanes::has_lanes(bits).
  constexpr explicit laned_block(Bits bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint32_t quads() const noexcept { return bits_ / lanes::quad_bits; }
  [[nodiscard]] constexpr std::uint32_t lane_count() const noexcept { return bits_ / lanes::lane_bits; }
  [[nodiscard]] static constexpr std::uint32_t gates_in(std::uint32_t bits) noexcept {
    return Gated ? bits / lanes::quad_bits * 2 : 0;
  }
  [[nodiscard]] constexpr std::uint32_t gates() const noexcept { return gates_in(bits_); }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits_ - gates(); }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return bits_ / 8; }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  template <class Byte>
  [[nodiscard]] probe contains(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    return {with_masks(x, [&](const auto& masks) { return masks.holds(block.bits, slice); }), 1};
  }
  template <class Byte>
  void set(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    with_masks(x, [&](const auto& masks) { masks.add(block.bits, slice); });
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t ones(block_handle<Byte> block) const noexcept {
    return bits_ == 512 ? simd::native::count_ones<Gated, 4>(block.bits)
                        : simd::native::count_ones<Gated, 2>(block.bits);
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t load(block_handle<Byte> block) const noexcept {
    return ones(block);
  }
  template <class Byte>
  constexpr void note_key(block_handle<Byte> /*block*/) const noexcept {}

  /// All of the first `hashes` positions: the whole of a key. Unrolled where the number of steps is known when
  /// compiling, and ended by a first step that is not there; a loop where it is not.
  template <class Byte, class Hashes>
  [[nodiscard, gnu::always_inline]] bool holds_first(block_handle<Byte> block, digest x, Hashes hashes) const noexcept {
    return with_masks(x, [=](const auto& masks) SLUICE_FORCE_INLINE { return masks.holds_early(block.bits, hashes); });
  }

  /// Sets them.
  template <class Byte, class Hashes>
  [[gnu::always_inline]] void add_first(block_handle<Byte> block, digest x, Hashes hashes) const noexcept {
    with_masks(x, [&](const auto& masks) SLUICE_FORCE_INLINE { masks.add_first(block.bits, hashes); });
  }

  /// The lookup of a gated key in its first block and, if that sends it on, of the slice `spilled` in second().
  template <class Byte, class Hashes, class Second>
  [[nodiscard, gnu::always_inline]] probe look_up(block_handle<Byte> block, digest x, Hashes hashes,
                                                  position_slice spilled, bool static_gates,
                                                  const Second& second) const noexcept
    requires Gated
  {
    return with_masks(x, [&](const auto& masks) SLUICE_FORCE_INLINE {
      return masks.look_up(block.bits, hashes, spilled.first, static_gates,
                           [&](const auto& key) SLUICE_FORCE_INLINE { return key.holds(second().bits, spilled); });
    });
  }

  /// A gate is closed once a key of its class was spilled from this block, for ever.
  template <class Byte>
  [[nodiscard]] bool gate_closed(block_handle<Byte> block, digest x) const noexcept
    requires Gated
  {
    return with_masks(x, [&](const auto& masks) { return masks.gate_closed(block.bits); });
  }
  [[nodiscard]] bool gate_closed(const_block block, lanes::start s) const noexcept
    requires Gated
  {
    return bits::test_bit(block.bits, lanes::gate_bit(lanes::gate_of(s)));
  }
  /// For builders, which close gates whether a key needs it or not.
  void close_gate(mutable_block block, std::uint32_t gate) const noexcept
    requires Gated
  {
    bits::set_bit(block.bits, lanes::gate_bit(gate));
  }
  /// Leaves the first `trace` bits of a spilled key and closes its gate.
  template <class Byte>
  void leave_trace(block_handle<Byte> block, digest x, std::uint32_t trace) const noexcept
    requires Gated
  {
    with_masks(x, [&](const auto& masks) { masks.leave_trace(block.bits, trace); });
  }

  /// For every lane, the chance that a random position in it is set.
  using lane_fill = std::array<double, lanes::most_lanes>;
  [[nodiscard]] lane_fill fill(const_block block) const noexcept {
    lane_fill fill{};
    for (std::uint32_t lane = 0; lane < lane_count(); ++lane) {
      auto set = static_cast<std::uint32_t>(bits::read_field(block.bits, std::uint64_t{lane} * lanes::lane_bits, 32));
      double ones = 0;
      if (Gated && lanes::carries_gate(lane)) {
        set &= 0x7fff'ffffU;
        ones += (set >> 30) & 1U;  // drawn twice as often
      }
      fill[lane] = (ones + std::popcount(set)) / lanes::lane_bits;
    }
    return fill;
  }
  /// The probability that a random key with this start finds its slice fully set in a block with this fill.
  [[nodiscard]] double match_probability(const lane_fill& fill, lanes::start s, position_slice slice) const noexcept {
    double probability = 1;
    for (std::uint32_t i = 0; i < slice.count; ++i) probability *= fill[lanes::lane_of(s, slice.first + i, quads())];
    return probability;
  }
  /// The same for a random start.
  [[nodiscard]] double match_probability(const_block block, position_slice slice) const noexcept {
    const lane_fill filled = fill(block);
    double sum = 0;
    for (std::uint32_t n = 0; n < lanes::starts(quads()); ++n) {
      sum += match_probability(filled, lanes::nth_start(n), slice);
    }
    return sum / lanes::starts(quads());
  }
  /// How many bits were thrown into the block, estimated from those that are set.
  [[nodiscard]] double throws(const_block block) const noexcept {
    // A key's bits in different lanes never meet, so the lanes are what bits are thrown into.
    const double lane = static_cast<double>(usable_bits()) / lane_count();
    const double all = usable_bits();
    return thrown_into(usable_bits(), ones(block)) * std::log1p(-1 / all) / std::log1p(-1 / lane) * lane_count();
  }

private:
  template <class Body>  // NOLINTNEXTLINE(modernize-use-nodiscard): some bodies have no result
  [[gnu::always_inline]] decltype(auto) with_masks(digest x, const Body& body) const noexcept {
    return bits_ == 512 ? body(lanes::masks<simd::native, 4, Gated>(x)) : body(lanes::masks<simd::native, 2, Gated>(x));
  }
  [[no_unique_address]] Bits bits_;
};

}  // namespace sluice::detail
