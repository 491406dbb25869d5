// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/sealed: the sealed filters for a request. There is nothing to search for: r follows from the rate or from the
// memory, and the number of blocks from r and the keys (block/sealed_layout.hpp has the loads that were measured). Time
// is no limit for them: who has all keys beforehand wants the least memory, and lookups of no r take three times as
// long as blocked's. Where those of that r take longer than plan_request::most_time (their columns are no whole bytes),
// the nearest r that keeps the rate or the memory and does not is a second candidate, which comes before it by time.
// Invariant: for given keys, more memory never gives a smaller r. Cost: a model or two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sluice/extend/candidates.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

/// The best sealed filter whatever its time, and, where it is slow, the best of those that are not.
[[nodiscard]] std::vector<plan_candidate> sealed_candidates(const plan_request& q, double keys);

}  // namespace sluice::detail::planning
