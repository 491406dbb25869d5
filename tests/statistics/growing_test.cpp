// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Growing filters: the total rate stays below the wanted one at every moment, no key is lost by growing, merging or
// compacting, and bulk operations are what single ones do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sluice/extend/chain.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/plan.hpp"
#include "support/interval.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

double counted_rate(const growing_filter& f, std::uint64_t absent) {
  std::vector<std::uint8_t> answers(absent);
  f.may_contain_bulk(numbers(elsewhere, absent), answers);
  return static_cast<double>(std::ranges::count(answers, 1)) / static_cast<double>(absent);
}

// At every power of two from a thousand to ten million keys: the rate, computed from the bits and counted, and how deep
// lookups go.
TEST(growing, stays_below_its_rate_from_1e3_to_1e7_keys) {
  for (const double wanted : {0.01, 0.001}) {
    growing_filter f({.fpr = wanted});
    std::uint64_t held = 0;
    std::vector<std::uint64_t> moments;
    for (std::uint64_t n = 1024; n < 10'000'000; n *= 2) moments.push_back(n);
    moments.push_back(10'000'000);
    double links = 0;
    for (const std::uint64_t n : moments) {
      f.insert_bulk(numbers(held, n - held));
      held = n;
      EXPECT_LT(f.fpr_from_fill(), wanted) << n;
      constexpr std::uint64_t absent = 1'000'000;
      EXPECT_LT(counted_rate(f, absent), wanted + share_tolerance(wanted, absent)) << n;
      EXPECT_NEAR(counted_rate(f, absent), f.fpr_from_fill(), share_tolerance(wanted, absent)) << n;
      // Half of the lookups hit.
      const double depth = (f.links_per_hit() + static_cast<double>(f.links())) / 2;
      EXPECT_LE(depth, 6) << n;
      links += depth / static_cast<double>(moments.size());
      // Keys that were found by chance when they came are not counted.
      EXPECT_LE(f.keys_inserted(), n);
      EXPECT_GT(static_cast<double>(f.keys_inserted()), static_cast<double>(n) * (1 - 2 * wanted));
    }
    EXPECT_LE(links, 3.5);
    EXPECT_LT(f.fpr_bound(), wanted);
    std::vector<std::uint8_t> answers(held);
    f.may_contain_bulk(numbers(0, held), answers);
    EXPECT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(held));
  }
}

/// Bits of one filter of the chain's rate for its keys.
double bits_of_one(const growing_filter& f) {
  const plan_candidate c = best_plan({.keys = static_cast<double>(f.keys_inserted()),
                                      .fpr = f.params().fpr,
                                      .mean_cost_limit = 2,
                                      .among = {scheme::blocked}});
  return 8 * c.memory_bytes;
}

TEST(growing, takes_little_memory_when_its_last_link_is_folded) {
  double worst = 0;
  double sum = 0;
  std::uint64_t moments = 0;
  growing_filter f({.fpr = 0.001, .first_keys = 1000});
  std::uint64_t held = 0;
  for (double n = 1000; n < 3e6; n *= 1.19) {
    f.insert_bulk(numbers(held, static_cast<std::uint64_t>(n) - held));
    held = static_cast<std::uint64_t>(n);
    growing_filter folded = f;
    folded.fold_last_link();
    EXPECT_LT(folded.fpr_from_fill(), 0.001) << n;
    EXPECT_EQ(folded.keys_inserted(), f.keys_inserted());
    std::vector<std::uint8_t> answers(held);
    folded.may_contain_bulk(numbers(0, held), answers);
    ASSERT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(held));
    const double times = 8 * static_cast<double>(folded.size_bytes()) / bits_of_one(f);
    worst = std::max(worst, times);
    sum += times;
    ++moments;
  }
  EXPECT_LE(worst, 2.5);
  EXPECT_LE(sum / static_cast<double>(moments), 1.7);
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("mean", std::to_string(sum / static_cast<double>(moments)));
}

TEST(growing, goes_on_after_its_last_link_was_folded) {
  growing_filter f({.fpr = 0.01, .first_keys = 1000});
  std::uint64_t held = 0;
  for (int day = 0; day < 200; ++day) {  // as a file that is added to, again and again
    f.insert_bulk(numbers(held, 300));
    held += 300;
    f.fold_last_link(0.25);
  }
  EXPECT_LE(f.links(), 20U);  // one whenever it is a quarter larger
  EXPECT_LT(f.fpr_bound(), 0.01);
  EXPECT_LT(f.fpr_from_fill(), 0.01);
  EXPECT_LT(static_cast<double>(f.size_bytes()) * 8, 3 * bits_of_one(f));
  std::vector<std::uint8_t> answers(held);
  f.may_contain_bulk(numbers(0, held), answers);
  EXPECT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(held));
  const file_contents contents = extend::contents_of(f, key_kind::u64);
  const filter_file again = filter_file::load(to_bytes(contents));
  EXPECT_EQ(again.keys_inserted(), f.keys_inserted());
  growing_filter erasable({.fpr = 0.01, .first_keys = 1000, .erasable = true});
  EXPECT_EQ(erasable.fold_last_link(), 0U);
}

/// A gated link that was folded many times keeps its rate for fewer keys than half of half of them: it must not be
/// filled beyond that.
TEST(growing, keeps_its_rate_after_many_folds) {
  for (const auto& [wanted, room] : {std::pair(1e-3, 0.25), std::pair(1e-6, 0.0)}) {
    growing_filter f({.fpr = wanted, .first_keys = 1'000'000});
    std::uint64_t held = 0;
    for (int day = 0; day < 8; ++day) {
      f.insert_bulk(numbers(held, 1000));
      held += 1000;
      EXPECT_LE(f.fpr_from_fill(), wanted) << day;
      f.fold_last_link(room);
      EXPECT_GE(f.chain().back().capacity, f.chain().back().keys());
    }
    EXPECT_LE(f.fpr_from_fill(), wanted);
    std::vector<std::uint8_t> answers(held);
    f.may_contain_bulk(numbers(0, held), answers);
    EXPECT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(held));
  }
}

TEST(growing, a_folded_filter_is_planned_for_keys_that_keep_its_rate) {
  for (const double wanted : {1e-3, 1e-6, 1e-9}) {
    filter f = filter::for_at_most(1'000'000, {.fpr = wanted});
    f.insert_bulk(numbers(0, 1000));
    ASSERT_GT(f.fold_to(f.planned_fpr()), 4U);
    EXPECT_GE(f.planned_keys(), 1000U);
    EXPECT_LE(f.planned_keys(), 1954U);
    f.insert_bulk(numbers(1000, f.planned_keys() - 1000));
    EXPECT_LT(f.stats().fpr_from_fill, 2 * wanted);  // so small a filter varies around its model
    filter by_hand = filter::for_at_most(1'000'000, {.fpr = wanted});
    by_hand.fold(9);
    by_hand.insert_bulk(numbers(0, by_hand.planned_keys()));
    EXPECT_LT(by_hand.stats().fpr_from_fill, 2 * wanted);
  }
}

TEST(growing, is_folded_no_further_than_its_keys_need) {
  for (const std::uint64_t keys : {1U, 10U, 499U, 500U, 501U, 999U, 1400U}) {
    growing_filter f({.fpr = 0.01, .first_keys = 1000});
    f.insert_bulk(numbers(0, keys));
    f.fold_last_link();
    const growing_filter::link& last = f.chain().back();
    EXPECT_GE(last.capacity, last.keys());
    EXPECT_TRUE(last.capacity / 2 < last.keys() || last.filter.most_folds() == 0) << keys;
  }
}

TEST(growing, is_folded_to_a_handful_of_keys) {
  for (const std::uint64_t keys : {1U, 2U, 5U, 10U, 25U, 40U}) {
    growing_filter f({.first_keys = 1'000'000});
    f.insert_bulk(numbers(0, keys));
    EXPECT_GT(f.fold_last_link(), 10U);
    EXPECT_GE(f.chain().back().capacity, keys);
    EXPECT_LE(f.fpr_from_fill(), 0.001);
  }
}

TEST(growing, bulk_is_what_single_operations_do) {
  const growth how{.fpr = 0.02, .first_keys = 100, .factor = 3, .seed = 5};
  growing_filter single(how);
  growing_filter bulk(how);
  auto keys = numbers(0, 6000);
  keys.insert(keys.begin() + 3000, keys.begin(), keys.begin() + 500);  // repeats
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) fresh += single.insert(key) ? 1U : 0U;
  EXPECT_EQ(bulk.insert_bulk(keys), fresh);
  EXPECT_EQ(single.keys_inserted(), fresh);
  ASSERT_EQ(bulk.links(), single.links());
  EXPECT_GT(single.links(), 4U);
  const auto& ours = single.chain();
  const auto& theirs = bulk.chain();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].filter.keys_inserted(), theirs[i].filter.keys_inserted());
    EXPECT_DOUBLE_EQ(ours[i].filter.stats().fpr_from_fill, theirs[i].filter.stats().fpr_from_fill);
    if (i + 1 < ours.size()) {
      EXPECT_EQ(ours[i].filter.keys_inserted(), ours[i].capacity) << "only the last link has room";
      EXPECT_LT(ours[i].capacity, ours[i + 1].capacity);
      EXPECT_GT(ours[i].planned_fpr, ours[i + 1].planned_fpr);
    }
  }
  const auto asked = numbers(3000, 20'000);
  std::vector<std::uint8_t> answers(asked.size());
  bulk.may_contain_bulk(asked, answers);
  for (std::size_t i = 0; i < asked.size(); ++i) ASSERT_EQ(answers[i] != 0, single.may_contain(asked[i]));
  for (const std::uint64_t key : keys) ASSERT_TRUE(single.may_contain(key));
  EXPECT_FALSE(single.insert(keys[0])) << "a key of the oldest link is not inserted again";
  std::vector<std::uint8_t> short_answers(5);
  EXPECT_THROW(bulk.may_contain_bulk(asked, short_answers), parameter_error);
}

/// Another version of the planner may have made other links of the same size.
TEST(growing, links_of_different_parameters_stay_apart) {
  const growth how{.fpr = 1e-3, .first_keys = 1000};
  const auto one_link = [&](std::uint32_t hashes, std::uint64_t first_key) {
    filter f(blocked_parameters{.blocks = 64, .hashes = hashes});
    for (std::uint64_t key = 0; key < 100; ++key) f.insert(first_key + key);
    return growing_filter(how, {{std::move(f), 1000, 5e-4}});
  };
  growing_filter all = one_link(8, 0);
  all.merge(one_link(9, 1000));
  EXPECT_EQ(all.links(), 2);
  all.merge(one_link(8, 2000));
  EXPECT_EQ(all.links(), 2);
  for (const std::uint64_t first : {0U, 1000U, 2000U}) {
    for (std::uint64_t key = 0; key < 100; ++key) EXPECT_TRUE(all.may_contain(first + key));
  }
}

TEST(growing, chains_merge) {
  const growth how{.fpr = 0.01, .first_keys = 1000, .factor = 4};
  const auto chain = [&](std::uint64_t first, std::uint64_t count) {
    growing_filter f(how);
    f.insert_bulk(numbers(first, count));
    return f;
  };
  const auto all_found = [](const growing_filter& f, std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint8_t> answers(count);
    f.may_contain_bulk(numbers(first, count), answers);
    return std::ranges::count(answers, 1) == static_cast<std::ptrdiff_t>(count);
  };
  // Both fit into one link.
  growing_filter small = chain(0, 300);
  small.merge(chain(elsewhere, 400));
  EXPECT_EQ(small.links(), 1U);
  EXPECT_TRUE(all_found(small, 0, 300) && all_found(small, elsewhere, 400));
  EXPECT_LT(small.fpr_bound(), how.fpr);
  // Full links are kept side by side, and the bound says so.
  growing_filter large = chain(0, 10'000);
  const growing_filter other = chain(elsewhere, 12'000);
  const std::uint64_t keys = large.keys_inserted() + other.keys_inserted();
  large.merge(other);
  EXPECT_NEAR(static_cast<double>(large.keys_inserted()), static_cast<double>(keys), 0.01 * static_cast<double>(keys));
  EXPECT_TRUE(all_found(large, 0, 10'000) && all_found(large, elsewhere, 12'000));
  EXPECT_LE(large.fpr_from_fill(), large.fpr_bound());
  // And it goes on growing.
  large.insert_bulk(numbers(2 * elsewhere, 50'000));
  EXPECT_TRUE(all_found(large, 0, 10'000) && all_found(large, elsewhere, 12'000) &&
              all_found(large, 2 * elsewhere, 50'000));
  const std::uint64_t before = large.keys_inserted();
  large.merge(large);
  EXPECT_EQ(large.keys_inserted(), before);
  growing_filter different(growth{.fpr = 0.02, .first_keys = 1000, .factor = 4});
  EXPECT_THROW(different.merge(large), merge_error);
}

TEST(growing, is_compacted_when_the_keys_come_again) {
  growing_filter f({.fpr = 0.001, .first_keys = 1000});
  auto keys = numbers(0, 100'000);
  f.insert_bulk(keys);
  keys.insert(keys.end(), keys.begin(), keys.begin() + 50'000);
  const filter one = f.compact(keys);
  for (std::uint64_t key = 0; key < 100'000; ++key) ASSERT_TRUE(one.may_contain(key));
  EXPECT_LT(one.stats().fpr_from_fill, 0.001 * 1.05);
  EXPECT_LT(one.bytes().size(), f.size_bytes());
  EXPECT_THROW(static_cast<void>(f.compact(numbers(0, 99'000))), parameter_error) << "keys would be lost";
  const filter more = f.compact(numbers(0, 200'000));
  EXPECT_LT(more.stats().fpr_from_fill, 0.001 * 1.05);
}

TEST(growing, is_compacted_after_a_merge_by_who_knows_all_keys) {
  growing_filter f({.fpr = 0.001, .first_keys = 1000});
  growing_filter other = f;
  f.insert_bulk(numbers(0, 20'000));
  other.insert_bulk(numbers(10'000, 20'000));
  f.merge(other);
  EXPECT_THROW(static_cast<void>(f.compact(numbers(0, 30'000))), parameter_error) << "it counts some twice";
  const filter one = f.compact(numbers(0, 30'000), true);
  for (std::uint64_t key = 0; key < 30'000; ++key) ASSERT_TRUE(one.may_contain(key));
}

TEST(growing, is_compacted_from_nearly_all_keys_by_no_more_than_chance) {
  EXPECT_EQ(extend::most_found_by_chance(0.001, 0), 0U);
  EXPECT_EQ(extend::most_found_by_chance(0.001, 6), 3U);
  EXPECT_NEAR(static_cast<double>(extend::most_found_by_chance(0.001, 40'000)), 40 + 6.5 * std::sqrt(40), 10);
  EXPECT_NEAR(static_cast<double>(extend::most_found_by_chance(0.25, 1'000'000'000'000)), 2.5e11, 1e7);
  for (const double fpr : {0.25, 0.001}) {
    growing_filter f({.fpr = fpr, .first_keys = 64});
    f.insert_bulk(numbers(0, 40'000));
    const filter one = f.compact(numbers(0, 40'000));
    for (std::uint64_t key = 0; key < 40'000; ++key) ASSERT_TRUE(one.may_contain(key)) << fpr;
  }
  growing_filter few({.fpr = 0.001});
  few.insert_bulk(numbers(0, 6));
  EXPECT_THROW(static_cast<void>(few.compact(numbers(0, 0))), parameter_error);
  EXPECT_THROW(static_cast<void>(few.compact(numbers(0, 2))), parameter_error);
  EXPECT_THROW(static_cast<void>(few.compact(numbers(0, 5))), parameter_error) << "few are counted exactly";
  EXPECT_EQ(few.compact(numbers(0, 6)).keys_inserted(), 6U);
  growing_filter exact({.fpr = 0.01, .first_keys = 1000, .erasable = true});
  exact.insert_bulk(numbers(0, 5000));
  EXPECT_THROW(static_cast<void>(exact.compact(numbers(0, 4999))), parameter_error);
  EXPECT_EQ(exact.compact(numbers(0, 5000)).keys_inserted(), 5000U);
}

TEST(growing, takes_nothing_when_it_was_moved_from) {
  growing_filter f({.fpr = 0.001});
  f.insert(1);
  growing_filter g = std::move(f);
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_THROW(f.insert(2), parameter_error);
  EXPECT_THROW(f.insert_bulk(numbers(0, 10)), parameter_error);
  EXPECT_FALSE(f.may_contain(1));
  EXPECT_EQ(f.fold_last_link(), 0U);
  f = g;
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_TRUE(f.may_contain(1));
  growing_filter erasable({.fpr = 0.001, .erasable = true});
  const growing_filter taken = std::move(erasable);
  std::array<std::uint8_t, 3> answers{7, 7, 7};
  EXPECT_EQ(erasable.erase_bulk(numbers(0, 3), answers), 0U);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(answers, (std::array<std::uint8_t, 3>{0, 0, 0}));
  EXPECT_EQ(taken.links(), 1U);
}

TEST(growing, takes_strings_and_refuses_nonsense) {
  growing_filter f;
  EXPECT_TRUE(f.insert("one"));
  EXPECT_FALSE(f.insert(std::string("one")));
  EXPECT_TRUE(f.may_contain("one"));
  EXPECT_FALSE(f.may_contain("two"));
  EXPECT_EQ(growing_filter().keys_inserted(), 0U);
  EXPECT_DOUBLE_EQ(growing_filter().links_per_hit(), 1);
  EXPECT_THROW(growing_filter(growth{.fpr = 0}), parameter_error);
  EXPECT_THROW(growing_filter(growth{.fpr = 1}), parameter_error);
  EXPECT_THROW(growing_filter(growth{.first_keys = 1}), parameter_error);
  EXPECT_THROW(growing_filter(growth{.factor = 1}), parameter_error);
}

}  // namespace
