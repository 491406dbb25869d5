// bulk/x86_level: everything that is compiled for one level, and the end of what bulk/x86_kernels.hpp, which is what to include, began for it. The
// names of a level, and the options that the compiler was told, end with this file.

// clang-format off: the order matters
#include "sluice/simd/x86.inl"
#include "sluice/block/lane_masks.inl"
#include "sluice/bulk/ring.inl"
#include "sluice/bulk/kernels.inl"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef SLUICE_TARGET
#undef SLUICE_X86_LEVEL
#undef SLUICE_FORCE_INLINE
// clang-format on
