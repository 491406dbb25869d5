// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/groups: several different blocks for one key, all from one group of neighbours.
//
//   | group 0: blocks 0 .. G-1 | group 1: blocks G .. 2G-1 | ...          G = blocks in a 4 KiB page, or all m blocks
//
// The key's first block is uniform over all blocks and so chooses the group; every further one is uniform over the
// blocks of that group that the key has not got yet. Two-choice and 1+alpha use one group of all blocks, gated and
// Bloom-g pages. Up to one page of blocks a filter is one group of exactly that many; larger ones consist of whole
// groups. Invariants: nth(x, 0), nth(x, 1), ... are different blocks of one group and depend on the digest alone.
//
// A filter that was folded f times (docs/sizes.md) has ceil(m / 2^f) blocks, and its keys are drawn from m as before:
// block b holds what 2^f neighbours held, and every number that was drawn is shifted by f. A group becomes G / 2^f
// neighbours, or a part of one block. Different blocks that were drawn may then be one. Presets are never folded and
// pay nothing for it.
//
// Sealed filters use even_groups: as few groups as possible of at most a page, all of the same size, whatever it is, so
// that none is rounded up to a page.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

inline constexpr std::uint64_t page_bytes = 4096;

template <number Folds = dynamic>
class basic_block_groups {
public:
  /// Drawn from so many blocks, in groups of so many, and folded so often.
  /// Precondition: one group of all blocks, or groups of a power of two that divides the blocks.
  constexpr basic_block_groups(std::uint64_t drawn_blocks, std::uint64_t drawn_group, Folds folds = {}) noexcept
      : drawn_blocks_(drawn_blocks), drawn_group_(drawn_group), folds_(folds) {}
  /// A number that is known at compile time, as one of run time.
  template <number Other>
    requires(!std::same_as<Other, Folds>)
  constexpr basic_block_groups(const basic_block_groups<Other>& other) noexcept  // NOLINT(google-explicit-constructor)
      : basic_block_groups(other.drawn_blocks(), other.drawn_group(), number_of<Folds>(other.folds())) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return folded_count(drawn_blocks_, folds_); }
  /// Neighbours among which all blocks of a key lie.
  [[nodiscard]] constexpr std::uint64_t group_blocks() const noexcept { return folded_count(drawn_group_, folds_); }

  [[nodiscard]] constexpr std::uint64_t drawn_blocks() const noexcept { return drawn_blocks_; }
  [[nodiscard]] constexpr std::uint64_t drawn_group() const noexcept { return drawn_group_; }
  [[nodiscard]] constexpr std::uint32_t folds() const noexcept { return folds_; }
  /// How many of the blocks that are drawn from lie in this one, and how many of one group.
  [[nodiscard]] constexpr std::uint64_t drawn_in(std::uint64_t block) const noexcept {
    return std::min(drawn_blocks_ - (block << folds_), std::uint64_t{1} << folds_);
  }
  [[nodiscard]] constexpr std::uint64_t drawn_of_a_group_in(std::uint64_t block) const noexcept {
    return std::min(drawn_in(block), drawn_group_);
  }

  [[nodiscard]] constexpr std::uint64_t first(digest x) const noexcept {
    return first_block(x, drawn_blocks_) >> folds_;
  }

  /// Another block of the group; the first once more, where a group has but one (an untrusted filter of one block may
  /// have closed gates), or where a fold made them one.
  [[nodiscard]] constexpr std::uint64_t second(digest x) const noexcept {
    const std::uint64_t drawn_first = first_block(x, drawn_blocks_);
    const std::uint64_t place = place_of(drawn_first);
    const std::uint64_t drawn = reduce(derive(x, use::candidate, 1), drawn_group_ - 1);
    return (drawn_first - place + drawn + (drawn >= place && drawn_group_ > 1 ? 1 : 0)) >> folds_;
  }

  /// Block number n of the key. Preconditions: n < drawn_group() unless n is 1, n < most_candidates.
  [[nodiscard]] constexpr std::uint64_t nth(digest x, std::uint32_t n) const noexcept {
    if (n == 0) return first(x);
    if (n == 1) return second(x);
    // Draws without replacement: draw i is uniform over the G - i blocks that are left, and stepping over the earlier
    // ones, in ascending order, turns it into a block of the group.
    const std::uint64_t drawn_first = first_block(x, drawn_blocks_);
    std::array<std::uint64_t, most_candidates> taken{place_of(drawn_first)};
    const std::uint64_t base = drawn_first - taken[0];
    std::uint64_t chosen = 0;
    for (std::uint32_t i = 1; i <= n; ++i) {
      chosen = reduce(derive(x, use::candidate, i), drawn_group_ - i);
      std::uint32_t place = 0;
      for (; place < i && chosen >= taken[place]; ++place) ++chosen;
      for (std::uint32_t k = i; k > place; --k) taken[k] = taken[k - 1];
      taken[place] = chosen;
    }
    return (base + chosen) >> folds_;
  }

  friend constexpr bool operator==(const basic_block_groups&, const basic_block_groups&) = default;

private:
  [[nodiscard]] constexpr std::uint64_t place_of(std::uint64_t drawn) const noexcept {
    return drawn_group_ == drawn_blocks_ ? drawn : drawn & (drawn_group_ - 1);
  }

  std::uint64_t drawn_blocks_;
  std::uint64_t drawn_group_;
  [[no_unique_address]] Folds folds_;
};

using block_groups = basic_block_groups<>;

/// Two blocks for one key from groups of one size, which need not be a power of two.
class even_groups {
public:
  /// Of at least `blocks` blocks, in groups of at most `most`. Preconditions: both at least 1, blocks below 2^63.
  constexpr even_groups(std::uint64_t blocks, std::uint64_t most) noexcept
      : groups_((blocks - 1) / most + 1), group_blocks_((blocks - 1) / groups_ + 1) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups_ * group_blocks_; }
  [[nodiscard]] constexpr std::uint64_t groups() const noexcept { return groups_; }
  [[nodiscard]] constexpr std::uint64_t group_blocks() const noexcept { return group_blocks_; }

  [[nodiscard]] constexpr std::uint64_t first(digest x) const noexcept { return first_block(x, blocks()); }
  /// reduce(x, g) is the group of reduce(x, g s): no division.
  [[nodiscard]] constexpr std::uint64_t first_of_group(digest x) const noexcept {
    return reduce(x.value, groups_) * group_blocks_;
  }
  /// Another block of the group of `first`; itself, where a group has but one.
  [[nodiscard]] constexpr std::uint64_t second(digest x, std::uint64_t first) const noexcept {
    const std::uint64_t base = first_of_group(x);
    const std::uint64_t drawn = base + reduce(derive(x, use::candidate, 1), group_blocks_ - 1);
    return drawn + (drawn >= first && group_blocks_ > 1 ? 1 : 0);
  }

private:
  std::uint64_t groups_;
  std::uint64_t group_blocks_;
};

}  // namespace sluice::detail
