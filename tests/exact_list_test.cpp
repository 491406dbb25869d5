// overflow: the exact list against a twin, the digest zero, growth, union, and a view over its slots.
#include "sluice/overflow/exact_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

namespace {

using sluice::digest;
using sluice::exact_list;

TEST(exact_list, agrees_with_a_set) {
  std::mt19937_64 random(1);
  exact_list list;
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
  const exact_list list;
  EXPECT_FALSE(list.view().may_contain(digest{0}));
  EXPECT_FALSE(list.view().may_contain(digest{1}));
  EXPECT_EQ(list.memory_bytes(), 0U);
}

TEST(exact_list, its_slots_are_known_beforehand) {
  exact_list list;
  for (std::uint64_t i = 1; i < 5000; ++i) {
    list.add(digest{i});
    ASSERT_EQ(list.memory_bytes(), 8 * exact_list::slots_for(i)) << i;
    ASSERT_LE(4 * i, 3 * exact_list::slots_for(i)) << i;
  }
}

TEST(exact_list, a_union_has_the_members_of_both_and_its_memory_is_bounded) {
  exact_list a;
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

TEST(exact_list, a_view_needs_only_the_slots) {
  exact_list list;
  for (std::uint64_t i = 0; i < 100; ++i) list.add(digest{i * i});
  sluice::overflow_state state = list.state();
  std::vector<std::byte> copy(state.slots.size() + 1);
  std::copy(state.slots.begin(), state.slots.end(), copy.begin() + 1);  // at any alignment
  state.slots = std::span(copy).subspan(1);
  const sluice::exact_list_view view(state);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(view.may_contain(digest{i * i}));
  EXPECT_FALSE(view.may_contain(digest{2}));
}

}  // namespace
