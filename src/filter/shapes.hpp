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
  return lanes::with_known_steps(
      hashes, [&](auto known) { return block_bits == 512 ? visit(fixed<512>{}, known) : visit(fixed<256>{}, known); });
}

}  // namespace sluice::detail
