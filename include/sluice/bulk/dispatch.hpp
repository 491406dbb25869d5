// bulk/dispatch: which kernels this processor runs, asked once when the first bulk operation begins. On x86-64 a program that was compiled
// for every such processor still uses what its own has; everywhere else there is one set.
#pragma once

#include "sluice/bulk/kernels.hpp"
#include "sluice/bulk/x86_kernels.hpp"
#include "sluice/simd/native.hpp"

namespace sluice::bulk {

template <class Byte>
[[nodiscard]] const kernel_set<Byte>& best_kernels() noexcept {
#if defined(__x86_64__)
  static const kernel_set<Byte> chosen = [] {
    __builtin_cpu_init();
    const bool sse42 = __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0;
    const bool avx2 = sse42 && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                        __builtin_cpu_supports("avx512dq") != 0;
    if (SLUICE_X86_LEVEL < 3 && avx512) return avx512_kernels<Byte>::set();
    if (SLUICE_X86_LEVEL < 2 && avx2) return avx2_kernels<Byte>::set();
    if (SLUICE_X86_LEVEL < 1 && sse42) return sse42_kernels<Byte>::set();
    return baseline::kernels<simd::native, Byte>::set();
  }();
#else
  static constexpr kernel_set<Byte> chosen = baseline::kernels<simd::native, Byte>::set();
#endif
  return chosen;
}

#if defined(SLUICE_KERNELS_ELSEWHERE)
// A program of many files compiles the kernels, which take the compiler longer than all the rest, in one of them: it defines this in all, and
// instantiates these two in one.
extern template const kernel_set<std::byte>& best_kernels<std::byte>() noexcept;
extern template const kernel_set<shared_byte>& best_kernels<shared_byte>() noexcept;
#endif

}  // namespace sluice::bulk
