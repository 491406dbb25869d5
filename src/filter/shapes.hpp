// filter/shapes: filters whose blocks have lanes are the fast ones, so the compiler is told their shape: the size of a
// block, and of the number of positions how many steps (of four) it is. The usual numbers have code of their own;
// others take a loop.
#pragma once

#include <cstdint>

#include "sluice/detail/block/lane_masks.hpp"
#include "sluice/detail/numbers.hpp"

namespace sluice::detail {

/// Calls visit(bits, hashes): values whose types are fixed<...> and lanes::stepped<...> where the number is usual,
/// dynamic otherwise.
template <class Visit>
[[nodiscard]] auto with_lane_shape(std::uint32_t block_bits, std::uint32_t hashes, const Visit& visit) {
  const auto with_steps = [&](auto bits) {
    switch ((hashes + lanes::quad_lanes - 1) / lanes::quad_lanes) {
      case 2:
        return visit(bits, lanes::stepped<2>{hashes});
      case 3:
        return visit(bits, lanes::stepped<3>{hashes});
      case 4:
        return visit(bits, lanes::stepped<4>{hashes});
      case 5:
        return visit(bits, lanes::stepped<5>{hashes});
      case 6:
        return visit(bits, lanes::stepped<6>{hashes});
      case 7:
        return visit(bits, lanes::stepped<7>{hashes});
      default:
        return visit(bits, dynamic{hashes});
    }
  };
  return block_bits == 512 ? with_steps(fixed<512>{}) : with_steps(fixed<256>{});
}

}  // namespace sluice::detail
