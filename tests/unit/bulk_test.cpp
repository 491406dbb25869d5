// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Many keys at once: answers, bytes and counts are those of single operations, for every scheme, for integers and
// strings, for answers as bytes and as bits, for every length around the size of a chunk and of the ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory_resource>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/metered.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

class bulk_case : public testing::TestWithParam<scheme_case> {};

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = first + i * 7;
  return keys;
}

TEST_P(bulk_case, is_what_single_operations_do) {
  constexpr std::uint64_t count = 5000;
  const parameters p = GetParam().make(blocks_for_case(GetParam(), count), 3);
  filter single(p);
  filter bulk(p);
  std::vector<std::uint64_t> keys = numbers(0, count);
  keys.insert(keys.end(), keys.begin(), keys.begin() + 700);  // repeats
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) fresh += single.insert(key) ? 1U : 0U;
  EXPECT_EQ(bulk.insert_bulk(keys), fresh);
  EXPECT_EQ(bulk.keys_inserted(), single.keys_inserted());
  ASSERT_TRUE(std::ranges::equal(bulk.bytes(), single.bytes())) << "equal order, equal bytes";

  std::vector<std::uint64_t> asked = numbers(0, count);
  const std::vector<std::uint64_t> absent = numbers(std::uint64_t{1} << 40, 20'000);
  asked.insert(asked.begin() + 2000, absent.begin(), absent.end());
  std::vector<std::uint8_t> bytes(asked.size(), 7);
  std::vector<std::uint64_t> words(asked.size() / 64 + 1, ~std::uint64_t{0});
  bulk.may_contain_bulk(asked, bytes);
  bulk.may_contain_bulk(asked, words);
  std::vector<std::uint8_t> through_view(asked.size(), 7);
  bulk.view().may_contain_bulk(asked, through_view);
  metered_filter metered(p);
  metered.insert_bulk(keys);
  std::vector<std::uint8_t> counted(asked.size(), 7);
  metered.may_contain_bulk(asked, counted);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    ASSERT_EQ(bytes[i], single.may_contain(asked[i]) ? 1 : 0) << i;
    ASSERT_EQ((words[i / 64] >> (i % 64)) & 1U, bytes[i]) << i;
    ASSERT_EQ(through_view[i], bytes[i]) << i;
    ASSERT_EQ(counted[i], bytes[i]) << i;
  }
  EXPECT_TRUE(metered.stats().accesses.per_miss.has_value());
}

TEST_P(bulk_case, several_threads_do_what_one_does) {
  constexpr std::uint64_t count = 20'000;
  const parameters p = GetParam().make(blocks_for_case(GetParam(), count), 3);
  std::vector<std::uint64_t> keys = numbers(0, count);
  keys.insert(keys.end(), keys.begin(), keys.begin() + 700);  // repeats
  std::vector<std::uint64_t> asked = numbers(std::uint64_t{1} << 40, 20'000);
  asked.insert(asked.end(), keys.begin(), keys.end());
  filter one(p);
  const std::uint64_t fresh = one.insert_bulk(keys);
  std::vector<std::uint8_t> expected(asked.size(), 7);
  one.may_contain_bulk(asked, expected);
  for (const std::uint32_t threads : {0U, 3U, 16U}) {
    filter several(p);
    EXPECT_EQ(several.insert_bulk(keys, threads), fresh) << threads;
    EXPECT_EQ(several.keys_inserted(), one.keys_inserted());
    ASSERT_TRUE(std::ranges::equal(several.bytes(), one.bytes())) << threads << " threads";
    std::vector<std::uint8_t> bytes(asked.size(), 7);
    std::vector<std::uint64_t> words(asked.size() / 64 + 1, ~std::uint64_t{0});
    several.may_contain_bulk(asked, bytes, threads);
    several.may_contain_bulk(asked, words, threads);
    ASSERT_EQ(bytes, expected) << threads << " threads";
    for (std::size_t i = 0; i < asked.size(); ++i) ASSERT_EQ((words[i / 64] >> (i % 64)) & 1U, expected[i]) << i;
  }
}

/// Keys of which some are there before, some come twice, near each other and far apart.
std::vector<std::uint64_t> with_repeats(std::uint64_t count) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    keys.push_back(i * 7);
    if (i % 5 == 0) keys.push_back(i * 7);
    if (i % 3 == 0) keys.push_back(i / 2 * 7);
  }
  return keys;
}

TEST_P(bulk_case, says_which_keys_were_new_as_single_insertions_do) {
  constexpr std::uint64_t count = 20'000;
  const parameters p = GetParam().make(blocks_for_case(GetParam(), count), 3);
  const std::vector<std::uint64_t> before = numbers(140, 3000);
  const std::vector<std::uint64_t> keys = with_repeats(count);
  filter single(p);
  for (const std::uint64_t key : before) single.insert(key);
  std::vector<std::uint8_t> expected;
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) expected.push_back(single.insert(key) ? 1 : 0), fresh += expected.back();
  for (const std::uint32_t threads : {1U, 0U, 3U, 16U}) {
    filter f(p);
    f.insert_bulk(before);
    std::vector<std::uint8_t> answers(keys.size() + 1, 7);
    EXPECT_EQ(f.insert_bulk(keys, answers, threads), fresh) << threads;
    EXPECT_EQ(f.keys_inserted(), single.keys_inserted());
    EXPECT_EQ(answers.back(), 7) << "an answer too many was written";
    answers.pop_back();
    ASSERT_EQ(answers, expected) << threads << " threads";
    ASSERT_TRUE(std::ranges::equal(f.bytes(), single.bytes())) << threads << " threads";
    filter g(p);
    g.insert_bulk(before);
    std::vector<std::uint64_t> words((keys.size() + 63) / 64, ~std::uint64_t{0});
    EXPECT_EQ(g.insert_bulk(keys, words, threads), fresh);
    std::uint64_t ones = 0;
    for (const std::uint64_t word : words) ones += static_cast<std::uint64_t>(std::popcount(word));
    EXPECT_EQ(ones, fresh) << "bits beyond the last key are 0";
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ((words[i / 64] >> (i % 64)) & 1U, expected[i]) << i;
  }
}

TEST_P(bulk_case, a_view_is_asked_by_threads) {
  const parameters p = GetParam().make(blocks_for_case(GetParam(), 20'000), 3);
  filter f(p);
  f.insert_bulk(numbers(0, 20'000));
  const std::vector<std::uint64_t> asked = numbers(70'000, 30'001);
  std::vector<std::uint8_t> expected(asked.size());
  std::vector<std::uint8_t> answers(asked.size(), 7);
  f.may_contain_bulk(asked, expected);
  f.view().may_contain_bulk(asked, answers, 3);
  EXPECT_EQ(answers, expected);
}

TEST_P(bulk_case, views_are_equal_as_filters_are) {
  const parameters p = GetParam().make(blocks_for_case(GetParam(), 2000), 3);
  filter a(p);
  filter b(p);
  const std::vector<std::uint64_t> keys = numbers(0, 2000);
  a.insert_bulk(keys);
  EXPECT_FALSE(a.view() == b.view());
  b.insert_bulk(keys);
  EXPECT_TRUE(a.view() == b.view());
  EXPECT_EQ(a, b);
  b.insert(std::uint64_t{1} << 50);
  EXPECT_EQ(a.view() == b.view(), a == b);
}

TEST_P(bulk_case, takes_any_number_of_keys) {
  const parameters p = GetParam().make(blocks_for_case(GetParam(), 2000), 5);
  for (const std::uint64_t count :
       std::vector<std::uint64_t>{0, 1, 2, 15, 16, 17, 63, 64, 65, 511, 512, 513, 527, 528, 529, 1040, 1041}) {
    filter f(p);
    const std::vector<std::uint64_t> keys = numbers(9, count);
    const std::uint64_t fresh = f.insert_bulk(keys);
    EXPECT_EQ(fresh, f.keys_inserted());
    std::vector<std::uint8_t> answers(count + 1, 7);
    f.may_contain_bulk(keys, answers);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(answers[i], 1) << i << " of " << count;
    EXPECT_EQ(answers[count], 7) << "an answer too many was written";
    std::vector<std::uint64_t> bits((count + 63) / 64, ~std::uint64_t{0});
    filter g(p);
    std::vector<std::uint8_t> were_new(count + 1, 7);
    EXPECT_EQ(g.insert_bulk(keys, were_new), fresh);
    EXPECT_EQ(std::count(were_new.begin(), were_new.begin() + static_cast<std::ptrdiff_t>(count), 1),
              static_cast<std::ptrdiff_t>(fresh));
    EXPECT_EQ(were_new[count], 7) << "an answer too many was written";
    f.may_contain_bulk(keys, bits);
    std::uint64_t ones = 0;
    for (const std::uint64_t word : bits) ones += static_cast<std::uint64_t>(std::popcount(word));
    EXPECT_EQ(ones, count) << "bits beyond the last key are 0";
  }
}

INSTANTIATE_TEST_SUITE_P(all, bulk_case, testing::ValuesIn(all_schemes()),
                         [](const auto& tested) { return tested.param.name; });

// Kernels have a form for every usual number of steps, one for all others, and both for two sizes of blocks and two
// kinds of memory.
TEST(bulk, kernels_of_every_shape_do_what_single_operations_do) {
  const std::vector<std::uint64_t> keys = numbers(1, 3000);
  const std::vector<std::uint64_t> asked = numbers(2, 6000);
  const auto check = [&](const parameters& p, const std::string& what) {
    // Single operations have code of their own for every shape; insert_and_count() and probe() walk step by step.
    filter single(p);
    for (const std::uint64_t key : keys) single.insert_and_count(key);
    filter bulk(p);
    ASSERT_EQ(bulk.insert_bulk(keys), single.keys_inserted()) << what;
    ASSERT_TRUE(std::ranges::equal(bulk.bytes(), single.bytes())) << what;
    concurrent_filter shared(p);
    std::vector<std::uint8_t> were_new(keys.size());
    std::vector<std::uint8_t> new_in_shared(keys.size());
    shared.insert_bulk(keys, new_in_shared);
    ASSERT_TRUE(shared.snapshot() == single) << what << ", shared";
    filter again(p);
    again.insert_bulk(keys, were_new);
    filter one_by_one(p);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(were_new[i] != 0, one_by_one.insert(keys[i])) << what << ", key " << i;
    }
    ASSERT_TRUE(one_by_one == single) << what << ", one by one";
    ASSERT_EQ(new_in_shared, were_new) << what << ", shared";
    concurrent_filter shared_one_by_one(p);
    for (const std::uint64_t key : keys) shared_one_by_one.insert(key);
    ASSERT_TRUE(shared_one_by_one.snapshot() == single) << what << ", shared, one by one";
    std::vector<std::uint8_t> answers(asked.size());
    std::vector<std::uint8_t> of_shared(asked.size());
    bulk.may_contain_bulk(asked, answers);
    shared.may_contain_bulk(asked, of_shared);
    ASSERT_EQ(answers, of_shared) << what;
    const filter_view view = single.view();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const bool found = single.probe(asked[i]).found;
      ASSERT_EQ(answers[i] != 0, found) << what;
      ASSERT_EQ(single.may_contain(asked[i]), found) << what;
      ASSERT_EQ(shared.may_contain(asked[i]), found) << what << ", shared";
      ASSERT_EQ(view.may_contain(asked[i]), found) << what << ", a view";
    }
    if (auto strict = p; auto* const gated = std::get_if<gated_parameters>(&strict)) {
      gated->is_static = true;  // the same bits, read more strictly
      const filter_view misread(strict, single.bytes());
      misread.may_contain_bulk(asked, answers);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        ASSERT_EQ(misread.may_contain(asked[i]), answers[i] != 0) << what << ", static";
      }
    }
  };
  for (const std::uint32_t bits : {256U, 512U}) {
    for (const std::uint32_t hashes : {2U, 9U, 13U, 16U, 18U, 24U, 30U, 47U}) {
      for (const std::uint64_t blocks : {1U, 2U, 37U, 384U}) {
        const std::string size =
            std::to_string(bits) + " bits, k " + std::to_string(hashes) + ", " + std::to_string(blocks);
        check(blocked_parameters{.blocks = blocks, .block_bits = bits, .hashes = hashes}, "blocked, " + size);
        for (const std::uint32_t trace : {0U, 1U, 4U}) {
          if (trace >= hashes) continue;
          check(gated_parameters{.blocks = blocks,
                                 .block_bits = bits,
                                 .hashes = hashes,
                                 .trace = trace,
                                 .second_hashes = hashes - trace + 1,
                                 .threshold = bits / 4,
                                 .margin = 3},
                "gated, t " + std::to_string(trace) + ", " + size);
        }
      }
    }
  }
}

// A chain says of every key what single insertions say, over the ends of its links, whatever the threads.
TEST(bulk, a_chain_says_which_keys_were_new) {
  const growth how{.fpr = 0.01, .first_keys = 1000, .factor = 4};
  const std::vector<std::uint64_t> keys = with_repeats(30'000);
  growing_filter single(how);
  std::vector<std::uint8_t> expected;
  std::uint64_t fresh = 0;
  for (const std::uint64_t key : keys) expected.push_back(single.insert(key) ? 1 : 0), fresh += expected.back();
  ASSERT_GT(single.links(), 2U);
  for (const std::uint32_t threads : {1U, 0U, 3U}) {
    growing_filter f(how);
    std::vector<std::uint8_t> answers(keys.size(), 7);
    EXPECT_EQ(f.insert_bulk(keys, answers, threads), fresh) << threads;
    ASSERT_EQ(answers, expected) << threads << " threads";
    growing_filter counted(how);
    EXPECT_EQ(counted.insert_bulk(keys, threads), fresh) << threads;
    for (const growing_filter* const one : {&f, &counted}) {
      ASSERT_EQ(one->links(), single.links());
      for (std::size_t i = 0; i < one->links(); ++i) EXPECT_EQ(one->chain()[i].filter, single.chain()[i].filter);
    }
    const std::vector<std::uint64_t> asked = numbers(70'000, 50'001);
    std::vector<std::uint8_t> one(asked.size(), 7);
    std::vector<std::uint8_t> several(asked.size(), 7);
    f.may_contain_bulk(asked, one);
    f.may_contain_bulk(asked, several, 3);
    EXPECT_EQ(one, several);
  }
}

TEST(bulk, files_say_of_filters_and_chains_which_keys_were_new) {
  const parameters p = gated_case(blocks_for(5000, 16), 1);
  const std::vector<std::uint64_t> keys = with_repeats(5000);
  const growth how{.fpr = 0.01, .first_keys = 64, .factor = 4, .seed = 1};
  for (const std::uint32_t threads : {1U, 3U}) {
    filter_file one(filter(p), {.kind = key_kind::u64});
    filter_file chain(growing_filter(how), key_kind::u64);
    for (filter_file* const f : {&one, &chain}) {
      filter_file single =
          f == &one ? filter_file(filter(p), {.kind = key_kind::u64}) : filter_file(growing_filter(how), key_kind::u64);
      std::vector<std::uint8_t> answers(keys.size(), 7);
      const std::uint64_t fresh = f->insert_bulk(keys, answers, threads);
      for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(answers[i] != 0, single.insert(keys[i])) << i;
      EXPECT_EQ(fresh, single.keys_inserted());
      EXPECT_EQ(to_bytes(f->contents()), to_bytes(single.contents()));
      EXPECT_THROW(f->insert_bulk(keys, std::span(answers).first(3), threads), parameter_error);
    }
  }
}

TEST(bulk, strings_are_keys_too) {
  std::vector<std::string> owned;
  for (int i = 0; i < 3000; ++i)
    owned.push_back("key " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 70), 'x'));
  const std::vector<std::string_view> keys(owned.begin(), owned.end());
  filter f(gated_case(blocks_for(keys.size(), 16), 1));
  f.insert_bulk(std::span(keys).first(2000));
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(answers[i] != 0, f.may_contain(keys[i]));
  for (std::size_t i = 0; i < 2000; ++i) ASSERT_EQ(answers[i], 1);
}

// Many texts may be hashed in one call: every kind of text, in whatever number, has the digests that one text has.
template <class Text>
void require_digests_of_single_texts(const std::vector<std::string>& owned, const char* what) {
  std::vector<Text> texts;
  for (const std::string& text : owned) texts.push_back(Text(text.c_str()));
  const hasher hash(77);
  for (const std::size_t count : {0U, 1U, 2U, 63U, 64U, 1100U}) {
    std::vector<digest> digests(count + 1, digest{1});
    detail::bulk::hash_keys(hash, std::span<const Text>(texts).first(count), digests.data());
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(digests[i], hash(owned[i])) << what << " " << i << " of " << count;
    ASSERT_EQ(digests[count], digest{1}) << what << ": beyond the last of " << count;
  }
}

TEST(bulk, texts_of_every_kind_have_the_digests_of_single_ones) {
  std::vector<std::string> owned;
  for (std::size_t i = 0; i < 1100; ++i) owned.push_back(std::to_string(i) + std::string(i % 300, 'x'));
  require_digests_of_single_texts<std::string_view>(owned, "string_view");
  require_digests_of_single_texts<std::string>(owned, "string");
  require_digests_of_single_texts<const char*>(owned, "const char*");
}

TEST(bulk, too_little_room_for_the_answers_is_refused) {
  const filter f(gated_case(10, 1));
  const std::vector<std::uint64_t> keys = numbers(0, 100);
  std::vector<std::uint8_t> short_bytes(99);
  EXPECT_THROW(f.may_contain_bulk(keys, short_bytes), parameter_error);
  std::vector<std::uint64_t> short_words(1);
  EXPECT_THROW(f.may_contain_bulk(keys, short_words), parameter_error);
  filter g(gated_case(10, 1));
  EXPECT_THROW(g.insert_bulk(keys, short_bytes), parameter_error);
  EXPECT_THROW(g.insert_bulk(keys, short_words, 2), parameter_error);
  EXPECT_TRUE(g.empty()) << "nothing was inserted";
}

/// Counts what is asked of it.
class counting_memory final : public std::pmr::memory_resource {
public:
  std::size_t in_use = 0;
  std::size_t alignment = 0;

private:
  void* do_allocate(std::size_t bytes, std::size_t align) override {
    in_use += bytes;
    alignment = align;
    return ::operator new(bytes, std::align_val_t{align});
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t align) override {
    in_use -= bytes;
    ::operator delete(memory, std::align_val_t{align});
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

TEST(memory, a_resource_of_ones_own_is_used_and_given_back) {
  counting_memory memory;
  {
    filter f(gated_case(1000, 1), &memory);
    EXPECT_EQ(memory.in_use, f.bytes().size());
    EXPECT_EQ(memory.alignment, 4096U);
    const filter copy = f;
    EXPECT_EQ(memory.in_use, 2 * f.bytes().size());
  }
  EXPECT_EQ(memory.in_use, 0U);
}

TEST(memory, large_filters_begin_at_a_huge_page) {
  const filter f(blocked_parameters{.blocks = 40'000, .hashes = 8});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(f.bytes().data()) % (std::uintptr_t{2} << 20), 0U);
}

}  // namespace
