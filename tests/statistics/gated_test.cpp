// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The gated filter against its reference table (simulated with ideal randomness): false positive rate and blocks read,
// overload, and what its placement promises.
#include "sluice/detail/placement/gated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/metered.hpp"
#include "support/trials.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t blocks = 4096;  // whole pages of 512- and 256-bit blocks

struct gated_row {
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t k, t, k2, h, margin;
  double reference;  // the rate of a simulation with 31.5 equally likely bits a lane and 3 bits of trace
  double ideal;      // the rate of a simulation of this layout with ideal randomness
};

gated_parameters parameters_of(const gated_row& row) {
  return {.blocks = blocks,
          .block_bits = row.block_bits,
          .hashes = row.k,
          .trace = row.t,
          .second_hashes = row.k2,
          .threshold = row.h,
          .margin = row.margin};
}

std::uint64_t keys_of(const gated_row& row, double load = 1) {
  return static_cast<std::uint64_t>(std::llround(double{blocks} * row.block_bits / row.bits_per_key * load));
}

constexpr gated_row rows[] = {
    {512, 16, 11, 4, 9, 196, 19, 7.6e-4, 8.06e-4}, {512, 20, 13, 4, 10, 189, 11, 1.26e-4, 1.36e-4},
    {512, 24, 15, 4, 12, 177, 6, 2.2e-5, 2.33e-5}, {512, 32, 20, 4, 16, 160, 4, 6.6e-7, 7.36e-7},
    {512, 40, 26, 4, 22, 170, 1, 2.3e-8, 2.65e-8}, {256, 16, 10, 4, 7, 86, 5, 9.7e-4, 9.98e-4},
    {256, 24, 14, 4, 10, 76, 1, 3.4e-5, 3.57e-5},  {256, 32, 20, 4, 16, 77, 3, 1.6e-6, 1.56e-6},
    {256, 40, 21, 4, 17, 73, 2, 1.0e-7, 1.05e-7},
};

class gated_table : public testing::TestWithParam<gated_row> {};

// The rate within 5% of an ideal simulation of the layout (which has an error of up to 3% of its own), at most 1.2
// times the reference, and few second blocks.
TEST_P(gated_table, rate_and_accesses_are_those_of_the_layout) {
  const gated_row& row = GetParam();
  const repeated filters(parameters_of(row), keys_of(row));
  const sample f = filters.fpr();
  EXPECT_NEAR(f.mean, row.ideal, 0.05 * row.ideal + tolerance(f));
  EXPECT_LT(f.mean - tolerance(f), 1.2 * row.reference);
  EXPECT_LT(filters.per_miss().mean, 1.035);
  EXPECT_LT(filters.per_hit().mean, 1.255);
}

INSTANTIATE_TEST_SUITE_P(rows, gated_table, testing::ValuesIn(rows), [](const auto& tested) {
  return std::to_string(tested.param.block_bits) + "_bits_" + std::to_string(std::lround(tested.param.bits_per_key));
});

// What lookups find is what the bits say: the positions are as good as random ones. A filter that shares bits between
// block and positions would be a factor of 2 to 5 off here.
TEST(gated_table, lookups_find_what_the_bits_predict) {
  const gated_row& row = rows[0];
  const filter f = [&] {
    filter filled(parameters_of(row));
    for (std::uint64_t i = 0; i < keys_of(row); ++i) filled.insert(i);
    return filled;
  }();
  constexpr std::uint64_t absent = 4'000'000;
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < absent; ++i) found += f.may_contain((std::uint64_t{1} << 40) + i) ? 1U : 0U;
  const double predicted = f.stats().fpr_from_fill;
  EXPECT_NEAR(static_cast<double>(found) / absent, predicted, 0.02 * predicted + share_tolerance(predicted, absent));
}

TEST(gated_overload, degrades_as_a_blocked_filter_does) {
  const gated_row row = rows[3];  // 512 bits, 32 bits a key
  const auto gated_at = [&](double load, std::uint32_t trace) {
    auto p = parameters_of(row);
    p.trace = trace;
    p.second_hashes = trace == 0 ? row.k : row.k2;
    return repeated(p, keys_of(row, load)).fpr();
  };
  const auto blocked_at = [&](double load) {
    return repeated(blocked_parameters{.blocks = blocks, .hashes = 16, .positions = position_rule::uniform},
                    keys_of(row, load))
        .fpr();
  };
  const auto expect_near = [](const sample& f, double reference, double rounding) {
    EXPECT_NEAR(f.mean, reference, (0.05 + rounding) * reference + tolerance(f));
  };
  EXPECT_LT(gated_at(1.25, 4).mean, blocked_at(1.25).mean);
  expect_near(blocked_at(1.25), 3.7e-5, 0.014);
  EXPECT_LT(gated_at(1.5, 4).mean, blocked_at(1.5).mean);
  expect_near(blocked_at(1.5), 1.7e-4, 0.029);
  EXPECT_LT(gated_at(2, 0).mean, 2 * blocked_at(2).mean);
  expect_near(blocked_at(2), 1.6e-3, 0.031);
}

// At 1.25 n and 1.5 n the rate is at most 1.6 times that of a blocked filter at its best k for n, and no worse from 28
// bits on.
TEST(gated_overload, is_bounded_by_the_blocked_filter) {
  struct pair {
    gated_row gated;
    std::uint32_t blocked_k;
  };
  for (const pair& p : {pair{rows[0], 10}, pair{rows[2], 13}, pair{rows[3], 15}}) {
    for (const double load : {1.25, 1.5}) {
      const double gated = repeated(parameters_of(p.gated), keys_of(p.gated, load), 20).fpr().mean;
      const double blocked =
          repeated(blocked_parameters{.blocks = blocks, .hashes = p.blocked_k}, keys_of(p.gated, load), 20).fpr().mean;
      EXPECT_LT(gated, (p.gated.bits_per_key >= 28 ? 1.0 : 1.6) * blocked) << p.gated.bits_per_key << " " << load;
    }
  }
}

TEST(gated_options, a_shorter_trace_and_the_whole_table_each_gain_a_little) {
  const gated_row row = rows[2];  // 24 bits a key
  const sample page = repeated(parameters_of(row), keys_of(row)).fpr();
  auto p = parameters_of(row);
  p.trace = 3;
  p.second_hashes = 13;
  const sample shorter = repeated(p, keys_of(row)).fpr();
  p = parameters_of(row);
  p.second = second_block::table;
  const sample table = repeated(p, keys_of(row)).fpr();
  EXPECT_NEAR(shorter.mean / page.mean, 0.98, 0.02);
  EXPECT_NEAR(table.mean / page.mean, 0.97, 0.02);
}

// Both blocks of a key lie in one page, differ, and every block of the page serves as second block equally often.
TEST(gated_placement_rule, the_second_block_is_another_one_of_the_same_page) {
  const detail::gated_placement<> placement({1024, 64}, 11, 4, 9, {196, 19});
  std::vector<std::uint64_t> distances(64);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const digest x = hasher()(i);
    const std::uint64_t first = placement.at(x, 0).block;
    const std::uint64_t second = placement.at(x, 1).block;
    ASSERT_LT(first, 1024U);
    ASSERT_EQ(first / 64, second / 64);
    ++distances[(second - first) % 64];
  }
  EXPECT_EQ(distances[0], 0U);
  distances.erase(distances.begin());
  EXPECT_LT(std::abs(uniformity_deviation(distances)), uniformity_limit);
}

TEST(gated_placement_rule, nothing_is_spilled_below_the_threshold_and_gates_stay_open) {
  const gated_row row = rows[0];
  auto p = parameters_of(row);
  p.threshold = 504;
  metered_filter f(p);
  for (std::uint64_t i = 0; i < keys_of(row); ++i) f.insert(i);
  for (std::uint64_t i = 0; i < keys_of(row); ++i) ASSERT_TRUE(f.may_contain(i));
  EXPECT_EQ(f.stats().accesses.per_insert, 1.0);
  EXPECT_EQ(f.stats().accesses.per_hit, 1.0);
  EXPECT_EQ(f.stats().blocks_per_miss_from_fill, 1.0);
}

// A spilled key leaves exactly: its k2 bits in the second block, its trace and one gate in the first.
TEST(gated_placement_rule, a_spill_leaves_a_trace_and_a_gate) {
  const detail::laned_block<> kind(512);
  const detail::gated_placement<> placement({2, 2}, 11, 3, 10, {50, 0});
  int spilled = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const digest x = hasher(i)(i);
    std::vector<std::byte> bytes(128);
    const detail::block_array<detail::laned_block<>, std::byte> array(kind, 2, bytes.data());
    const detail::candidate first = placement.at(x, 0);
    const detail::candidate second = placement.at(x, 1);
    ASSERT_NE(first.block, second.block);
    for (std::uint64_t filler = 0; array.load(first.block) < 50; ++filler) {
      kind.set(array[first.block], hasher(99)(filler), {.count = 5});
    }
    const std::vector<std::byte> before = bytes;
    const detail::walk_result walked = walk(placement, array, x);
    if (walked.end == detail::walk_end::found) continue;
    ASSERT_EQ(placement.place(array, x, walked).accesses, 2U);
    std::vector<std::byte> expected = before;
    const detail::block_array<detail::laned_block<>, std::byte> wanted(kind, 2, expected.data());
    kind.set(wanted[second.block], x, {.first = 3, .count = 10});
    kind.set(wanted[first.block], x, {.count = 3});
    kind.leave_trace(wanted[first.block], x, 0);
    ASSERT_EQ(bytes, expected);
    ASSERT_EQ(walk(placement, array, x).end, detail::walk_end::found);
    ++spilled;
  }
  EXPECT_GT(spilled, 190);
}

TEST(gated_placement_rule, the_margin_keeps_keys_at_home) {
  const detail::laned_block<> kind(512);
  std::vector<std::byte> bytes(128);
  const detail::block_array<detail::laned_block<>, std::byte> array(kind, 2, bytes.data());
  const auto fill = [&](std::uint64_t block, std::uint64_t ones) {
    for (std::uint64_t bit = 0, set = 0; set < ones; ++bit) {
      if (bit % 64 == 63) continue;  // gates
      detail::bits::set_bit(array[block].bits, bit);
      ++set;
    }
  };
  std::uint64_t i = 0;
  while (detail::gated_placement<>({2, 2}, 11, 3, 10, {50, 0}).at(hasher()(i), 0).block != 0) ++i;
  const digest x = hasher()(i);
  fill(0, 60);
  fill(1, 50);
  const auto spills = [&](std::uint32_t threshold, std::uint32_t margin) {
    std::vector<std::byte> copy = bytes;
    const detail::block_array<detail::laned_block<>, std::byte> trial(kind, 2, copy.data());
    const detail::gated_placement<> placement({2, 2}, 11, 3, 10, {threshold, margin});
    EXPECT_TRUE(placement.place(trial, x, walk(placement, trial, x)).taken);
    return kind.gate_closed(trial[0], x);
  };
  EXPECT_TRUE(spills(60, 9)) << "50 + 9 < 60";
  EXPECT_FALSE(spills(60, 10)) << "50 + 10 is not below 60";
  EXPECT_FALSE(spills(61, 0)) << "60 bits are below the threshold";
}

}  // namespace
