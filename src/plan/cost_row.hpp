// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/cost_row: one row of the tables of times (plan/costs.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "plan/row.hpp"

namespace sluice::detail::designs {

/// What a lookup takes, in times of the reference: blocked at 16 bits a key, asked in the same form and place.
struct lookup_times {
  double single_hit;
  double single_miss;
  double bulk_hit;
  double bulk_miss;
};

/// How many steps a lookup takes: four positions at once in lanes, otherwise one by one.
[[nodiscard]] constexpr std::uint32_t steps_of(std::uint32_t hashes, bool lanes) noexcept {
  return lanes ? (hashes + 3) / 4 : hashes;
}

/// Measured times of a scheme that takes so many steps a key, in its best designs with so many. Of sealed filters,
/// which take five whatever they hold, `steps` is the bits of a fingerprint; of ledgers, of a remainder.
struct cost_row {
  family which;
  bool lanes;  ///< positions in lanes, or fingerprints of whole bytes; the others are rows of their own
  std::uint32_t steps;
  lookup_times in_cache;
  lookup_times in_memory;
};

/// What was measured on one machine. A processor may lack the rows of a scheme.
struct processor_costs {
  std::string_view processor;  ///< the architecture, as compilers name it
  std::string_view machine;
  std::span<const cost_row> rows;  ///< those of a scheme stand together, ascending in steps
};

}  // namespace sluice::detail::designs
