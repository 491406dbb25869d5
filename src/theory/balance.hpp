// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/balance: the access-constrained balancing problem of Kanizo, Hay and Keslassy, for any convex cost: what
// theory.hpp does not show of it.
#pragma once

#include <cstdint>

#include "sluice/theory.hpp"
#include "theory/distribution.hpp"

namespace sluice::theory {

/// f_h(p) = sum over i >= h of Pr(X = i) (1 - p)^(i - h): the share of blocks with load exactly h when `offered` keys
/// per block have been offered (theorem 3, with positive terms only).
[[nodiscard]] double share_at_threshold(double offered, std::uint64_t threshold, double acceptance);

/// The share of keys that a block of these loads rejects: load h + 1, or load h and the coin says no.
[[nodiscard]] double rejection(const distribution& loads, std::uint64_t threshold, double acceptance);

/// What SEQUENTIAL with given h, p and d does with r keys per block: the differential equations A.1 to A.4. They reduce
/// to one: the loads are threshold_loads(L) of the accesses L that a block has received, and dL/dt = r (1 + F + ... +
/// F^(d-1)), where F is the rejection at L.
struct sequential_state {
  double offered = 0;   ///< accesses per block
  double accesses = 0;  ///< per key
  double overflow = 0;  ///< share of the keys rejected by all d
};

[[nodiscard]] sequential_state sequential_after(double keys_per_block, std::uint32_t choices, std::uint64_t threshold,
                                                double acceptance);

}  // namespace sluice::theory
