// plan/shards: how many filters are united to the one that a request plans.
#pragma once

#include <cstdint>

#include "sluice/plan.hpp"

namespace sluice::detail::planning {

[[nodiscard]] inline std::uint64_t shards_of(const plan_request& q) {
  constexpr std::uint64_t usual_shards = 16;
  if (q.shards != 0) return q.shards;
  return q.mergeable ? usual_shards : 1;
}

}  // namespace sluice::detail::planning
