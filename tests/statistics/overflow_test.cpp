// What happens to keys that no block takes: the exact list, forced placement without a list, and access budgets.
#include <gtest/gtest.h>

#include <cmath>

#include "sluice/sluice.hpp"
#include "support/metered.hpp"
#include "support/schemes.hpp"
#include "support/trials.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

mht_parameters mht_at_40_bits(std::uint64_t blocks, overflow_rule rule) {
  return {.subtables = three_subtables(blocks),
          .block_bits = 256,
          .hashes = 28,
          .threshold = 7,
          .acceptance = .1128,
          .overflow = rule};
}

// Reference values (256-bit blocks, 40 bits a key): 2.0e-7 with the list, 2.5e-7 forced into the first candidate,
// 1.45e-6 into a random one. The last is made by a few blocks of the smallest subtable, so it varies most.
TEST(forced, the_first_candidate_costs_little_and_a_random_one_much) {
  constexpr std::uint64_t blocks = 8192;
  constexpr auto keys = static_cast<std::uint64_t>(blocks * 6.4);
  const sample listed = repeated(mht_at_40_bits(blocks, overflow_rule::exact_list), keys).fpr();
  EXPECT_NEAR(listed.mean, 2.0e-7, 0.05e-7 + 0.02 * listed.mean + tolerance(listed));
  const sample first = repeated(mht_at_40_bits(blocks, overflow_rule::first_candidate), keys).fpr();
  EXPECT_NEAR(first.mean, 2.5e-7, 0.05e-7 + 0.02 * first.mean + tolerance(first));
  const sample random = repeated(mht_at_40_bits(blocks, overflow_rule::random_candidate), keys).fpr();
  EXPECT_NEAR(random.mean, 1.45e-6, 0.05e-6 + tolerance(random));
}

TEST(forced, keys_are_counted_but_occupy_nothing) {
  constexpr std::uint64_t blocks = 1000;
  filter f(mht_at_40_bits(blocks, overflow_rule::first_candidate));
  for (std::uint64_t i = 0; i < 20'000; ++i) f.insert(i);
  const statistics s = f.stats();
  EXPECT_GT(s.overflow_keys, 10'000U);
  EXPECT_EQ(s.overflow_bytes, 0U);
  for (std::uint64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(f.may_contain(i));
}

TEST(forced, a_random_candidate_is_each_of_them_equally_often) {
  // Candidates of one block each, full from the start: whichever is chosen gets the key's bits.
  constexpr std::uint64_t trials = 30'000;
  std::vector<std::uint64_t> chosen(3);
  for (std::uint64_t i = 0; i < trials; ++i) ++chosen[reduce(derive(hasher()(i), use::forced_choice), 3)];
  for (const std::uint64_t count : chosen) {
    EXPECT_NEAR(static_cast<double>(count) / trials, 1.0 / 3, share_tolerance(1.0 / 3, trials));
  }
}

sequential_parameters budgeted(std::uint64_t blocks, std::uint64_t budget) {
  return {.blocks = blocks,
          .block_bits = 512,
          .hashes = 12,
          .choices = 3,
          .threshold = 8,
          .acceptance = 0.5,
          .access_budget = budget};
}

TEST(budget, insertions_never_make_more_accesses_than_it_allows) {
  constexpr std::uint64_t blocks = 1000;
  constexpr std::uint64_t keys = 8000;
  constexpr std::uint64_t budget = 8400;
  metered_filter f(budgeted(blocks, budget));
  for (std::uint64_t i = 0; i < keys; ++i) {
    f.insert(i);
    f.insert(i / 2);  // repeats are not charged
  }
  const statistics s = f.stats();
  EXPECT_EQ(s.accesses.per_insert.value_or(0) * static_cast<double>(f.keys_inserted()), double{budget});
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i));
  EXPECT_TRUE(f.overflowed().budget_spent);

  metered_filter ample(budgeted(blocks, 100 * budget));
  metered_filter unlimited(budgeted(blocks, 0));
  for (std::uint64_t i = 0; i < keys; ++i) {
    ample.insert(i);
    unlimited.insert(i);
  }
  EXPECT_FALSE(ample.overflowed().budget_spent);
  EXPECT_TRUE(std::equal(ample.bytes().begin(), ample.bytes().end(), unlimited.bytes().begin()))
      << "a budget that is not spent changes nothing";
  EXPECT_GT(s.overflow_keys, unlimited.stats().overflow_keys);
}

// The key during whose walk the budget runs out is in the list, although it had not been rejected everywhere.
TEST(budget, a_key_caught_midway_and_all_later_ones_are_found) {
  for (std::uint64_t budget = 1; budget < 60; ++budget) {
    filter f(budgeted(3, budget));
    for (std::uint64_t i = 0; i < 100; ++i) {
      f.insert(i);
      for (std::uint64_t j = 0; j <= i; ++j) ASSERT_TRUE(f.may_contain(j)) << "budget " << budget;
    }
    EXPECT_FALSE(f.may_contain(1'000'003)) << "absent keys are still absent";
  }
}

TEST(budget, a_union_asks_the_list_if_either_part_does) {
  filter spent(budgeted(100, 50));
  filter rich(budgeted(100, 50));
  for (std::uint64_t i = 0; i < 500; ++i) spent.insert(i);
  for (std::uint64_t i = 500; i < 510; ++i) rich.insert(i);
  rich.merge(spent);
  EXPECT_TRUE(rich.overflowed().budget_spent);
  for (std::uint64_t i = 0; i < 510; ++i) ASSERT_TRUE(rich.may_contain(i));
  rich.clear();
  EXPECT_FALSE(rich.overflowed().budget_spent);
  EXPECT_TRUE(rich.insert(7));
}

TEST(budget, without_a_list_it_is_refused) {
  auto p = budgeted(100, 50);
  p.overflow = overflow_rule::first_candidate;
  EXPECT_THROW(filter{p}, parameter_error);
  auto q = mht_at_40_bits(100, overflow_rule::random_candidate);
  q.access_budget = 10;
  EXPECT_THROW(filter{q}, parameter_error);
}

}  // namespace
