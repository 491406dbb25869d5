// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What every filter promises, demanded of every composition in support/schemes.hpp: no false negatives under random
// scripts, whatever the keys; insert and lookup agree; owner and view agree; merge, clear and statistics are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "sluice/extend/contents.hpp"
#include "sluice/sluice.hpp"
#include "support/interval.hpp"
#include "support/metered.hpp"
#include "support/schemes.hpp"

namespace {

using sluice::filter;
using sluice::metered_filter;
using testing_support::blocks_for_case;
using testing_support::scheme_case;

class conformance : public testing::TestWithParam<scheme_case> {
protected:
  [[nodiscard]] static sluice::parameters sized_for(std::uint64_t keys, std::uint64_t seed = 1,
                                                    double bits_per_key = 16) {
    return GetParam().make(blocks_for_case(GetParam(), keys, bits_per_key), seed);
  }
  [[nodiscard]] static std::vector<std::byte> bytes_of(const filter& f) { return {f.bytes().begin(), f.bytes().end()}; }
};

TEST_P(conformance, an_empty_filter_contains_nothing) {
  const filter f(sized_for(10'000));
  for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_FALSE(f.may_contain(i));
  EXPECT_FALSE(f.may_contain(""));
  EXPECT_EQ(f.keys_inserted(), 0U);
  const sluice::statistics s = f.stats();
  EXPECT_EQ(s.bits_set, 0U);
  EXPECT_EQ(s.fpr_from_fill, 0);
  EXPECT_EQ(s.overflow_keys, 0U);
}

// Inserts, repeats and lookups at random; a std::unordered_set knows the truth. The script goes on to three times the
// planned number of keys: an overfull filter has many false positives and still no false negative.
TEST_P(conformance, random_scripts_agree_with_a_set) {
  for (const std::uint64_t planned : {1U, 40U, 3000U}) {
    std::mt19937_64 random(planned);
    filter f(sized_for(planned));
    std::unordered_set<std::uint64_t> twin;
    std::uint64_t reported_new = 0;
    for (std::uint64_t step = 0; step < 9 * planned + 50; ++step) {
      const std::uint64_t key = random() % (6 * planned + 10);
      const bool before = f.may_contain(key);
      ASSERT_TRUE(before || !twin.contains(key)) << "false negative";
      if (random() % 3 != 0) {
        const bool was_new = f.insert(key);
        ASSERT_EQ(was_new, !before) << "insert and may_contain disagree";
        ASSERT_TRUE(f.may_contain(key)) << "false negative right after the insert";
        reported_new += was_new ? 1 : 0;
        twin.insert(key);
      }
    }
    for (const std::uint64_t key : twin) ASSERT_TRUE(f.may_contain(key)) << "false negative at the end";
    EXPECT_EQ(f.keys_inserted(), reported_new);
    EXPECT_LE(reported_new, twin.size());
  }
}

TEST_P(conformance, inserting_twice_changes_nothing) {
  filter f(sized_for(2000));
  for (std::uint64_t i = 0; i < 3000; ++i) f.insert(i);
  const auto before = bytes_of(f);
  const std::uint64_t listed = f.stats().overflow_keys;
  const std::uint64_t counted = f.keys_inserted();
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_FALSE(f.insert(i));
  EXPECT_EQ(bytes_of(f), before);
  EXPECT_EQ(f.stats().overflow_keys, listed);
  EXPECT_EQ(f.keys_inserted(), counted);
}

TEST_P(conformance, the_smallest_filters_and_page_borders_work) {
  std::vector<std::uint64_t> sizes = {1, 2, 3, 5, 63, 64, 65, 127, 128, 129, 200};
  for (const std::uint64_t blocks : sizes) {
    if (blocks < GetParam().least_blocks) continue;
    filter f(GetParam().make(blocks, 3));
    const std::uint64_t keys = f.bytes().size() * 8 / 16 + 20;
    for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
    for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i)) << blocks << " blocks";
  }
}

TEST_P(conformance, keys_of_every_length_from_0_to_64_kib) {
  filter f(sized_for(500));
  std::string text(65536, '\0');
  std::mt19937_64 random(5);
  for (char& c : text) c = static_cast<char>(random());
  std::vector<std::size_t> lengths(300);
  std::iota(lengths.begin(), lengths.end(), 0);
  for (std::size_t length = 512; length <= text.size(); length *= 2) {
    lengths.insert(lengths.end(), {length - 1, length, length + 1});
  }
  const auto key = [&](std::size_t length) { return std::string_view(text).substr(0, length); };
  for (const std::size_t length : lengths) f.insert(key(length));
  for (const std::size_t length : lengths) ASSERT_TRUE(f.may_contain(key(length))) << length;
}

// Keys with structure must behave as random ones do: no false negatives, and the rate counted over absent keys of the
// same structure agrees, two-sided, with the rate computed from the bits.
TEST_P(conformance, adversarial_keys_behave_as_random_ones) {
  const std::vector<std::pair<std::string, std::uint64_t (*)(std::uint64_t)>> families = {
      {"sequential", [](std::uint64_t i) { return i; }},
      {"equal low bits", [](std::uint64_t i) { return i << 40; }},
      {"equal high bits", [](std::uint64_t i) { return i | (std::uint64_t{0xabcdef} << 40); }},
      {"multiples of a block", [](std::uint64_t i) { return i * 512; }},
  };
  constexpr std::uint64_t keys = 4000;
  constexpr std::uint64_t absent = 200'000;
  for (const auto& [name, key] : families) {
    filter f(sized_for(keys, 1, 10));  // few bits a key: many false positives, a sharp test
    for (std::uint64_t i = 0; i < keys; ++i) f.insert(key(i));
    for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(key(i))) << name;
    double positives = 0;
    for (std::uint64_t i = 0; i < absent; ++i) positives += f.may_contain(key(keys + i)) ? 1 : 0;
    const double expected = f.stats().fpr_from_fill;
    EXPECT_NEAR(positives / absent, expected, testing_support::share_tolerance(expected, absent)) << name;
  }
}

TEST_P(conformance, views_answer_as_the_owner_does_at_any_alignment) {
  filter f(sized_for(2000));
  for (std::uint64_t i = 0; i < 2500; ++i) f.insert(i);
  const sluice::filter_view own = f.view();
  std::vector<std::byte> buffer(f.bytes().size() + 8);
  for (const std::size_t offset : {0U, 1U, 7U}) {
    std::memcpy(buffer.data() + offset, f.bytes().data(), f.bytes().size());
    const sluice::filter_view foreign(f.params(), std::span(buffer).subspan(offset, f.bytes().size()), f.overflow());
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      ASSERT_EQ(foreign.may_contain(i), f.may_contain(i));
      ASSERT_EQ(own.may_contain(i), f.may_contain(i));
    }
  }
  EXPECT_THROW(sluice::filter_view(f.params(), std::span(buffer).first(f.bytes().size() - 1)), sluice::layout_error);
  EXPECT_THROW(sluice::filter_view(f.params(), std::span(buffer).first(f.bytes().size() + 1)), sluice::layout_error);
}

TEST_P(conformance, a_copy_is_a_filter_of_its_own) {
  filter f(sized_for(1000));
  for (std::uint64_t i = 0; i < 500; ++i) f.insert(i);
  filter copy = f;
  const auto before = bytes_of(f);
  for (std::uint64_t i = 500; i < 1500; ++i) copy.insert(i);
  EXPECT_EQ(bytes_of(f), before);
  for (std::uint64_t i = 0; i < 1500; ++i) ASSERT_TRUE(copy.may_contain(i));
  f = std::move(copy);
  for (std::uint64_t i = 0; i < 1500; ++i) ASSERT_TRUE(f.may_contain(i));
}

// Two filters of one shape take each other's memory, as if their resource had moved both.
TEST_P(conformance, a_filter_whose_bytes_were_moved_goes_on) {
  filter f(sized_for(3000));
  for (std::uint64_t i = 0; i < 2000; ++i) f.insert(i);
  const filter twin = f;
  filter other(f.params());
  const std::span<std::byte> here = sluice::extend::blocks_of(f);
  const std::span<std::byte> there = sluice::extend::blocks_of(other);
  std::copy(here.begin(), here.end(), there.begin());
  std::fill(here.begin(), here.end(), std::byte{0});
  sluice::extend::set_moved_blocks(f, there.data());
  sluice::extend::set_moved_blocks(other, here.data());
  EXPECT_EQ(f, twin);
  EXPECT_EQ(f.bytes().data(), there.data());
  for (std::uint64_t i = 0; i < 2000; ++i) ASSERT_FALSE(other.may_contain(i)) << "it reads what it had before";
  std::vector<std::uint64_t> keys(4000);
  std::iota(keys.begin(), keys.end(), 0);
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  for (const std::uint64_t key : keys) {
    ASSERT_EQ(f.may_contain(key), twin.may_contain(key));
    ASSERT_EQ(answers[key] != 0, twin.may_contain(key));
  }
  f.insert_bulk(std::span(keys).first(3000));
  for (std::uint64_t i = 3000; i < 4000; ++i) f.insert(i);
  for (const std::uint64_t key : keys) ASSERT_TRUE(f.may_contain(key));
}

TEST_P(conformance, a_merged_filter_has_the_keys_of_both_for_ever) {
  constexpr std::uint64_t keys = 3000;
  filter a(sized_for(keys));
  filter b(sized_for(keys));
  for (std::uint64_t i = 0; i < keys; ++i) a.insert(i);
  for (std::uint64_t i = keys / 2; i < 2 * keys; ++i) b.insert(i);
  a.merge(b);
  for (std::uint64_t i = 0; i < 2 * keys; ++i) ASSERT_TRUE(a.may_contain(i)) << "after the merge";
  for (std::uint64_t i = 2 * keys; i < 3 * keys; ++i) a.insert(i);
  for (std::uint64_t i = 0; i < 3 * keys; ++i) ASSERT_TRUE(a.may_contain(i)) << "after the merge and more inserts";
  for (std::uint64_t i = keys / 2; i < 2 * keys; ++i) ASSERT_TRUE(b.may_contain(i)) << "the source";
  // What the bits say of the union is what lookups find, two-sided.
  constexpr std::uint64_t absent = 100'000;
  double positives = 0;
  for (std::uint64_t i = 0; i < absent; ++i) positives += a.may_contain(10 * keys + i) ? 1 : 0;
  const double expected = a.stats().fpr_from_fill;
  EXPECT_NEAR(positives / absent, expected, testing_support::share_tolerance(expected, absent));
}

TEST_P(conformance, merging_with_oneself_or_with_nothing_changes_no_answer) {
  filter f(sized_for(1000));
  for (std::uint64_t i = 0; i < 1000; ++i) f.insert(i);
  const auto before = bytes_of(f);
  f.merge(f);
  f.merge(filter(sized_for(1000)));
  EXPECT_EQ(bytes_of(f), before);
}

TEST_P(conformance, filters_that_differ_do_not_merge) {
  filter f(sized_for(1000, 1));
  EXPECT_THROW(f.merge(filter(sized_for(1000, 2))), sluice::merge_error) << "another seed";
  EXPECT_THROW(f.merge(filter(sized_for(100'000, 1))), sluice::merge_error) << "another size";
  for (const scheme_case& other : testing_support::all_schemes()) {
    if (other.name == GetParam().name) continue;
    EXPECT_THROW(f.merge(filter(other.make(blocks_for_case(other, 1000), 1))), sluice::merge_error) << other.name;
  }
}

TEST_P(conformance, clear_forgets_everything) {
  metered_filter f(sized_for(1000));
  for (std::uint64_t i = 0; i < 3000; ++i) f.insert(i);
  f.clear();
  EXPECT_TRUE(std::all_of(f.bytes().begin(), f.bytes().end(), [](std::byte b) { return b == std::byte{0}; }));
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_FALSE(f.may_contain(i));
  EXPECT_EQ(f.keys_inserted(), 0U);
  EXPECT_EQ(f.stats().overflow_keys, 0U);
  EXPECT_FALSE(f.stats().accesses.per_insert.has_value());
  EXPECT_TRUE(f.insert(1));
}

TEST_P(conformance, statistics_add_up_and_agree_with_lookups) {
  constexpr std::uint64_t keys = 20'000;
  metered_filter f(sized_for(keys, 1, 12));
  for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i));
  constexpr std::uint64_t absent = 300'000;
  for (std::uint64_t i = 0; i < absent; ++i) static_cast<void>(f.may_contain(keys + i));
  const sluice::statistics s = f.stats();
  EXPECT_EQ(s.keys_inserted, f.keys_inserted());
  const bool is_array = s.load_histogram.empty();
  if (!is_array) {
    EXPECT_EQ(std::accumulate(s.load_histogram.begin(), s.load_histogram.end(), std::uint64_t{0}), s.blocks);
  }
  EXPECT_GT(s.bits_set, 0U);
  EXPECT_LE(s.bits_set, s.usable_bits);
  EXPECT_EQ(s.filter_bytes, f.bytes().size());
  EXPECT_GE(s.memory_bits_per_key, s.bits_per_key * 0.999);
  if (s.histogram_unit == sluice::load_unit::set_bits && !is_array) {
    std::uint64_t ones = 0;
    for (std::size_t load = 0; load < s.load_histogram.size(); ++load) ones += load * s.load_histogram[load];
    EXPECT_EQ(ones, s.bits_set);
  }
  ASSERT_TRUE(s.accesses.per_insert && s.accesses.per_hit && s.accesses.per_miss);
  EXPECT_GT(s.accesses.per_insert.value_or(0), 0.5);  // below 1 where a budget is spent
  EXPECT_GE(s.accesses.per_hit.value_or(0), 1);
  // Blocks per miss are counted over lookups that answered false; with f false positives the two means differ by less
  // than f times the most a lookup reads: 3 blocks, or 39 positions of an array.
  const double spread = 1.5;  // an upper bound of the standard deviation of one miss's blocks
  EXPECT_NEAR(s.accesses.per_miss.value_or(0), s.blocks_per_miss_from_fill,
              testing_support::sigmas * spread / std::sqrt(double{absent}) * (s.blocks_per_miss_from_fill - 1 + 1e-9) +
                  (is_array ? 39 : 3) * s.fpr_from_fill);
  const filter plain(sized_for(10));
  EXPECT_FALSE(plain.stats().accesses.per_miss.has_value()) << "an unmetered filter counts nothing";
}

TEST_P(conformance, the_same_keys_in_the_same_order_give_the_same_bytes) {
  filter a(sized_for(3000));
  metered_filter b(sized_for(3000));
  for (std::uint64_t i = 0; i < 3000; ++i) {
    a.insert(i);
    b.insert(i);
  }
  EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end()));
  filter other(sized_for(3000, 2));
  for (std::uint64_t i = 0; i < 3000; ++i) other.insert(i);
  EXPECT_NE(bytes_of(a), bytes_of(other)) << "the seed has no effect";
}

TEST_P(conformance, memory_is_aligned_to_lines_and_pages) {
  const filter small(GetParam().make(GetParam().least_blocks, 1));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.bytes().data()) % 64, 0U);
  const filter large(sized_for(100'000));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.bytes().data()) % 4096, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, conformance, testing::ValuesIn(testing_support::all_schemes()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
