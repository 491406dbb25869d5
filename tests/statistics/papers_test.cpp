// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The papers' filters against the papers' formulas: loads, accesses, overflow and false positive rates, two-sided, with
// the tolerance that 100 seeds give (support/trials.hpp states the chance of failing by accident) plus the rounding of
// the printed reference value.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/expected.hpp"
#include "support/trials.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr double accesses = 1.2;
constexpr std::uint32_t choices = 3;

std::vector<std::uint64_t> optimal_subtables(std::uint64_t blocks) {
  return detail::subtable_sizes(
      blocks, detail::subtable_fractions(accesses, detail::least_overflow(accesses, choices), choices));
}

/// One row of reference values: MHT at a = 1.2 and d = 3 with our lookup rule (the coin decides at load h), and f with
/// the usual approximation of a local filter.
struct mht_row {
  std::uint32_t block_bits;
  double bits_per_key;
  std::uint32_t k;
  std::uint32_t h;
  double p;
  double blocks_per_miss;
  double f;
};

constexpr mht_row mht_rows[] = {
    {256, 24, 17, 11, .1566, 2.095, 4.45e-5}, {256, 32, 22, 8, .5338, 2.007, 1.77e-6},
    {256, 40, 28, 7, .1128, 1.935, 1.35e-7},  {512, 24, 17, 21, .3953, 2.387, 3.04e-5},
    {512, 32, 22, 16, .2265, 2.247, 8.53e-7}, {512, 40, 28, 13, .1803, 2.160, 2.88e-8},
};

class mht : public testing::TestWithParam<mht_row> {};

TEST_P(mht, reaches_the_optimum_that_theory_predicts) {
  const mht_row row = GetParam();
  constexpr std::uint64_t blocks = 8192;
  const double r = row.block_bits / row.bits_per_key;
  const auto keys = static_cast<std::uint64_t>(std::llround(static_cast<double>(blocks) * r));
  const repeated filters(mht_parameters{.subtables = optimal_subtables(blocks),
                                        .block_bits = row.block_bits,
                                        .hashes = row.k,
                                        .threshold = row.h,
                                        .acceptance = row.p},
                         keys);

  // Rounding the smallest subtable (some 200 blocks) to whole blocks moves the overflow by up to a quarter percent.
  const sample overflow = filters.overflow_fraction();
  EXPECT_NEAR(overflow.mean, 0.00498, tolerance(overflow) + 0.00498 * 0.005);
  const sample insert = filters.per_insert();
  EXPECT_NEAR(insert.mean, accesses, tolerance(insert) + 0.0005);
  const sample hit = filters.per_hit();
  EXPECT_NEAR(hit.mean, accesses, tolerance(hit) + 0.0005);
  const sample miss = filters.per_miss();
  EXPECT_NEAR(miss.mean, row.blocks_per_miss, tolerance(miss) + 0.0015);

  const auto loads = best_loads(accesses, r, detail::least_overflow(accesses, choices), row.h);
  for (std::uint64_t i = 0; i < loads.size(); ++i) {
    const sample share = filters.share_with_load(i);
    EXPECT_NEAR(share.mean, loads[i], tolerance(share) + 0.0005) << "load " << i;
  }

  // The false positive rate, first with the usual approximation over the loads found, as the table has it; then the
  // real one from the bits, against the exact expectation.
  const double usable = row.block_bits - std::ceil(std::log2(row.h + 2));
  const sample usual =
      filters.over_loads([&](std::uint64_t i) { return usual_local_fpr(usable, row.k, static_cast<double>(i)); });
  EXPECT_NEAR(usual.mean * row.blocks_per_miss, row.f, tolerance(usual) * row.blocks_per_miss + 0.005 * row.f);

  const auto local = exact_local_fpr(static_cast<std::uint32_t>(usable), row.k, row.h + 1);
  double exact = 0;
  for (std::uint64_t i = 0; i < loads.size(); ++i) exact += loads[i] * local[i];
  exact *= row.blocks_per_miss;
  const sample real = filters.fpr();
  EXPECT_NEAR(real.mean, exact, tolerance(real) + 0.005 * exact);
}

INSTANTIATE_TEST_SUITE_P(rows, mht, testing::ValuesIn(mht_rows), [](const auto& tested) {
  return std::to_string(tested.param.block_bits) + "_bits_" + std::to_string(std::lround(tested.param.bits_per_key));
});

TEST(mht, all_subtables_fill_up_alike) {
  constexpr std::uint64_t blocks = 400'000;
  constexpr double r = 6.4;
  constexpr std::uint32_t h = 7;
  const auto sizes = optimal_subtables(blocks);
  filter f(mht_parameters{.subtables = sizes, .block_bits = 256, .hashes = 8, .threshold = h, .acceptance = .1128});
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(blocks * r); ++i) f.insert(i);
  const auto loads = best_loads(accesses, r, detail::least_overflow(accesses, choices), h);
  const auto load_of_blocks = [&](const auto& recipe) {
    const auto array = recipe.blocks(f.bytes().data());
    std::uint64_t first = 0;
    for (const std::uint64_t size : sizes) {
      std::vector<double> share(h + 2);
      for (std::uint64_t b = first; b < first + size; ++b) share.at(array.load(b)) += 1.0 / static_cast<double>(size);
      for (std::uint64_t i = 0; i < loads.size(); ++i) {
        // Loads of different blocks are negatively correlated, so the binomial tolerance is on the safe side. k = 8 is
        // small on purpose: a key found by chance in a block is not inserted, which costs 5e-5 of the keys.
        EXPECT_NEAR(share[i], loads[i], share_tolerance(loads[i], static_cast<double>(size)) + 0.0005)
            << "subtable of " << size << " blocks, load " << i;
      }
      first += size;
    }
  };
  std::visit(load_of_blocks, detail::recipe_for(f.params()));
}

// SINGLE with r = 2.5, h = 2, p = 0.5 at time t (t n keys inserted), in closed form.
TEST(single, follows_its_closed_form_over_time) {
  constexpr std::uint64_t blocks = 20'000;
  constexpr double r = 2.5;
  constexpr double p = 0.5;
  for (const double t : {0.2, 0.5, 1.0}) {
    const double x = r * t;
    const double f0 = std::exp(-x);
    const double f1 = x * std::exp(-x);
    const double f2 = (std::exp(-p * x) - std::exp(-x) * (1 + x * (1 - p))) / ((1 - p) * (1 - p));
    const double expected[] = {f0, f1, f2, 1 - f0 - f1 - f2};
    const double accepted = f1 + 2 * f2 + 3 * expected[3];
    const auto keys = static_cast<std::uint64_t>(blocks * x);
    const repeated filters(
        single_parameters{.blocks = blocks, .block_bits = 256, .hashes = 12, .threshold = 2, .acceptance = p}, keys);
    for (std::uint64_t i = 0; i < 4; ++i) {
      const sample share = filters.share_with_load(i);
      EXPECT_NEAR(share.mean, expected[i], tolerance(share)) << "t = " << t << ", load " << i;
    }
    const sample overflow = filters.overflow_fraction();
    EXPECT_NEAR(overflow.mean, 1 - accepted / x, tolerance(overflow)) << "t = " << t;
    EXPECT_EQ(filters.per_insert().mean, 1);
    EXPECT_EQ(filters.per_miss().mean, 1);
  }
}

// SEQUENTIAL at a = 1.2, d = 3, r = 8: the differential equations give h = 8, p = .2431 and 2.62% of overflow.
TEST(sequential, spends_its_accesses_and_overflows_as_the_equations_say) {
  constexpr std::uint64_t blocks = 10'000;
  constexpr double r = 8;
  const repeated filters(
      sequential_parameters{
          .blocks = blocks, .block_bits = 512, .hashes = 16, .choices = choices, .threshold = 8, .acceptance = .2431},
      static_cast<std::uint64_t>(blocks * r));
  const sample overflow = filters.overflow_fraction();
  EXPECT_NEAR(overflow.mean, 0.0262, tolerance(overflow) + 0.00005);
  const sample insert = filters.per_insert();
  EXPECT_NEAR(insert.mean, accesses, tolerance(insert) + 0.0005);
  const auto loads = best_loads(accesses, r, 0.0262, 8);
  for (std::uint64_t i = 0; i < loads.size(); ++i) {
    const sample share = filters.share_with_load(i);
    EXPECT_NEAR(share.mean, loads[i], tolerance(share) + 0.0005) << "load " << i;
  }
}

// 1+alpha with blocks of 500 bits, k = round(beta ln 2), loads counted in keys, the usual approximation: the reference
// values have two digits.
TEST(alpha, reproduces_the_papers_rates) {
  struct row {
    double bits_per_key;
    double alpha;
    double f;
    double rounding;
  };
  for (const row expected : {row{16, 0, 8.7e-4, 0.05e-4}, row{16, 1, 9.4e-4, 0.05e-4}, row{16, 0.3, 7.2e-4, 0.05e-4},
                             row{24, 0, 7.0e-5, 0.05e-5}, row{24, 1, 2.2e-5, 0.05e-5}, row{24, 0.3, 2.9e-5, 0.05e-5}}) {
    constexpr std::uint64_t blocks = 4000;
    const auto k = static_cast<std::uint32_t>(std::lround(expected.bits_per_key * std::numbers::ln2));
    const repeated filters(
        alpha_parameters{
            .blocks = blocks, .block_bits = 500, .hashes = k, .alpha = expected.alpha, .load = load_unit::keys},
        static_cast<std::uint64_t>(blocks * 500 / expected.bits_per_key));
    const sample usual = filters.over_loads(
        [&](std::uint64_t i) { return (1 + expected.alpha) * usual_local_fpr(500, k, static_cast<double>(i)); });
    EXPECT_NEAR(usual.mean, expected.f, tolerance(usual) + expected.rounding + 0.001 * expected.f)
        << expected.bits_per_key << " bits a key, alpha " << expected.alpha;
    const sample insert = filters.per_insert();
    EXPECT_NEAR(insert.mean, 1 + expected.alpha, tolerance(insert) + 1e-9);
    EXPECT_NEAR(filters.per_miss().mean, 1 + expected.alpha, 0.002);
  }
}

// Blocked filters have Poisson loads: the rate computed from the bits is its exact expectation.
TEST(blocked, has_the_exact_expected_rate) {
  constexpr std::uint64_t blocks = 10'000;
  constexpr std::uint32_t k = 28;
  constexpr double r = 6.4;  // 256 bits, 40 bits a key
  const repeated filters(
      blocked_parameters{.blocks = blocks, .block_bits = 256, .hashes = k, .positions = position_rule::uniform},
      static_cast<std::uint64_t>(blocks * r));
  const auto local = exact_local_fpr(256, k, 40);
  double expected = 0;
  for (std::uint64_t i = 0; i < local.size(); ++i) expected += poisson(r, i) * local[i];
  EXPECT_NEAR(expected, 3.0e-5, 0.05e-5);
  const sample real = filters.fpr();
  EXPECT_NEAR(real.mean, expected, tolerance(real) + 0.001 * expected);
}

}  // namespace
