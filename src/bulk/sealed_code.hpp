// bulk/sealed_code: the lookups of bulk/sealed.hpp themselves, for what the compiler was told; other instruction sets read
// sealed.inl again (bulk/x86_kernels.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bulk/sealed.hpp"
#include "sluice/detail/bulk/prefetch_ring.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/simd/native.hpp"
#include "sluice/detail/target.hpp"

namespace sluice::bulk {

/// Planes of single bits: none, up to four, or up to eight, of which the filter says how many there are.
enum class single_planes : std::uint8_t { none, four, eight };

/// The planes of a column, and the size of a block, known where code is compiled.
template <std::uint32_t Wide, std::uint32_t Bytes, single_planes Singles, std::uint32_t BlockBytes>
struct sealed_shape {
  static constexpr std::uint32_t wide = Wide;
  static constexpr std::uint32_t bytes = Bytes;
  static constexpr single_planes singles = Singles;
  static constexpr std::uint32_t block_bytes = BlockBytes;
};

/// Calls body(shape): that of the filter.
template <class Body>
[[nodiscard]] auto with_shape(const sealed_filter& f, const Body& body) noexcept {
  using enum single_planes;
  const auto sized = [&]<std::uint32_t Wide, std::uint32_t Bytes, single_planes Singles>(
                         sealed_shape<Wide, Bytes, Singles, 0>) {
    return f.large ? body(sealed_shape<Wide, Bytes, Singles, 64>{}) : body(sealed_shape<Wide, Bytes, Singles, 32>{});
  };
  const auto planes = [&]<std::uint32_t Wide, std::uint32_t Bytes>(sealed_shape<Wide, Bytes, none, 0>) {
    if (f.singles == 0) return sized(sealed_shape<Wide, Bytes, none, 0>{});
    return f.singles <= 4 ? sized(sealed_shape<Wide, Bytes, four, 0>{}) : sized(sealed_shape<Wide, Bytes, eight, 0>{});
  };
  if (f.wide == 0) return planes(sealed_shape<0, 8, none, 0>{});
  if (f.wide == 32) return sized(sealed_shape<32, 0, none, 0>{});
  return f.has_bytes ? planes(sealed_shape<16, 8, none, 0>{}) : planes(sealed_shape<16, 0, none, 0>{});
}

}  // namespace sluice::bulk

#include "bulk/sealed.inl"
