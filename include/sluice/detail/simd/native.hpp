// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simd/native: the backend that operations are compiled for: NEON on 64-bit ARM and SSE2 on x86-64, which are always
// there, more of x86-64 where the compiler was told so, and the portable one elsewhere.
#pragma once

#include "sluice/detail/simd/portable.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#include "sluice/detail/simd/neon.hpp"
namespace sluice::detail::simd {
using native = neon;
}  // namespace sluice::detail::simd
#elif defined(__x86_64__)
#include "sluice/detail/simd/x86.hpp"
namespace sluice::detail::simd {
using native = baseline::x86;
}  // namespace sluice::detail::simd
#else
namespace sluice::detail::simd {
using native = portable;
}  // namespace sluice::detail::simd
#endif
