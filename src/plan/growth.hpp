// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/growth: the links of a chain of filters that grows (growing_filter.hpp): which filter each is. Cost: a plan for
// each link.
#pragma once

#include <cstdint>

#include "sluice/extend/candidates.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail::planning {

/// The best filter of a chain, or in place of one, for this many keys at this rate.
[[nodiscard]] parameters best_of_chain(const growth& how, double keys, double fpr);

/// How many keys the link holds that comes after links for so many together: of links that are as they were made,
/// `factor` times the last one. Those that were folded hold less: then what all hold together counts, and a chain of
/// few keys may go on with links of the first size, if that is not much. Throws parameter_error for more than 2^64.
[[nodiscard]] std::uint64_t next_capacity(const growth& how, std::uint64_t held);

}  // namespace sluice::detail::planning
