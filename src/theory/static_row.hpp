// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/static_row: one row of the table of static builds.
#pragma once

#include <cstdint>

namespace sluice::theory {

/// The best parameters that were found, and what filters built with them did.
struct static_row {
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t hashes;
  std::uint32_t trace;
  std::uint32_t second_hashes;
  double log_fpr;  ///< natural logarithm
  double accesses_miss;
  double accesses_hit;
};

}  // namespace sluice::theory
