// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What dedup remembers: keys are dropped from their second time on, windows forget when they say and not before.
#include "../programs/sluice/seen_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sluice/filter.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/plan.hpp"

namespace {

using sluice::digest;
using namespace std::chrono_literals;

constexpr double rate = 1e-8;  // so that a key of these tests is never dropped wrongly

digest key(std::uint64_t n) { return sluice::hasher(0)(n); }

sluice_cli::window_of_keys window(std::uint64_t keys) {
  const auto c = sluice::best_plan({.keys = static_cast<double>(keys), .fpr = rate / 2});
  return {keys, [c] { return sluice::filter(c.params); }};
}

TEST(seen_keys, all_of_them_for_ever) {
  const auto check = [](auto memory) {
    for (std::uint64_t i = 0; i < 50'000; ++i) ASSERT_TRUE(memory.first_time(key(i))) << i;
    for (std::uint64_t i = 0; i < 50'000; ++i) ASSERT_FALSE(memory.first_time(key(i))) << i;
    EXPECT_EQ(memory.filter().keys_inserted(), 50'000U);
  };
  check(sluice_cli::all_keys(sluice::filter::for_keys(50'000, {.fpr = rate})));
  check(sluice_cli::all_keys(sluice::growing_filter({.fpr = rate})));
}

// A stream with repetitions near and far, beside an exact memory of when each key was last seen.
TEST(seen_keys, a_window_has_the_last_keys_and_no_more_than_twice_as_many) {
  for (const std::uint64_t size : {1U, 2U, 10U, 1000U}) {
    auto memory = window(size);
    std::vector<std::uint64_t> order;  // distinct keys, the one seen last at the end
    std::uint64_t next = 0;
    std::uint64_t state = 1;
    for (int i = 0; i < 20'000; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const std::uint64_t back = (state >> 33U) % (4 * size);
      const std::uint64_t k = (state >> 60U) < 8 && back < order.size() ? order[order.size() - 1 - back] : next++;
      const auto at = std::find(order.rbegin(), order.rend(), k);
      const auto distance = static_cast<std::uint64_t>(at - order.rbegin());  // distinct keys seen since
      const bool first = memory.first_time(key(k));
      if (at != order.rend() && distance < size) {
        ASSERT_FALSE(first) << "window " << size << ", key " << k << ", " << distance << " keys ago";
      }
      if (at == order.rend() || distance >= 2 * size) {
        ASSERT_TRUE(first) << "window " << size << ", key " << k << ", " << distance << " keys ago";
      }
      if (at != order.rend()) order.erase(std::next(at).base());
      order.push_back(k);
      if (order.size() > 5 * size) order.erase(order.begin());
    }
  }
}

TEST(seen_keys, a_key_that_comes_again_and_again_is_not_forgotten) {
  auto memory = window(100);
  ASSERT_TRUE(memory.first_time(key(0)));
  for (std::uint64_t i = 1; i < 5000; ++i) {
    ASSERT_TRUE(memory.first_time(key(i)));
    if (i % 50 == 0) {
      ASSERT_FALSE(memory.first_time(key(0))) << i;
    }
  }
}

TEST(seen_keys, a_window_of_time_forgets_between_once_and_twice_its_length) {
  const auto begin = sluice_cli::window_of_time::clock::time_point() + 1000h;
  const sluice::growing_filter empty({.fpr = rate});
  for (int second = 0; second < 600; second += 7) {  // when the key is seen
    sluice_cli::window_of_time memory(60s, begin, [&] { return empty; });
    memory.at(begin + std::chrono::seconds(second));
    ASSERT_TRUE(memory.first_time(key(1)));
    for (const int later : {0, 30, 59, 60}) {  // and seen again, which makes it last from then on
      auto other = memory;
      other.at(begin + std::chrono::seconds(second + later));
      ASSERT_EQ(other.first_time(key(1)), false) << second << " " << later;
      other.at(begin + std::chrono::seconds(second + later + 60));
      ASSERT_EQ(other.first_time(key(1)), false) << second << " " << later;
    }
    for (const int later : {120, 121, 179, 180, 100'000}) {
      auto other = memory;
      other.at(begin + std::chrono::seconds(second + later));
      ASSERT_EQ(other.first_time(key(1)), true) << second << " " << later;
    }
  }
}

TEST(seen_keys, what_is_dropped_wrongly_is_within_its_expectation) {
  constexpr std::uint64_t keys = 200'000;
  sluice_cli::all_keys memory(sluice::filter::for_keys(keys, {.fpr = 0.01}));
  std::uint64_t printed = 0;
  for (std::uint64_t i = 0; i < keys; ++i) printed += memory.first_time(key(i)) ? 1U : 0U;
  const double dropped = static_cast<double>(keys - printed);
  const double most =
      sluice_cli::expected_wrongly_dropped(static_cast<double>(printed), memory.filter().stats().fpr_from_fill);
  // The bound is the rate when all keys are in; on the way there it is lower, and 2,000 at most are expected.
  EXPECT_LE(dropped, most);
  EXPECT_GE(dropped, most / 10);
  EXPECT_NEAR(sluice_cli::expected_wrongly_dropped(990, 0.01), 10, 1e-9);
}

}  // namespace
