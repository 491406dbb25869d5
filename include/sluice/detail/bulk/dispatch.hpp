// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/dispatch: which kernels this processor runs.
//
// Programs ask libsluice: on x86-64 it has kernels for several levels, and chooses when the first bulk operation
// begins, so that a program that was compiled for every such processor still uses what its own has. Those that use
// presets alone, and link no library, say so (SLUICE_HEADERS_ALONE, which CMake's sluice::headers defines): they have
// the kernels that their compiler was told to make, which takes it ten seconds more for each file with a bulk call.
#pragma once

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/kernels.hpp"
#include "sluice/detail/simd/native.hpp"

namespace sluice::detail::bulk {

#if !defined(SLUICE_HEADERS_ALONE)
template <class Byte>
[[nodiscard]] SLUICE_API const kernel_set<Byte>& best_kernels() noexcept;  // src/bulk/kernels.cpp
#else
// Under a name of its own: a program may have files of both kinds.
inline namespace alone {

template <class Byte>
[[nodiscard]] const kernel_set<Byte>& best_kernels() noexcept {
  static constexpr kernel_set<Byte> native = baseline::kernels<simd::native, Byte>::set();
  return native;
}

}  // namespace alone
#endif

}  // namespace sluice::detail::bulk
