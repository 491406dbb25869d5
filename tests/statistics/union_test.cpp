// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Unions of filters that were filled apart: the model of a union against real ones, and what a plan for shards keeps.
//
// Rates are computed from the final bits of one union each. Their standard error is below 0.5% of the rate (2 million
// keys, some 80,000 blocks), so that 5% are ten of them: a test fails by accident with a chance far below 1e-6.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

/// The keys 0 to n - 1 in shards of these shares, each in a filter of its own, and all of them united.
filter united_of(const parameters& p, std::uint64_t n, const std::vector<double>& shares) {
  filter all(p);
  double total = 0;
  for (const double share : shares) total += share;
  double done = 0;
  std::uint64_t first = 0;
  for (const double share : shares) {
    done += share;
    const auto end = static_cast<std::uint64_t>(done / total * static_cast<double>(n) + 0.5);
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = first; key < end; ++key) keys.push_back(key);
    first = end;
    filter shard(p);
    shard.insert_bulk(keys);
    all.merge(shard);
  }
  return all;
}

std::vector<double> equal(std::uint64_t shards) { return std::vector<double>(shards, 1.0); }

struct union_case {
  std::string name;
  double bits_per_key;
  std::string scheme;
  std::uint64_t shards;
};

class shards : public testing::TestWithParam<union_case> {};

TEST_P(shards, model_and_unions_agree) {
  const union_case& c = GetParam();
  constexpr std::uint64_t keys = 2'000'000;
  for (const plan_candidate& planned : plan({.keys = keys,
                                             .memory_bits = c.bits_per_key * keys,
                                             .by = plan_by::bits,
                                             .max_blocks = 100,
                                             .mean_cost_limit = 100,
                                             .shards = c.shards})) {
    if (detail::scheme_name(planned.params) != c.scheme) continue;
    const filter all = united_of(planned.params, keys, equal(c.shards));
    const statistics s = all.stats();
    EXPECT_NEAR(s.fpr_from_fill / planned.predicted.fpr_exact, 1, 0.05);
    if (c.scheme == "gated") {
      EXPECT_NEAR(s.blocks_per_miss_from_fill, planned.predicted.accesses_miss, 0.01);
    }
    EXPECT_NEAR(static_cast<double>(all.keys_inserted()) / keys, 1, 0.01);
    for (std::uint64_t key = 0; key < keys; key += 997) ASSERT_TRUE(all.may_contain(key));
    return;
  }
  FAIL() << "no design of " << c.scheme;
}

std::vector<union_case> union_cases() {
  std::vector<union_case> all;
  for (const char* const scheme : {"gated", "alpha", "blocked"}) {
    for (const double bits : {16.0, 26.0, 34.0}) {
      for (const std::uint64_t shards : {2U, 4U, 16U, 64U}) {
        std::string name = scheme;
        name.append("_").append(std::to_string(static_cast<int>(bits)));
        name.append("_bits_in_").append(std::to_string(shards));
        all.push_back({name, bits, scheme, shards});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, shards, testing::ValuesIn(union_cases()),
                         [](const auto& tested) { return tested.param.name; });

/// Of the recommendation: shards of any sizes stay near what was predicted for equal ones.
TEST(united, uneven_shards_stay_below_the_prediction_and_a_tenth) {
  constexpr std::uint64_t keys = 2'000'000;
  for (const double fpr : {1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const std::uint64_t shards : {2U, 4U, 16U}) {
      const plan_candidate best = best_plan({.keys = keys, .fpr = fpr, .shards = shards});
      std::vector<double> uneven = equal(shards);
      for (std::size_t i = 0; i < uneven.size(); ++i) uneven[i] = 1.0 / static_cast<double>(i + 1);
      EXPECT_LT(united_of(best.params, keys, uneven).stats().fpr_from_fill, 1.1 * best.predicted.fpr_exact)
          << fpr << ", " << shards << " shards of " << detail::scheme_name(best.params);
    }
  }
}

TEST(united, six_shards_keep_their_rate_within_the_memory) {
  constexpr std::uint64_t keys = 900'000;
  for (const auto& [fpr, bits] : {std::pair{1e-3, 17.0}, std::pair{1e-5, 29.0}}) {
    const plan_candidate best = best_plan({.keys = keys, .fpr = fpr, .shards = 6});
    EXPECT_LE(best.memory_bits_per_key, bits) << fpr;
    EXPECT_LT(united_of(best.params, keys, equal(6)).stats().fpr_from_fill, 1.02 * fpr);
  }
}

TEST(united, where_shards_are_many_another_scheme_is_recommended) {
  const auto first = [](std::uint64_t shards) {
    return std::string(detail::scheme_name(
        best_plan({.keys = 4e6, .memory_bits = 26 * 4e6, .by = plan_by::bits, .shards = shards}).params));
  };
  EXPECT_EQ(first(1), "gated");
  EXPECT_EQ(first(4), "gated");
  EXPECT_NE(first(64), "gated");
}

TEST(united, keys_that_both_have_are_counted_once) {
  filter a = filter::for_keys(100'000, {.fpr = 1e-4});
  for (int i = 0; i < 60'000; ++i) a.insert(i);
  filter b = filter::for_keys(100'000, {.fpr = 1e-4});
  for (int i = 30'000; i < 90'000; ++i) b.insert(i);
  filter same = a;
  same.merge(a);
  EXPECT_EQ(same.keys_inserted(), a.keys_inserted());
  filter equal_keys = a;
  filter copy = a;
  equal_keys.merge(copy);
  EXPECT_NEAR(static_cast<double>(equal_keys.keys_inserted()), 60'000, 600);
  a.merge(b);
  EXPECT_NEAR(static_cast<double>(a.keys_inserted()), 90'000, 0.02 * 90'000);
}

TEST(united, requests_that_make_no_sense_are_refused) {
  EXPECT_THROW((void)plan({.keys = 1e6, .fpr = 1e-3, .shards = 100'000}), parameter_error);
  EXPECT_THROW((void)plan({.keys = 1e6, .fpr = 1e-3, .shards = 4, .all_keys_known = true}), parameter_error);
  EXPECT_THROW(
      (void)theory::predict(single_parameters{.blocks = 100, .hashes = 5, .threshold = 10}, 1000, {.shards = 2}),
      parameter_error);
  EXPECT_THROW((void)theory::predict(blocked_parameters{.blocks = 100, .hashes = 5}, 1000, {.shards = 0}),
               parameter_error);
  // What does not merge stands in the list, with the reason.
  for (const plan_candidate& c : plan({.keys = 1e6, .fpr = 1e-3, .shards = 4})) {
    if (detail::scheme_name(c.params) == "mht") {
      EXPECT_NE(c.broken_limit, "");
    }
  }
}

}  // namespace
