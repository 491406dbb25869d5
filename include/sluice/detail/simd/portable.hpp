// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simd/portable: four lanes of 32 bits in two 64-bit words, for machines without a vector unit that we know, for
// big-endian ones, and as the definition that the others are tested against.
//
// What a backend is (simd/native.hpp chooses one):
//   quad                 128 bits: lane l is bits [32 l, 32 l + 32)
//   amounts              16 numbers from 0 to 31: four lanes for each of four steps
//   load, add            reads a quad from memory, ors a quad into memory; std::byte and shared_byte alike
//   one_bits<Step>       a quad with one bit in each lane: bit number amounts[4 Step + l] of lane l
//   flags(a, b)          two 32-bit numbers in one: the low one is 0 exactly if a is, the high one if b is
//   count_ones           ones of a block; with gates, those are left out
//   equal(block, n)      which of the numbers of one byte (of the first 48) or of two (of 64 bytes) are n, as bits
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/memory/words.hpp"

namespace sluice::detail::simd {

/// A quad as two words, for tables.
struct alignas(16) quad_constant {
  std::uint64_t low;
  std::uint64_t high;
};

/// Bit 31 of lanes 1 and 3: where the gates of a quad are.
inline constexpr std::uint64_t gate_bits = 0x8000'0000'0000'0000U;

struct portable {
  static constexpr const char* name = "portable";

  struct quad {
    std::uint64_t low;
    std::uint64_t high;
    friend quad operator|(quad a, quad b) noexcept { return {a.low | b.low, a.high | b.high}; }
    friend quad operator&(quad a, quad b) noexcept { return {a.low & b.low, a.high & b.high}; }
  };
  [[nodiscard]] static quad without(quad a, quad b) noexcept { return {a.low & ~b.low, a.high & ~b.high}; }
  [[nodiscard]] static quad constant(const quad_constant& c) noexcept { return {c.low, c.high}; }

  template <class Byte>
  [[nodiscard]] static quad load(const Byte* bytes) noexcept {
    return {bits::load_word(bytes, 0), bits::load_word(bytes, 1)};
  }
  template <class Byte>
  static void add(Byte* bytes, quad q) noexcept {
    bits::or_word(bytes, 0, q.low);
    bits::or_word(bytes, 1, q.high);
  }

  struct amounts {
    std::uint64_t low;
    std::uint64_t high;
  };
  /// The low five bits of 16 bytes; where there are gates, lanes 1 and 3 stop at 30.
  template <bool Gated>
  [[nodiscard]] static amounts amounts_of(std::uint64_t low, std::uint64_t high) noexcept {
    return {positions<Gated>(low), positions<Gated>(high)};
  }
  template <std::uint32_t Step>
  [[nodiscard]] static quad one_bits(amounts a) noexcept {
    const auto four = static_cast<std::uint32_t>((Step < 2 ? a.low : a.high) >> (32 * (Step % 2)));
    const auto bit = [four](std::uint32_t lane) { return std::uint64_t{1} << ((four >> (8 * lane)) & 31U); };
    return {bit(0) | bit(1) << 32, bit(2) | bit(3) << 32};
  }

  [[nodiscard]] static bool none(quad q) noexcept { return (q.low | q.high) == 0; }
  [[nodiscard]] static std::uint64_t flags(quad a, quad b) noexcept {
    return std::uint64_t{none(a) ? 0U : 1U} | std::uint64_t{none(b) ? 0U : 1U} << 32;
  }

  template <bool Gated, std::uint32_t Quads, class Byte>
  [[nodiscard]] static std::uint32_t count_ones(const Byte* block) noexcept {
    int ones = 0;
    for (std::uint32_t i = 0; i < 2 * Quads; ++i) {
      ones += std::popcount(bits::load_word(block, i) & (Gated ? ~gate_bits : ~std::uint64_t{0}));
    }
    return static_cast<std::uint32_t>(ones);
  }

  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint8_t number) noexcept {
    std::uint64_t found = 0;
    for (std::uint32_t i = 0; i < 6; ++i) found |= equal_in<8>(bits::load_word(block, i), number) << (8 * i);
    return found;
  }
  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint16_t number) noexcept {
    std::uint64_t found = 0;
    for (std::uint32_t i = 0; i < 8; ++i) found |= equal_in<16>(bits::load_word(block, i), number) << (4 * i);
    return found;
  }

private:
  /// Which numbers of a word are this one. A field of the difference is 0 exactly where neither its high bit is set nor
  /// the sum of the others and all ones below carries into it; a product brings those bits together.
  template <std::uint32_t Width>
  [[nodiscard]] static constexpr std::uint64_t equal_in(std::uint64_t word, std::uint64_t number) noexcept {
    constexpr std::uint32_t count = 64 / Width;
    std::uint64_t lowest = 0;
    std::uint64_t together = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      lowest |= std::uint64_t{1} << (i * Width);
      together |= std::uint64_t{1} << (64 - count + i - i * Width);
    }
    const std::uint64_t lower = (lowest << (Width - 1)) - lowest;
    const std::uint64_t difference = word ^ (number * lowest);
    const std::uint64_t zero = ~(((difference & lower) + lower) | difference) >> (Width - 1) & lowest;
    return zero * together >> (64 - count);
  }

  template <bool Gated>
  [[nodiscard]] static constexpr std::uint64_t positions(std::uint64_t bytes) noexcept {
    bytes &= 0x1f1f'1f1f'1f1f'1f1fU;
    if constexpr (Gated) {
      // 31 is the one number of five bits that carries when 1 is added; take 1 from those bytes again.
      const std::uint64_t full = ((bytes + 0x0100'0100'0100'0100U) >> 5) & 0x0100'0100'0100'0100U;
      bytes -= full;
    }
    return bytes;
  }
};

}  // namespace sluice::detail::simd
