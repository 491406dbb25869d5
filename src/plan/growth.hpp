// plan/growth: the links of a chain of filters that grows (growing_filter.hpp): which rate is left to each, and which
// filter that is. Cost: a plan for each link.
#pragma once

#include <cmath>
#include <cstdint>

#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

inline constexpr double link_share = 0.5;    // of the rate, which each link leaves to those behind it
inline constexpr double link_caution = 0.9;  // models are good to 5%, and one filter differs from the next

/// The rate of link `number` of a chain of this rate, of which each link leaves `left` to those behind it.
[[nodiscard]] inline double rate_of_link(double fpr, double left, std::uint64_t number) noexcept {
  double rate = fpr * (1 - left);
  for (std::uint64_t i = 0; i < number; ++i) rate *= left;  // products are the same on every machine
  return rate * link_caution;
}

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
  const double fpr = rate_of_link(how.fpr, link_share, static_cast<std::uint64_t>(number));
  return {best_of_chain(how, static_cast<double>(capacity), fpr), fpr};
}

}  // namespace sluice::detail::planning
