// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/designs: what the planner knows of every scheme: how far its lookups reach, what tells its designs apart, which
// measured times are its own, and the best parameters at a block size and a number of bits per key. For
// blocks of 256 and 512 bits they come from a table made on the models (plan/tables.hpp, `./dev tables`),
// interpolated; for other sizes k is searched on the models, and gated, 1+alpha and Bloom-2 are left out. A design is
// a guess; what it does is always predicted by the model afterwards.
//
// The design of sealed_parameters follows from the keys and the rate alone: plan/sealed.hpp.
//
// Where time is short, a design has a bounded number of positions a key: SINGLE, SEQUENTIAL, MHT and classic then have
// fewer, and the others, whose parameters belong together, the design of fewer bits a key.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/row.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail::designs {

// SEQUENTIAL and MHT at the papers' usual point, SINGLE with MHT's overflow.
inline constexpr double accesses = 1.2;
inline constexpr std::uint32_t choices = 3;

/// The rows of one scheme and block size, ascending in bits per key; empty where there are none.
[[nodiscard]] std::span<const row> rows_of(family which, std::uint32_t block_bits);

/// A point between two rows.
struct blend {
  const row* low;
  const row* high;
  double part;

  [[nodiscard]] double real(double row::* field) const { return low->*field + (high->*field - low->*field) * part; }
  [[nodiscard]] std::uint32_t whole(std::uint32_t row::* field) const {
    return static_cast<std::uint32_t>(std::lround(low->*field + (double{1} * high->*field - low->*field) * part));
  }
};

[[nodiscard]] std::optional<blend> at_bits(std::span<const row> table, double bits_per_key);

[[nodiscard]] std::uint32_t most_hashes(std::uint32_t block_bits, double bits_per_key);

/// Throws parameter_error for more bits than a filter can have.
void check_addressable(double bits);

/// The best alpha of 1+alpha filters, where the table knows it: 0 is blocked, and 1 two-choice.
[[nodiscard]] std::optional<double> best_alpha(std::uint32_t block_bits, double bits_per_key);

/// Several designs for the same size, of which the models may choose. Between two rows of the table parameters are
/// whole numbers and jump. So the designs are fixed: those of both rows and of the middle, for SINGLE, SEQUENTIAL and
/// MHT every k between the rows'. Each alone does better with every block more, hence so does the best of them, and at
/// a row, where the set changes, the row's own design is the best: the rate falls steadily with the memory. A limit on
/// positions that never falls as the memory rises leaves this as it is: a design that was allowed stays so.
[[nodiscard]] std::vector<parameters> designs_around(family which, std::uint32_t block_bits, double bits_per_key,
                                                     std::uint64_t blocks, std::uint32_t most = any_hashes);

/// Designs of the same size for filters that are filled apart and then united, of which the models may choose. A gated
/// part must spill when it has its share of what a whole block takes: so its threshold and margin are divided by the
/// number of parts. The fewer keys a block of a part has, the less is spilled in time, and the fewer positions are
/// best: the designs of fewer bits a key are considered, too. All others are as they are.
[[nodiscard]] std::vector<parameters> for_shards(const parameters& p, double bits_per_key, std::uint64_t shards);

/// The bits per key at which the table says that a scheme reaches a rate: where to start looking. log f is nearly
/// linear.
[[nodiscard]] std::optional<double> bits_for(family which, std::uint32_t block_bits, double fpr);

/// What tells designs of one scheme apart.
[[nodiscard]] std::string design_of(const parameters& p);

/// Which rows of the tables of times are those of a filter.
struct timed_as {
  family which;
  bool lanes;
  std::uint32_t steps;
};
[[nodiscard]] timed_as timed_as_of(family which, bool lanes, std::uint32_t hashes);
[[nodiscard]] timed_as timed_of(const parameters& p);

}  // namespace sluice::detail::designs
