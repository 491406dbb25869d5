// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Theorem 2 of Kanizo, Hay and Keslassy: hash functions need not be uniform. If their distributions, each with the
// share of the accesses that it is used for, add up to the uniform one, the lower bound is that of theorem 1; if they
// do not, the same accesses balance worse. And the greatest load at the bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "sluice/theory.hpp"
#include "theory/distribution.hpp"

namespace theorem_2_tests {
namespace {

using sluice::theory::best_loads;
using sluice::theory::cost_of;
using sluice::theory::distribution;
using sluice::theory::lower_bound;
using sluice::theory::mean_of;
using sluice::theory::variance_cost;

constexpr std::uint64_t hashed_buckets = 200'000;
constexpr double keys_per_hashed_bucket = 8;
constexpr double mean_accesses = 1.2;
constexpr double share_of_list = 0.01;

/// The best that can be made of accesses to these buckets (the process behind theorem 1): a key less in a fullest
/// bucket, until as many are left as do not overflow.
distribution best_of(std::vector<std::uint64_t> loads) {
  std::uint64_t left = 0;
  for (const std::uint64_t load : loads) left += load;
  const auto wanted = static_cast<std::uint64_t>(hashed_buckets * keys_per_hashed_bucket * (1 - share_of_list));
  std::vector<std::uint64_t> of_load(1 + *std::max_element(loads.begin(), loads.end()));
  for (const std::uint64_t load : loads) ++of_load[load];
  for (std::size_t top = of_load.size() - 1; left > wanted; --left) {
    while (of_load[top] == 0) --top;
    --of_load[top];
    ++of_load[top - 1];
  }
  distribution shares;
  for (const std::uint64_t count : of_load) shares.push_back(static_cast<double>(count) / hashed_buckets);
  return shares;
}

/// Loads after a n accesses, the first half by one function of a number drawn between 0 and 1, the rest by the other.
distribution balanced_by(const std::function<double(double)>& one, const std::function<double(double)>& other) {
  std::mt19937_64 draw(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<std::uint64_t> loads(hashed_buckets);
  const auto all = static_cast<std::uint64_t>(mean_accesses * keys_per_hashed_bucket * hashed_buckets);
  for (std::uint64_t i = 0; i < all; ++i) {
    const double at = i < all / 2 ? one(share(draw)) : other(share(draw));
    ++loads[std::min<std::uint64_t>(hashed_buckets - 1, static_cast<std::uint64_t>(at * hashed_buckets))];
  }
  return best_of(std::move(loads));
}

// The density of sqrt(u) is 2x, that of 1 - sqrt(u) is 2 - 2x: half of each is uniform.
double ramp_up(double u) { return std::sqrt(u); }
double ramp_down(double u) { return 1 - std::sqrt(u); }

// Each share of the buckets is within 6 standard errors of the bound's, of some twenty: an accident has a chance below
// 1e-7.
TEST(theorem_2, distributions_that_add_up_to_the_uniform_one_reach_the_same_bound) {
  const lower_bound bound = best_loads(mean_accesses, keys_per_hashed_bucket, share_of_list);
  for (const auto& loads :
       {balanced_by([](double u) { return u; }, [](double u) { return u; }), balanced_by(ramp_up, ramp_down)}) {
    ASSERT_LE(mean_of(loads), keys_per_hashed_bucket);
    for (std::size_t i = 0; i < bound.bound.size(); ++i) {
      const double there = i < loads.size() ? loads[i] : 0;
      // What is cut off sits on k0 and k0 + 1, and is as uncertain as everything above.
      const double error = std::sqrt(std::max(bound.bound[i], 1e-5) / hashed_buckets) * (i >= bound.k0 ? 3 : 1);
      EXPECT_NEAR(there, bound.bound[i], 6 * error) << i;
    }
  }
}

TEST(theorem_2, others_balance_worse) {
  const lower_bound bound = best_loads(mean_accesses, keys_per_hashed_bucket, share_of_list);
  const double least = cost_of(bound.bound, variance_cost(mean_of(bound.bound)));
  const distribution both_up = balanced_by(ramp_up, ramp_up);
  EXPECT_GT(cost_of(both_up, variance_cost(mean_of(both_up))), 1.5 * least);
}

TEST(best_loads, end_with_one_key_more_than_k0) {
  for (const double r : {0.5, 2.5, 8.0, 38.4, 200.0}) {
    const lower_bound bound = best_loads(mean_accesses, r, share_of_list);
    ASSERT_GT(bound.bound.size(), bound.k0);
    double beyond = 0;
    for (std::size_t i = bound.k0 + 2; i < bound.bound.size(); ++i) beyond += bound.bound[i];
    EXPECT_EQ(beyond, 0) << r;
    EXPECT_GT(bound.bound[bound.k0], 0) << r;
  }
}

}  // namespace
}  // namespace theorem_2_tests
