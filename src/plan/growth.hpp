// plan/growth: the links of a chain of filters that grows (growing_filter.hpp): which filter each is. Cost: a plan for each link.
#pragma once

#include <cmath>
#include <cstdint>

#include "sluice/extend/chain.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

inline constexpr double link_share = 0.5;  // of the rate, which each link leaves to those behind it
/// The best filter of a chain, or in place of one, for this many keys at this rate.
[[nodiscard]] inline parameters best_of_chain(const growth& how, double keys, double fpr) {
  // Links are united only while both together have room: as two halves of one, not as many shards.
  const plan_request q{
      .keys = keys, .fpr = fpr, .block_bits = how.block_bits, .mergeable = true, .shards = 1, .seed = how.seed};
  return plan(q).front().params;
}

struct planned_link {
  parameters params;
  double fpr;  ///< when it is full
};

/// The link that holds this many keys: first_keys, or that times a power of the factor.
[[nodiscard]] inline planned_link plan_link(const growth& how, std::uint64_t capacity) {
  // A merged chain may have several links of one size: the number of doublings, not of links, says which share is left.
  const double size = std::log(static_cast<double>(capacity) / static_cast<double>(how.first_keys));
  const double number = std::round(size / std::log(static_cast<double>(how.factor)));
  const double fpr = extend::rate_of_link(how.fpr, link_share, static_cast<std::uint64_t>(number));
  return {best_of_chain(how, static_cast<double>(capacity), fpr), fpr};
}

}  // namespace sluice::detail::planning
