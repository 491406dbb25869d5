// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The rates of filters that were folded: counted with real lookups beside what the bits say, and beside the model, all
// two-sided. (The models of all folded schemes at many loads are in overload_test.cpp.)
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/plan.hpp"
#include "sluice/theory.hpp"
#include "support/interval.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using testing_support::elsewhere;
using testing_support::numbers;
using testing_support::share_tolerance;

/// The share of absent keys that are found.
double counted_rate(const filter& f, std::uint64_t lookups) {
  std::uint64_t found = 0;
  std::vector<std::uint8_t> answers;
  for (std::uint64_t first = 0; first < lookups; first += 100'000) {
    const std::vector<std::uint64_t> keys = numbers(elsewhere + first, 100'000);
    answers.resize(keys.size());
    f.may_contain_bulk(keys, answers);
    for (const std::uint8_t answer : answers) found += answer;
  }
  return static_cast<double>(found) / static_cast<double>(lookups);
}

struct rate_case {
  std::string name;
  parameters p;
  std::uint64_t keys;
  double least = 1e-3;  ///< rates from here on are compared with the model: smaller ones are those of a few full blocks
};

/// So many blocks that folded filters still have thousands: one filter differs little from the next.
std::vector<rate_case> rate_cases() {
  constexpr std::uint64_t keys = 200'000;
  return {
      {"blocked", blocked_parameters{.blocks = 100'001, .hashes = 8}, keys},
      {"blocked_uniform", blocked_parameters{.blocks = 99'999, .hashes = 8, .positions = position_rule::uniform}, keys},
      {"bloom_2", bloom_g_parameters{.blocks = 300'000, .hashes = 14}, 3 * keys, 1e-6},
      {"classic", classic_parameters{.bits = 50'000'001, .hashes = 9}, keys},
      {"gated",
       gated_parameters{.blocks = 300'000, .hashes = 10, .trace = 4, .second_hashes = 8, .threshold = 40, .margin = 6},
       3 * keys}};
}

class fold_rates : public testing::TestWithParam<rate_case> {};

TEST_P(fold_rates, are_those_of_the_bits_and_of_the_model) {
  constexpr std::uint64_t lookups = 2'000'000;
  filter f(GetParam().p);
  f.insert_bulk(numbers(0, GetParam().keys));
  for (std::uint32_t folds = 1; folds <= 4; ++folds) {
    f.fold();
    const double from_bits = f.stats().fpr_from_fill;
    const double model = theory::predict(f.params(), static_cast<double>(GetParam().keys)).fpr_exact;
    const double counted = counted_rate(f, lookups);
    SCOPED_TRACE(std::to_string(folds) + " folds: " + std::to_string(from_bits) + " by the bits");
    // The estimate takes blocks and positions as independent, which is off by less than a part in 200.
    EXPECT_NEAR(counted, from_bits, share_tolerance(from_bits, lookups) + from_bits / 200);
    if (from_bits > GetParam().least) {
      EXPECT_NEAR(from_bits, model, 0.05 * model);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, fold_rates, testing::ValuesIn(rate_cases()),
                         [](const auto& one) { return one.param.name; });

/// After five folds a page is two blocks, and every other second block is the first one: its bits are asked there, too.
TEST(fold_rates_of_gated_filters, count_second_blocks_that_became_the_first) {
  constexpr std::uint64_t keys = 60'000;
  constexpr std::uint64_t lookups = 2'000'000;
  filter f(
      gated_parameters{.blocks = 32'768, .hashes = 4, .trace = 2, .second_hashes = 3, .threshold = 40, .margin = 6});
  f.insert_bulk(numbers(0, keys));
  for (std::uint32_t folds = 1; folds <= 5; ++folds) {
    f.fold();
    const double from_bits = f.stats().fpr_from_fill;
    const double counted = counted_rate(f, lookups);
    SCOPED_TRACE(std::to_string(folds) + " folds: " + std::to_string(from_bits) + " by the bits");
    EXPECT_NEAR(counted, from_bits, share_tolerance(from_bits, lookups) + from_bits / 50);
  }
}

TEST(fold_rates_of_plans, are_kept_by_whatever_number_of_keys_comes) {
  for (const double fpr : {0.01, 1e-4}) {
    for (const std::uint64_t keys : {300U, 5'000U, 40'000U, 60'000U, 100'000U}) {
      SCOPED_TRACE(std::to_string(fpr) + ", " + std::to_string(keys));
      filter f = filter::for_at_most(100'000, {.fpr = fpr});
      const std::uint64_t at_first = f.bytes().size();
      f.insert_bulk(numbers(0, keys));
      const std::uint32_t folds = f.fold_to(fpr);
      EXPECT_LE(f.stats().fpr_from_fill, fpr);
      // Of keys that came, at most the share of the rate was found by chance, and not counted.
      EXPECT_GE(static_cast<double>(f.keys_inserted()), static_cast<double>(keys) * (1 - fpr) - 50);
      // At least as often as the plan says: gated filters are planned for two folds.
      const auto by_plan = static_cast<std::uint32_t>(std::log2(100'000.0 / static_cast<double>(keys)));
      EXPECT_GE(folds, scheme_of(f.params()) == scheme::gated ? std::min(2U, by_plan) : by_plan);
      EXPECT_LE(f.bytes().size(), (at_first >> folds) + 64);
    }
  }
}

// A threshold for filters that are folded lets too few keys go on where all come and nothing is folded.
TEST(fold_rates_of_plans, are_kept_where_as_many_keys_come_as_were_said) {
  for (const double fpr : {0.02, 0.005}) {
    filter f = filter::for_at_most(200'000, {.fpr = fpr, .among = {scheme::gated}});
    f.insert_bulk(numbers(0, 200'000));
    EXPECT_LE(f.stats().fpr_from_fill, 1.05 * fpr);
  }
}

}  // namespace
