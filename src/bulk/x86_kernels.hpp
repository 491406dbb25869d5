// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/x86_kernels: the kernels once more for each level of x86-64 above the first. Each level has a .cpp of its own
// (bulk/sse42.cpp and others), which reads the .inl files of the kernels in a namespace of its own; kernels.cpp chooses
// when the program runs.
//
//   sse4.2    with population counts: any processor since 2008
//   avx2      with bmi2: since 2013; variable shifts
//   avx512    with vl, bw and dq; three-way logic and wide masks, of which the compiler makes what it can
//
// The headers that the .inl files need are included before, for every processor, and the level is a pragma, not an
// option of the compiler: with an option, every inline function that the kernels share with the rest would be compiled
// for the level, too, and the linker might keep that one for all.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include "bulk/level.hpp"
#include "sluice/detail/simd/x86.hpp"

namespace sluice::detail::bulk {

[[nodiscard]] level sse42_level() noexcept;
[[nodiscard]] level avx2_level() noexcept;
[[nodiscard]] level avx512_level() noexcept;

}  // namespace sluice::detail::bulk

#undef SLUICE_TARGET
#undef SLUICE_FORCE_INLINE
#undef SLUICE_X86_LEVEL

#endif
