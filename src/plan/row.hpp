// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/row: one row of the planner's tables.
#pragma once

#include <cstdint>

#include "sluice/extend/candidates.hpp"

namespace sluice::detail::designs {

/// The best parameters that were found; what a scheme does not have is 0.
struct row {
  family which;
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t hashes;
  std::uint32_t trace;
  std::uint32_t second_hashes;
  std::uint32_t threshold;
  std::uint32_t margin;
  double alpha;
  double overflow;  ///< the overflow fraction that SINGLE, SEQUENTIAL and MHT are optimal for
  double log_fpr;   ///< natural logarithm of fpr_exact
};

}  // namespace sluice::detail::designs
