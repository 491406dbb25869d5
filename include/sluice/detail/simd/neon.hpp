// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simd/neon: four lanes of 32 bits in one register of 64-bit ARM, where NEON is always there. See simd/portable.hpp for
// what a backend is.
//
// The 16 numbers lie in one register as bytes. A table look-up puts four of them into the low bytes of four lanes, and
// one variable shift of 1 makes the bits. Two pairwise maxima bring both flags into one general register.
#pragma once

#if defined(__aarch64__)

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "sluice/detail/simd/portable.hpp"

namespace sluice::detail::simd {

struct neon {
  static constexpr const char* name = "neon";

  struct quad {
    uint32x4_t lanes;
    friend quad operator|(quad a, quad b) noexcept { return {vorrq_u32(a.lanes, b.lanes)}; }
    friend quad operator&(quad a, quad b) noexcept { return {vandq_u32(a.lanes, b.lanes)}; }
  };
  [[nodiscard]] static quad without(quad a, quad b) noexcept { return {vbicq_u32(a.lanes, b.lanes)}; }
  [[nodiscard]] static quad constant(const quad_constant& c) noexcept {
    return {vreinterpretq_u32_u64(vld1q_u64(&c.low))};
  }

  [[nodiscard]] static quad load(const std::byte* bytes) noexcept {
    return {vreinterpretq_u32_u8(vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes)))};
  }
  [[nodiscard]] static quad load(const shared_byte* bytes) noexcept {
    return {vreinterpretq_u32_u64(
        vcombine_u64(vcreate_u64(bits::load_word(bytes, 0)), vcreate_u64(bits::load_word(bytes, 1))))};
  }
  static void add(std::byte* bytes, quad q) noexcept {
    vst1q_u8(reinterpret_cast<std::uint8_t*>(bytes), vreinterpretq_u8_u32((load(bytes) | q).lanes));
  }
  static void add(shared_byte* bytes, quad q) noexcept {
    const uint64x2_t words = vreinterpretq_u64_u32(q.lanes);
    bits::or_word(bytes, 0, vgetq_lane_u64(words, 0));
    bits::or_word(bytes, 1, vgetq_lane_u64(words, 1));
  }

  struct amounts {
    uint8x16_t bytes;
  };
  template <bool Gated>
  [[nodiscard]] static amounts amounts_of(std::uint64_t low, std::uint64_t high) noexcept {
    uint8x16_t bytes = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
    bytes = vandq_u8(bytes, vdupq_n_u8(31));
    if constexpr (Gated) bytes = vminq_u8(bytes, vreinterpretq_u8_u16(vdupq_n_u16(0x1eff)));
    return {bytes};
  }
  template <std::uint32_t Step>
  [[nodiscard]] static quad one_bits(amounts a) noexcept {
    constexpr std::uint8_t none = 0xff;  // a look-up beyond the table gives 0
    constexpr std::uint8_t from = 4 * Step;
    alignas(16) static constexpr std::uint8_t places[16] = {from,     none, none, none, from + 1, none, none, none,
                                                            from + 2, none, none, none, from + 3, none, none, none};
    const uint8x16_t shifts = vqtbl1q_u8(a.bytes, vld1q_u8(places));
    return {vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u8(shifts))};
  }

  [[nodiscard]] static bool none(quad q) noexcept {
    const uint32x4_t most = vpmaxq_u32(q.lanes, q.lanes);
    return vgetq_lane_u64(vreinterpretq_u64_u32(most), 0) == 0;
  }
  [[nodiscard]] static std::uint64_t flags(quad a, quad b) noexcept {
    uint32x4_t most = vpmaxq_u32(a.lanes, b.lanes);
    most = vpmaxq_u32(most, most);
    return vgetq_lane_u64(vreinterpretq_u64_u32(most), 0);
  }

  template <bool Gated, std::uint32_t Quads, class Byte>
  [[nodiscard]] static std::uint32_t count_ones(const Byte* block) noexcept {
    uint8x16_t ones = vdupq_n_u8(0);
    for (std::uint32_t i = 0; i < Quads; ++i) {
      uint32x4_t lanes = load(block + std::uint64_t{16} * i).lanes;
      if constexpr (Gated) lanes = vbicq_u32(lanes, vreinterpretq_u32_u64(vdupq_n_u64(gate_bits)));
      ones = vaddq_u8(ones, vcntq_u8(vreinterpretq_u8_u32(lanes)));
    }
    return vaddlvq_u8(ones);
  }

  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint8_t number) noexcept {
    const uint8x16_t wanted = vdupq_n_u8(number);
    const auto in = [&](std::uint32_t i) {
      return vceqq_u8(vreinterpretq_u8_u32(load(block + std::uint64_t{16} * i).lanes), wanted);
    };
    return together(in(0), in(1), in(2), vdupq_n_u8(0));
  }
  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint16_t number) noexcept {
    const uint16x8_t wanted = vdupq_n_u16(number);
    const auto in = [&](std::uint32_t i) {
      return vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u32(load(block + std::uint64_t{16} * i).lanes), wanted));
    };
    const uint8x16_t nothing = vdupq_n_u8(0);
    return together(vuzp1q_u8(in(0), in(1)), vuzp1q_u8(in(2), in(3)), nothing, nothing);
  }

private:
  /// Bytes of all ones or zeros become bits, in their order: each keeps the bit of its place, and three sums of
  /// neighbours bring eight into one byte.
  [[nodiscard]] static std::uint64_t together(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) noexcept {
    const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040'2010'0804'0201U));
    const uint8x16_t low = vpaddq_u8(vandq_u8(a, places), vandq_u8(b, places));
    const uint8x16_t high = vpaddq_u8(vandq_u8(c, places), vandq_u8(d, places));
    const uint8x16_t sum = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
  }
};

}  // namespace sluice::detail::simd

#endif
