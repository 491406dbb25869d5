// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What happens to keys that no block takes: the exact list, of bounded size or not, forced placement, access budgets.
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
  for (std::uint64_t i = 0; i < trials; ++i)
    ++chosen[detail::reduce(detail::derive(hasher()(i), detail::use::forced_choice), 3)];
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
  EXPECT_TRUE(f.overflow().budget_spent);

  metered_filter ample(budgeted(blocks, 100 * budget));
  metered_filter unlimited(budgeted(blocks, 0));
  for (std::uint64_t i = 0; i < keys; ++i) {
    ample.insert(i);
    unlimited.insert(i);
  }
  EXPECT_FALSE(ample.overflow().budget_spent);
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
  EXPECT_TRUE(rich.overflow().budget_spent);
  for (std::uint64_t i = 0; i < 510; ++i) ASSERT_TRUE(rich.may_contain(i));
  rich.clear();
  EXPECT_FALSE(rich.overflow().budget_spent);
  EXPECT_TRUE(rich.insert(7));
}

TEST(budget, is_not_spent_by_keys_that_are_refused) {
  sequential_parameters p = budgeted(8, 400);
  p.list_capacity = 1;
  filter f(p);
  std::uint64_t refused = 0;
  for (bool is_full = false; !is_full; ++refused) {
    try {
      f.insert(refused);
    } catch (const full_error&) {
      is_full = true;
    }
  }
  ASSERT_LT(f.overflow().spent, 400U);
  const filter before = f;
  for (int i = 0; i < 100; ++i) EXPECT_THROW(f.insert(refused - 1), full_error);
  EXPECT_EQ(f, before);
  EXPECT_EQ(f.overflow().spent, before.overflow().spent);
  EXPECT_EQ(f.keys_inserted(), before.keys_inserted());
}

TEST(budget, without_a_list_it_is_refused) {
  auto p = budgeted(100, 50);
  p.overflow = overflow_rule::first_candidate;
  EXPECT_THROW(filter{p}, parameter_error);
  auto q = mht_at_40_bits(100, overflow_rule::random_candidate);
  q.access_budget = 10;
  EXPECT_THROW(filter{q}, parameter_error);
}

mht_parameters bounded(std::uint64_t blocks, std::uint64_t capacity, full_list_rule rule) {
  mht_parameters p = mht_at_40_bits(blocks, overflow_rule::exact_list);
  p.list_capacity = capacity;
  p.when_full = rule;
  return p;
}

TEST(capacity, a_full_list_refuses_and_the_filter_keeps_what_it_had) {
  filter f(bounded(100, 20, full_list_rule::refuse));
  std::vector<std::uint64_t> inserted;
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const std::vector<std::byte> before(f.bytes().begin(), f.bytes().end());
    try {
      if (f.insert(i)) inserted.push_back(i);
    } catch (const full_error& e) {
      EXPECT_EQ(e.code(), error_code::full);
      EXPECT_TRUE(std::ranges::equal(before, f.bytes()));
      EXPECT_FALSE(f.may_contain(i));
      ++refused;
    }
  }
  EXPECT_GT(refused, 400U);
  const statistics s = f.stats();
  EXPECT_EQ(s.overflow_keys, 20U);
  EXPECT_EQ(s.forced_keys, 0U);
  EXPECT_EQ(f.keys_inserted(), inserted.size());
  for (const std::uint64_t key : inserted) {
    ASSERT_TRUE(f.may_contain(key));
    EXPECT_FALSE(f.insert(key)) << "a repeat needs no room";
  }
}

TEST(capacity, beyond_it_keys_are_forced_and_found) {
  for (const full_list_rule rule : {full_list_rule::first_candidate, full_list_rule::random_candidate}) {
    filter f(bounded(100, 20, rule));
    for (std::uint64_t i = 0; i < 1500; ++i) {
      f.insert(i);
      ASSERT_TRUE(f.may_contain(i));
    }
    for (std::uint64_t i = 0; i < 1500; ++i) ASSERT_TRUE(f.may_contain(i));
    const statistics s = f.stats();
    EXPECT_EQ(s.overflow_keys - s.forced_keys, 20U);
    EXPECT_GT(s.forced_keys, 100U);
    EXPECT_EQ(f.overflow().keys, 20U);
  }
}

TEST(capacity, the_list_holds_as_many_as_were_said_before_any_is_forced) {
  filter f(bounded(100, 20, full_list_rule::first_candidate));
  filter unlimited(mht_at_40_bits(100, overflow_rule::exact_list));
  for (std::uint64_t i = 0; unlimited.stats().overflow_keys < 20; ++i) {
    f.insert(i);
    unlimited.insert(i);
  }
  EXPECT_TRUE(std::ranges::equal(f.bytes(), unlimited.bytes())) << "nothing was forced yet";
  EXPECT_EQ(f.stats().overflow_keys, 20U);
}

TEST(capacity, bulk_calls_count_the_keys_before_the_refused_one) {
  std::vector<std::uint64_t> keys(5000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  filter f(bounded(100, 20, full_list_rule::refuse));
  EXPECT_THROW(f.insert_bulk(std::span<const std::uint64_t>(keys)), full_error);
  filter one_by_one(bounded(100, 20, full_list_rule::refuse));
  std::uint64_t i = 0;
  EXPECT_THROW(for (;; ++i) one_by_one.insert(keys[i]), full_error);
  EXPECT_EQ(f.keys_inserted(), one_by_one.keys_inserted());
  EXPECT_EQ(f, one_by_one);
  for (std::uint64_t key = 0; key < i; ++key) ASSERT_TRUE(f.may_contain(key));
}

TEST(capacity, a_union_forces_what_its_list_cannot_hold_or_is_refused) {
  // Keys from `first` on, until the list has this many.
  const auto filled = [](full_list_rule rule, std::uint64_t first, std::uint64_t listed) {
    filter f(bounded(100, 20, rule));
    for (std::uint64_t i = first; f.overflow().keys < listed; ++i) f.insert(i);
    return f;
  };
  const auto expect_keys = [](const filter& f, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = first; i < first + count; ++i) ASSERT_TRUE(f.may_contain(i));
  };
  for (const full_list_rule rule : {full_list_rule::first_candidate, full_list_rule::random_candidate}) {
    filter f = filled(rule, 0, 15);
    const std::uint64_t keys = f.keys_inserted();
    const filter other = filled(rule, 10'000, 15);
    f.merge(other);
    expect_keys(f, 0, keys);
    expect_keys(f, 10'000, other.keys_inserted());
    EXPECT_EQ(f.overflow().keys, 20U);
    EXPECT_EQ(f.overflow().forced, 10U);
  }
  filter f = filled(full_list_rule::refuse, 0, 15);
  const filter before = f;
  EXPECT_THROW(f.merge(filled(full_list_rule::refuse, 10'000, 15)), merge_error);
  EXPECT_EQ(f, before);
  f.merge(filled(full_list_rule::refuse, 10'000, 5));
  EXPECT_EQ(f.overflow().keys, 20U);
}

TEST(capacity, is_kept_by_files_and_copies) {
  for (const full_list_rule rule : {full_list_rule::refuse, full_list_rule::random_candidate}) {
    filter f(bounded(100, 20, rule));
    for (std::uint64_t i = 0; i < 620; ++i) f.insert(i);
    for (std::uint64_t i = 620; i < 900 && rule != full_list_rule::refuse; ++i) f.insert(i);
    const std::vector<std::byte> file = to_bytes(f, {.kind = key_kind::u64});
    const filter_file read(file);
    EXPECT_EQ(to_bytes(read.contents()), file);
    const overflow_state& state = read.contents().filters.front().overflowed;
    EXPECT_EQ(state.forced, f.overflow().forced);
    EXPECT_EQ(read.contents().filters.front().params, f.params());
    for (std::uint64_t i = 0; i < 620; ++i) ASSERT_TRUE(read.may_contain(i));
    filter copy = f;
    EXPECT_EQ(copy, f);
    copy.clear();
    EXPECT_EQ(copy.overflow().forced, 0U);
  }
}

TEST(capacity, what_cannot_be_meant_is_refused) {
  mht_parameters p = bounded(100, 20, full_list_rule::first_candidate);
  p.overflow = overflow_rule::random_candidate;
  EXPECT_THROW(filter{p}, parameter_error) << "there is no list";
  EXPECT_THROW(filter{bounded(100, 0, full_list_rule::first_candidate)}, parameter_error) << "it is never full";
  p = bounded(100, 20, full_list_rule::first_candidate);
  p.access_budget = 1000;
  EXPECT_THROW(filter{p}, parameter_error) << "a key that was forced unread would be denied";
  p.when_full = full_list_rule::refuse;
  filter f(p);
  std::vector<std::uint64_t> inserted;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    try {
      f.insert(i);
      inserted.push_back(i);
    } catch (const full_error&) {
      for (const std::uint64_t key : inserted) ASSERT_TRUE(f.may_contain(key));
      break;
    }
  }
  EXPECT_LT(inserted.size(), 1000U);
}

// The papers' loss ratio: what a list of gamma' n places loses of the gamma n keys that overflow. 24 trials, 9 standard
// errors (see model_test.cpp).
TEST(capacity, models_and_filters_agree) {
  constexpr std::uint64_t blocks = 4096;
  constexpr std::uint64_t keys = blocks * 7;  // more than it was made for: a tenth overflows
  constexpr int trials = 24;
  const std::vector<double> shares = {0.6, 0.3, 0.1};
  for (const full_list_rule rule :
       {full_list_rule::refuse, full_list_rule::first_candidate, full_list_rule::random_candidate}) {
    const sequential_parameters one_table{.blocks = blocks,
                                          .block_bits = 256,
                                          .hashes = 20,
                                          .choices = 2,
                                          .threshold = 6,
                                          .acceptance = 0.5,
                                          .list_capacity = 800,
                                          .when_full = rule};
    const mht_parameters subtables{.subtables = detail::subtable_sizes(blocks, shares),
                                   .block_bits = 256,
                                   .hashes = 20,
                                   .threshold = 6,
                                   .acceptance = 0.5,
                                   .list_capacity = 800,
                                   .when_full = rule};
    for (const parameters& p : {parameters(one_table), parameters(subtables)}) {
      const theory::prediction predicted = theory::predict(p, keys);
      std::vector<double> fpr;
      std::vector<double> overflow;
      std::vector<double> refused;
      std::vector<double> insert;
      std::vector<double> hit;
      std::vector<double> miss;
      for (int trial = 0; trial < trials; ++trial) {
        const simulation seen = simulate(detail::with_seed(p, static_cast<std::uint64_t>(trial)),
                                         {.keys = keys, .hits = 20'000, .misses = 20'000});
        fpr.push_back(seen.stats.fpr_from_fill);
        overflow.push_back(static_cast<double>(seen.stats.overflow_keys) / keys);
        refused.push_back(static_cast<double>(seen.refused_keys) / keys);
        insert.push_back(seen.stats.accesses.per_insert.value_or(0));
        hit.push_back(seen.stats.accesses.per_hit.value_or(0));
        miss.push_back(seen.stats.accesses.per_miss.value_or(0));
      }
      const auto near = [&](const char* what, double value, const std::vector<double>& measured, double relative) {
        const sample s = summarise(measured);
        EXPECT_NEAR(value, s.mean, relative * s.mean + 9 * s.standard_error + 1e-9)
            << what << " of " << detail::scheme_name(p) << ", rule " << static_cast<int>(rule);
      };
      near("fpr", predicted.fpr_exact, fpr, 0.05);
      near("overflow", predicted.overflow_fraction, overflow, 0.02);
      near("refused", predicted.refused_fraction, refused, 0.02);
      near("insert", predicted.accesses_insert, insert, 0.01);
      near("hit", predicted.accesses_hit, hit, 0.01);
      near("miss", predicted.accesses_miss, miss, 0.01);
      EXPECT_EQ(predicted.refused_fraction > 0.01, rule == full_list_rule::refuse);
    }
  }
}

}  // namespace
