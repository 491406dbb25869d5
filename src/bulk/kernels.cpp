// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The kernels of libsluice, and the choice among them, which is made once.
#include "bulk/ledger.hpp"
#include "bulk/sealed_system.hpp"
#include "bulk/singles.hpp"
#include "sluice/detail/bulk/dispatch.hpp"
#include "sluice/detail/simd/native.hpp"

#if defined(__x86_64__)
namespace {
constexpr int compiled_level = SLUICE_X86_LEVEL;  // what every processor of this program has
}  // namespace
#include "bulk/x86_kernels.hpp"
#endif

namespace sluice::detail::bulk {

namespace {

#if defined(__x86_64__)
/// The best level of x86-64 that this processor has beyond what every processor of this program has: 1 sse4.2, 2 avx2,
/// 3 avx512; 0: none.
int level_beyond() noexcept {
  __builtin_cpu_init();
  const bool sse42 = __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  const bool avx2 = sse42 && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512dq") != 0;
  const int level = avx512 ? 3 : avx2 ? 2 : sse42 ? 1 : 0;
  return level > compiled_level ? level : 0;
}
#endif

template <class Byte>
const level_set<Byte>& best() noexcept {
  static const level_set<Byte> chosen = []() -> level_set<Byte> {
#if defined(__x86_64__)
    const int level = level_beyond();
    if (level == 3) return avx512_set<Byte>();
    if (level == 2) return avx2_set<Byte>();
    if (level == 1) return sse42_set<Byte>();
#endif
    return {baseline::kernels<simd::native, Byte>::set(), baseline::singles<simd::native, Byte>::set()};
  }();
  return chosen;
}

}  // namespace

template <class Byte>
const kernel_set<Byte>& best_kernels() noexcept {
  return best<Byte>().many;
}
template <class Byte>
const single_set<Byte>& best_singles() noexcept {
  return best<Byte>().one;
}

const sealed_solver& best_sealed_solver() noexcept {
  static const sealed_solver chosen = []() -> sealed_solver {
#if defined(__x86_64__)
    const int level = level_beyond();
    if (level == 3) return avx512_solver();
    if (level == 2) return avx2_solver();
    if (level == 1) return sse42_solver();
#endif
    return baseline::sealed_system::solver();
  }();
  return chosen;
}

const ledger_codes& best_ledger_codes() noexcept {
  static const ledger_codes chosen = []() -> ledger_codes {
#if defined(__x86_64__)
    const int level = level_beyond();
    if (level == 3) return avx512_ledgers();
    if (level == 2) return avx2_ledgers();
    if (level == 1) return sse42_ledgers();
#endif
    return baseline::all_ledgers<simd::native>();
  }();
  return chosen;
}

template const kernel_set<std::byte>& best_kernels<std::byte>() noexcept;
template const kernel_set<shared_byte>& best_kernels<shared_byte>() noexcept;
template const single_set<std::byte>& best_singles<std::byte>() noexcept;
template const single_set<shared_byte>& best_singles<shared_byte>() noexcept;

}  // namespace sluice::detail::bulk
