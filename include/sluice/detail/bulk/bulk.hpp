// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk: lookups and insertions of many keys through a recipe. Filters with lanes go through the kernels; all others
// walk as they do for one key, with the first block of later keys on its way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/dispatch.hpp"
#include "sluice/detail/bulk/prefetch_ring.hpp"
#include "sluice/detail/placement/blocked.hpp"
#include "sluice/detail/placement/gated.hpp"
#include "sluice/detail/recipe/recipe.hpp"

namespace sluice::detail::bulk {

/// What kernels must know of a placement.
template <number Hashes, number Folds>
[[nodiscard]] lane_shape shape_of(const blocked_placement<Hashes, Folds>& p) noexcept {
  return {.groups = p.groups(), .hashes = p.hashes()};
}
template <number Hashes, number Trace, number SecondHashes, number StaticGates, number Folds>
[[nodiscard]] lane_shape shape_of(const gated_placement<Hashes, Trace, SecondHashes, StaticGates, Folds>& p) noexcept {
  // In a group of one there is nowhere to go, and no load is full.
  constexpr gated_parameters::spill_rule never{.threshold = std::numeric_limits<std::uint32_t>::max()};
  return {.groups = p.groups(),
          .hashes = p.hashes(),
          .trace = p.trace_bits(),
          .second_hashes = p.second_hashes(),
          .rule = p.groups().drawn_group() > 1 ? p.rule() : never,
          .static_gates = p.static_gates()};
}

template <class Recipe>
inline constexpr bool has_kernels = requires(const Recipe& recipe) {
  recipe.block.quads();
  shape_of(recipe.placement);
};

template <class Recipe>
inline constexpr bool is_gated = Recipe::block_type::gates_in(512) != 0;

template <class Recipe>
[[nodiscard]] lane_shape shape_of_blocks(const Recipe& recipe, std::uint64_t origin = 0) noexcept {
  lane_shape shape = shape_of(recipe.placement);
  shape.block_bits = recipe.block.bits();
  shape.origin = origin;
  return shape;
}

// The work on a chunk knows digests only: it is compiled once for a filter, not once for every type of keys, and a call
// for five hundred of them costs nothing.

template <class Recipe, class Byte>
[[gnu::noinline]] void look_up_chunk(const Recipe& recipe, const Byte* bytes,
                                     const typename Recipe::overflow_view_type& overflowed, const chunk& some,
                                     std::uint8_t* out, std::uint64_t origin = 0) {
  if constexpr (has_kernels<Recipe>) {
    const kernel_set<Byte>& kernels = best_kernels<Byte>();
    const auto run = is_gated<Recipe> ? kernels.look_up_gated : kernels.look_up_blocked;
    run({shape_of_blocks(recipe, origin), bytes, some, out});
  } else {
    ring<false>(
        some.count, some.available, [&](std::size_t i) { return recipe.first_line(bytes, some.digests[i], origin); },
        [&](std::size_t i, const Byte* /*line*/) {
          out[i] = recipe.look_up(bytes, overflowed, some.digests[i], origin).found ? 1 : 0;
        });
  }
}

/// How many were new. Where somebody wants to know which, `out` gets 1 or 0 for each. Precondition: no more keys than a
/// chunk has.
template <class Recipe, class Byte, class Overflow>
[[gnu::noinline]] std::uint64_t insert_chunk(const Recipe& recipe, Byte* bytes, Overflow& overflowed, const chunk& some,
                                             std::uint8_t* out = nullptr, std::uint64_t origin = 0) {
  std::array<std::uint8_t, chunk_keys> unwanted;  // a byte for each costs less than to ask whether it is wanted
  if (out == nullptr) out = unwanted.data();
  if constexpr (has_kernels<Recipe>) {
    const lane_shape shape = shape_of_blocks(recipe, origin);
    if (!shape.static_gates) {
      const kernel_set<Byte>& kernels = best_kernels<Byte>();
      const auto run = is_gated<Recipe> ? kernels.insert_gated : kernels.insert_blocked;
      return run({shape, bytes, some, out});
    }
  }
  std::uint64_t fresh = 0;
  ring<true>(
      some.count, some.available, [&](std::size_t i) { return recipe.first_line(bytes, some.digests[i], origin); },
      [&](std::size_t i, const Byte* /*line*/) {
        out[i] = recipe.insert(bytes, overflowed, some.digests[i], origin).was_new ? 1 : 0;
        fresh += out[i];
      });
  return fresh;
}

/// Inserts all keys in their order; returns how many were new.
template <class Recipe, class Byte, class Overflow, class Key>
std::uint64_t insert(const Recipe& recipe, Byte* bytes, Overflow& overflowed, const hasher& hash,
                     std::span<const Key> keys) {
  return insert_in_chunks(hash, keys, [&](const chunk& some) { return insert_chunk(recipe, bytes, overflowed, some); });
}
/// The same, and an answer for each: whether it was new.
template <class Recipe, class Byte, class Overflow, class Key>
std::uint64_t insert(const Recipe& recipe, Byte* bytes, Overflow& overflowed, const hasher& hash,
                     std::span<const Key> keys, answers& to) {
  return insert_in_chunks(hash, keys, to, [&](const chunk& some, std::uint8_t* out) {
    return insert_chunk(recipe, bytes, overflowed, some, out);
  });
}

}  // namespace sluice::detail::bulk
