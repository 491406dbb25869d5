// The kernels of libsluice, and the choice among them, which is made once.
#include "sluice/detail/bulk/dispatch.hpp"
#include "sluice/detail/simd/native.hpp"

#if defined(__x86_64__)
namespace {
constexpr int compiled_level = SLUICE_X86_LEVEL;  // what every processor of this program has
}  // namespace
#include "bulk/x86_kernels.hpp"
#endif

namespace sluice::bulk {

template <class Byte>
const kernel_set<Byte>& best_kernels() noexcept {
#if defined(__x86_64__)
  static const kernel_set<Byte> chosen = [] {
    __builtin_cpu_init();
    const bool sse42 = __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("popcnt") != 0;
    const bool avx2 = sse42 && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                        __builtin_cpu_supports("avx512dq") != 0;
    if (compiled_level < 3 && avx512) return avx512_kernels<Byte>();
    if (compiled_level < 2 && avx2) return avx2_kernels<Byte>();
    if (compiled_level < 1 && sse42) return sse42_kernels<Byte>();
    return baseline::kernels<simd::native, Byte>::set();
  }();
#else
  static constexpr kernel_set<Byte> chosen = baseline::kernels<simd::native, Byte>::set();
#endif
  return chosen;
}

template const kernel_set<std::byte>& best_kernels<std::byte>() noexcept;
template const kernel_set<shared_byte>& best_kernels<shared_byte>() noexcept;

}  // namespace sluice::bulk
