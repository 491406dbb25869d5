// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The kernels of libsluice, and the choice among them, which is made once.
#include "bulk/level.hpp"
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

/// Of the levels beyond what every processor of this program has, the best that this one has; otherwise that one.
level make_best() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool sse42 = __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  const bool avx2 = sse42 && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512dq") != 0;
  if (avx512 && compiled_level < 3) return avx512_level();
  if (avx2 && compiled_level < 2) return avx2_level();
  if (sse42 && compiled_level < 1) return sse42_level();
#endif
  return baseline::all<simd::native>();
}

const level& best() noexcept {
  static const level chosen = make_best();
  return chosen;
}

}  // namespace

template <class Byte>
const kernel_set<Byte>& best_kernels() noexcept {
  return best().lanes<Byte>().many;
}
template <class Byte>
const single_set<Byte>& best_singles() noexcept {
  return best().lanes<Byte>().one;
}
const sealed_solver& best_sealed_solver() noexcept { return best().solver; }
const ledger_codes& best_ledger_codes() noexcept { return best().ledgers; }

template const kernel_set<std::byte>& best_kernels<std::byte>() noexcept;
template const kernel_set<shared_byte>& best_kernels<shared_byte>() noexcept;
template const single_set<std::byte>& best_singles<std::byte>() noexcept;
template const single_set<shared_byte>& best_singles<shared_byte>() noexcept;

}  // namespace sluice::detail::bulk
