// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/fit: the best filter of a scheme that fits into a given memory, for given keys; and the most keys that a memory
// holds at a given rate.
//
// Whole blocks, and whole pages where there are several, are rounded DOWN: what does not fit is no answer. The list of
// SINGLE, SEQUENTIAL and MHT comes out of the same memory. Cost: two models for a number of keys; the most keys take
// about five numbers.
#pragma once

#include <optional>
#include <vector>

#include "plan/row.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

inline constexpr double close_enough = 0.01;  // of a rate that must be met: 1% below it is good enough
inline constexpr double rate_slope = 0.4;     // log f falls by about so much per bit

/// The design with the lowest rate among several of one size.
[[nodiscard]] plan_candidate best_of(const std::vector<parameters>& some, double keys, const plan_request& q);

/// The best filter of a scheme for this number of keys within a memory; nothing where none fits.
[[nodiscard]] std::optional<plan_candidate> best_in(designs::family which, double memory_bits, double keys,
                                                    const plan_request& q);

/// The most keys, to about 0.1%, that a filter of a scheme holds within a memory at a rate; nothing where it is not
/// even one.
[[nodiscard]] std::optional<plan_candidate> most_keys(designs::family which, double memory_bits, double fpr,
                                                      const plan_request& q);

}  // namespace sluice::detail::planning
