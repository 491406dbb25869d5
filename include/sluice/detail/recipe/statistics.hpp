// recipe/statistics: what the final bits of a filter say. Cost: reads every block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/statistics.hpp"

namespace sluice {

namespace detail {

/// A block kind of which a filter has exactly one.
template <class Block>
inline constexpr bool is_whole_filter = requires { requires Block::is_whole_filter; };

/// So that untrusted bytes cannot ask for a histogram of any length.
inline constexpr std::uint64_t most_load = 65'535;

}  // namespace detail

/// Throws into the blocks of a filter, of at most 65,536 of them, the same in all filters of a recipe.
template <class Recipe>
[[nodiscard]] double sampled_throws(const Recipe& recipe, const std::byte* bytes) {
  constexpr std::uint64_t most_looked_at = 65'536;
  const auto blocks = recipe.blocks(bytes);
  const std::uint64_t looked_at = std::min(blocks.size(), most_looked_at);
  double throws = 0;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(looked_at);
    throws += recipe.block.throws(blocks[static_cast<std::uint64_t>(share * static_cast<double>(blocks.size()))]);
  }
  return throws;
}

/// Counts the keys of a union by its bits, because two filters may have keys in common: as many as the throws into the
/// union are of those into both. Made before they are united. The error is some 0.1% where blocks are many; a key that
/// both have in different blocks counts a little more than once, which may be 2% of all.
template <class Recipe>
class union_count {
public:
  union_count(const Recipe& recipe, const std::byte* ours, std::uint64_t our_keys, const std::byte* theirs,
              std::uint64_t their_keys)
      : recipe_(recipe),
        throws_(sampled_throws(recipe, ours) + sampled_throws(recipe, theirs)),
        our_keys_(our_keys),
        their_keys_(their_keys) {}

  /// Never fewer than one of both has, nor more than both together.
  [[nodiscard]] std::uint64_t operator()(const std::byte* united) const {
    const std::uint64_t most = our_keys_ + their_keys_;
    const double share = sampled_throws(recipe_, united) / throws_;
    if (!(share < 1)) return most;  // nothing in common; or nothing at all, or no number: a block is full
    return std::max(
        {static_cast<std::uint64_t>(std::llround(share * static_cast<double>(most))), our_keys_, their_keys_});
  }

private:
  const Recipe& recipe_;
  double throws_;
  std::uint64_t our_keys_;
  std::uint64_t their_keys_;
};

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

}  // namespace sluice
