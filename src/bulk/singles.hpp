// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/singles: lookups and insertions of one key in filters whose blocks have lanes, for owners that learn the shape
// of their filter when the program runs. The code for a shape (gates, size of a block, number of steps) is chosen once,
// for the best instruction set that this processor has, and called for every key. An insertion is that of the kernels,
// for one key.
//
// Invariant: the answers of the walk and the bytes of the placement (placement/). Cost: one block; the second one where
// the first sends the key on, and for insertions where the first is full.
#pragma once

#include "sluice/detail/bulk/kernels.hpp"

namespace sluice::detail::bulk {

/// A filter, as its lookups see it.
template <class Byte>
struct lane_filter {
  lane_shape shape;
  const Byte* blocks = nullptr;
};

/// Looks a key up in a lane_filter.
using look_up_one = bool (*)(const void* filter, digest x) noexcept;

/// Inserts a key; was it new? Not for static gates.
template <class Byte>
using insert_one = bool (*)(const lane_shape& shape, Byte* blocks, digest x) noexcept;

/// The code of one instruction set for a shape.
template <class Byte>
struct single_set {
  look_up_one (*look_up_blocked)(const lane_shape&) noexcept;
  look_up_one (*look_up_gated)(const lane_shape&) noexcept;
  insert_one<Byte> (*insert_blocked)(const lane_shape&) noexcept;
  insert_one<Byte> (*insert_gated)(const lane_shape&) noexcept;
};

template <class Byte>
[[nodiscard]] const single_set<Byte>& best_singles() noexcept;

}  // namespace sluice::detail::bulk

#include "bulk/singles.inl"
