// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/evaluate: what a filter of given parameters would do for a request: predictions, memory, cost, time, and the
// first limit that it breaks. Cost: one model.
#pragma once

#include <string>

#include "sluice/detail/numbers.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace sluice::detail::planning {

[[nodiscard]] std::string number_text(double value, int digits = 3);

/// Two numbers that differ, with as many digits as show it: "1.252 is above 1.25".
[[nodiscard]] std::string tell_apart(double value, const std::string& between, double limit);

/// Unions are made by a plain OR: nothing that counts, and nothing static.
[[nodiscard]] std::string why_not_mergeable(const parameters& p);

/// The logarithm of how far a candidate lies above a rate.
[[nodiscard]] double excess_over(double fpr, const plan_candidate& c);

/// The first limit that a candidate breaks, in words; empty if none. Time is not among them: what takes too long has
/// its own place in the order.
[[nodiscard]] std::string broken_limit(const plan_candidate& c, const plan_request& q);

}  // namespace sluice::detail::planning
