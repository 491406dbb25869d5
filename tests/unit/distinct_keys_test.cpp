// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Distinct keys among those that are read: exact while few, within the standard error beyond, whatever is repeated.
#include "keys/distinct_keys.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "sluice/hash.hpp"

namespace {

using sluice_keys::distinct_keys;

TEST(distinct_keys, few_are_counted_exactly) {
  const sluice::hasher hash(1);
  for (const std::uint64_t n : {0U, 1U, 2U, 1000U, 65'535U, 65'536U}) {
    distinct_keys some;
    for (int again = 0; again < 3; ++again) {
      for (std::uint64_t key = 0; key < n; ++key) some.add(hash(key));
    }
    EXPECT_TRUE(some.exact()) << n;
    EXPECT_EQ(some.count(), n);
    EXPECT_EQ(some.with_margin(), n);
  }
}

/// The standard error is 0.41%; 18 estimates lie within 6 of them each: by accident fails one in 3e7 runs.
TEST(distinct_keys, many_are_estimated_within_the_error) {
  for (const std::uint64_t n : {65'537U, 100'000U, 163'840U, 250'000U, 400'000U, 3'000'000U}) {
    double mean = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const sluice::hasher hash(seed);
      distinct_keys some;
      for (std::uint64_t key = 0; key < n; ++key) some.add(hash(key));
      for (std::uint64_t key = 0; key < n; key += 3) some.add(hash(key));
      EXPECT_FALSE(some.exact());
      EXPECT_NEAR(some.count() / static_cast<double>(n), 1, 6 * some.standard_error()) << n;
      EXPECT_LE(some.standard_error(), 0.005);
      EXPECT_NEAR(some.with_margin() / some.count(), 1 + 2 * some.standard_error(), 1e-4);
      mean += some.count() / static_cast<double>(n) / 3;
    }
    EXPECT_NEAR(mean, 1, 6 * 0.0041 / std::sqrt(3.0)) << n;
  }
}

/// What is counted does not depend on the order, nor on the moment at which repetitions are forgotten.
TEST(distinct_keys, repetitions_do_not_count) {
  const sluice::hasher hash;
  distinct_keys some;
  for (int i = 0; i < 1'000'000; ++i) some.add(hash(i % 185));
  EXPECT_TRUE(some.exact());
  EXPECT_EQ(some.count(), 185);
}

/// Whoever knows the seed can choose keys that mislead the sketch: no further than to what is known without it.
TEST(distinct_keys, are_no_more_than_came_and_no_fewer_than_were_seen) {
  distinct_keys many;
  distinct_keys few;
  for (std::uint64_t i = 0; i < 131'072; ++i) {
    many.add(sluice::digest{i << 48 | i >> 16});
    few.add(sluice::digest{i | std::uint64_t{1} << 47});
  }
  EXPECT_EQ(many.count(), 131'072);
  EXPECT_LE(many.with_margin(), 132'200);
  EXPECT_EQ(few.count(), 65'537);
}

}  // namespace
