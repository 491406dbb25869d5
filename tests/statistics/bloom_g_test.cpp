// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Bloom-g against its reference column (two blocks in a page, best k) and what its placement promises.
#include "sluice/detail/placement/bloom_g.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/metered.hpp"
#include "support/trials.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

struct bloom_2_row {
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t k;
  double f;
  double rounding;  // of f as printed, relative
  double miss;
};

class bloom_2 : public testing::TestWithParam<bloom_2_row> {};

TEST_P(bloom_2, rate_and_accesses_are_those_of_the_table) {
  const bloom_2_row row = GetParam();
  constexpr std::uint64_t blocks = 4096;
  const auto keys = static_cast<std::uint64_t>(std::llround(double{blocks} * row.block_bits / row.bits_per_key));
  const repeated filters(
      bloom_g_parameters{.blocks = blocks, .block_bits = row.block_bits, .hashes = row.k, .spread = 2}, keys);
  const sample f = filters.fpr();
  EXPECT_NEAR(f.mean, row.f, (0.05 + row.rounding) * row.f + tolerance(f));
  const sample miss = filters.per_miss();
  EXPECT_NEAR(miss.mean, row.miss, 0.006 + tolerance(miss));
  EXPECT_EQ(filters.per_hit().mean, 2);
  EXPECT_EQ(filters.per_insert().mean, 2);
}

INSTANTIATE_TEST_SUITE_P(
    rows, bloom_2,
    testing::Values(bloom_2_row{512, 12, 8, 3.5e-3, .015, 1.06}, bloom_2_row{512, 16, 11, 5.5e-4, .01, 1.02},
                    bloom_2_row{512, 20, 13, 9.3e-5, .006, 1.01}, bloom_2_row{512, 24, 15, 1.8e-5, .028, 1.003},
                    bloom_2_row{512, 32, 19, 7.5e-7, .007, 1.001}, bloom_2_row{512, 40, 22, 4.1e-8, .013, 1.000},
                    bloom_2_row{256, 16, 10, 6.3e-4, .008, 1.03}, bloom_2_row{256, 24, 14, 2.6e-5, .02, 1.01},
                    bloom_2_row{256, 32, 17, 1.6e-6, .031, 1.001}, bloom_2_row{256, 40, 20, 1.4e-7, .036, 1.001}),
    [](const auto& tested) {
      return std::to_string(tested.param.block_bits) + "_bits_" +
             std::to_string(std::lround(tested.param.bits_per_key));
    });

TEST(block_groups, nth_blocks_are_different_blocks_of_one_group_and_all_equally_likely) {
  const detail::block_groups groups(128, 16);
  std::vector<std::uint64_t> first(128);
  std::vector<std::vector<std::uint64_t>> offsets(5, std::vector<std::uint64_t>(16));
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const digest x = hasher(3)(i);
    std::set<std::uint64_t> seen;
    for (std::uint32_t n = 0; n < 5; ++n) {
      const std::uint64_t block = groups.nth(x, n);
      ASSERT_EQ(block / 16, groups.first(x) / 16);
      seen.insert(block);
      ++offsets[n][block % 16];
    }
    ASSERT_EQ(seen.size(), 5U);
    ++first[groups.first(x)];
  }
  EXPECT_LT(std::abs(uniformity_deviation(first)), uniformity_limit);
  for (const auto& counts : offsets) EXPECT_LT(std::abs(uniformity_deviation(counts)), uniformity_limit);
}

TEST(block_groups, a_group_can_be_drawn_out_completely) {
  const detail::block_groups groups(16, 16);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    std::set<std::uint64_t> seen;
    for (std::uint32_t n = 0; n < 16; ++n) seen.insert(groups.nth(hasher()(i), n));
    ASSERT_EQ(seen.size(), 16U);
  }
}

// All k positions are used, once each: block j has its share and continues where block j - 1 ended.
TEST(bloom_g_placement, shares_add_up_to_k) {
  for (const std::uint32_t spread : {1U, 2U, 3U, 5U}) {
    for (std::uint32_t k = spread; k < 20; ++k) {
      const detail::bloom_g_placement placement({64, 64}, k, spread);
      std::uint32_t next = 0;
      for (std::uint32_t j = 0; j < spread; ++j) {
        const detail::candidate c = placement.at(digest{42}, j);
        EXPECT_EQ(c.positions.first, next);
        EXPECT_GE(c.positions.count, k / spread);
        next += c.positions.count;
      }
      EXPECT_EQ(next, k);
    }
  }
}

// The estimate over g-tuples of different blocks, against plain counting of lookups, with uneven shares and few blocks.
TEST(bloom_g_placement, the_estimate_from_the_bits_is_what_lookups_find) {
  for (const std::uint32_t spread : {2U, 3U, 4U}) {
    metered_filter f(bloom_g_parameters{.blocks = 5, .block_bits = 256, .hashes = 7, .spread = spread});
    for (std::uint64_t i = 0; i < 120; ++i) f.insert(i);
    constexpr std::uint64_t absent = 1'000'000;
    double positives = 0;
    for (std::uint64_t i = 0; i < absent; ++i) positives += f.may_contain(1000 + i) ? 1 : 0;
    const statistics s = f.stats();
    EXPECT_NEAR(positives / absent, s.fpr_from_fill, share_tolerance(s.fpr_from_fill, absent)) << spread;
  }
}

TEST(bloom_g, bad_parameters_are_refused) {
  const bloom_g_parameters good{.blocks = 64, .hashes = 12, .spread = 2};
  EXPECT_NO_THROW(filter{good});
  const auto refused = [&](auto change) {
    auto p = good;
    change(p);
    EXPECT_THROW(filter{p}, parameter_error);
  };
  refused([](auto& p) { p.spread = 0; });
  refused([](auto& p) { p.spread = 17; });
  refused([](auto& p) { p.hashes = 1; });
  refused([](auto& p) { p.hashes = 1026; });
  refused([](auto& p) { p.blocks = 1; });
  refused([](auto& p) { p.block_bits = 500, p.blocks = 0; });
  refused([](auto& p) { p.block_bits = 192; });
}

}  // namespace
