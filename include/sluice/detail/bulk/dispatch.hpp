// bulk/dispatch: which kernels this processor runs.
//
// Programs that are linked with libsluice (whose build files say SLUICE_KERNELS_ELSEWHERE) ask it: on x86-64 it has
// kernels for several levels, and chooses when the first bulk operation begins, so that a program that was compiled for
// every such processor still uses what its own has. Programs that use presets alone have the kernels that their
// compiler was told to make.
#pragma once

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/kernels.hpp"
#include "sluice/detail/simd/native.hpp"

namespace sluice::bulk {

#if defined(SLUICE_KERNELS_ELSEWHERE)
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

}  // namespace sluice::bulk
