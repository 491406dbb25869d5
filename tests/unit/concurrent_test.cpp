// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// One filter, many threads. ThreadSanitizer runs this file (./dev test --full): it must be silent without suppressions.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

bool can_share(const parameters& p) {
  try {
    const concurrent_filter f(p);
    return true;
  } catch (const parameter_error&) {
    return false;
  }
}

std::vector<scheme_case> shareable_schemes() {
  std::vector<scheme_case> cases;
  for (const scheme_case& scheme : all_schemes()) {
    if (can_share(scheme.make(blocks_for_case(scheme, 1000), 1))) cases.push_back(scheme);
  }
  return cases;
}

class shared_case : public testing::TestWithParam<scheme_case> {};

// Writers insert while readers ask, at every moment, for keys whose insert has returned.
TEST_P(shared_case, a_key_whose_insert_returned_is_found_at_once) {
  constexpr std::uint64_t per_writer = 15'000;
  constexpr unsigned writers = 3;
  concurrent_filter f(GetParam().make(blocks_for_case(GetParam(), writers * per_writer), 2));
  std::vector<std::atomic<std::uint64_t>> done(writers);
  std::atomic<std::uint64_t> missed = 0;
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < writers; ++w) {
    threads.emplace_back([&, w] {
      for (std::uint64_t i = 0; i < per_writer; ++i) {
        f.insert(i * writers + w);
        if (!f.may_contain(i * writers + w)) ++missed;
        done[w].store(i + 1, std::memory_order_release);
      }
    });
  }
  threads.emplace_back([&] {
    for (std::uint64_t round = 0; done[0] < per_writer || done[1] < per_writer || done[2] < per_writer; ++round) {
      for (unsigned w = 0; w < writers; ++w) {
        const std::uint64_t returned = done[w].load(std::memory_order_acquire);
        if (returned == 0) continue;
        const std::uint64_t i = round % 2 == 0 ? returned - 1 : detail::full_mix(round) % returned;
        if (!f.may_contain(i * writers + w)) ++missed;
      }
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(missed, 0U);
  const filter copy = f.snapshot();
  for (std::uint64_t key = 0; key < writers * per_writer; ++key) {
    ASSERT_TRUE(f.may_contain(key));
    ASSERT_TRUE(copy.may_contain(key));
  }
}

// Two threads insert the same keys, one of them in bulk, from both ends: the filter ends up as one that took them once,
// give or take what threads did not see of each other. (In step they would not see each other all the time, and place
// many keys twice.)
TEST_P(shared_case, threads_that_insert_the_same_keys_do_no_harm) {
  constexpr std::uint64_t count = 20'000;
  const parameters p = GetParam().make(blocks_for_case(GetParam(), count), 4);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = i;
  concurrent_filter shared(p);
  std::thread a([&] { shared.insert_bulk(keys); });
  std::thread b([&] {
    for (std::uint64_t i = count; i-- > 0;) shared.insert(keys[i]);
  });
  a.join();
  b.join();
  std::vector<std::uint8_t> answers(count);
  shared.may_contain_bulk(keys, answers);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), 1), static_cast<std::ptrdiff_t>(count));
  filter alone(p);
  alone.insert_bulk(keys);
  const statistics together = shared.stats();
  const statistics apart = alone.stats();
  EXPECT_NEAR(static_cast<double>(together.bits_set), static_cast<double>(apart.bits_set),
              0.02 * static_cast<double>(apart.bits_set));
  EXPECT_NEAR(together.fpr_from_fill, apart.fpr_from_fill, 0.2 * apart.fpr_from_fill);
}

TEST_P(shared_case, bulk_calls_of_several_threads_lose_no_key) {
  constexpr std::uint64_t count = 20'000;
  concurrent_filter shared(GetParam().make(blocks_for_case(GetParam(), count), 3));
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = i;
  const std::uint64_t fresh = shared.insert_bulk(keys, 4);
  EXPECT_GT(fresh, count * 99 / 100);
  std::vector<std::uint8_t> found(count, 7);
  shared.may_contain_bulk(keys, found, 3);
  EXPECT_EQ(found, std::vector<std::uint8_t>(count, 1));
  EXPECT_EQ(shared.insert_bulk(keys, 4), 0);
}

// A key that comes often in one call is new once, whichever threads have it.
TEST_P(shared_case, of_equal_keys_in_one_call_one_is_new) {
  constexpr std::uint64_t count = 20'000;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 3 * count; ++i) keys.push_back(i * 7919 % count);
  for (const std::uint32_t threads : {1U, 0U, 4U}) {
    concurrent_filter shared(GetParam().make(blocks_for_case(GetParam(), count), 3));
    std::vector<std::uint8_t> answers(keys.size(), 7);
    const std::uint64_t fresh = shared.insert_bulk(keys, answers, threads);
    EXPECT_EQ(std::count(answers.begin(), answers.end(), 1), static_cast<std::ptrdiff_t>(fresh));
    EXPECT_EQ(std::count(answers.begin(), answers.end(), 0), static_cast<std::ptrdiff_t>(keys.size() - fresh));
    EXPECT_GT(fresh, count * 99 / 100);
    std::vector<int> seen(count, 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // The first of them, or, as a false positive, none.
      ASSERT_FALSE(answers[i] != 0 && seen[keys[i]] != 0) << "key " << keys[i] << ", " << threads << " threads";
      seen[keys[i]] = 1;
    }
    std::vector<std::uint8_t> found(keys.size());
    shared.may_contain_bulk(keys, found);
    EXPECT_EQ(std::count(found.begin(), found.end(), 1), static_cast<std::ptrdiff_t>(keys.size()));
    EXPECT_EQ(shared.snapshot(fresh).keys_inserted(), fresh);
  }
}

// Calls at the same time may both be told that a key was new; that neither is, is a false positive, as rare as those.
TEST_P(shared_case, a_key_of_two_calls_at_once_is_new_in_one) {
  constexpr std::uint64_t count = 20'000;
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = i;
  const parameters p = GetParam().make(blocks_for_case(GetParam(), count), 3);
  concurrent_filter shared(p);
  std::vector<std::uint8_t> ours(count);
  std::vector<std::uint8_t> theirs(count);
  std::thread other([&] { shared.insert_bulk(keys, theirs); });
  shared.insert_bulk(keys, ours);
  other.join();
  filter alone(p);
  const std::uint64_t chance = count - alone.insert_bulk(keys);
  std::uint64_t in_neither = 0;
  for (std::uint64_t i = 0; i < count; ++i) in_neither += ours[i] == 0 && theirs[i] == 0 ? 1U : 0U;
  EXPECT_LE(in_neither, 2 * chance + 20);
}

TEST_P(shared_case, one_thread_gets_the_bytes_of_an_unshared_filter) {
  const parameters p = GetParam().make(blocks_for_case(GetParam(), 3000), 6);
  concurrent_filter shared(p);
  filter alone(p);
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(shared.insert(i), alone.insert(i));
  EXPECT_TRUE(shared.snapshot() == alone);
}

INSTANTIATE_TEST_SUITE_P(all, shared_case, testing::ValuesIn(shareable_schemes()),
                         [](const auto& tested) { return tested.param.name; });

TEST(concurrent, filters_with_counters_or_lists_are_refused) {
  int refused = 0;
  for (const scheme_case& scheme : all_schemes()) {
    const parameters p = scheme.make(blocks_for_case(scheme, 1000), 1);
    const bool counts = std::holds_alternative<single_parameters>(p) ||
                        std::holds_alternative<sequential_parameters>(p) || std::holds_alternative<mht_parameters>(p) ||
                        scheme.name == "two_choice_by_keys_500";
    EXPECT_EQ(can_share(p), !counts) << scheme.name;
    refused += counts ? 1 : 0;
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
