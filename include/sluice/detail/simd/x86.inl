// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simd/x86: four lanes of 32 bits in one register of x86-64. See simd/portable.hpp for what a backend is; read once for
// each SLUICE_X86_LEVEL (target.hpp): 0 is SSE2, which is always there, 1 is SSE4.2 with population counts, 2 is AVX2,
// 3 is AVX-512.
//
// Levels 0 and 1 have no variable shifts: 2 to the power of a lane is the float with that exponent, converted to an
// integer; 2^31 does not fit, and what the conversion gives in its place is exactly the bit that is wanted. Level 0 has
// nothing to widen bytes with: four bytes become four lanes by two unpackings with zero. Ones are counted by words at
// level 1 alone: level 0 has no instruction for that, and from level 2 on a table of 256 bits is faster.

namespace sluice::detail::simd::SLUICE_TARGET {

struct x86 {
  static constexpr const char* name = SLUICE_X86_LEVEL == 3   ? "avx512"
                                      : SLUICE_X86_LEVEL == 2 ? "avx2"
                                      : SLUICE_X86_LEVEL == 1 ? "sse4.2"
                                                              : "sse2";

  struct quad {
    __m128i lanes;
    friend quad operator|(quad a, quad b) noexcept { return {_mm_or_si128(a.lanes, b.lanes)}; }
    friend quad operator&(quad a, quad b) noexcept { return {_mm_and_si128(a.lanes, b.lanes)}; }
  };
  [[nodiscard]] static quad without(quad a, quad b) noexcept { return {_mm_andnot_si128(b.lanes, a.lanes)}; }
  [[nodiscard]] static quad constant(const quad_constant& c) noexcept { return words(c.low, c.high); }

  [[nodiscard]] static quad load(const std::byte* bytes) noexcept {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))};
  }
  [[nodiscard]] static quad load(const shared_byte* bytes) noexcept {
    return words(bits::load_word(bytes, 0), bits::load_word(bytes, 1));
  }
  static void add(std::byte* bytes, quad q) noexcept {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), (load(bytes) | q).lanes);
  }
  static void add(shared_byte* bytes, quad q) noexcept {
    bits::or_word(bytes, 0, low_word(q.lanes));
    bits::or_word(bytes, 1, low_word(_mm_unpackhi_epi64(q.lanes, q.lanes)));
  }

  struct amounts {
    __m128i bytes;
  };
  template <bool Gated>
  [[nodiscard]] static amounts amounts_of(std::uint64_t low, std::uint64_t high) noexcept {
    __m128i bytes = _mm_and_si128(words(low, high).lanes, _mm_set1_epi8(31));
    if constexpr (Gated) bytes = _mm_min_epu8(bytes, _mm_set1_epi16(0x1eff));
    return {bytes};
  }
  template <std::uint32_t Step>
  [[nodiscard]] static quad one_bits(amounts a) noexcept {
    const __m128i four = _mm_srli_si128(a.bytes, 4 * Step);
#if SLUICE_X86_LEVEL >= 1
    const __m128i exponents = _mm_cvtepu8_epi32(four);
#else
    const __m128i zero = _mm_setzero_si128();
    const __m128i exponents = _mm_unpacklo_epi16(_mm_unpacklo_epi8(four, zero), zero);
#endif
#if SLUICE_X86_LEVEL >= 2
    return {_mm_sllv_epi32(_mm_set1_epi32(1), exponents)};
#else
    // As floats, of which 2^31 is no integer of 32 bits, and would raise a flag, but -2^31 is.
    const __m128i minus = _mm_add_epi32(_mm_slli_epi32(exponents, 23), _mm_set1_epi32(static_cast<int>(0xbf800000U)));
    return {_mm_sub_epi32(_mm_setzero_si128(), _mm_cvttps_epi32(_mm_castsi128_ps(minus)))};
#endif
  }

  [[nodiscard]] static bool none(quad q) noexcept {
#if SLUICE_X86_LEVEL >= 1
    return _mm_testz_si128(q.lanes, q.lanes) != 0;
#else
    return _mm_movemask_epi8(_mm_cmpeq_epi8(q.lanes, _mm_setzero_si128())) == 0xffff;
#endif
  }
  [[nodiscard]] static std::uint64_t flags(quad a, quad b) noexcept {
    return std::uint64_t{none(a) ? 0U : 1U} | std::uint64_t{none(b) ? 0U : 1U} << 32;
  }

  template <bool Gated, std::uint32_t Quads, class Byte>
  [[nodiscard]] static std::uint32_t count_ones(const Byte* block) noexcept {
#if SLUICE_X86_LEVEL >= 2
    // Half a byte is looked up in a table of ones, 64 halves at once. Words have one instruction each, but only one of
    // them a cycle.
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(0x0f);
    const __m256i upper = Gated ? _mm256_set1_epi64x(0x070f'0f0f'0f0f'0f0f) : half;  // a gate is the top of a word
    __m256i ones = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (std::uint32_t i = 0; i < Quads; i += 2) {
      const __m256i two =
          _mm256_set_m128i(load(block + std::uint64_t{16} * (i + 1)).lanes, load(block + std::uint64_t{16} * i).lanes);
      ones = _mm256_add_epi8(ones, _mm256_shuffle_epi8(table, _mm256_and_si256(two, half)));
      ones = _mm256_add_epi8(ones, _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(two, 4), upper)));
    }
    ones = _mm256_sad_epu8(ones, _mm256_setzero_si256());
    const __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(ones), _mm256_extracti128_si256(ones, 1));
    return static_cast<std::uint32_t>(low_word(sum) + low_word(_mm_unpackhi_epi64(sum, sum)));
#elif SLUICE_X86_LEVEL >= 1
    // The portable count, repeated here so that it is compiled for this level, which has an instruction for it.
    int ones = 0;
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i < 2 * Quads; ++i) {
      ones += std::popcount(bits::load_word(block, i) & (Gated ? ~gate_bits : ~std::uint64_t{0}));
    }
    return static_cast<std::uint32_t>(ones);
#else
    // Numbers of ones in 4 bits of every pair of quads (at most 8), then in bytes, then in halves.
    const __m128i each_two = _mm_set1_epi8(0x55);
    const __m128i each_four = _mm_set1_epi8(0x33);
    const __m128i each_byte = _mm_set1_epi8(0x0f);
    const auto in_fours = [&](std::uint32_t quad_number) {
      __m128i q = load(block + std::uint64_t{16} * quad_number).lanes;
      if constexpr (Gated) q = _mm_andnot_si128(words(gate_bits, gate_bits).lanes, q);
      q = _mm_sub_epi8(q, _mm_and_si128(_mm_srli_epi16(q, 1), each_two));
      return _mm_add_epi8(_mm_and_si128(q, each_four), _mm_and_si128(_mm_srli_epi16(q, 2), each_four));
    };
    __m128i ones = _mm_setzero_si128();
    for (std::uint32_t i = 0; i < Quads; i += 2) {
      const __m128i two = _mm_add_epi8(in_fours(i), in_fours(i + 1));
      ones = _mm_add_epi8(ones, _mm_and_si128(two, each_byte));
      ones = _mm_add_epi8(ones, _mm_and_si128(_mm_srli_epi16(two, 4), each_byte));
    }
    ones = _mm_sad_epu8(ones, _mm_setzero_si128());
    return static_cast<std::uint32_t>(low_word(ones) + low_word(_mm_unpackhi_epi64(ones, ones)));
#endif
  }

  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint8_t number) noexcept {
#if SLUICE_X86_LEVEL >= 3
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(block), _mm512_set1_epi8(static_cast<char>(number))) &
           bits::low_bits(48);
#else
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(number));
    std::uint64_t found = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      found |= high_bits(_mm_cmpeq_epi8(load(block + std::uint64_t{16} * i).lanes, wanted)) << (16 * i);
    }
    return found;
#endif
  }
  [[nodiscard]] static std::uint64_t equal(const std::byte* block, std::uint16_t number) noexcept {
#if SLUICE_X86_LEVEL >= 3
    return _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(block), _mm512_set1_epi16(static_cast<short>(number)));
#else
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(number));
    const auto in = [&](std::uint32_t i) { return _mm_cmpeq_epi16(load(block + std::uint64_t{16} * i).lanes, wanted); };
    return high_bits(_mm_packs_epi16(in(0), in(1))) | high_bits(_mm_packs_epi16(in(2), in(3))) << 16;
#endif
  }

private:
  /// Of each byte.
  [[nodiscard]] static std::uint64_t high_bits(__m128i bytes) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
  }
  [[nodiscard]] static quad words(std::uint64_t low, std::uint64_t high) noexcept {
    return {_mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low))};
  }
  [[nodiscard]] static std::uint64_t low_word(__m128i q) noexcept {
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(q));
  }
};

}  // namespace sluice::detail::simd::SLUICE_TARGET
