// filter/statistics: what a filter can say about itself, computed from its final bits. Cost: reads every block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/filter/meter.hpp"
#include "sluice/filter/recipe.hpp"

namespace sluice {

struct statistics {
  std::uint64_t blocks = 0;         ///< m
  std::uint64_t keys_inserted = 0;  ///< insertions that found the key absent; after a merge an upper bound
  std::uint64_t bits_set = 0;       ///< filter bits, without counters and gates
  std::uint64_t usable_bits = 0;    ///< of all blocks together

  /// load_histogram[i] blocks have load i, in the unit given: keys (saturating at h + 1), or bits set. Empty for classic
  /// filters and choice groups, which have one block of any length. The last entry is that of 65,535 keys and more.
  load_unit histogram_unit = load_unit::set_bits;
  std::vector<std::uint64_t> load_histogram;

  /// Computed from the final bits: exact expectations over a random absent key. Not quite exact are gated filters (to a
  /// relative 1e-3), Bloom-g in lanes with more than two blocks (15%), and arrays with double hashing above 2048 bits,
  /// where stored keys' lines are taken for chance (k = 8: 5% too low above 2048 bits, 2% at 4096, less beyond).
  double fpr_from_fill = 0;
  double blocks_per_miss_from_fill = 0;
  /// How many different keys make so many bits, on average: good to 3%, and better after a merge than keys_inserted. Keys of choice
  /// groups choose the bits that they set, so there it is only a lower bound.
  double keys_from_fill = 0;

  /// Counted, if the filter is metered.
  measured_accesses accesses;

  std::uint64_t overflow_keys = 0;
  std::uint64_t overflow_bytes = 0;
  std::uint64_t filter_bytes = 0;
  double bits_per_key = 0;         ///< B m / n: blocks with their counters and gates; 0 while the filter is empty
  double memory_bits_per_key = 0;  ///< everything: padding, tallies and overflow included
};

namespace detail {

/// A block kind of which a filter has exactly one.
template <class Block>
inline constexpr bool is_whole_filter = requires { requires Block::is_whole_filter; };

/// So that a stranger's bytes cannot ask for a histogram of any length.
inline constexpr std::uint64_t most_load = 65'535;

}  // namespace detail

template <class Recipe>
[[nodiscard]] statistics statistics_of(const Recipe& recipe, const std::byte* bytes, const overflow_state& overflowed,
                                       std::uint64_t keys) {
  statistics s;
  const auto blocks = recipe.blocks(bytes);
  s.blocks = blocks.size();
  s.keys_inserted = keys;
  s.usable_bits = blocks.size() * recipe.block.usable_bits();
  s.histogram_unit = Recipe::block_type::unit;
  for (std::uint64_t b = 0; b < blocks.size(); ++b) {
    s.bits_set += recipe.block.ones(blocks[b]);
    s.keys_from_fill += recipe.block.throws(blocks[b]) / recipe.placement.hashes();
    if constexpr (!detail::is_whole_filter<typename Recipe::block_type>) {
      const std::uint64_t load = std::min(blocks.load(b), detail::most_load);
      if (load >= s.load_histogram.size()) s.load_histogram.resize(load + 1);
      ++s.load_histogram[load];
    }
  }
  if (!overflowed.slots.empty()) s.keys_from_fill += static_cast<double>(overflowed.keys);  // outside the blocks
  const fill_estimate estimate = recipe.placement.estimate(blocks);
  s.fpr_from_fill = estimate.fpr;
  s.blocks_per_miss_from_fill = estimate.blocks_per_miss;
  s.overflow_keys = overflowed.keys;
  s.overflow_bytes = overflowed.slots.size();
  s.filter_bytes = recipe.bytes();
  if (keys != 0) {
    const auto n = static_cast<double>(keys);
    s.bits_per_key = static_cast<double>(recipe.block.bits()) * static_cast<double>(s.blocks) / n;
    s.memory_bits_per_key = 8.0 * static_cast<double>(s.filter_bytes + s.overflow_bytes) / n;
  }
  return s;
}

/// The false positive rate of several filters that are all asked for a key.
[[nodiscard]] inline double fpr_of_any(std::span<const statistics> filters) noexcept {
  double none = 1;
  for (const statistics& s : filters) none *= 1 - s.fpr_from_fill;
  return 1 - none;
}

}  // namespace sluice
