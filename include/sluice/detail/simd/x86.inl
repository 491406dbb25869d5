// simd/x86: four lanes of 32 bits in one register of x86-64. See simd/portable.hpp for what a backend is; read once for
// each SLUICE_X86_LEVEL (target.hpp): 0 is SSE2, which is always there, 1 is SSE4.2 with population counts, 2 is AVX2,
// 3 is AVX-512.
//
// Levels 0 and 1 have no variable shifts: 2 to the power of a lane is the float with that exponent, converted to an
// integer; 2^31 does not fit, and what the conversion gives in its place is exactly the bit that is wanted. Level 0 has
// nothing to widen bytes with: four bytes become four lanes by two unpackings with zero.

namespace sluice::simd::SLUICE_TARGET {

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
    const __m128i floats = _mm_add_epi32(_mm_slli_epi32(exponents, 23), _mm_set1_epi32(0x3f800000));
    return {_mm_cvttps_epi32(_mm_castsi128_ps(floats))};
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
    // The portable count, repeated here so that it is compiled for this level, which has an instruction for it.
    int ones = 0;
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i < 2 * Quads; ++i) {
      ones += std::popcount(bits::load_word(block, i) & (Gated ? ~gate_bits : ~std::uint64_t{0}));
    }
    return static_cast<std::uint32_t>(ones);
  }

  template <std::uint32_t Width, std::uint32_t Bytes>
  [[nodiscard]] static std::uint64_t fold(const std::byte* block, std::uint64_t mask) noexcept {
#if SLUICE_X86_LEVEL >= 3
    // Two halves, not one register of 512 bits:
    //   - as many instructions,
    //   - no processor lowers its clock for them,
    //   - and g++ 12 warns of its own intrinsic
    //     that takes a half out of a whole.
    const auto chosen = [](const std::byte* from, std::uint64_t lanes) SLUICE_FORCE_INLINE {
      if constexpr (Width == 8) {
        return _mm256_maskz_loadu_epi8(static_cast<__mmask32>(lanes), from);
      } else if constexpr (Width == 16) {
        return _mm256_maskz_loadu_epi16(static_cast<__mmask16>(lanes), from);
      } else {
        return _mm256_maskz_loadu_epi32(static_cast<__mmask8>(lanes), from);
      }
    };
    __m256i half = chosen(block, mask);
    if constexpr (Bytes == 64) {
      half = _mm256_xor_si256(half, chosen(block + 32, mask >> (256 / Width)));
    }
    __m128i sum = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
#elif SLUICE_X86_LEVEL == 2
    __m256i half = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (std::uint32_t i = 0; i < Bytes / 32; ++i) {
      const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block) + i);
      half = _mm256_xor_si256(half, _mm256_and_si256(lanes, chosen<Width>(mask >> (i * 256 / Width))));
    }
    __m128i sum = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
#else
    __m128i sum = _mm_setzero_si128();
#pragma GCC unroll 4
    for (std::uint32_t i = 0; i < Bytes / 16; ++i) {
      const __m128i lanes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i);
      sum = _mm_xor_si128(sum, _mm_and_si128(lanes, chosen<Width>(mask >> (i * 128 / Width))));
    }
#endif
    sum = _mm_xor_si128(sum, _mm_unpackhi_epi64(sum, sum));
    return portable::fold_word<Width>(low_word(sum));
  }
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t parities(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                                                  std::uint64_t d) noexcept {
    return portable::parities(a, b, c, d);
  }

private:
#if SLUICE_X86_LEVEL == 2
  /// All bits of the lanes whose bits are set in the mask.
  template <std::uint32_t Width>
  [[nodiscard]] static __m256i chosen(std::uint64_t mask) noexcept {
    if constexpr (Width == 8) {
      const __m256i places = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
      const __m256i bits = _mm256_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
      const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(mask)), places);
      return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
    } else if constexpr (Width == 16) {
      const __m256i bits = _mm256_set_epi16(-0x8000, 0x4000, 0x2000, 0x1000, 0x800, 0x400, 0x200, 0x100, 0x80, 0x40,
                                            0x20, 0x10, 8, 4, 2, 1);
      return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(static_cast<short>(mask)), bits), bits);
    } else {
      const __m256i bits = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
      return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask)), bits), bits);
    }
  }
#elif SLUICE_X86_LEVEL < 2
  /// All bits of the lanes whose bits are set in the mask.
  template <std::uint32_t Width>
  [[nodiscard]] static __m128i chosen(std::uint64_t mask) noexcept {
    if constexpr (Width == 8) {
      const __m128i bits = _mm_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
      __m128i spread = _mm_cvtsi32_si128(static_cast<int>(mask));
      spread = _mm_unpacklo_epi8(spread, spread);
      spread = _mm_unpacklo_epi16(spread, spread);
      spread = _mm_unpacklo_epi32(spread, spread);
      return _mm_cmpeq_epi8(_mm_and_si128(spread, bits), bits);
    } else if constexpr (Width == 16) {
      const __m128i bits = _mm_set_epi16(0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1);
      return _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16(static_cast<short>(mask)), bits), bits);
    } else {
      const __m128i bits = _mm_set_epi32(8, 4, 2, 1);
      return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(mask)), bits), bits);
    }
  }
#endif
  [[nodiscard]] static quad words(std::uint64_t low, std::uint64_t high) noexcept {
    return {_mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low))};
  }
  [[nodiscard]] static std::uint64_t low_word(__m128i q) noexcept {
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(q));
  }
};

}  // namespace sluice::simd::SLUICE_TARGET
