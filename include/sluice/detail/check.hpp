// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// detail/check: which parameters describe a filter, scheme by scheme; and what a filter makes of them. Inline, because
// the presets need it. normalised() in parameters.hpp is the same for any scheme.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/counted.hpp"
#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

inline constexpr std::uint32_t least_block_bits = 64;
inline constexpr std::uint32_t most_block_bits = 4096;
inline constexpr std::uint32_t most_array_hashes = 4096;
inline constexpr std::uint64_t most_choice_positions = 16'384;  // c k: a lookup computes them all
inline constexpr std::uint32_t most_folds = 40;

inline void require(bool holds, std::string_view scheme, const std::string& sentence) {
  if (!holds) throw parameter_error(std::string(scheme) + " filter: " + sentence);
}

inline void check_probability(std::string_view scheme, const char* name, double value) {
  require(value >= 0 && value <= 1, scheme,
          std::string(name) + " is a probability from 0 to 1, not " + number_text(value));
}

/// What every blocked scheme has: blocks, their size, and k that fits into the usable bits.
inline void check_shape(std::string_view scheme, std::uint64_t blocks, std::uint32_t block_bits) {
  require(blocks > 0, scheme, "zero blocks hold no keys; size it with blocks_for(keys, bits_per_key)");
  require(block_bits >= least_block_bits && block_bits <= most_block_bits, scheme,
          "a block has 64 to 4096 bits, not " + std::to_string(block_bits));
}

inline void check_hashes(std::string_view scheme, const char* name, std::uint32_t hashes, std::uint32_t usable) {
  require(hashes > 0, scheme, std::string(name) + " is zero: a key must set at least one bit");
  require(hashes <= usable, scheme,
          std::string(name) + " is " + std::to_string(hashes) + ", but a block has only " + std::to_string(usable) +
              " usable bits");
}

/// Keys of blocks with lanes have this many positions at most.
inline void check_positions(std::string_view scheme, const char* name, std::uint64_t positions) {
  require(positions <= lanes::most_positions, scheme,
          std::string(name) + " is " + std::to_string(positions) + ", but a key has at most 64 positions in its lanes");
}

/// Blocked and Bloom-g: are the positions drawn in lanes?
template <class P>
[[nodiscard]] bool in_lanes(const P& p) {
  return p.positions == position_rule::lanes && lanes::has_lanes(p.block_bits);
}

/// What SINGLE, SEQUENTIAL and MHT share.
template <class P>
void check_threshold(const P& p, std::uint64_t blocks, std::uint64_t choices) {
  check_shape(name_of(p.which), blocks, p.block_bits);
  require(choices >= 1 && choices <= most_candidates, name_of(p.which),
          "a key has 1 to " + std::to_string(most_candidates) + " candidate blocks, not " + std::to_string(choices));
  require(choices <= blocks, name_of(p.which),
          std::to_string(choices) + " candidates need at least as many blocks, not " + std::to_string(blocks));
  require(p.threshold > 0, name_of(p.which), "a threshold h of zero lets no block take a key; use 1 or more");
  check_probability(name_of(p.which), "the acceptance p", p.acceptance);
  require(counted_block::counter_bits(p.threshold) < p.block_bits, name_of(p.which),
          "the counter for h fills the whole block");
  check_hashes(name_of(p.which), "k", p.hashes, counted_block(p.block_bits, p.threshold).usable_bits());
  require(p.list_capacity == 0 || p.overflow == overflow_rule::exact_list, name_of(p.which),
          "a list_capacity is for filters with an exact list");
  require(p.list_capacity != 0 || p.when_full == full_list_rule::refuse, name_of(p.which),
          "a list without a list_capacity is never full; when_full has nothing to say");
}

/// Keys that are placed without being read can only be told from absent ones by a list.
template <class P>
void check_budget(const P& p) {
  require(p.access_budget == 0 || p.overflow == overflow_rule::exact_list, name_of(p.which),
          "an access budget needs the exact list; without one, lookups of later keys would stop too early");
  require(p.access_budget == 0 || p.when_full == full_list_rule::refuse, name_of(p.which),
          "with an access budget a full list refuses keys: lookups of those that were forced would stop too early");
}

inline void check_folds(std::string_view scheme, std::uint32_t folds) {
  require(folds <= most_folds, scheme, "it was folded 40 times at most, not " + std::to_string(folds));
}

inline void check_array(std::string_view scheme, std::uint64_t bits, std::uint32_t hashes) {
  require(bits >= least_block_bits, scheme, "the array has at least 64 bits, not " + std::to_string(bits));
  require(bits <= std::numeric_limits<std::uint64_t>::max() - bits::word_bits, scheme,
          "the length of the array does not fit in 64 bits");
  check_hashes(scheme, "k", hashes, bits < most_array_hashes ? static_cast<std::uint32_t>(bits) : most_array_hashes);
}

/// Gated and Bloom-g filters whose blocks share a page.
inline void check_page(std::string_view scheme, second_block second, std::uint32_t block_bits) {
  require(second == second_block::table || page_bytes % stride_for(block_bits) == 0, scheme,
          "blocks of " + std::to_string(block_bits) +
              " bits do not divide a page of 4096 bytes; use a power of two, or second_block::table");
}

inline void check_parameters(const classic_parameters& p) {
  check_array(name_of(p.which), p.bits, p.hashes);
  check_folds(name_of(p.which), p.folds);
  require(p.folds == 0 || p.form == hash_form::independent, name_of(p.which),
          "positions of double hashing lie on lines, which cannot be folded; use independent ones");
  require(p.folds == 0 || ((p.bits - 1) >> p.folds) + 1 >= least_block_bits, name_of(p.which),
          "folded " + std::to_string(p.folds) + " times, the array has fewer than 64 bits");
}

inline void check_parameters(const choice_parameters& p) {
  check_array(name_of(p.which), p.bits, p.hashes);
  require(p.groups >= 1, name_of(p.which), "a key has at least one group");
  require(std::uint64_t{p.groups} * p.hashes <= most_choice_positions, name_of(p.which),
          std::to_string(p.groups) + " groups of " + std::to_string(p.hashes) +
              " positions are too many; all groups together have at most 16384");
}

inline void check_parameters(const bloom_g_parameters& p) {
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  require(p.spread >= 1 && p.spread <= most_candidates, name_of(p.which),
          "a key has 1 to " + std::to_string(most_candidates) + " blocks, not " + std::to_string(p.spread));
  check_page(name_of(p.which), p.second, p.block_bits);
  const std::uint64_t group =
      p.second == second_block::table ? p.blocks : std::min(p.blocks, page_bytes / stride_for(p.block_bits));
  require(p.spread <= group, name_of(p.which),
          std::to_string(p.spread) + " different blocks cannot come from a group of " + std::to_string(group));
  require(p.hashes >= p.spread, name_of(p.which),
          "k is " + std::to_string(p.hashes) + ", but each of the " + std::to_string(p.spread) +
              " blocks needs at least one bit");
  check_hashes(name_of(p.which), "k / g", (p.hashes - 1) / p.spread + 1, p.block_bits);
  if (in_lanes(p)) check_positions(name_of(p.which), "k", p.hashes);
  check_folds(name_of(p.which), p.folds);
}

inline void check_parameters(const blocked_parameters& p) {
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  check_folds(name_of(p.which), p.folds);
  check_hashes(name_of(p.which), "k", p.hashes, p.block_bits);
  if (in_lanes(p)) check_positions(name_of(p.which), "k", p.hashes);
}

inline void check_parameters(const alpha_parameters& p) {
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  check_hashes(name_of(p.which), "k", p.hashes, p.block_bits);
  check_probability(name_of(p.which), "alpha", p.alpha);
  require(p.alpha == 0 || p.blocks >= 2, name_of(p.which), "two candidates need at least two blocks");
}

inline void check_parameters(const single_parameters& p) { check_threshold(p, p.blocks, 1); }

inline void check_parameters(const sequential_parameters& p) {
  check_threshold(p, p.blocks, p.choices);
  check_budget(p);
}

inline void check_parameters(const mht_parameters& p) {
  std::uint64_t blocks = 0;
  for (const std::uint64_t size : p.subtables) {
    require(size > 0, name_of(p.which), "a subtable without blocks has no place for its candidate");
    require(blocks + size > blocks, name_of(p.which), "the number of blocks of all subtables does not fit in 64 bits");
    blocks += size;
  }
  require(!p.subtables.empty(), name_of(p.which), "it needs at least one subtable; see sluice::theory::subtable_sizes");
  check_threshold(p, blocks, p.subtables.size());
  check_budget(p);
}

inline void check_parameters(const gated_parameters& p) {
  const auto require = [&](bool holds, const std::string& sentence) {
    detail::require(holds, name_of(p.which), sentence);
  };
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  require(lanes::has_lanes(p.block_bits), "a block has 256 or 512 bits, not " + std::to_string(p.block_bits));
  const std::uint32_t usable = sluice::detail::laned_block<>(p.block_bits).usable_bits();
  check_hashes(name_of(p.which), "k", p.hashes, usable);
  check_hashes(name_of(p.which), "k2", p.second_hashes, usable);
  require(p.trace < p.hashes, "the trace t is " + std::to_string(p.trace) +
                                  ", but it must be smaller than k = " + std::to_string(p.hashes));
  require(p.trace <= lanes::most_trace, "the trace t is " + std::to_string(p.trace) + ", but 4 bits are the most");
  check_positions(name_of(p.which), "k", p.hashes);
  check_positions(name_of(p.which), "t + k2", std::uint64_t{p.trace} + p.second_hashes);
  require(p.threshold > 0, "a threshold h of zero spills every key; use the number of bits at which a block is full");
  require(p.threshold <= usable, "no block ever reaches a threshold of " + std::to_string(p.threshold) +
                                     " bits; it has " + std::to_string(usable));
  require(p.margin <= usable, "no two blocks ever differ by a margin of " + std::to_string(p.margin) + " bits");
  check_page(name_of(p.which), p.second, p.block_bits);
  check_folds(name_of(p.which), p.folds);
  require(p.folds == 0 || !p.is_static,
          "a static filter that was folded is not static any more: gates of neighbours would hide its keys");
}

inline void check_parameters(const sealed_parameters& p) {
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  require(lanes::has_lanes(p.block_bits), name_of(p.which),
          "a block has 256 or 512 bits, not " + std::to_string(p.block_bits));
  require(
      p.fingerprint_bits >= sealed_layout::least_fingerprint && p.fingerprint_bits <= sealed_layout::most_fingerprint,
      name_of(p.which), "a fingerprint has 1 to 32 bits, not " + std::to_string(p.fingerprint_bits));
  require(p.blocks <= std::numeric_limits<std::uint64_t>::max() / 128, name_of(p.which),
          "the number of blocks in whole groups does not fit in 64 bits");
}

inline void check_parameters(const ledger_parameters& p) {
  check_shape(name_of(p.which), p.blocks, p.block_bits);
  require(p.block_bits == ledger_layout::block_bits, name_of(p.which),
          "a block has 512 bits, not " + std::to_string(p.block_bits));
  require(std::ranges::find(ledger_layout::all_remainders, p.remainder_bits) != ledger_layout::all_remainders.end(),
          name_of(p.which), "a remainder has 8, 12, 15, 16 or 24 bits, not " + std::to_string(p.remainder_bits));
}

/// The groups of a sealed filter.
[[nodiscard]] inline even_groups groups_of(const sealed_parameters& p) {
  return {p.blocks, page_bytes / stride_for(p.block_bits)};
}

/// The blocks among which a key's further blocks are drawn, and the number of blocks in whole groups.
template <class P>
  requires requires(const P& p) { p.second; } || std::same_as<P, ledger_parameters>
[[nodiscard]] block_groups groups_of(const P& p) {
  if constexpr (requires { p.second; }) {
    if (p.second == second_block::table) return {p.blocks, p.blocks, folds_in(p)};
  }
  const std::uint64_t page_blocks = page_bytes / stride_for(p.block_bits);
  if (p.blocks <= page_blocks) return {p.blocks, p.blocks, folds_in(p)};
  const std::uint64_t pages = (p.blocks - 1) / page_blocks + 1;
  return {checked_product(pages, page_blocks, "the number of blocks in whole pages"), page_blocks, folds_in(p)};
}

[[nodiscard]] constexpr std::uint64_t drawn_blocks_of(const block_groups& groups) noexcept {
  return groups.drawn_blocks();
}
[[nodiscard]] constexpr std::uint64_t drawn_blocks_of(const even_groups& groups) noexcept { return groups.blocks(); }

/// A fold of an even number that keys are drawn from leaves an ordinary filter of half the number:
/// floor(x m / 2^64) / 2 is floor(x (m / 2) / 2^64).
constexpr void drop_needless_folds(std::uint64_t& drawn, std::uint32_t& folds) noexcept {
  for (; folds != 0 && drawn % 2 == 0; --folds) drawn /= 2;
}

/// normalised() of one scheme.
template <class P>
[[nodiscard]] P normalised_parameters(P p) {
  check_parameters(p);
  if constexpr (requires { groups_of(p); }) p.blocks = drawn_blocks_of(groups_of(p));
  if constexpr (P::which == scheme::blocked) drop_needless_folds(p.blocks, p.folds);
  if constexpr (P::which == scheme::classic) drop_needless_folds(p.bits, p.folds);
  if constexpr (requires { p.positions; }) {
    if (!in_lanes(p)) p.positions = position_rule::uniform;
  }
  if constexpr (requires { p.alpha; }) p.alpha += 0.0;
  if constexpr (requires { p.acceptance; }) p.acceptance += 0.0;
  return p;
}

}  // namespace sluice::detail
