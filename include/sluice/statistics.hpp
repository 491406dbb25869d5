// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// statistics: what an operation did, and what a filter can say about itself. What is computed from the final bits reads
// every block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sluice/parameters.hpp"

namespace sluice {

/// What a lookup answered, and the blocks that it read.
struct lookup_outcome {
  bool found;
  std::uint32_t accesses;
};

/// What an insertion did, and the blocks that it read.
struct insert_outcome {
  bool was_new;  ///< the filter has a key more; a ledger always has
  std::uint32_t accesses;
};

/// What of a filter is not in its blocks, for files and copies: numbers, and slots that are caller-owned.
struct overflow_state {
  std::span<const std::byte> slots = {};  ///< of an exact list
  std::uint64_t keys = 0;                 ///< that were kept; where nothing is kept, that were forced
  std::uint64_t forced = 0;               ///< because the list was full
  std::uint64_t spent = 0;                ///< of an access budget
  bool holds_zero = false;                ///< the digest 0 is a member
  bool budget_spent = false;
};

struct statistics {
  /// Mean blocks read, where they were measured.
  struct mean_accesses {
    std::optional<double> per_insert;  ///< of a key that was new
    std::optional<double> per_hit;     ///< lookups that answered true
    std::optional<double> per_miss;    ///< lookups that answered false
  };

  /// What a ledger has in its slots.
  struct entries {
    double fill = 0;           ///< share of the slots in use
    std::uint64_t guests = 0;  ///< entries in their second block
    double closed_gates = 0;   ///< share of all gates
  };

  std::uint64_t blocks = 0;  ///< m
  /// Insertions that found the key absent; after a merge an upper bound. Of a ledger: the keys that it has.
  std::uint64_t keys_inserted = 0;
  std::uint64_t bits_set = 0;     ///< filter bits, without counters and gates
  std::uint64_t usable_bits = 0;  ///< of all blocks together

  /// load_histogram[i] blocks have load i, in the unit given: keys (saturating at h + 1), or bits set. Empty for
  /// classic filters and choice groups, which have one block of any length. The last entry is that of 65,535 keys and
  /// more.
  load_unit histogram_unit = load_unit::set_bits;
  std::vector<std::uint64_t> load_histogram;

  /// Computed from the final bits: exact expectations over a random absent key. Not quite exact are gated filters (to a
  /// relative 1e-3), Bloom-g in lanes with more than two blocks (15%), and arrays with double hashing above 2048 bits,
  /// where stored keys' lines are taken for chance (k = 8: 5% too low above 2048 bits, 2% at 4096, less beyond).
  double fpr_from_fill = 0;
  double blocks_per_miss_from_fill = 0;
  /// How many different keys make this many bits, on average: good to 3%, and better after a merge than keys_inserted.
  /// Keys of choice groups choose the bits that they set, so there it is only a lower bound.
  double keys_from_fill = 0;

  std::optional<entries> ledger = {};  ///< of a ledger

  /// Counted, where operations were (simulate.hpp).
  mean_accesses accesses;

  std::uint64_t overflow_keys = 0;  ///< that no block accepted: in the list, or forced
  std::uint64_t forced_keys = 0;    ///< of these, put into a block all the same: there is no list, or it was full
  std::uint64_t overflow_bytes = 0;
  std::uint64_t filter_bytes = 0;
  double bits_per_key = 0;         ///< B m / n: blocks with their counters and gates; 0 while the filter is empty
  double memory_bits_per_key = 0;  ///< everything: padding, tallies and overflow included
};

namespace detail {

/// Operations of one kind, and the blocks that they read together.
struct access_tally {
  std::uint64_t operations = 0;
  std::uint64_t blocks_read = 0;

  constexpr void add(std::uint32_t blocks) noexcept {
    ++operations;
    blocks_read += blocks;
  }
  /// Nothing, where there was no operation.
  [[nodiscard]] constexpr std::optional<double> mean() const noexcept {
    if (operations == 0) return std::nullopt;
    return static_cast<double>(blocks_read) / static_cast<double>(operations);
  }
};

/// The false positive rate of several filters that are all asked for a key.
[[nodiscard]] inline double fpr_of_any(std::span<const statistics> filters) noexcept {
  double none = 1;
  for (const statistics& s : filters) none *= 1 - s.fpr_from_fill;
  return 1 - none;
}

}  // namespace detail

}  // namespace sluice
