// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement: where a key may be. A placement turns a digest into candidates, in order, and holds the rule that picks
// one; it stores nothing but its parameters.
//
//   candidate = (block, set of positions in it)
//
// so a filter with one block and several position sets (choice groups) is a placement like those with several blocks
// and one position set (two-choice, SEQUENTIAL, MHT) or with both differing (gated).
//
// Every operation is one walk over the candidates:
//
//   candidate 0: contains x? -> found         otherwise: can x be further on? no -> stopped here
//   candidate 1: contains x? -> found         otherwise: can x be further on? no -> stopped here
//   ...                                       after the last: exhausted
//
// (Bloom-g is the one placement that needs all its candidates: there "contains" means go on, and "does not" means
// stop.) A lookup answers true for `found`, false for `stopped`, and asks the overflow for `exhausted`. An insertion
// walks exactly as a lookup does, and only where the walk did not find the key it places it. That the two walks are the
// same code is the heart of "no false negatives": an insertion that looked at all candidates beforehand could find x by
// chance in a later block while an earlier one still stops lookups.
//
// What a placement must keep true (what breaks otherwise is a false negative):
//   1. goes_on(x, j) once true stays true: a lookup that went past candidate j will always go past it. (So it is with
//      counts(x, j), of placements that have it: whether what is seen in candidate j may be the key at all.)
//   2. after place(x) took the key, a walk finds it: the bits it set are those of a candidate that walks reach.
// Both hold because bits and loads only grow. (Of ledgers, which erase, placement/ledger.hpp says why lookups find
// keys.)
//
// Cost: a walk that ends at candidate j has read j + 1 blocks (in a bit array: the positions that it probed); what
// place reads beyond that it reports.
#pragma once

#include <concepts>
#include <cstdint>

#include "sluice/detail/block/block.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

struct candidate {
  std::uint64_t block = 0;
  position_slice positions;
};

enum class walk_end : std::uint8_t { found, stopped, exhausted };

struct walk_result {
  walk_end end;
  std::uint32_t last;      ///< the candidate at which the walk ended
  std::uint32_t accesses;  ///< by the walk
};

/// What became of a key that was to be placed.
struct placed {
  bool taken;              ///< false: no block takes it, the overflow must
  std::uint32_t accesses;  ///< by the whole operation, the walk included
};

/// What the bits of a filter say about keys that are not in it: expectations over a random absent key.
struct fill_estimate {
  double fpr = 0;
  double blocks_per_miss = 0;
};

/// Blocks is a block_array, or whatever else has loads and can contain keys.
template <class P, class Blocks>
concept placement_over = requires(const P p, const Blocks blocks, digest x, std::uint32_t j, candidate c) {
  { p.blocks() } -> std::convertible_to<std::uint64_t>;       // m
  { p.hashes() } -> std::convertible_to<std::uint32_t>;       // k
  { p.candidates(x) } -> std::convertible_to<std::uint32_t>;  // how many this key has, at least 1
  { p.at(x, j) } -> std::same_as<candidate>;                  // candidate j
  { p.goes_on(blocks, x, j, c) } -> std::same_as<bool>;       // c = at(x, j) does not contain x: can a later one?
  { p.estimate(blocks, std::uint64_t{}) } -> std::same_as<fill_estimate>;  // of so many keys; 0: not known
};

/// One that takes keys as well; Blocks can be written.
template <class P, class Blocks>
concept taking_placement_over =
    placement_over<P, Blocks> && requires(const P p, const Blocks blocks, digest x, walk_result walked) {
      { p.place(blocks, x, walked) } -> std::same_as<placed>;  // the walk ended without finding x
    };

/// One that takes keys and gives them back, as often as they came: what it keeps lies in the blocks and in the list,
/// and may be moved between them. Its file says why every lookup finds what is kept.
template <class P, class Blocks, class List>
concept erasing_placement_over =
    placement_over<P, Blocks> &&
    requires(const P p, const Blocks blocks, List list, const typename List::view_type listed, digest x) {
      { p.insert(blocks, list, x) } -> std::same_as<insert_outcome>;  // a copy more; may throw full_error
      { p.erase_listed(blocks, list, x) } -> std::same_as<bool>;
      { p.erase_entry(blocks, x) } -> std::same_as<bool>;
      { p.count(blocks, listed, x) } -> std::same_as<std::uint64_t>;
    };

/// Placements whose keys have bits in every candidate say so; all others have them in one.
template <class Placement>
inline constexpr bool needs_all_candidates = requires { requires Placement::needs_all_candidates; };

/// The walk of every lookup and every insertion, step by step.
template <class Placement, class Blocks>
[[nodiscard, gnu::always_inline]] constexpr walk_result stepwise_walk(const Placement& placement, const Blocks& blocks,
                                                                      digest x) noexcept {
  const std::uint32_t last = placement.candidates(x) - 1;
  std::uint32_t accesses = 0;
  for (std::uint32_t j = 0;; ++j) {
    const candidate c = placement.at(x, j);
    probe p = blocks.contains(c.block, x, c.positions);
    accesses += p.accesses;
    if constexpr (requires { placement.counts(blocks, x, j, c); })
      p.found = p.found && placement.counts(blocks, x, j, c);
    if constexpr (needs_all_candidates<Placement>) {
      if (!p.found) return {walk_end::stopped, j, accesses};
      if (j != last) continue;
    }
    if (p.found) return {walk_end::found, j, accesses};
    if (!placement.goes_on(blocks, x, j, c)) return {walk_end::stopped, j, accesses};
    if (j == last) return {walk_end::exhausted, j, accesses};
  }
}

/// The same walk. A placement that can do it in fewer steps offers a walk of its own, with equal results.
template <class Placement, class Blocks>
[[nodiscard, gnu::always_inline]] constexpr walk_result walk(const Placement& placement, const Blocks& blocks,
                                                             digest x) noexcept {
  if constexpr (requires { placement.walk(blocks, x); }) {
    return placement.walk(blocks, x);
  } else {
    return stepwise_walk(placement, blocks, x);
  }
}

}  // namespace sluice::detail
