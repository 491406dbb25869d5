// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filters that are made from the planner's table alone, beside the models and the planner: they keep the rate, they are
// nearly as small, and they are the same on every machine.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "sluice/extend/plan.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace {

using sluice::parameters;
using sluice::scheme;
using sluice::extend::from_table;
using sluice::extend::from_table_within;
using sluice::extend::table_request;

constexpr std::array planned_schemes = {scheme::blocked, scheme::gated,  scheme::bloom_g,    scheme::classic,
                                        scheme::alpha,   scheme::single, scheme::sequential, scheme::mht};

/// What the planner's own search leaves for the inaccuracy of its models (plan/evaluate.hpp).
double with_error(const parameters& p, double rate) {
  return rate * (sluice::scheme_of(p) == scheme::gated ? 1.01 : 1);
}

class from_table_of : public testing::TestWithParam<scheme> {};

/// By the model, at every rate that it reaches, for few keys and many.
TEST_P(from_table_of, keeps_the_rate) {
  for (const std::uint32_t block_bits : {512U, 256U}) {
    int found = 0;
    for (const std::uint64_t keys : {1ULL, 3ULL, 10ULL, 40ULL, 100ULL, 1000ULL, 5000ULL, 1000000ULL}) {
      // The models of small filters and of large ones are the same but for whole blocks and pages.
      const double step = keys == 1000000 ? 0.35 : 2.3;
      for (double log_rate = std::log(0.25); log_rate > std::log(1e-13); log_rate -= step) {
        const double rate = std::exp(log_rate);
        const auto p = from_table(GetParam(), {.keys = keys, .rate = rate, .block_bits = block_bits});
        if (!p) continue;
        ++found;
        const double predicted = sluice::theory::predict(*p, static_cast<double>(keys)).fpr_exact;
        EXPECT_LE(with_error(*p, predicted), rate) << keys << " keys, blocks of " << block_bits << " bits";
      }
    }
    EXPECT_GT(found, 60);
  }
}
INSTANTIATE_TEST_SUITE_P(schemes, from_table_of, testing::ValuesIn(planned_schemes), [](const auto& which) {
  const auto name = sluice::name_of(which.param);
  return name == "bloom-g" ? std::string("bloom_g") : std::string(name);
});

/// The two that servers use by themselves.
TEST(from_table, is_nearly_as_small_as_the_best_plan) {
  constexpr double keys = 1e6;
  for (const scheme which : {scheme::blocked, scheme::gated}) {
    for (const double rate : {0.0045, 0.001, 4.5e-4, 4.5e-5, 1e-6, 4.5e-7}) {
      const auto p = from_table(which, {.keys = 1000000, .rate = rate});
      ASSERT_TRUE(p.has_value());
      const auto best = sluice::best_plan({.keys = keys,
                                           .fpr = rate,
                                           .by = sluice::plan_by::bits,
                                           .max_blocks = 2,
                                           .mean_cost_limit = 2,
                                           .among = {which}});
      const double ratio = static_cast<double>(bytes_for(*p)) / best.memory_bytes;
      EXPECT_GT(ratio, 0.995) << sluice::name_of(which) << " at " << rate;
      EXPECT_LT(ratio, 1.025) << sluice::name_of(which) << " at " << rate;
    }
  }
}

TEST(from_table, bits_a_key_are_kept_and_the_rate_too) {
  for (const scheme which : planned_schemes) {
    for (const double bits : {5.0, 8.0, 12.5, 20.0, 33.3, 46.89, 64.0}) {
      for (const std::uint64_t keys : {7ULL, 100ULL, 1068ULL, 5000ULL, 1000000ULL}) {
        const std::array among = {which};
        const double rate = 0.25;
        const auto p = from_table_within(among, {.keys = keys, .rate = rate}, bits);
        if (!p) continue;
        EXPECT_LE(8.0 * static_cast<double>(bytes_for(*p)), bits * static_cast<double>(keys))
            << sluice::name_of(which) << " of " << bits << " bits";
        EXPECT_LE(sluice::theory::predict(*p, static_cast<double>(keys)).fpr_exact, rate);
      }
    }
  }
  const std::array both = {scheme::blocked, scheme::gated};
  EXPECT_FALSE(from_table_within(both, {.keys = 10000, .rate = 1e-4}, 8));
  EXPECT_TRUE(from_table_within(both, {.keys = 10000, .rate = 1e-4}, 24));
}

TEST(from_table, says_where_no_filter_is) {
  EXPECT_FALSE(from_table(scheme::gated, {.keys = 100, .rate = 1e-14}));
  EXPECT_FALSE(from_table(scheme::classic, {.keys = 100, .rate = 1e-15}));
  EXPECT_FALSE(from_table(scheme::choice, {.keys = 100, .rate = 0.01}));
  EXPECT_FALSE(from_table(scheme::sealed, {.keys = 100, .rate = 0.01}));
  EXPECT_THROW(static_cast<void>(from_table(scheme::blocked, {.keys = ~std::uint64_t{0}, .rate = 0.001})),
               sluice::parameter_error);
}

/// Replicas on another processor must come to the same: these are the parameters on every machine.
TEST(from_table, is_the_same_everywhere) {
  EXPECT_EQ(from_table(scheme::blocked, {.keys = 777, .rate = 0.0045}),
            parameters(sluice::blocked_parameters{.blocks = 19, .hashes = 9}));
  EXPECT_EQ(from_table(scheme::gated, {.keys = 1000000, .rate = 4.5e-7}),
            parameters(sluice::gated_parameters{
                .blocks = 65088, .hashes = 22, .trace = 4, .second_hashes = 18, .threshold = 164, .margin = 1}));
}

}  // namespace
