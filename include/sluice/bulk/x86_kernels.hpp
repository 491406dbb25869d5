// bulk/x86_kernels: the kernels once more for each level of x86-64 above the first (target.hpp says how). The headers that the .inl files
// need are included before, so that nothing else is compiled for a level.
//
//   sse4.2    with population counts: any processor since 2008
//   avx2      with bmi2: since 2013; variable shifts
//   avx512    with vl, bw and dq; three-way logic and wide masks, of which the compiler makes what it can
#pragma once

#if defined(__x86_64__)

#include "sluice/bulk/kernels.hpp"
#include "sluice/simd/x86.hpp"

#pragma push_macro("SLUICE_TARGET")
#pragma push_macro("SLUICE_FORCE_INLINE")
#pragma push_macro("SLUICE_X86_LEVEL")
#undef SLUICE_TARGET
#undef SLUICE_FORCE_INLINE
#undef SLUICE_X86_LEVEL

// clang-format off: a level is what its lines say, one after the other

#define SLUICE_TARGET sse42
#define SLUICE_X86_LEVEL 1
#define SLUICE_FORCE_INLINE __attribute__((always_inline, target("sse4.2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.2,popcnt")
#endif
#include "sluice/bulk/x86_level.inl"

#define SLUICE_TARGET avx2
#define SLUICE_X86_LEVEL 2
#define SLUICE_FORCE_INLINE __attribute__((always_inline, target("avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#include "sluice/bulk/x86_level.inl"

#define SLUICE_TARGET avx512
#define SLUICE_X86_LEVEL 3
#define SLUICE_FORCE_INLINE __attribute__((always_inline, target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt")
#endif
#include "sluice/bulk/x86_level.inl"

// clang-format on
#pragma pop_macro("SLUICE_TARGET")
#pragma pop_macro("SLUICE_FORCE_INLINE")
#pragma pop_macro("SLUICE_X86_LEVEL")

namespace sluice::bulk {

template <class Byte>
using sse42_kernels = sse42::kernels<simd::sse42::x86, Byte>;
template <class Byte>
using avx2_kernels = avx2::kernels<simd::avx2::x86, Byte>;
template <class Byte>
using avx512_kernels = avx512::kernels<simd::avx512::x86, Byte>;

}  // namespace sluice::bulk

#endif
