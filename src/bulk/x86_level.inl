// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/x86_level: everything that is compiled for one level; the .cpp of the level has named it and begun its pragma,
// which ends here.

// clang-format off: the order matters
#include "sluice/detail/simd/x86.inl"
#include "sluice/detail/block/lane_masks.inl"
#include "sluice/detail/bulk/ring.inl"
#include "sluice/detail/bulk/kernels.inl"
#include "bulk/singles.inl"
#include "sluice/detail/block/ledger.inl"
#include "sluice/detail/placement/ledger.inl"
#include "bulk/ledger.inl"
#include "bulk/sealed_system.inl"
#include "bulk/level.inl"
// clang-format on
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
