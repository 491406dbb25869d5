// simd/native: the backend that single-key operations are compiled for, and that bulk operations use where no better one is
// found at run time. 64-bit ARM always has NEON; everything else starts with the portable one.
#pragma once

#include "sluice/simd/portable.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#include "sluice/simd/neon.hpp"
namespace sluice::simd {
using native = neon;
}  // namespace sluice::simd
#else
namespace sluice::simd {
using native = portable;
}  // namespace sluice::simd
#endif
