// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The kernels for the level avx512 of x86-64: bulk/x86_kernels.hpp says how.
#include "bulk/x86_kernels.hpp"

#if defined(__x86_64__)

#define SLUICE_TARGET avx512
#define SLUICE_X86_LEVEL 3
#define SLUICE_FORCE_INLINE \
  __attribute__((always_inline, target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,popcnt")
#endif
#include "bulk/x86_level.inl"

namespace sluice::detail::bulk {

level avx512_level() noexcept { return avx512::all<simd::avx512::x86>(); }

}  // namespace sluice::detail::bulk

#endif
