// bulk/singles: lookups of one key in filters whose blocks have lanes, for owners that learn the shape of their filter
// when the program runs. The code for a shape (gates, size of a block, number of steps) is chosen once, for the best
// instruction set that this processor has, and called for every key.
//
// Invariant: the answers of the walk (placement/). Cost: one block; the second one where the first sends the key on.
#pragma once

#include "sluice/detail/bulk/kernels.hpp"

namespace sluice::bulk {

/// A filter, as its lookups see it.
template <class Byte>
struct lane_filter {
  lane_shape shape;
  const Byte* blocks = nullptr;
};

/// Looks a key up in a lane_filter.
using look_up_one = bool (*)(const void* filter, digest x) noexcept;

/// The code of one instruction set for a shape.
struct single_set {
  look_up_one (*blocked)(const lane_shape&) noexcept;
  look_up_one (*gated)(const lane_shape&) noexcept;
};

/// Everything that is compiled for one instruction set; sealed filters (bulk/sealed.hpp) are apart: no threads share
/// them.
template <class Byte>
struct level_set {
  kernel_set<Byte> many;
  single_set one;
};

template <class Byte>
[[nodiscard]] const single_set& best_singles() noexcept;

}  // namespace sluice::bulk

#include "bulk/singles.inl"
