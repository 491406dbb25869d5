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

/// The planes of a column, and the size of a block, known where code is compiled.
template <std::uint32_t Wide, std::uint32_t Bytes, bool Singles, std::uint32_t BlockBytes>
struct sealed_shape {
  static constexpr std::uint32_t wide = Wide;
  static constexpr std::uint32_t bytes = Bytes;
  static constexpr bool singles = Singles;
  static constexpr std::uint32_t block_bytes = BlockBytes;
};

/// Calls body(shape): that of the filter.
template <class Body>
[[nodiscard]] auto with_shape(const sealed_filter& f, const Body& body) noexcept {
  const auto sized = [&]<std::uint32_t Wide, std::uint32_t Bytes, bool Singles>(sealed_shape<Wide, Bytes, Singles, 0>) {
    return f.large ? body(sealed_shape<Wide, Bytes, Singles, 64>{}) : body(sealed_shape<Wide, Bytes, Singles, 32>{});
  };
  const auto planes = [&]<std::uint32_t Wide, std::uint32_t Bytes>(sealed_shape<Wide, Bytes, false, 0>) {
    return f.singles != 0 ? sized(sealed_shape<Wide, Bytes, true, 0>{}) : sized(sealed_shape<Wide, Bytes, false, 0>{});
  };
  if (f.wide == 0) return planes(sealed_shape<0, 8, false, 0>{});
  if (f.wide == 32) return sized(sealed_shape<32, 0, false, 0>{});
  return f.has_bytes ? planes(sealed_shape<16, 8, false, 0>{}) : planes(sealed_shape<16, 0, false, 0>{});
}

}  // namespace sluice::bulk

#include "bulk/sealed.inl"
