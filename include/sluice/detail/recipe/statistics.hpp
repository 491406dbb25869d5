// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// recipe/statistics: what the final bits of a filter say. Cost: reads every block.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/overflow/forced.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

/// A block kind of which a filter has exactly one.
template <class Block>
inline constexpr bool is_whole_filter = requires { requires Block::is_whole_filter; };

/// So that untrusted bytes cannot ask for a histogram of any length.
inline constexpr std::uint64_t most_load = 65'535;

/// Is there no list, so that every key that no block takes is put into one?
template <class Recipe>
inline constexpr bool forces_all = std::same_as<typename Recipe::overflow_type, forced_overflow>;

template <class Recipe>
[[nodiscard]] statistics statistics_of(const Recipe& recipe, const std::byte* bytes, const overflow_state& overflowed,
                                       std::uint64_t keys) {
  statistics s;
  const auto blocks = recipe.blocks(bytes);
  s.blocks = blocks.size();
  s.keys_inserted = keys;
  s.usable_bits = blocks.size() * recipe.block.usable_bits();
  s.histogram_unit = Recipe::block_type::unit;
  constexpr bool keeps_entries = requires { recipe.block.guests(blocks[0]); };
  std::uint64_t guests = 0;
  for (std::uint64_t b = 0; b < blocks.size(); ++b) {
    s.bits_set += recipe.block.ones(blocks[b]);
    if constexpr (keeps_entries) guests += static_cast<std::uint64_t>(std::popcount(recipe.block.guests(blocks[b])));
    s.keys_from_fill += recipe.block.throws(blocks[b]) / recipe.placement.hashes();
    if constexpr (!is_whole_filter<typename Recipe::block_type>) {
      const std::uint64_t load = std::min(blocks.load(b), most_load);
      if (load >= s.load_histogram.size()) s.load_histogram.resize(load + 1);
      ++s.load_histogram[load];
    }
  }
  if (!overflowed.slots.empty()) s.keys_from_fill += static_cast<double>(overflowed.keys);  // outside the blocks
  const fill_estimate estimate = recipe.placement.estimate(blocks, keys);
  s.fpr_from_fill = estimate.fpr;
  s.blocks_per_miss_from_fill = estimate.blocks_per_miss;
  if constexpr (keeps_entries) {
    s.ledger = {.fill = static_cast<double>(s.bits_set) / static_cast<double>(s.usable_bits),
                .guests = guests,
                .closed_gates = estimate.blocks_per_miss - 1};  // behind which a miss reads a second block
  }
  s.overflow_keys = overflowed.keys + overflowed.forced;
  s.forced_keys = forces_all<Recipe> ? overflowed.keys : overflowed.forced;
  s.overflow_bytes = overflowed.slots.size();
  s.filter_bytes = recipe.bytes();
  if (keys != 0) {
    const auto n = static_cast<double>(keys);
    s.bits_per_key = static_cast<double>(recipe.block.bits()) * static_cast<double>(s.blocks) / n;
    s.memory_bits_per_key = 8.0 * static_cast<double>(s.filter_bytes + s.overflow_bytes) / n;
  }
  return s;
}

}  // namespace sluice::detail
