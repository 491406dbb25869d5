// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The kernels for the level sse42 of x86-64: bulk/x86_kernels.hpp says how.
#include "bulk/x86_kernels.hpp"

#if defined(__x86_64__)

#define SLUICE_TARGET sse42
#define SLUICE_X86_LEVEL 1
#define SLUICE_FORCE_INLINE __attribute__((always_inline, target("sse4.2,popcnt")))
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.2,popcnt")
#endif
#include "bulk/x86_level.inl"

namespace sluice::detail::bulk {

level sse42_level() noexcept { return sse42::all<simd::sse42::x86>(); }

}  // namespace sluice::detail::bulk

#endif
