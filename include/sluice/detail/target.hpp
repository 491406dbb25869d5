// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// target: the instruction set that code is compiled for. Most of sluice is compiled once, for what the compiler was
// told. The code that handles lanes (simd/x86, block/lane_masks, bulk/ring, bulk/kernels) lies in .inl files, which
// libsluice reads once more for each instruction set that it knows, each time in a namespace of its own
// (src/bulk/x86_kernels.hpp).
//
//   SLUICE_TARGET         the namespace of this reading; baseline: what the compiler was told
//   SLUICE_FORCE_INLINE   an attribute for functions that are worth nothing unless they are inlined, and for lambdas,
//                         which compilers count as large and do not give the instruction set of the function around
//                         them:
//                           [&](auto step) SLUICE_FORCE_INLINE { ... }
#pragma once

#define SLUICE_TARGET baseline
#define SLUICE_FORCE_INLINE __attribute__((always_inline))
