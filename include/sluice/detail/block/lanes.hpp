// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/lanes: the layout of a key's bits in a block of 256 or 512 bits, fixed for ever: equal bytes on every machine.
//
//   512 bits   quad 0           quad 1           quad 2           quad 3           a quad is 4 lanes of 32 bits
//              | L0 L1g L2 L3g | L0 L1g L2 L3g | L0 L1g L2 L3g | L0 L1g L2 L3g |   g: bit 31, where there are gates
//   256 bits   quads 0 and 1
//
// A key has a start quad and a turn (0 to 3), and up to 64 positions in a fixed order. Position i belongs to step i /
// 4; step s goes to quad (start + s) modulo the number of quads, and inside the quad position i to lane (turn + i)
// modulo 4. So a whole step sets one bit in each of the four lanes of a quad, which is one vector operation, and k bits
// cost ceil(k / 4) of them; the turn spreads the steps that are not whole evenly over the lanes.
//
//   word of step s     32 bits, one byte per lane; the low five bits are the bit in the lane. With gates, lanes 1 and 3
//                      use 30 in place of 31, which is the gate: bit 30 of those lanes is hit twice as often as the
//                      others.
//   pair n             the words of steps 2 n and 2 n + 1: y C_n folded upon itself, y = x xor (x >> 32), x the digest
//   start quad, turn   the lowest bits of the digest: 0 and 1 (only bit 0 for 256 bits), 2 and 3
//   first block        the highest bits of the digest (reduce)
//   gates              a quad has two; the key's is in lane 1 for turns 0 and 1, in lane 3 for turns 2 and 3, of its
//                      start quad
//
// The trace is the first t <= 4 positions, so gate and trace lie in one quad: one test serves both.
// What was measured and not chosen is in docs/negative-results.md.
// Invariants: positions depend on the digest alone. With replacement: two positions of one lane may coincide.
// Cost: no block is read; one 64-bit multiplication for 8 positions.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/detail/simd/portable.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail::lanes {

inline constexpr std::uint32_t lane_bits = 32;
inline constexpr std::uint32_t quad_lanes = 4;
inline constexpr std::uint32_t quad_bits = 128;
inline constexpr std::uint32_t quad_bytes = 16;
inline constexpr std::uint32_t most_lanes = 16;  // of a block
inline constexpr std::uint32_t most_positions = 64;
inline constexpr std::uint32_t most_trace = quad_lanes;  // what one quad holds

/// Blocks of which sizes have lanes.
[[nodiscard]] constexpr bool has_lanes(std::uint32_t block_bits) noexcept {
  return block_bits == 256 || block_bits == 512;
}

/// Where the positions of a key begin.
struct start {
  std::uint32_t quad;
  std::uint32_t turn;
};

/// How many starts there are in a block of this many quads, and the n-th of them: for expectations over random keys.
[[nodiscard]] constexpr std::uint32_t starts(std::uint32_t quads) noexcept { return quads * quad_lanes; }
[[nodiscard]] constexpr start nth_start(std::uint32_t n) noexcept { return {n / quad_lanes, n % quad_lanes}; }

/// Precondition: quads is 2 or 4.
[[nodiscard]] constexpr start start_of(digest x, std::uint32_t quads) noexcept {
  const auto low = static_cast<std::uint32_t>(x.value);
  return {low & (quads - 1), (low >> 2) & 3U};
}

/// The lane, counted over the whole block, of position i.
[[nodiscard]] constexpr std::uint32_t lane_of(start s, std::uint32_t i, std::uint32_t quads) noexcept {
  return ((s.quad + i / quad_lanes) % quads) * quad_lanes + (s.turn + i) % quad_lanes;
}

/// Which lanes carry a gate, in a block that has gates.
[[nodiscard]] constexpr bool carries_gate(std::uint32_t lane) noexcept { return lane % 2 == 1; }
/// The gate of keys with this start, counted over the whole block, and the bit that it is.
[[nodiscard]] constexpr std::uint32_t gate_of(start s) noexcept { return s.quad * 2 + (s.turn < 2 ? 0U : 1U); }
[[nodiscard]] constexpr std::uint32_t gate_bit(std::uint32_t gate) noexcept {
  return (gate * 2 + 1) * lane_bits + lane_bits - 1;
}

/// C_n, odd: a bijection.
[[nodiscard]] constexpr std::uint64_t multiplier(std::uint32_t n) noexcept {
  return full_mix((std::uint64_t{n} + 1) * golden) | 1U;
}
/// All of them. Code of a device computes them: it cannot read tables of the host.
inline constexpr auto multipliers = [] {
  std::array<std::uint64_t, most_positions / (2 * quad_lanes)> numbers{};
  for (std::uint32_t n = 0; n < numbers.size(); ++n) numbers[n] = multiplier(n);
  return numbers;
}();

/// [n][turn]: all bits of the lanes of the first n positions of a step.
inline constexpr auto first_lanes = [] {
  std::array<std::array<simd::quad_constant, quad_lanes>, quad_lanes + 1> table{};
  for (std::uint32_t n = 0; n <= quad_lanes; ++n) {
    for (std::uint32_t turn = 0; turn < quad_lanes; ++turn) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t lane = (turn + i) % quad_lanes;
        (lane < 2 ? table[n][turn].low : table[n][turn].high) |= 0xffff'ffffULL << (32 * (lane % 2));
      }
    }
  }
  return table;
}();

/// [turn]: the gate.
inline constexpr std::array<simd::quad_constant, quad_lanes> gates = {
    {{simd::gate_bits, 0}, {simd::gate_bits, 0}, {0, simd::gate_bits}, {0, simd::gate_bits}}};

/// The words of steps 2 n and 2 n + 1, the first in the low half, of the multiplier of n.
[[nodiscard]] constexpr std::uint64_t word_pair_by(std::uint64_t multiplier, digest x) noexcept {
  const std::uint64_t product = (x.value ^ (x.value >> 32)) * multiplier;
  return product ^ (product >> 32);
}
/// Precondition: n < 8.
[[nodiscard]] constexpr std::uint64_t word_pair(digest x, std::uint32_t n) noexcept {
  return word_pair_by(multipliers[n], x);
}

/// Position i as a bit of the block, with gates or without: the definition, one by one. `pair` is the one of its step.
template <bool Gated>
[[nodiscard]] constexpr std::uint32_t position_in(std::uint64_t pair, start s, std::uint32_t i,
                                                  std::uint32_t quads) noexcept {
  const std::uint32_t lane = lane_of(s, i, quads);
  const auto word = static_cast<std::uint32_t>(pair >> (32 * (i / quad_lanes % 2)));
  const std::uint32_t bit = (word >> (8 * (lane % quad_lanes))) % lane_bits;
  return lane * lane_bits + (Gated && carries_gate(lane) && bit == lane_bits - 1 ? bit - 1 : bit);
}
/// Precondition: i < most_positions.
template <bool Gated>
[[nodiscard]] constexpr std::uint32_t position(digest x, std::uint32_t i, std::uint32_t quads) noexcept {
  return position_in<Gated>(word_pair(x, i / (2 * quad_lanes)), start_of(x, quads), i, quads);
}

}  // namespace sluice::detail::lanes
