// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow: the exact list against a twin, the digest zero, growth, union, chosen keys, and a view over its slots.
#include "sluice/detail/overflow/exact_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>
#include <vector>

#include "support/chosen_keys.hpp"

namespace {

using sluice::digest;
using sluice::detail::exact_list;

TEST(exact_list, agrees_with_a_set) {
  std::mt19937_64 random(1);
  sluice::detail::exact_list list;
  std::unordered_set<std::uint64_t> twin;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t value = random() % 30'000;  // repeats and the digest 0 included
    ASSERT_EQ(list.view().may_contain(digest{value}), twin.contains(value));
    ASSERT_EQ(list.add(digest{value}), twin.insert(value).second);
    ASSERT_TRUE(list.view().may_contain(digest{value}));
    ASSERT_EQ(list.size(), twin.size());
  }
  for (std::uint64_t value = 0; value < 60'000; ++value) {
    ASSERT_EQ(list.view().may_contain(digest{value}), twin.contains(value));
  }
}

TEST(exact_list, an_empty_list_contains_nothing) {
  const sluice::detail::exact_list list;
  EXPECT_FALSE(list.view().may_contain(digest{0}));
  EXPECT_FALSE(list.view().may_contain(digest{1}));
  EXPECT_EQ(list.memory_bytes(), 0U);
}

TEST(exact_list, its_slots_are_known_beforehand) {
  sluice::detail::exact_list list;
  for (std::uint64_t i = 1; i < 5000; ++i) {
    list.add(digest{i});
    ASSERT_EQ(list.memory_bytes(), 8 * sluice::detail::exact_list::slots_for(i)) << i;
    ASSERT_LE(4 * i, 3 * sluice::detail::exact_list::slots_for(i)) << i;
  }
}

TEST(exact_list, a_union_has_the_members_of_both_and_its_memory_is_bounded) {
  sluice::detail::exact_list a;
  exact_list b;
  for (std::uint64_t i = 0; i < 1000; ++i) a.add(digest{i});
  for (std::uint64_t i = 500; i < 5000; ++i) b.add(digest{i});
  a.absorb(b);
  a.absorb(a);
  EXPECT_EQ(a.size(), 5000U);
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(a.view().may_contain(digest{i}));
  EXPECT_LE(a.memory_bytes(), 5000U * 22);
  a.clear();
  EXPECT_EQ(a.size(), 0U);
  EXPECT_FALSE(a.view().may_contain(digest{0}));
  EXPECT_FALSE(a.view().may_contain(digest{7}));
}

// A member that is met again at 12, 24, 48, ... members, where one more would need more slots.
TEST(exact_list, a_member_that_is_there_takes_no_room) {
  sluice::detail::exact_list list;
  for (std::uint64_t i = 1; i < 5000; ++i) {
    list.add(digest{i});
    const std::uint64_t bytes = list.memory_bytes();
    ASSERT_FALSE(list.add(digest{i}));
    ASSERT_FALSE(list.add(digest{(i + 1) / 2}));
    exact_list same = list;
    same.absorb(exact_list(list));
    ASSERT_EQ(list.memory_bytes(), bytes) << i;
    ASSERT_EQ(same.memory_bytes(), bytes) << i;
    ASSERT_EQ(same.size(), i);
  }
}

// Digests with one home, whatever the number of slots: quadratic without a bound.
TEST(exact_list, keys_chosen_for_one_home_are_refused_and_change_nothing) {
  sluice::detail::exact_list list;
  std::vector<digest> taken;
  std::uint64_t refused = 0;
  for (std::uint64_t i = 1; i <= 80'000; ++i) {
    const digest x = testing_support::digest_at_home(i << 40);
    const std::uint64_t bytes = list.memory_bytes();
    try {
      ASSERT_TRUE(list.add(x));
      taken.push_back(x);
    } catch (const sluice::key_error& e) {
      ++refused;
      ASSERT_NE(std::string(e.what()).find("seed"), std::string::npos);
      ASSERT_FALSE(list.view().may_contain(x));
      ASSERT_EQ(list.memory_bytes(), bytes);
    }
  }
  EXPECT_EQ(list.size(), taken.size());
  EXPECT_GT(refused, 79'000U);
  EXPECT_EQ(list.memory_bytes(), 8 * sluice::detail::exact_list::slots_for(taken.size()));
  for (const digest x : taken) ASSERT_TRUE(list.view().may_contain(x));
  EXPECT_TRUE(list.add(testing_support::digest_at_home(200))) << "others are still taken";
  // A list that was loaded knows what it has.
  exact_list again({}, list.state());
  EXPECT_THROW(again.add(testing_support::digest_at_home(std::uint64_t{90'000} << 40)), sluice::key_error);
}

TEST(exact_list, honest_keys_stay_far_from_the_bounds) {
  sluice::detail::exact_list list;
  for (std::uint64_t i = 0; i < 3 * (1U << 18); ++i) ASSERT_TRUE(list.add(digest{sluice::detail::full_mix(i + 1)}));
  ASSERT_EQ(list.memory_bytes(), 8U << 20) << "as full as a list gets";
  std::uint64_t most = 0;
  std::uint64_t sum = 0;
  for (std::uint64_t slot = 0; slot < (1U << 20); ++slot) {
    if (sluice::detail::bits::load_word(list.state().slots.data(), slot) == 0) continue;
    const std::uint64_t steps = list.view().steps_from_home(slot);
    most = std::max(most, steps);
    sum += steps;
  }
  EXPECT_LT(most, 600U);
  EXPECT_LT(sum, 2 * list.size());
}

// What a file says that nobody has verified: no empty slot, and a member far from its home.
TEST(exact_list, a_search_goes_no_further_than_insertions_do) {
  std::vector<std::byte> slots(std::size_t{8} << 16, std::byte{1});
  const digest near = testing_support::digest_at_home(0);
  const digest far = testing_support::digest_at_home(1);
  sluice::detail::bits::store_word(slots.data(), 4096, near.value);
  sluice::detail::bits::store_word(slots.data(), 1 + 4097, far.value);
  const sluice::detail::exact_list_view view({.slots = slots, .keys = 1U << 15});
  EXPECT_TRUE(view.may_contain(near));
  EXPECT_FALSE(view.may_contain(far));
}

TEST(exact_list, a_view_needs_only_the_slots) {
  sluice::detail::exact_list list;
  for (std::uint64_t i = 0; i < 100; ++i) list.add(digest{i * i});
  sluice::overflow_state state = list.state();
  std::vector<std::byte> copy(state.slots.size() + 1);
  std::copy(state.slots.begin(), state.slots.end(), copy.begin() + 1);  // at any alignment
  state.slots = std::span(copy).subspan(1);
  const sluice::detail::exact_list_view view(state);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(view.may_contain(digest{i * i}));
  EXPECT_FALSE(view.may_contain(digest{2}));
}

}  // namespace
