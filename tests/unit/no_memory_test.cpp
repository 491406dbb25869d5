// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Memory that ends: every allocation of an operation fails in turn. Then it throws, and nothing has changed; or it
// needed that memory for nothing that matters.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/static_builds.hpp"

namespace {

// Of this thread. Below 0: none fails.
thread_local long left = -1;
thread_local bool failed = false;

void* take(std::size_t bytes) {
  if (left >= 0 && left-- == 0) {
    failed = true;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);  // NOLINT(cppcoreguidelines-no-malloc)
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc,misc-new-delete-overloads)
void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new[](std::size_t bytes) { return take(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc,misc-new-delete-overloads)

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

/// Calls operation(n) for n = 0, 1, ... with the n-th allocation failing, until none fails. `make` makes what it works
/// on; expect_same(it, twin) is asked where it threw.
template <class Filter>
void fail_each(const std::function<Filter()>& make, const std::function<void(Filter&)>& operate,
               const std::function<void(Filter&, const Filter&)>& expect_same) {
  int threw = 0;
  for (long n = 0;; ++n) {
    Filter f = make();
    const Filter twin = f;
    failed = false;
    left = n;
    try {
      operate(f);
      left = -1;
    } catch (const std::bad_alloc&) {
      left = -1;
      ++threw;
      expect_same(f, twin);
    } catch (const memory_error&) {
      left = -1;
      ++threw;
      expect_same(f, twin);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "allocation " << n;
    if (!failed) break;
    ASSERT_LT(n, 100'000);
  }
  EXPECT_GT(threw, 0);
}

void expect_keys(const filter& f, std::uint64_t keys) {
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_TRUE(f.may_contain(key)) << key;
}

TEST(no_memory, a_planned_filter_is_folded_or_has_not_changed) {
  const filter planned = [] {
    filter f = filter::for_at_most(20'000, {.fpr = 1e-4});
    f.insert_bulk(testing_support::numbers(0, 1000));
    return f;
  }();
  const auto same = [](filter& f, const filter& twin) {
    EXPECT_EQ(f, twin);
    EXPECT_EQ(f.planned_keys(), twin.planned_keys());
    expect_keys(f, 1000);
    EXPECT_FALSE(f.insert(5));
  };
  fail_each<filter>([&] { return planned; }, [](filter& f) { f.fold(2); }, same);
  fail_each<filter>([&] { return planned; }, [](filter& f) { f.fold_to(1e-4); }, same);
}

TEST(no_memory, a_list_takes_a_key_or_has_not_changed) {
  const filter before = [] {
    filter f(mht_parameters{.subtables = {8, 4}, .hashes = 6, .threshold = 4});
    f.insert_bulk(testing_support::numbers(0, 70));
    return f;
  }();
  const auto same = [](filter& f, const filter& twin) {
    expect_keys(f, 70);
    EXPECT_GE(f.overflow().keys, twin.overflow().keys);
  };
  fail_each<filter>([&] { return before; },
                    [](filter& f) {
                      for (std::uint64_t key = 100; key < 300; ++key) f.insert(key);
                    },
                    same);
  filter other(before.params());
  other.insert_bulk(testing_support::numbers(1000, 200));
  fail_each<filter>([&] { return before; }, [&](filter& f) { f.merge(other); },
                    [](filter& f, const filter& twin) { EXPECT_EQ(f, twin); });
}

TEST(no_memory, ledgers_are_united_or_have_not_changed) {
  // Copies of one key fill its blocks, and go to the list; those of another are in other blocks.
  const auto copies_of = [](std::uint64_t key) {
    filter f(ledger_parameters{.blocks = 64, .remainder_bits = 8});
    f.insert_bulk(std::vector<std::uint64_t>(200, key));
    return f;
  };
  const filter before = copies_of(0);
  const auto can_be_united = [&](const filter& other) {
    try {
      filter united = before;
      united.merge(other);
      return true;
    } catch (const merge_error&) {
      return false;
    }
  };
  std::uint64_t key = 1;
  while (!can_be_united(copies_of(key))) ++key;
  const filter other = copies_of(key);
  ASSERT_GT(other.overflow().keys, 0U);
  fail_each<filter>([&] { return before; }, [&](filter& f) { f.merge(other); },
                    [](filter& f, const filter& twin) { EXPECT_EQ(f, twin); });
}

TEST(no_memory, a_chain_takes_keys_folds_and_merges_or_has_what_it_had) {
  const growing_filter before = [] {
    growing_filter f({.fpr = 0.001, .first_keys = 1000});
    f.insert_bulk(testing_support::numbers(0, 4000));
    return f;
  }();
  const auto same = [](growing_filter& f, const growing_filter& twin) {
    EXPECT_EQ(f.links(), twin.links());
    EXPECT_EQ(f.keys_inserted(), twin.keys_inserted());
    for (std::uint64_t key = 0; key < 4000; ++key) ASSERT_TRUE(f.may_contain(key)) << key;
  };
  fail_each<growing_filter>([&] { return before; }, [](growing_filter& f) { f.fold_last_link(); }, same);
  fail_each<growing_filter>([&] { return before; }, [&](growing_filter& f) { f.merge(before); }, same);
}

}  // namespace
