// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The C interface where a caller is wrong, newer than the library, or cancelled: everything is refused with a sentence
// and a code. tests/consumer/c is a program in C that uses it as it should be used.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sluice.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
thread_local bool throws_a_number = false;
thread_local bool throws_bad_alloc = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

// As a program may have them. Not inlined: GCC would compare what is inside with what is outside.
// NOLINTBEGIN(cppcoreguidelines-no-malloc,hicpp-exception-baseclass)
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (throws_a_number) throw 42;
  void* const memory = throws_bad_alloc ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc,hicpp-exception-baseclass)

namespace {

struct close_filter {
  void operator()(sluice_filter* f) const { sluice_close(f); }
};
using owned = std::unique_ptr<sluice_filter, close_filter>;

struct sluice_plan plan_for(std::uint64_t keys) {
  struct sluice_plan plan{};
  plan.size = sizeof plan;
  plan.keys = keys;
  plan.fpr = 0.1;  // quickly planned
  return plan;
}
owned built(const struct sluice_plan& plan) { return owned(sluice_build(&plan)); }
void expect_error(enum sluice_error_code code, const std::string& words) {
  EXPECT_EQ(sluice_last_error(), code);
  EXPECT_NE(std::string(sluice_error()).find(words), std::string::npos) << sluice_error();
}

TEST(c_plan, shards_need_keys) {
  struct sluice_plan plan = plan_for(0);
  plan.shards = 8;
  EXPECT_EQ(built(plan), nullptr) << "a union of chains that grow does not keep the rate";
  expect_error(SLUICE_BAD_PARAMETER, "shards need keys");
  plan.memory = 100'000;
  EXPECT_EQ(built(plan), nullptr);
  plan = plan_for(1000);
  plan.shards = 8;
  EXPECT_NE(built(plan), nullptr) << sluice_error();
  plan = plan_for(0);
  plan.shards = 1;
  EXPECT_NE(built(plan), nullptr) << "one filter is one filter: " << sluice_error();
}

/// One of known size, and one that grows.
TEST(c_erasable, keys_are_removed_as_often_as_they_were_added) {
  for (const std::uint64_t keys : {0U, 100'000U}) {
    struct sluice_plan plan = plan_for(keys);
    plan.fpr = 1e-4;
    plan.kind = SLUICE_U64;
    plan.erasable = 1;
    const owned f = built(plan);
    ASSERT_NE(f, nullptr) << sluice_error();
    std::vector<std::uint64_t> all(50'000);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    EXPECT_EQ(sluice_add_bulk_u64(f.get(), all.data(), all.size()), 50'000);
    EXPECT_EQ(sluice_add_u64(f.get(), 7), 1) << "a key is kept as often as it comes";
    EXPECT_GE(sluice_count_u64(f.get(), 7), 2);
    EXPECT_EQ(sluice_remove_u64(f.get(), 7), 1);
    EXPECT_EQ(sluice_query_u64(f.get(), 7), 1);
    struct sluice_info info{};
    info.size = sizeof info;
    ASSERT_EQ(sluice_describe(f.get(), &info), 0);
    EXPECT_EQ(info.erasable, 1);
    EXPECT_EQ(info.grows, keys == 0 ? 1 : 0);
    EXPECT_EQ(info.keys, 50'000U);
    EXPECT_EQ(sluice_remove_bulk_u64(f.get(), all.data(), all.size()), 50'000);
    EXPECT_EQ(sluice_remove_u64(f.get(), 7), 0) << "nothing is left";
    EXPECT_EQ(sluice_count_u64(f.get(), 7), 0);
    EXPECT_EQ(sluice_remove(f.get(), "7", 1), -1);
    expect_error(SLUICE_BAD_KEY, "kind");
  }
}

TEST(c_sizes, a_filter_is_folded_to_the_keys_that_came) {
  struct sluice_plan plan = plan_for(100'000);
  plan.at_most = 1;
  plan.kind = SLUICE_U64;
  for (const bool grows : {false, true}) {
    if (grows) plan.keys = plan.at_most = 0;
    const owned f = built(plan);
    ASSERT_NE(f, nullptr) << sluice_error();
    std::vector<std::uint64_t> all(3000);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    ASSERT_GE(sluice_add_bulk_u64(f.get(), all.data(), all.size()), 2000);
    struct sluice_info before{};
    before.size = sizeof before;
    ASSERT_EQ(sluice_describe(f.get(), &before), 0);
    const int folds = sluice_fold(f.get(), 0);
    EXPECT_EQ(folds, grows ? 3 : 5);
    struct sluice_info info{};
    info.size = sizeof info;
    ASSERT_EQ(sluice_describe(f.get(), &info), 0);
    EXPECT_LT(info.bytes << folds, before.bytes + (64U << folds)) << "but for half a block at the end";
    EXPECT_EQ(info.keys, before.keys);
    EXPECT_LT(info.fpr, 0.1);
    std::vector<std::uint8_t> answers(all.size());
    ASSERT_EQ(sluice_query_bulk_u64(f.get(), all.data(), all.size(), answers.data()), 0);
    EXPECT_EQ(std::ranges::count(answers, 1), 3000);
    if (!grows) {
      EXPECT_GE(sluice_fold(f.get(), 0.5), 1) << "a higher rate";
    }
  }
  plan = plan_for(0);
  plan.at_most = 1;
  EXPECT_EQ(built(plan), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "at_most needs keys");
  plan.keys = 100;
  plan.at_most = 0;
  plan.erasable = 1;
  const owned ledger = built(plan);
  EXPECT_EQ(sluice_fold(ledger.get(), 0.5), -1);
  expect_error(SLUICE_BAD_PARAMETER, "cannot be folded");
  EXPECT_EQ(sluice_fold(nullptr, 0.5), -1);
}

TEST(c_erasable, other_filters_give_nothing_back) {
  for (const std::uint64_t keys : {0U, 100U}) {
    const owned f = built(plan_for(keys));
    ASSERT_EQ(sluice_add(f.get(), "weir", 4), 1);
    EXPECT_EQ(sluice_count(f.get(), "weir", 4), 1);
    EXPECT_EQ(sluice_remove(f.get(), "weir", 4), -1);
    expect_error(SLUICE_BAD_PARAMETER, "only a ledger gives keys back");
    const void* const key = "weir";
    const std::size_t size = 4;
    EXPECT_EQ(sluice_remove_bulk(f.get(), &key, &size, 1), -1);
    EXPECT_EQ(sluice_query(f.get(), "weir", 4), 1);
    struct sluice_info info{};
    info.size = sizeof info;
    ASSERT_EQ(sluice_describe(f.get(), &info), 0);
    EXPECT_EQ(info.erasable, 0);
  }
  EXPECT_EQ(sluice_remove(nullptr, "x", 1), -1);
  EXPECT_EQ(sluice_count(nullptr, "x", 1), -1);
}

TEST(c_plan, of_a_newer_caller_is_taken_if_it_asks_for_nothing_new) {
  struct {
    struct sluice_plan plan;
    std::uint64_t later[3];
  } newer{};
  newer.plan = plan_for(1000);
  newer.plan.size = sizeof newer;
  EXPECT_NE(owned(sluice_build(&newer.plan)), nullptr) << sluice_error();
  newer.later[2] = std::uint64_t{1} << 63;
  EXPECT_EQ(owned(sluice_build(&newer.plan)), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "does not know");
  newer.plan.size = offsetof(decltype(newer), later);
  EXPECT_NE(owned(sluice_build(&newer.plan)), nullptr) << "what lies behind the struct is not looked at";
  newer.plan.size = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(owned(sluice_build(&newer.plan)), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "size");
}

TEST(c_plan, a_number_that_is_no_kind_is_refused) {
  for (const std::uint32_t number : {4U, 7U, 0xfffffffeU}) {
    struct sluice_plan plan = plan_for(1000);
    std::memcpy(&plan.kind, &number, sizeof number);
    EXPECT_EQ(owned(sluice_build(&plan)), nullptr);
    expect_error(SLUICE_BAD_PARAMETER, "no keys of kind " + std::to_string(static_cast<std::int32_t>(number)));
  }
}

TEST(c_bulk, more_keys_than_memory_can_hold_are_refused) {
  const owned texts = built(plan_for(100));
  struct sluice_plan of_integers = plan_for(100);
  of_integers.kind = SLUICE_U64;
  const owned integers = built(of_integers);
  const void* const key = "weir";
  const std::size_t size = 4;
  const std::uint64_t integer = 7;
  std::uint8_t answer = 0;
  for (const std::size_t count : {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 8 + 1}) {
    EXPECT_EQ(sluice_query_bulk(texts.get(), &key, &size, count, &answer), -1);
    expect_error(SLUICE_BAD_PARAMETER, "no array has " + std::to_string(count) + " keys");
    EXPECT_EQ(sluice_add_bulk(texts.get(), &key, &size, count), -1);
    expect_error(SLUICE_BAD_PARAMETER, "no array has " + std::to_string(count) + " keys");
    EXPECT_EQ(sluice_query_bulk_u64(integers.get(), &integer, count, &answer), -1);
    expect_error(SLUICE_BAD_PARAMETER, "no array has " + std::to_string(count) + " keys");
    EXPECT_EQ(sluice_add_bulk_u64(integers.get(), &integer, count), -1);
    expect_error(SLUICE_BAD_PARAMETER, "no array has " + std::to_string(count) + " keys");
  }
  EXPECT_EQ(sluice_add_bulk_u64(integers.get(), &integer, 1), 1);
}

TEST(c_bulk, says_which_keys_were_new) {
  for (const std::uint64_t planned : {10'000U, 0U}) {  // 0: one that grows
    struct sluice_plan plan = plan_for(planned);
    plan.kind = SLUICE_U64;
    const owned f = built(plan);
    const owned single = built(plan);
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 5000; ++i) keys.push_back(i % 3 == 0 ? i / 2 : i);
    std::vector<std::uint8_t> answers(keys.size() + 1, 7);
    const std::int64_t fresh = sluice_add_new_bulk_u64(f.get(), keys.data(), keys.size(), answers.data());
    EXPECT_EQ(answers.back(), 7);
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const int was_new = sluice_add_u64(single.get(), keys[i]);
      ASSERT_EQ(answers[i], was_new) << i;
      expected += was_new;
    }
    EXPECT_EQ(fresh, expected);
    EXPECT_EQ(sluice_add_new_bulk_u64(f.get(), keys.data(), 3, nullptr), -1);
    expect_error(SLUICE_BAD_PARAMETER, "room for answers");
    EXPECT_EQ(sluice_add_new_bulk_u64(f.get(), nullptr, 0, nullptr), 0);
    const void* const text = "weir";
    const std::size_t size = 4;
    EXPECT_EQ(sluice_add_new_bulk(f.get(), &text, &size, 1, answers.data()), -1);
    expect_error(SLUICE_BAD_KEY, "");
  }
  struct sluice_plan small = plan_for(100);
  small.kind = SLUICE_U32;
  const owned f = built(small);
  const std::array<std::uint64_t, 2> keys{1, std::uint64_t{1} << 32};
  std::array<std::uint8_t, 2> answers{};
  EXPECT_EQ(sluice_add_new_bulk_u64(f.get(), keys.data(), keys.size(), answers.data()), -1);
  expect_error(SLUICE_BAD_KEY, "u32");
  EXPECT_EQ(sluice_query_u64(f.get(), 1), 0) << "nothing was added";
}

TEST(c_files, a_name_is_not_empty) {
  const owned f = built(plan_for(100));
  EXPECT_EQ(sluice_save(f.get(), ""), -1);
  expect_error(SLUICE_BAD_PARAMETER, "the name of the file to write is empty");
  EXPECT_EQ(sluice_open(""), nullptr);
  expect_error(SLUICE_NOT_FOUND, "a file without a name cannot be read");
}

/// What a thread does that was cancelled before.
struct cancelled_calls {
  sluice_filter* filter = nullptr;
  std::string path;
  int saved = -1;
  owned loaded;
  owned mapped;
  int verified = -1;
  std::uint64_t seed = 0;
  bool went_on = false;
};
void* call_all(void* at) {
  auto& calls = *static_cast<cancelled_calls*>(at);
  pthread_cancel(pthread_self());  // acts at the next place where a thread can be cancelled
  calls.saved = sluice_save(calls.filter, calls.path.c_str());
  calls.loaded.reset(sluice_open(calls.path.c_str()));
  calls.mapped.reset(sluice_map(calls.path.c_str()));
  calls.verified = sluice_verify(calls.path.c_str());
  calls.seed = sluice_random_seed();
  pthread_testcancel();
  calls.went_on = true;
  return nullptr;
}

// A program's own operator new may throw what it likes; some throw their own types.
TEST(c_errors, what_is_no_exception_of_the_library_is_an_error_all_the_same) {
  EXPECT_EQ(sluice_open("no such file"), nullptr);
  expect_error(SLUICE_NOT_FOUND, "no such file");
  const struct sluice_plan plan = plan_for(1000);
  throws_a_number = true;
  const owned f(sluice_build(&plan));
  throws_a_number = false;
  EXPECT_EQ(f, nullptr);
  expect_error(SLUICE_OTHER, "no std::exception");
  std::thread([&] {  // whose last sentence, none, has no room for another
    throws_bad_alloc = true;
    const owned none(sluice_build(&plan));
    throws_bad_alloc = false;
    EXPECT_EQ(none, nullptr);
    expect_error(SLUICE_NO_MEMORY, "out of memory");
  })
      .join();
  EXPECT_NE(owned(sluice_build(&plan)), nullptr) << sluice_error();
}

struct close_values {
  void operator()(sluice_values* v) const { sluice_values_close(v); }
};
using owned_values = std::unique_ptr<sluice_values, close_values>;

TEST(c_values, are_built_saved_opened_and_asked) {
  const testing_support::temporary_folder here;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    keys.push_back(i * 7919ULL);
    numbers.push_back(i % 500);
  }
  struct sluice_values_plan plan{};
  plan.size = sizeof plan;
  plan.check_bits = 20;
  plan.seed = 5;
  const owned_values made(sluice_values_build_u64(&plan, keys.data(), numbers.data(), keys.size()));
  ASSERT_NE(made, nullptr) << sluice_error();
  ASSERT_EQ(sluice_values_save(made.get(), (here / "v").c_str()), 0) << sluice_error();
  EXPECT_EQ(sluice_verify((here / "v").c_str()), 0) << sluice_error();
  const owned_values mapped(sluice_values_map((here / "v").c_str()));
  const owned_values opened(sluice_values_open((here / "v").c_str()));
  for (const sluice_values* const v : {made.get(), mapped.get(), opened.get()}) {
    ASSERT_NE(v, nullptr) << sluice_error();
    std::vector<std::uint32_t> found(keys.size());
    std::vector<std::uint8_t> known(keys.size());
    ASSERT_EQ(sluice_values_get_bulk_u64(v, keys.data(), keys.size(), found.data(), known.data()), 0);
    EXPECT_EQ(found, numbers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::uint32_t one = 0;
      ASSERT_TRUE(sluice_values_get_u64(v, keys[i], &one) == 1 && one == numbers[i] && known[i] == 1) << i;
    }
    std::uint32_t none = 9;
    EXPECT_EQ(sluice_values_get_u64(v, 3, &none), 0);
    EXPECT_EQ(none, 0U);
    EXPECT_EQ(sluice_values_get(v, "a", 1, &none), -1);
    expect_error(SLUICE_BAD_KEY, "kind u64");
    struct sluice_values_info info{};
    info.size = sizeof info;
    ASSERT_EQ(sluice_values_describe(v, &info), 0);
    EXPECT_TRUE(info.keys == 3000 && info.value_bits == 9 && info.check_bits == 20 && info.kind == SLUICE_U64 &&
                info.seed == 5 && info.bytes > 3000 * 29 / 8);
  }
  EXPECT_EQ(sluice_map((here / "v").c_str()), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "a map of keys to values");
  const owned f = built(plan_for(100));
  ASSERT_EQ(sluice_save(f.get(), (here / "f").c_str()), 0);
  EXPECT_EQ(sluice_values_map((here / "f").c_str()), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "a filter, not a map");
}

TEST(c_values, what_makes_no_sense_is_refused) {
  const std::array<const void*, 2> keys = {"ab", "ab"};
  const std::array<std::size_t, 2> sizes = {2, 2};
  const std::array<std::uint32_t, 2> numbers = {1, 2};
  const owned_values one(sluice_values_build(nullptr, keys.data(), sizes.data(), numbers.data(), 1));
  std::uint32_t value = 0;
  EXPECT_TRUE(sluice_values_get(one.get(), "ab", 2, &value) == 1 && value == 1) << sluice_error();
  EXPECT_EQ(sluice_values_build(nullptr, keys.data(), sizes.data(), numbers.data(), 2), nullptr);
  expect_error(SLUICE_BAD_KEY, "two different values");
  EXPECT_EQ(sluice_values_build(nullptr, keys.data(), sizes.data(), nullptr, 2), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "the array of values is a null pointer");
  const owned_values none(sluice_values_build(nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_NE(none, nullptr) << sluice_error();
  struct sluice_values_plan plan{};
  EXPECT_EQ(sluice_values_build(&plan, keys.data(), sizes.data(), numbers.data(), 1), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "has no size");
  plan.size = sizeof plan;
  plan.check_bits = 33;
  EXPECT_EQ(sluice_values_build(&plan, keys.data(), sizes.data(), numbers.data(), 1), nullptr);
  expect_error(SLUICE_BAD_PARAMETER, "at most 32 bits");
  EXPECT_EQ(sluice_values_get(nullptr, "ab", 2, &value), -1);
  EXPECT_EQ(sluice_values_get(one.get(), "ab", 2, nullptr), -1);
  expect_error(SLUICE_BAD_PARAMETER, "the room for a value");
  EXPECT_EQ(sluice_values_get_bulk(one.get(), keys.data(), sizes.data(), 2, nullptr, nullptr), -1);
  EXPECT_EQ(sluice_values_describe(one.get(), nullptr), -1);
  EXPECT_EQ(sluice_values_save(one.get(), nullptr), -1);
  EXPECT_EQ(sluice_values_open("no such file"), nullptr);
  expect_error(SLUICE_NOT_FOUND, "no such file");
  sluice_values_close(nullptr);
}

TEST(c_threads, a_cancelled_one_completes_its_call) {
  const testing_support::temporary_folder here;
  const owned f = built(plan_for(100'000));
  cancelled_calls calls;
  calls.filter = f.get();
  calls.path = here / "f";
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, nullptr, call_all, &calls), 0);
  void* result = nullptr;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(calls.saved, 0);
  EXPECT_NE(calls.loaded, nullptr);
  EXPECT_NE(calls.mapped, nullptr);
  EXPECT_EQ(calls.verified, 0);
  EXPECT_NE(calls.seed, 0U);
  EXPECT_EQ(result, PTHREAD_CANCELED) << "and is cancelled then";
  EXPECT_FALSE(calls.went_on);
  EXPECT_EQ(here.files(), 1U) << "nothing is left of what was being written";
  EXPECT_EQ(sluice_save(f.get(), (here / "f").c_str()), 0) << "no lock is held";
}

}  // namespace
