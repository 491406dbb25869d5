// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/kernels: lookups and insertions of a chunk of digests into filters whose blocks have lanes.
//
//   look up, blocked   one pass
//   look up, gated     a first pass over the first blocks; the few keys behind a closed gate and a full trace are
//                      noted, without a branch, and a second pass over their second blocks has a ring of its own
//   insert, blocked    one pass: what is missing is set, and whether anything was missing says whether the key was new
//   insert, gated      (not for static gates) the rule of placement/gated.hpp. Half way between asking for a first
//                      block and using it, it is there and tells whether the second one will be needed: then that one
//                      is asked for, too
//
// The usual numbers of steps of a key (block/lanes.hpp) have loops of their own, unrolled; the number is looked at once
// a chunk. Byte is std::byte or shared_byte (memory/words.hpp). The kernels are compiled for several instruction sets:
// bulk/dispatch.hpp chooses. Invariant: equal bytes and equal answers to single operations in the same order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/block/lane_masks.hpp"
#include "sluice/detail/bulk/prefetch_ring.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/target.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail::bulk {

/// What a filter with lanes is, for a kernel.
struct lane_shape {
  block_groups groups{0, 0};
  std::uint64_t origin = 0;  ///< with which the bytes begin
  std::uint32_t block_bits = 0;
  std::uint32_t hashes = 0;
  // Gated only.
  std::uint32_t trace = 0;
  std::uint32_t second_hashes = 0;
  gated_parameters::spill_rule rule = {};
  bool static_gates = false;

  /// What a spilled key has in its second block.
  [[nodiscard]] constexpr position_slice spilled() const noexcept { return {.first = trace, .count = second_hashes}; }
};

/// Calls body(quads of a block, hashes): the first is a fixed<...>, the second too where lanes::with_known_steps knows
/// it.
template <class Body>
[[gnu::always_inline]] inline decltype(auto) with_shape(const lane_shape& shape, const Body& body) {
  return shape.block_bits == 512
             ? lanes::with_known_steps(shape.hashes, [&](auto hashes) { return body(fixed<4>{}, hashes); })
             : lanes::with_known_steps(shape.hashes, [&](auto hashes) { return body(fixed<2>{}, hashes); });
}

template <class Byte>
struct lookup_job {
  const lane_shape& shape;
  const Byte* blocks;
  chunk keys;
  std::uint8_t* answers;  ///< one for each key of the chunk: 1 or 0
};

template <class Byte>
struct insert_job {
  const lane_shape& shape;
  Byte* blocks;
  chunk keys;
  std::uint8_t* answers;  ///< one for each key of the chunk: 1 if it was new, or 0
};

/// The kernels of one instruction set.
template <class Byte>
struct kernel_set {
  using look_up = void (*)(const lookup_job<Byte>&) noexcept;
  using insert = std::uint64_t (*)(const insert_job<Byte>&) noexcept;  ///< how many keys were new

  look_up look_up_blocked;
  look_up look_up_gated;
  insert insert_blocked;
  insert insert_gated;
  const char* name;
};

}  // namespace sluice::detail::bulk

#include "sluice/detail/bulk/kernels.inl"
