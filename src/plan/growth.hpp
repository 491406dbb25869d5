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

}  // namespace sluice::detail::planning
