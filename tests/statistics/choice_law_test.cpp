// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The exact law of the ones of choice groups, by iteration: its mean beside the differential equation (3.2) and beside
// real filters; theorem 3.1 (greedy is the least of all strategies) and theorem 3.2 (how far a filter strays) as facts.
#include "theory/choice_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace choice_law_tests {
namespace {

using sluice::extend::choice_scheme;
using sluice::extend::ones_over_time;
using sluice::theory::group_strategy;
using sluice::theory::law_of_ones;
using sluice::theory::ones_after;
using sluice::theory::theorem_3_2;
using testing_support::sample;
using testing_support::sigmas;
using testing_support::summarise;

double sum_of_law(const law_of_ones& law) {
  double sum = 0;
  for (const double p : law.probability) sum += p;
  return sum;
}

TEST(choice_law, small_cases_by_hand) {
  // Two keys, one position each, in 64 bits: the second adds none with probability 1/64.
  const law_of_ones one = ones_after({.groups = 1, .hashes = 1}, 64, 2);
  EXPECT_EQ(one.first, 1U);
  EXPECT_NEAR(one.probability.at(0), 1.0 / 64, 1e-12);
  EXPECT_NEAR(one.probability.at(1), 63.0 / 64, 1e-12);
  // With two groups of one position, it adds none if either is set.
  const double either = 1 - std::pow(63.0 / 64, 2);
  EXPECT_NEAR(ones_after({.groups = 2, .hashes = 1}, 64, 2).probability.at(0), either, 1e-12);
  EXPECT_NEAR(ones_after({.groups = 2, .hashes = 1}, 64, 2, group_strategy::worst).probability.at(0), 1.0 / 64 / 64,
              1e-12);
  // One key of two positions: they coincide with probability 1/64.
  EXPECT_NEAR(ones_after({.groups = 1, .hashes = 2}, 64, 1).probability.at(0), 1.0 / 64, 1e-12);
}

// The mean over 2,000 filters lies within 5.5 standard errors (a chance of 4e-8) of the law's, and their variance
// within 20%.
TEST(choice_law, is_that_of_real_filters) {
  constexpr std::uint64_t keys = 100;
  constexpr std::uint64_t bits = 800;
  for (const std::uint32_t groups : {1U, 2U, 3U}) {
    const law_of_ones law = ones_after({.groups = groups, .hashes = 7}, bits, keys);
    EXPECT_NEAR(sum_of_law(law), 1, 1e-10);
    std::vector<double> ones;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      sluice::filter f(sluice::choice_parameters{.bits = bits, .groups = groups, .hashes = 7, .seed = seed});
      for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
      ones.push_back(static_cast<double>(f.stats().bits_set));
    }
    const sample counted = summarise(ones);
    EXPECT_NEAR(counted.mean, law.mean(), sigmas * counted.standard_error) << groups;
    double variance = 0;
    for (std::size_t i = 0; i < law.probability.size(); ++i) {
      variance += law.probability[i] * std::pow(static_cast<double>(law.first + i) - law.mean(), 2);
    }
    EXPECT_NEAR(2000 * counted.standard_error * counted.standard_error / variance, 1, 0.2) << groups;
  }
}

// Equation (3.2) neglects terms of order 1/m: the smaller the array, the farther it is from the law's mean.
TEST(choice_law, has_the_mean_of_the_differential_equation_in_the_limit) {
  double before = 1;
  for (const std::uint64_t keys : {100U, 400U, 1600U}) {
    const choice_scheme s{.groups = 2, .hashes = 7};
    const double exact = ones_after(s, 8 * keys, keys).mean() / static_cast<double>(8 * keys);
    const double difference = std::abs(exact - ones_over_time(s, 8).back());
    EXPECT_LT(difference, 0.35 / static_cast<double>(keys)) << keys;
    EXPECT_LT(difference, 0.5 * before) << keys;
    before = difference;
  }
}

// Theorem 3.1: the greedy strategy is stochastically the least, at every moment and for every number of ones.
TEST(choice_law, greedy_is_dominated_by_no_other_strategy) {
  const choice_scheme s{.groups = 2, .hashes = 5};
  for (const std::uint64_t keys : {1U, 10U, 60U}) {
    const law_of_ones greedy = ones_after(s, 500, keys);
    for (const group_strategy other : {group_strategy::first, group_strategy::worst}) {
      const law_of_ones law = ones_after(s, 500, keys, other);
      for (std::uint64_t w = 0; w <= 500; ++w)
        ASSERT_LE(greedy.at_least(w), law.at_least(w) + 1e-9) << keys << ' ' << w;
      EXPECT_LT(greedy.mean(), law.mean()) << keys;
    }
  }
}

// Theorem 3.2: the bound holds at every deviation, and is a loose one.
TEST(choice_law, strays_no_farther_than_theorem_3_2_says) {
  constexpr std::uint64_t keys = 200;
  const choice_scheme s{.groups = 2, .hashes = 6};
  for (const group_strategy how : {group_strategy::greedy, group_strategy::first, group_strategy::worst}) {
    const law_of_ones law = ones_after(s, 8 * keys, keys, how);
    for (double deviation = 1; deviation < 300; deviation += 1) {
      double beyond = 0;
      for (std::size_t i = 0; i < law.probability.size(); ++i) {
        beyond += std::abs(static_cast<double>(law.first + i) - law.mean()) >= deviation ? law.probability[i] : 0;
      }
      ASSERT_LE(beyond, theorem_3_2(deviation, double{keys}, s.hashes) + 1e-9) << deviation;
    }
  }
  EXPECT_LT(theorem_3_2(400, double{keys}, s.hashes), 1e-4);
}

}  // namespace
}  // namespace choice_law_tests
