// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What every filter promises (conformance_test.cpp), demanded of filters that are made from all their keys at once: no
// false negatives whatever the keys and their number, owner, copy and view agree, statistics add up, nothing is merged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace {

using sluice::filter;

struct sealed_shape {
  std::uint32_t block_bits;
  std::uint32_t fingerprint_bits;
};

class sealed_conformance : public testing::TestWithParam<sealed_shape> {
protected:
  template <class Keys>
  [[nodiscard]] static filter sealed(const Keys& keys, std::uint64_t seed = 1) {
    sluice::sealed_builder b(
        {.block_bits = GetParam().block_bits, .fingerprint_bits = GetParam().fingerprint_bits, .seed = seed});
    b.insert_bulk(keys);
    return b.build();
  }
  [[nodiscard]] static std::vector<std::uint64_t> numbers(std::uint64_t count) {
    std::vector<std::uint64_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0);
    return keys;
  }
};

TEST_P(sealed_conformance, an_empty_filter_contains_nothing) {
  const filter f = sealed(numbers(0));
  for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_FALSE(f.may_contain(i));
  EXPECT_EQ(f.keys_inserted(), 0U);
  EXPECT_EQ(f.stats().fpr_from_fill, 0);
  EXPECT_EQ(f.stats().bits_set, 0U);
}

// Random sets of every size around blocks and groups; keys that come again.
TEST_P(sealed_conformance, random_sets_agree_with_a_set) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t count = random() % (round < 50 ? 300 : 9000);
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(random() % (4 * count));
    const std::unordered_set<std::uint64_t> twin(keys.begin(), keys.end());
    const filter f = sealed(keys, static_cast<std::uint64_t>(round));
    ASSERT_EQ(f.keys_inserted(), twin.size());
    std::vector<std::uint8_t> answers(keys.size());
    f.may_contain_bulk(keys, answers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_TRUE(f.may_contain(keys[i])) << count << " keys";
      ASSERT_NE(answers[i], 0) << count << " keys";
    }
  }
}

TEST_P(sealed_conformance, keys_of_every_length_from_0_to_64_kib) {
  std::string text(65536, '\0');
  std::mt19937_64 random(5);
  for (char& c : text) c = static_cast<char>(random());
  std::vector<std::string_view> keys;
  for (std::size_t length = 0; length < 300; ++length) keys.push_back(std::string_view(text).substr(0, length));
  for (std::size_t length = 512; length <= text.size(); length *= 2) {
    for (const std::size_t l : {length - 1, length, length + 1}) keys.push_back(std::string_view(text).substr(0, l));
  }
  const filter f = sealed(keys);
  for (const std::string_view k : keys) ASSERT_TRUE(f.may_contain(k)) << k.size();
}

// Keys with structure behave as random ones do. Chance of failing by accident: 5.5 standard errors each.
TEST_P(sealed_conformance, adversarial_keys_behave_as_random_ones) {
  const std::vector<std::pair<std::string, std::uint64_t (*)(std::uint64_t)>> families = {
      {"sequential", [](std::uint64_t i) { return i; }},
      {"equal low bits", [](std::uint64_t i) { return i << 40; }},
      {"equal high bits", [](std::uint64_t i) { return i | (std::uint64_t{0xabcdef} << 40); }},
      {"multiples of a block", [](std::uint64_t i) { return i * 512; }},
  };
  constexpr std::uint64_t count = 4000;
  constexpr std::uint64_t absent = 200'000;
  for (const auto& [name, key] : families) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(key(i));
    const filter f = sealed(keys);
    for (const std::uint64_t k : keys) ASSERT_TRUE(f.may_contain(k)) << name;
    double positives = 0;
    for (std::uint64_t i = 0; i < absent; ++i) positives += f.may_contain(key(count + i)) ? 1 : 0;
    const double expected = f.stats().fpr_from_fill;
    // Rates below one in the number of lookups: a handful at most.
    EXPECT_NEAR(positives / absent, expected, testing_support::share_tolerance(expected, absent) + 5.0 / absent)
        << name;
  }
}

TEST_P(sealed_conformance, views_answer_as_the_owner_does_at_any_alignment) {
  const filter f = sealed(numbers(20'000));
  std::vector<std::byte> buffer(f.bytes().size() + 8);
  std::vector<std::byte> list(f.overflow().slots.size() + 8);
  for (const std::size_t offset : {0U, 1U, 7U}) {
    std::memcpy(buffer.data() + offset, f.bytes().data(), f.bytes().size());
    const std::span<const std::byte> slots = f.overflow().slots;
    std::copy(slots.begin(), slots.end(), list.begin() + static_cast<std::ptrdiff_t>(offset));
    sluice::overflow_state state = f.overflow();
    state.slots = std::span(list).subspan(offset, slots.size());
    const sluice::filter_view foreign(f.params(), std::span(buffer).subspan(offset, f.bytes().size()), state);
    for (std::uint64_t i = 0; i < 30'000; ++i) ASSERT_EQ(foreign.may_contain(i), f.may_contain(i));
  }
  EXPECT_THROW(sluice::filter_view(f.params(), std::span(buffer).first(f.bytes().size() - 1)), sluice::layout_error);
}

TEST_P(sealed_conformance, copies_and_moved_filters_have_the_keys) {
  filter f = sealed(numbers(3000));
  const filter copy = f;
  EXPECT_TRUE(copy == f);
  const filter moved = std::move(f);
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_TRUE(copy.may_contain(i) && moved.may_contain(i));
  f = copy;
  f.clear();
  EXPECT_EQ(f.keys_inserted(), 0U);
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_FALSE(f.may_contain(i));
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_TRUE(copy.may_contain(i)) << "a copy is a filter of its own";
}

TEST_P(sealed_conformance, statistics_add_up_and_agree_with_lookups) {
  constexpr std::uint64_t keys = 20'000;
  const filter f = sealed(numbers(keys));
  const sluice::statistics s = f.stats();
  EXPECT_EQ(s.keys_inserted, keys);
  EXPECT_EQ(std::accumulate(s.load_histogram.begin(), s.load_histogram.end(), std::uint64_t{0}), s.blocks);
  EXPECT_LE(s.bits_set, s.usable_bits);
  EXPECT_EQ(s.filter_bytes, f.bytes().size());
  constexpr std::uint64_t absent = 200'000;
  double read = 0;
  for (std::uint64_t i = 0; i < absent; ++i) read += f.probe(keys + i).accesses;
  EXPECT_NEAR(read / absent - 1, s.blocks_per_miss_from_fill - 1,
              testing_support::share_tolerance(s.blocks_per_miss_from_fill - 1, absent));
}

TEST_P(sealed_conformance, nothing_is_merged_and_nothing_is_lost) {
  filter f = sealed(numbers(1000));
  const filter other = sealed(numbers(2000));
  EXPECT_THROW(f.merge(other), sluice::merge_error);
  EXPECT_THROW(f.merge(f), sluice::merge_error);
  EXPECT_THROW(f.merge(filter::for_keys(1000)), sluice::merge_error);
  EXPECT_THROW(f.insert(std::uint64_t{7}), sluice::parameter_error);
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(f.may_contain(i));
}

TEST_P(sealed_conformance, memory_is_aligned_to_lines_and_pages) {
  const filter small = sealed(numbers(1));
  const filter large = sealed(numbers(20'000));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.bytes().data()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.bytes().data()) % 4096, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, sealed_conformance,
                         testing::Values(sealed_shape{512, 8}, sealed_shape{512, 12}, sealed_shape{512, 16},
                                         sealed_shape{512, 20}, sealed_shape{512, 24}, sealed_shape{512, 32},
                                         sealed_shape{512, 11}, sealed_shape{512, 29}, sealed_shape{256, 8},
                                         sealed_shape{256, 16}, sealed_shape{256, 19}),
                         [](const auto& tested) {
                           return "r" + std::to_string(tested.param.fingerprint_bits) + "_in_" +
                                  std::to_string(tested.param.block_bits);
                         });

}  // namespace
