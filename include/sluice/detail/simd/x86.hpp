// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simd/x86: the backend of x86-64 for the instruction set that the compiler was told; SSE2 is always there. Other
// levels are chosen when the program runs: see target.hpp.
#pragma once

#if defined(__x86_64__)

// The whole of the intrinsics takes the compiler a second.
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE4_2__)
#include <nmmintrin.h>
#else
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/simd/portable.hpp"
#include "sluice/detail/target.hpp"

#if defined(__AVX512VL__)
#define SLUICE_X86_LEVEL 3
#elif defined(__AVX2__)
#define SLUICE_X86_LEVEL 2
#elif defined(__SSE4_2__) && defined(__POPCNT__)
#define SLUICE_X86_LEVEL 1
#else
#define SLUICE_X86_LEVEL 0
#endif

#include "sluice/detail/simd/x86.inl"

#endif
