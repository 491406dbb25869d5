// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/plan: a filter for so many keys at a rate, from the planner's table alone: no model is run. For programs
// that must not wait, such as a server in which everybody waits while one command plans.
//
//   from_table(scheme::gated, {.keys = 1'000'000, .rate = 1e-6})    microseconds; plan() takes tens of milliseconds
//
// Between two rows of the table log f is taken for linear, and the filter is made for a rate 8% lower: so the model's
// rate stays below the wanted one at every number of keys, for 1 to 2% more memory than the planner's best
// (tests/statistics/from_table_test.cpp compares them).
//
// Invariants: the result depends on the arguments alone, and is the same on every machine: bits a key are whole
// multiples of 1/128, far coarser than what logarithms of two machines differ by. Cost: some hundred comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace sluice::extend {

struct table_request {
  std::uint64_t keys = 0;
  double rate = 0;                 ///< between 0 and 1
  std::uint32_t block_bits = 512;  ///< 256 or 512: others have no table, and get 512
};

/// A filter of this scheme that keeps the rate, with seed 0; nothing where 64 bits a key do not reach it, and for
/// schemes that the planner does not consider.
[[nodiscard]] std::optional<parameters> from_table(scheme which, const table_request& q);

/// The filter of these schemes with the lowest rate among those of at most so many bits a key, from 4 to 64; nothing
/// where its rate is above the wanted one.
[[nodiscard]] std::optional<parameters> from_table_within(std::span<const scheme> among, const table_request& q,
                                                          double bits_per_key);

/// All memory of a filter that has taken so many keys: its blocks, and the list that is predicted.
[[nodiscard]] double memory_bits(const parameters& p, const theory::prediction& predicted, double keys);

}  // namespace sluice::extend
