#include "plan_link.hpp"

#include <map>
#include <string>
#include <vector>

#include "sluice/errors.hpp"

namespace sluice::redis {

namespace {

constexpr double gated_pays_below = 0.001;
constexpr std::size_t most_kept_plans = 4096;
constexpr std::uint32_t any_blocks = 1024;

/// `patient`: whatever a lookup reads and takes.
plan_candidate plan_among(const link_request& q, std::vector<scheme> among, bool patient) {
  plan_request wanted{.keys = static_cast<double>(q.keys), .block_bits = q.block_bits, .among = std::move(among)};
  if (q.bits_per_key) {
    wanted.memory_bits = *q.bits_per_key * static_cast<double>(q.keys);
  } else {
    wanted.fpr = q.rate;
  }
  if (patient) {
    wanted.by = plan_by::bits;
    wanted.max_blocks = any_blocks;
    wanted.mean_cost_limit = any_blocks;
  }
  plan_candidate best = best_plan(wanted);
  if (best.predicted.fpr_exact > q.rate * (1 + 1e-9)) {
    throw parameter_error(std::to_string(*q.bits_per_key) + " bits a key have a rate of " +
                          std::to_string(best.predicted.fpr_exact) + ", above the " + std::to_string(q.rate) +
                          " that the first link may have");
  }
  return best;
}

}  // namespace

plan_candidate plan_link(const link_request& q) {
  if (q.which) return plan_among(q, {*q.which}, true);
  const bool both = q.rate < gated_pays_below || q.bits_per_key;
  const std::vector<scheme> fast = both ? std::vector{scheme::blocked, scheme::gated} : std::vector{scheme::blocked};
  if (q.bits_per_key) return plan_among(q, fast, false);
  try {
    return plan_among(q, fast, false);
  } catch (const parameter_error&) {
    return plan_among(q, {scheme::bloom_g, scheme::classic}, true);
  }
}

parameters parameters_of_link(const link_request& q, std::uint64_t seed) {
  static std::map<link_request, parameters> kept;
  const auto known = kept.find(q);
  if (known != kept.end()) return with_seed(known->second, seed);
  if (kept.size() >= most_kept_plans) kept.clear();
  return with_seed(kept.emplace(q, plan_link(q).params).first->second, seed);
}

}  // namespace sluice::redis
