// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The kernels for the level avx2 of x86-64: bulk/x86_kernels.hpp says how.
#include "bulk/x86_kernels.hpp"

#if defined(__x86_64__)

#define SLUICE_TARGET avx2
#define SLUICE_X86_LEVEL 2
#define SLUICE_FORCE_INLINE __attribute__((always_inline, target("avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#include "bulk/x86_level.inl"

namespace sluice::detail::bulk {

level avx2_level() noexcept { return avx2::all<simd::avx2::x86>(); }

}  // namespace sluice::detail::bulk

#endif
