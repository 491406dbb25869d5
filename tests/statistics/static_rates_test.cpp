// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Static builds: the rates and accesses of the table, the model and the planner.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "plan/designs.hpp"
#include "sluice/plan.hpp"
#include "sluice/sluice.hpp"
#include "support/interval.hpp"
#include "support/metered.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

// The table. Rates are from the final bits of four filters of 60 pages; their mean has a standard error of 2% or less.
struct static_row {
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t k;
  std::uint32_t t;
  std::uint32_t k2;
  double weight;
  double fpr;   ///< at most
  double miss;  ///< at most
  double hit;   ///< at most
};

class table : public testing::TestWithParam<static_row> {};

TEST_P(table, rate_and_accesses) {
  const static_row& row = GetParam();
  double fpr = 0;
  double miss = 0;
  double hit = 0;
  constexpr int filters = 4;
  for (std::uint64_t seed = 1; seed <= filters; ++seed) {
    const std::uint64_t blocks = std::uint64_t{60} * 32768 / row.block_bits;
    const auto keys =
        numbers(0, static_cast<std::uint64_t>(static_cast<double>(blocks * row.block_bits) / row.bits_per_key));
    const filter f = built({.blocks = blocks,
                            .block_bits = row.block_bits,
                            .hashes = row.k,
                            .trace = row.t,
                            .second_hashes = row.k2,
                            .seed = seed},
                           keys, {.read_weight = row.weight});
    const metered_filter counted(f);
    for (const std::uint64_t key : keys) {
      ASSERT_TRUE(counted.may_contain(key));
      static_cast<void>(counted.may_contain(elsewhere + key));
    }
    const statistics s = counted.stats();
    fpr += s.fpr_from_fill / filters;
    miss += s.accesses.per_miss.value_or(0) / filters;
    hit += s.accesses.per_hit.value_or(0) / filters;
    EXPECT_NEAR(s.blocks_per_miss_from_fill, s.accesses.per_miss.value_or(0), 0.004);
  }
  EXPECT_LE(fpr, row.fpr);
  EXPECT_GE(fpr, 0.5 * row.fpr) << "too good to be true";
  EXPECT_LE(miss, row.miss);
  EXPECT_LE(hit, row.hit);
  RecordProperty("fpr", std::to_string(fpr * 1e9) + "e-9");
}

INSTANTIATE_TEST_SUITE_P(rows, table,
                         testing::Values(static_row{512, 16, 11, 3, 9, 1, 1.1 * 7.3e-4, 1.05, 1.28},
                                         static_row{512, 20, 13, 3, 11, 1, 1.1 * 1.06e-4, 1.05, 1.28},
                                         static_row{512, 24, 16, 3, 14, 1, 1.1 * 1.65e-5, 1.05, 1.28},
                                         static_row{512, 32, 21, 3, 19, 1, 1.1 * 4.2e-7, 1.05, 1.28},
                                         static_row{512, 40, 26, 3, 24, 1, 1.1 * 1.7e-8, 1.05, 1.28},
                                         static_row{512, 16, 11, 0, 11, 0.5, 1.12 * 5.7e-4, 1.22, 1.22},
                                         static_row{512, 24, 16, 0, 16, 0.5, 1.12 * 1.45e-5, 1.22, 1.22},
                                         static_row{512, 32, 21, 0, 21, 0.5, 1.12 * 3.9e-7, 1.22, 1.22},
                                         static_row{256, 24, 15, 3, 13, 1, 1.1 * 3.2e-5, 1.05, 1.35},
                                         static_row{256, 32, 20, 3, 18, 1, 1.1 * 8.4e-7, 1.05, 1.35},
                                         static_row{256, 40, 24, 3, 22, 1, 1.1 * 4.2e-8, 1.05, 1.35}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.block_bits) + "_bits_" +
                                  std::to_string(static_cast<int>(tested.param.bits_per_key)) + "_t" +
                                  std::to_string(tested.param.t);
                         });

TEST(static_filter, lookups_find_what_the_bits_predict) {
  const filter f = built({.blocks = 640, .hashes = 11, .trace = 3, .second_hashes = 9}, numbers(0, 640 * 32));
  constexpr std::uint64_t absent = 4'000'000;
  std::vector<std::uint8_t> answers(absent);
  f.may_contain_bulk(numbers(elsewhere, absent), answers);
  const auto found = static_cast<double>(std::ranges::count(answers, 1));
  const double predicted = f.stats().fpr_from_fill;
  EXPECT_NEAR(found / absent, predicted, 0.02 * predicted + share_tolerance(predicted, absent));
}

// The model: a table made by building, and interpolation. At settings that are not in the table, within 5% and the
// sampling error of six filters of 60 pages.
TEST(static_model, predicts_what_is_built) {
  std::mt19937_64 random(7);
  for (const std::uint32_t bits : {256U, 512U}) {
    for (int i = 0; i < 4; ++i) {
      const double beta = 8 + 0.37 * static_cast<double>(random() % 151);  // to 63.9
      const std::uint64_t blocks = std::uint64_t{60} * 32768 / bits;
      const double keys = std::floor(static_cast<double>(blocks) * bits / beta);
      const auto designed = detail::designs::design(detail::designs::family::static_gated, bits, beta, keys);
      ASSERT_TRUE(designed.has_value());
      auto p = std::get<gated_parameters>(*designed);
      const theory::prediction predicted = theory::predict(p, keys);
      std::vector<double> rates;
      std::vector<double> misses;
      std::vector<double> hits;
      for (int trial = 0; trial < 6; ++trial) {
        p.seed = random();
        const filter f = built(p, numbers(0, static_cast<std::uint64_t>(keys)));
        const metered_filter counted(f);
        for (std::uint64_t key = 0; key < 20'000; ++key) static_cast<void>(counted.may_contain(key));
        rates.push_back(f.stats().fpr_from_fill);
        misses.push_back(f.stats().blocks_per_miss_from_fill);
        hits.push_back(counted.stats().accesses.per_hit.value_or(0));
      }
      const auto expect_near = [&](const std::vector<double>& seen, double expected, double allowed) {
        const sample s = summarise(seen);
        EXPECT_NEAR(s.mean, expected, allowed + sigmas * s.standard_error) << bits << " bits, " << beta;
      };
      expect_near(rates, predicted.fpr_exact, 0.05 * predicted.fpr_exact);
      expect_near(misses, predicted.accesses_miss, 0.005);
      expect_near(hits, predicted.accesses_hit, 0.015);
    }
  }
}

TEST(static_model, simulates_what_the_table_does_not_have) {
  const auto keys = numbers(0, 200'000);
  gated_parameters p = static_shape(keys.size(), 20, 512, 4);
  p.hashes = 12;
  p.trace = 2;
  p.second_hashes = 10;
  p.is_static = true;
  const theory::prediction predicted = theory::predict(p, static_cast<double>(keys.size()));
  const double real = built(p, keys).stats().fpr_from_fill;
  EXPECT_NEAR(predicted.fpr_exact, real, 0.05 * real);
  p.blocks = 9;  // less than a page
  EXPECT_GT(theory::predict(p, 200).fpr_exact, 0);
  p.blocks = 100'000'000;
  p.second = second_block::table;
  EXPECT_GT(theory::predict(p, 2.5e9).fpr_exact, 0) << "cut down";
}

TEST(static_plan, is_offered_to_those_who_have_all_keys) {
  const plan_request request{.keys = 1e6, .fpr = 1e-5};
  auto with_all_keys = request;
  with_all_keys.all_keys_known = true;
  with_all_keys.among = {scheme::gated};  // sealed filters come before them
  const auto is_static = [](const plan_candidate& c) {
    const auto* const gated = std::get_if<gated_parameters>(&c.params);
    return gated != nullptr && gated->is_static;
  };
  EXPECT_TRUE(std::ranges::none_of(plan(request), is_static));
  const auto candidates = plan(with_all_keys);
  ASSERT_TRUE(is_static(candidates.front()));
  const filter f = built(std::get<gated_parameters>(candidates.front().params), numbers(0, 1'000'000), {.threads = 2});
  EXPECT_LT(f.stats().fpr_from_fill, 1e-5 * 1.05);
  EXPECT_LT(candidates.front().memory_bytes, plan(request).front().memory_bytes);
  with_all_keys.mergeable = true;
  EXPECT_FALSE(is_static(plan(with_all_keys).front()));
}

}  // namespace
