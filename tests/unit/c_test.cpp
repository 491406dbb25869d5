// The C interface where a caller is wrong, newer than the library, or cancelled: everything is refused with a sentence
// and a code. tests/consumer/c is a program in C that uses it as it should be used.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sluice.h>

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
