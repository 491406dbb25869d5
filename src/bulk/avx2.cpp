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

template <class Byte>
level_set<Byte> avx2_set() noexcept {
  return {avx2::kernels<simd::avx2::x86, Byte>::set(), avx2::singles<simd::avx2::x86, Byte>::set()};
}
template level_set<std::byte> avx2_set<std::byte>() noexcept;
template level_set<shared_byte> avx2_set<shared_byte>() noexcept;

ledger_codes avx2_ledgers() noexcept { return avx2::all_ledgers<simd::avx2::x86>(); }
sealed_solver avx2_solver() noexcept { return avx2::sealed_system::solver(); }

}  // namespace sluice::detail::bulk

#endif
