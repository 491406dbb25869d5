// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// recipe/union: the union of two filters of one recipe, with the number of its keys.
//
// Invariant: afterwards every key of either filter is found. If memory for a list ends, or its bounded size is too
// small, nothing has changed.
// Cost: every block of both is read once, and up to 65,536 of them twice more, to count.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

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

/// The parts of a filter that a union changes.
template <class Recipe, class Byte>
struct filter_parts {
  Byte* bytes;
  std::conditional_t<std::is_const_v<Byte>, const typename Recipe::overflow_type, typename Recipe::overflow_type>&
      overflowed;
  std::uint64_t keys;
};

/// Adds everything of the other filter, which keeps entries, to the first: as if every key had been inserted again, but
/// for the list, which needs keys. Works on a copy: where there is no room, nothing has changed.
template <class Recipe>
[[nodiscard]] std::uint64_t unite_entries(const Recipe& recipe, const filter_parts<Recipe, std::byte>& ours,
                                          const filter_parts<Recipe, const std::byte>& theirs) {
  const auto& placement = recipe.placement;
  const auto refuse = [&] {
    throw merge_error("the two filters have " + std::to_string(ours.keys + theirs.keys) +
                      " keys together, for which the blocks of one have no room; it is full with " +
                      std::to_string(placement.most_keys()) + ". Make a larger one from the keys of both");
  };
  if (ours.keys > placement.most_keys() || theirs.keys > placement.most_keys() - ours.keys) refuse();
  std::vector<std::byte> bytes(ours.bytes, ours.bytes + recipe.bytes());
  auto overflowed = ours.overflowed;
  const auto united = recipe.blocks(bytes.data());
  const auto others = recipe.blocks(theirs.bytes);
  for (std::uint64_t b = 0; b < others.size(); ++b) {
    placement.for_each_entry(others, b, [&](std::uint64_t first, const auto& entry) {
      if (!placement.put_entry(united, first, entry)) refuse();
    });
  }
  try {
    for (std::uint64_t number = 0; number < theirs.overflowed.size(); ++number) {
      static_cast<void>(placement.insert(united, overflowed, theirs.overflowed[number]));
    }
  } catch (const full_error& e) {
    throw merge_error(std::string("the list of the union has no room: ") + e.what());
  }
  for (std::uint64_t b = 0; b < united.size(); b += placement.groups().group_blocks()) {
    placement.tidy(united, overflowed, b);
  }
  std::copy(bytes.begin(), bytes.end(), ours.bytes);
  ours.overflowed = std::move(overflowed);
  return ours.keys + theirs.keys;
}

/// Adds everything of the other filter to the first; returns how many keys the union has. Precondition: equal recipes
/// and seeds, united or not.
template <class Recipe>
[[nodiscard]] std::uint64_t unite(Recipe& recipe, const filter_parts<Recipe, std::byte>& ours,
                                  const filter_parts<Recipe, const std::byte>& theirs) {
  if constexpr (Recipe::erases_keys) {
    return unite_entries(recipe, ours, theirs);
  } else {
    const auto beyond = ours.overflowed.absorb(theirs.overflowed);  // the step that can fail comes first
    const union_count count(recipe, ours.bytes, ours.keys, theirs.bytes, theirs.keys);
    recipe.merge(ours.bytes, theirs.bytes);
    if constexpr (requires { recipe.placement.unite(); }) recipe.placement.unite();
    const std::uint64_t keys = count(ours.bytes);
    const auto united = recipe.blocks(ours.bytes);
    for (const digest x : beyond) static_cast<void>(ours.overflowed.take(recipe.placement, united, x));
    return keys;
  }
}

}  // namespace sluice::detail
