// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Resealable filters: keys that come later are found at once, sealing again keeps them all, and what would lose keys is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

void expect_all(const resealable_filter& f, const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(f.may_contain(keys[i])) << "false negative: key " << keys[i];
    ASSERT_EQ(answers[i], 1) << "false negative in bulk: key " << keys[i];
  }
}

TEST(resealable, later_keys_are_found_and_sealed_in) {
  resealable_filter f(numbers(0, 50'000), {.fingerprint_bits = 12});
  EXPECT_EQ(f.keys_inserted(), 50'000U);
  EXPECT_EQ(f.later_share(), 0);
  EXPECT_FALSE(f.insert(std::uint64_t{3})) << "the sealed part has it";
  EXPECT_EQ(f.later().keys_inserted(), 0U);
  for (std::uint64_t i = 50'000; i < 60'000; ++i) {
    f.insert(i);
    ASSERT_TRUE(f.may_contain(i));
  }
  const std::uint64_t fresh = f.insert_bulk(numbers(40'000, 40'000));  // 20,000 of them are new
  EXPECT_NEAR(static_cast<double>(fresh), 20'000, 200);
  expect_all(f, numbers(0, 80'000));
  EXPECT_NEAR(f.later_share(), 3.0 / 8, 0.01);
  const std::uint64_t before = f.base().bytes().size();
  f.reseal(numbers(0, 80'000), {.threads = 2});
  EXPECT_EQ(f.keys_inserted(), 80'000U);
  EXPECT_EQ(f.later_share(), 0);
  EXPECT_GT(f.base().bytes().size(), before);
  expect_all(f, numbers(0, 80'000));
  f.insert(std::uint64_t{90'000});
  EXPECT_TRUE(f.may_contain(std::uint64_t{90'000}));
}

TEST(resealable, says_which_keys_were_new_whatever_the_threads) {
  std::vector<std::uint64_t> keys = numbers(15'000, 60'000);  // 5,000 are sealed
  const std::vector<std::uint64_t> again = numbers(40'000, 30'000);
  keys.insert(keys.begin() + 20'000, again.begin(), again.end());
  const resealable_filter sealed(numbers(0, 20'000), {.fingerprint_bits = 10});
  resealable_filter single = sealed;
  std::vector<std::uint8_t> expected;
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) expected.push_back(single.insert(key) ? 1 : 0), fresh += expected.back();
  for (const std::uint32_t threads : {1U, 3U}) {
    resealable_filter f = sealed;
    std::vector<std::uint8_t> answers(keys.size(), 7);
    EXPECT_EQ(threads == 1 ? f.insert_bulk(keys, answers) : f.insert_bulk(keys, answers, threads), fresh);
    ASSERT_EQ(answers, expected) << threads;
    resealable_filter counted = sealed;
    EXPECT_EQ(counted.insert_bulk(keys, threads), fresh);
    expect_all(counted, keys);
    const std::vector<std::uint64_t> asked = numbers(50'000, 60'000);
    std::vector<std::uint8_t> one(asked.size());
    std::vector<std::uint8_t> several(asked.size(), 7);
    f.may_contain_bulk(asked, one);
    f.may_contain_bulk(asked, several, 3);
    EXPECT_EQ(one, several);
  }
}

// Chance of failing by accident: 5.5 standard errors.
TEST(resealable, both_parts_together_keep_twice_the_rate) {
  resealable_filter f(numbers(0, 30'000), {.fingerprint_bits = 10});
  f.insert_bulk(numbers(30'000, 30'000));
  const double sealed = std::ldexp(1.0, -10);
  constexpr std::uint64_t absent = 500'000;
  double positives = 0;
  for (std::uint64_t i = 0; i < absent; ++i) positives += f.may_contain(elsewhere + i) ? 1 : 0;
  EXPECT_GT(positives / absent, sealed - share_tolerance(sealed, absent));
  EXPECT_LT(positives / absent, 2 * sealed + share_tolerance(2 * sealed, absent));
}

TEST(resealable, keys_are_not_lost_by_accident) {
  resealable_filter f(numbers(0, 1000));
  f.insert_bulk(numbers(1000, 500));
  EXPECT_THROW(f.reseal(numbers(0, 1400)), parameter_error);
  expect_all(f, numbers(0, 1500));
  std::vector<std::uint64_t> with_copies = numbers(0, 1000);
  for (int i = 0; i < 3; ++i) with_copies.insert(with_copies.end(), 1000, 7);
  EXPECT_THROW(f.reseal(with_copies), parameter_error) << "keys that come again are one";
}

TEST(resealable, keeps_no_copies) {
  const auto keys = numbers(0, 1000);
  EXPECT_THROW(resealable_filter(keys, {.fingerprint_bits = 16}, {}, growth{.fpr = 1e-4, .erasable = true}),
               parameter_error);
  EXPECT_THROW(resealable_filter(filter::sealed(keys), growing_filter({.fpr = 1e-4, .erasable = true})),
               parameter_error);
}

TEST(resealable, comes_back_from_its_parts) {
  resealable_filter f(numbers(0, 5000), {.fingerprint_bits = 16, .seed = 5});
  f.insert_bulk(numbers(5000, 300));
  const resealable_filter again(f.base(), f.later());
  expect_all(again, numbers(0, 5300));
  EXPECT_THROW(resealable_filter(filter::for_keys(100), growing_filter(growth{})), parameter_error);
  EXPECT_THROW(resealable_filter(f.base(), growing_filter(growth{.seed = 6})), parameter_error);
}

TEST(resealable, empty_ones_grow_and_texts_are_keys) {
  resealable_filter f(std::vector<std::string>{});
  EXPECT_FALSE(f.may_contain("weir"));
  EXPECT_TRUE(f.insert("weir"));
  EXPECT_TRUE(f.may_contain("weir"));
  f.reseal(std::vector<std::string>{"weir", "lock"});
  EXPECT_TRUE(f.may_contain("lock") && f.may_contain("weir"));
}

TEST(resealable, has_a_part_that_grows_for_every_r) {
  for (const std::uint32_t r : {8U, 29U, 30U, 31U, 32U}) {
    resealable_filter f(numbers(0, 100), {.fingerprint_bits = r});
    EXPECT_EQ(f.later().params().fpr, std::max(std::ldexp(1.0, -static_cast<int>(r)), 1e-9)) << r;
    f.insert(std::uint64_t{1'000'000});
    expect_all(f, {5, 99, 1'000'000});
  }
}

TEST(resealable, is_named_where_a_sealed_filter_refuses_a_key) {
  sealed_builder b;
  b.insert(std::uint64_t{1});
  filter f = b.build();
  try {
    f.insert(std::uint64_t{2});
    FAIL();
  } catch (const parameter_error& e) {
    EXPECT_NE(std::string(e.what()).find("resealable_filter"), std::string::npos) << e.what();
  }
}

}  // namespace
