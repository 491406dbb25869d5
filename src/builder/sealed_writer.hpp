// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/sealed_writer: the blocks of a sealed filter, group by group: gates by a search, then the equations of every
// block. Keys that no block can hold are bumped: kept for the list, and the bump bit of their first block is set.
//
// A block tries its seeds in order and takes the first for which no equation depends on others, or, if there is none,
// the first with the fewest such; keys beyond its capacity are bumped before. All decisions follow from the set of
// digests and the layout.
// Cost: about 200 bytes a key of the group in hand; 100 to 300 ns a key.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sealed_search.hpp"
#include "bulk/sealed_system.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

/// Writes one group after the other. One for each thread. value(number, key) is what a key's columns must give: its
/// fingerprint, or the value that belongs to it.
class sealed_writer {
public:
  sealed_writer(const sealed_recipe& recipe, std::span<std::byte> bytes, const bulk::sealed_solver& solver)
      : recipe_(recipe),
        solver_(solver),
        layout_(recipe.block.layout()),
        blocks_(recipe.blocks(bytes.data())),
        search_(layout_, recipe.placement.groups()) {
    rows_.words = bulk::mask_words(layout_.columns);
  }

  /// The group with this number, whose keys come each once and in ascending order. Returns the numbers of those that
  /// were bumped, ascending; valid until the next call.
  template <class Value>
  [[nodiscard]] std::span<const std::uint32_t> write(std::uint64_t group, std::span<const digest> keys,
                                                     const Value& value) {
    const std::uint64_t base = group * recipe_.placement.groups().group_blocks();
    search_.decide(base, keys);
    bumped_.assign(search_.left_out().begin(), search_.left_out().end());
    for (std::uint32_t b = 0; b < recipe_.placement.groups().group_blocks(); ++b) {
      for (std::uint32_t gate = 0; gate < layout_.gates; ++gate) {
        if (search_.closed(b, gate)) recipe_.block.close_gate(blocks_[base + b], gate);
      }
      solve(base + b, search_.keys_in(b), keys, value);
    }
    std::sort(bumped_.begin(), bumped_.end());
    for (const std::uint32_t number : bumped_) {
      recipe_.block.set_bumped(blocks_[recipe_.placement.groups().first(keys[number])]);
    }
    return bumped_;
  }

private:
  template <class Value>
  void solve(std::uint64_t block, std::span<const std::uint32_t> numbers, std::span<const digest> keys,
             const Value& value) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(numbers.size(), layout_.capacity()));
    bumped_.insert(bumped_.end(), numbers.begin() + count, numbers.end());
    rows_.count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const sealed_key key(keys[numbers[i]]);
      words_[i] = key.word;
      rows_.sums[i] = value(numbers[i], key);
    }
    const std::uint64_t seed = best_seed();
    make_masks(seed);
    solver_.solve(rows_, solved_);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!solved_.has_place(i)) bumped_.push_back(numbers[i]);
    }
    const mutable_block at = blocks_[block];
    recipe_.block.set_seed(at, seed);
    for (std::uint32_t j = 0; j < layout_.columns; ++j) {
      if (solved_.columns[j] != 0) recipe_.block.set_column(at, j, solved_.columns[j]);
    }
  }
  void make_masks(std::uint64_t seed) noexcept {
    std::fill_n(rows_.masks.begin(), std::size_t{rows_.count + 3} * rows_.words, 0);
    for (std::uint32_t i = 0; i < rows_.count; ++i) {
      const std::span<std::uint64_t> mask = rows_.mask(i);
      for (const std::uint32_t n : layout_.numbers(words_[i], seed)) mask[n / 64] ^= std::uint64_t{1} << (n % 64);
    }
  }
  [[nodiscard]] std::uint64_t best_seed() noexcept {
    std::uint64_t best = 0;
    std::uint32_t fewest = rows_.count + 1;
    for (std::uint64_t seed = 0; seed < layout_.seeds() && fewest != 0; ++seed) {
      make_masks(seed);
      const std::uint32_t dependent = solver_.dependent(rows_, fewest);
      if (dependent >= fewest) continue;
      fewest = dependent;
      best = seed;
    }
    return best;
  }

  const sealed_recipe& recipe_;
  bulk::sealed_solver solver_;
  sealed_layout layout_;
  block_array<sealed_block, std::byte> blocks_;
  sealed_search search_;
  std::array<std::uint64_t, bulk::most_rows> words_{};  // of the keys of a block
  bulk::sealed_rows rows_;                              // and their equations
  bulk::sealed_solution solved_;
  std::vector<std::uint32_t> bumped_;
};

}  // namespace sluice::detail
