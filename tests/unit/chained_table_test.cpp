// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The balanced hash table: a std::map knows the truth under random scripts with erasing; erasing never makes a lookup
// stop early; the variance of the chain lengths is the least possible for the accesses.
#include "common/chained_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/expected.hpp"
#include "support/interval.hpp"

namespace {

using namespace experiments;      // NOLINT(google-build-using-namespace)
using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

template <class Shape>
struct shape_case;
template <>
struct shape_case<one_bucket> {
  static one_bucket shape() { return {}; }
};
template <>
struct shape_case<two_buckets> {
  static two_buckets shape() { return {.alpha = 0.7}; }
};
template <>
struct shape_case<sequential_buckets> {
  static sequential_buckets shape() { return {.choices = 3, .rule = {.threshold = 2, .acceptance = 0.4}}; }
};
template <>
struct shape_case<mht_buckets> {
  static mht_buckets shape() { return {.choices = 3, .accesses = 1.2, .rule = {.threshold = 2, .acceptance = 0.4}}; }
};

template <class Shape>
class table_shapes : public testing::Test {};
using all_shapes = testing::Types<one_bucket, two_buckets, sequential_buckets, mht_buckets>;
TYPED_TEST_SUITE(table_shapes, all_shapes);

// Small tables, so that buckets are full, keys overflow, and room is freed and used again all the time.
TYPED_TEST(table_shapes, random_scripts_agree_with_a_map) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    chained_table<int, int, TypeParam> table(3 + seed, shape_case<TypeParam>::shape(), seed);
    std::map<int, int> twin;
    const int range = 20 + static_cast<int>(seed) * 8;
    for (int step = 0; step < 3000; ++step) {
      const int key = static_cast<int>(random() % static_cast<unsigned>(range));
      switch (random() % 8) {
        case 0:
        case 1:
        case 2: {
          const auto [it, was_new] = table.insert(key, step);
          ASSERT_EQ(was_new, twin.emplace(key, step).second);
          ASSERT_EQ(it->first, key);
          ASSERT_EQ(it->second, twin.at(key));
          break;
        }
        case 3:
        case 4:
          ASSERT_EQ(table.erase(key), twin.erase(key));
          break;
        case 5:
          if (step % 50 == 0) table.rehash(3 + random() % 40);
          break;
        default: {
          const auto it = table.find(key);
          ASSERT_EQ(it != table.end(), twin.contains(key));
          if (it != table.end()) {
            ASSERT_EQ(it->second, twin.at(key));
            it->second = twin[key] = step;
          }
        }
      }
      ASSERT_EQ(table.size(), twin.size());
    }
    std::map<int, int> all;
    for (const auto& [key, value] : table) ASSERT_TRUE(all.emplace(key, value).second) << "a key came up twice";
    ASSERT_EQ(all, twin);
    for (const auto& [key, value] : twin) ASSERT_TRUE(table.contains(key));
    const table_statistics s = table.stats();
    std::uint64_t in_buckets = 0;
    for (std::uint64_t i = 0; i < s.load_histogram.size(); ++i) in_buckets += i * s.load_histogram[i];
    ASSERT_EQ(in_buckets + s.overflow_keys, table.size());
  }
}

// Fill, erase everything but the keys that were turned away by their first bucket, and look for them.
TYPED_TEST(table_shapes, erasing_never_makes_a_lookup_stop_early) {
  chained_table<int, std::string, TypeParam> table(50, shape_case<TypeParam>::shape());
  for (int i = 0; i < 400; ++i) table.insert(i, std::to_string(i));
  for (int kept = 0; kept < 400; kept += 7) {
    chained_table<int, std::string, TypeParam> copy = table;
    for (int i = 0; i < 400; ++i) {
      if (i != kept) {
        ASSERT_EQ(copy.erase(i), 1U);
      }
    }
    ASSERT_EQ(copy.size(), 1U);
    ASSERT_TRUE(copy.contains(kept)) << kept;
    ASSERT_EQ(copy.find(kept)->second, std::to_string(kept));
  }
}

TYPED_TEST(table_shapes, room_that_was_freed_is_used_again) {
  chained_table<int, int, TypeParam> table(100, shape_case<TypeParam>::shape());
  for (int i = 0; i < 150; ++i) table.insert(i, i);
  const std::uint64_t overflow = table.stats().overflow_keys;
  for (int round = 1; round < 50; ++round) {
    for (int i = 0; i < 150; ++i) {
      ASSERT_EQ(table.erase((round - 1) * 150 + i), 1U);
      table.insert(round * 150 + i, i);
    }
  }
  EXPECT_LE(table.stats().overflow_keys, overflow + 20) << "a table in steady use must not drift into its overflow";
}

TYPED_TEST(table_shapes, references_survive_growth_erasure_of_others_and_rehash) {
  chained_table<std::string, std::string, TypeParam> table(8, shape_case<TypeParam>::shape());
  const auto first = table.insert("first", "value").first;
  const std::string* const address = &first->second;
  for (int i = 0; i < 1000; ++i) table.insert(std::to_string(i), "x");
  for (int i = 0; i < 1000; i += 2) table.erase(std::to_string(i));
  table.rehash(500);
  EXPECT_EQ(&table.find("first")->second, address);
  EXPECT_EQ(first->second, "value");
}

TYPED_TEST(table_shapes, move_copy_clear_and_erase_while_iterating) {
  using table_type = chained_table<int, std::unique_ptr<int>, TypeParam>;
  table_type table(20, shape_case<TypeParam>::shape());
  for (int i = 0; i < 100; ++i) table.insert(i, std::make_unique<int>(i));
  table_type moved = std::move(table);
  for (auto it = moved.begin(); it != moved.end();) it = it->first % 3 == 0 ? moved.erase(it) : std::next(it);
  EXPECT_EQ(moved.size(), 66U);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(moved.contains(i), i % 3 != 0);
  int previous = -1;
  for (const auto& [key, value] : moved) {
    EXPECT_GT(key, previous) << "iteration is in the order of insertion";
    EXPECT_EQ(*value, key);
    previous = key;
  }
  table_type other(5, shape_case<TypeParam>::shape());
  other = std::move(moved);
  EXPECT_EQ(other.size(), 66U);
  other.clear();
  EXPECT_TRUE(other.empty());
  EXPECT_EQ(other.begin(), other.end());
  EXPECT_TRUE(other.insert(1, nullptr).second);
}

TEST(chained_table, rehash_resets_the_marks) {
  chained_table<int, int, sequential_buckets> table(10, {.choices = 2, .rule = {.threshold = 1, .acceptance = 0}});
  for (int i = 0; i < 10; ++i) table.insert(i, i);
  EXPECT_GT(table.stats().overflow_keys, 0U) << "ten keys in ten buckets of one: some have no room";
  table.rehash(1000);
  EXPECT_EQ(table.stats().overflow_keys, 0U);
  EXPECT_EQ(table.bucket_count(), 1000U);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(table.contains(i));
}

TEST(chained_table, shapes_that_cannot_be_had_are_refused) {
  using sequential = chained_table<int, int, sequential_buckets>;
  using mht = chained_table<int, int, mht_buckets>;
  EXPECT_THROW(sequential(0, {.choices = 1, .rule = {1, 1}}), parameter_error);
  EXPECT_THROW(sequential(10, {.choices = 0, .rule = {1, 1}}), parameter_error);
  EXPECT_THROW(sequential(2, {.choices = 3, .rule = {1, 1}}), parameter_error);
  EXPECT_THROW(sequential(10, {.choices = 2, .rule = {0, 1}}), parameter_error);
  EXPECT_THROW(sequential(10, {.choices = 2, .rule = {1, 1.5}}), parameter_error);
  EXPECT_THROW(mht(2, {.rule = {3, 1}}), parameter_error);
  EXPECT_THROW(mht(100, {.choices = 3, .accesses = 0.5, .rule = {3, 1}}), parameter_error);
  EXPECT_THROW((chained_table<int, int, two_buckets>(1, {})), parameter_error);
  mht table(100, {.rule = {3, 1}});
  table.insert(1, 2);
  EXPECT_THROW(table.rehash(1), parameter_error);
  EXPECT_TRUE(table.contains(1)) << "a rehash that is refused changes nothing";
}

/// Mean and standard error of the variance of the chain lengths, and of buckets read per hit, over 100 seeds.
struct balance {
  sample variance;
  sample buckets_per_hit;
};

template <class Shape>
balance measure(const Shape& shape, double r) {
  constexpr std::uint64_t buckets = 4000;
  std::vector<double> variances;
  std::vector<double> hits;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    chained_table<std::uint64_t, char, Shape> table(buckets, shape, seed);
    const auto keys = static_cast<std::uint64_t>(buckets * r);
    for (std::uint64_t i = 0; i < keys; ++i) table.insert(i, 0);
    const table_statistics s = table.stats();
    variances.push_back(s.load_variance);
    hits.push_back(s.buckets_per_hit);
  }
  return {summarise(variances), summarise(hits)};
}

double variance_of(const std::vector<double>& distribution) {
  double mean = 0;
  double squares = 0;
  for (std::size_t i = 0; i < distribution.size(); ++i) {
    const auto load = static_cast<double>(i);
    mean += load * distribution[i];
    squares += load * load * distribution[i];
  }
  return squares - mean * mean;
}

// The bound: no table with a mean of `a` buckets read per insertion and an overflow of gamma has a smaller variance.
void expect_the_bound(const balance& measured, double bound, double accesses) {
  EXPECT_NEAR(measured.variance.mean, bound, 0.005 * bound + 6.5 * measured.variance.standard_error);
  EXPECT_NEAR(measured.buckets_per_hit.mean, accesses, 0.002 + 6.5 * measured.buckets_per_hit.standard_error);
}

TEST(variance, single_reaches_the_bound) {
  const sequential_buckets shape{.choices = 1, .rule = {.threshold = 10, .acceptance = .0654}};
  expect_the_bound(measure(shape, 8), variance_of(best_loads(1, 8, 0.05, 10)), 1);
}

TEST(variance, sequential_reaches_the_bound) {
  const sequential_buckets shape{.choices = 3, .rule = {.threshold = 8, .acceptance = .2431}};
  expect_the_bound(measure(shape, 8), variance_of(best_loads(1.2, 8, 0.0262, 8)), 1.2);
}

TEST(variance, mht_reaches_the_bound) {
  const mht_buckets shape{.choices = 3, .accesses = 1.2, .rule = {.threshold = 7, .acceptance = .1128}};
  expect_the_bound(measure(shape, 6.4), variance_of(best_loads(1.2, 6.4, detail::least_overflow(1.2, 3), 7)), 1.2);
}

TEST(variance, one_bucket_has_poisson_chains_and_two_are_better) {
  const balance one = measure(one_bucket{}, 8);
  EXPECT_NEAR(one.variance.mean, 8, 0.01 + 6.5 * one.variance.standard_error);
  const balance two = measure(two_buckets{}, 8);
  EXPECT_LT(two.variance.mean, 1);
}

}  // namespace
