// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Static builds: bytes that depend on nothing but the set of keys, and every way to lose a key that a static filter
// could have. Their rates are in static_rates_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

bool equal_bytes(const filter& a, const filter& b) { return std::ranges::equal(a.bytes(), b.bytes()); }

/// The gates of all blocks, one after the other.
std::vector<bool> gates_of(const filter& f) {
  std::vector<bool> gates;
  const auto& p = std::get<gated_parameters>(f.params());
  for (std::uint64_t b = 0; b < p.blocks; ++b) {
    for (std::uint32_t gate = 0; gate < detail::laned_block<>::gates_in(p.block_bits); ++gate) {
      gates.push_back(detail::bits::test_bit(f.bytes().data() + b * p.block_bits / 8, detail::lanes::gate_bit(gate)));
    }
  }
  return gates;
}

TEST(static_filter, bytes_depend_on_the_set_of_keys_alone) {
  const gated_parameters p = static_shape(50'000, 24);
  std::vector<std::uint64_t> keys = numbers(0, 50'000);
  const filter one = built(p, keys);
  EXPECT_EQ(one.keys_inserted(), keys.size());
  for (const std::uint32_t threads : {2U, 3U, 0U}) {
    EXPECT_TRUE(equal_bytes(built(p, keys, {.threads = threads}), one)) << threads << " threads";
  }
  keys.insert(keys.end(), keys.begin(), keys.begin() + 30'000);  // duplicates
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(1));
  const filter shuffled = built(p, keys);
  EXPECT_TRUE(equal_bytes(shuffled, one));
  EXPECT_EQ(shuffled.keys_inserted(), 50'000U);

  static_builder by_iterator(p);
  by_iterator.insert(keys.begin(), keys.end());
  EXPECT_EQ(by_iterator.size(), keys.size());
  EXPECT_TRUE(equal_bytes(by_iterator.build(), one));
  EXPECT_TRUE(equal_bytes(by_iterator.build(), one)) << "a second time";

  // Digests of all keys need 640,000 bytes: in one pass, in several, in one for every page.
  for (const std::uint64_t room : {10'000'000U, 200'000U, 100U}) {
    int readings = 0;
    const auto source = [&](auto&& take) {
      ++readings;
      for (const std::uint64_t key : keys) take(key);
    };
    const filter streamed = static_builder::build_from(p, source, {}, room);
    EXPECT_TRUE(equal_bytes(streamed, one)) << room;
    EXPECT_EQ(streamed.keys_inserted(), 50'000U);
    EXPECT_GE(readings, room < 300'000 ? 4 : 2);
  }
}

TEST(static_filter, takes_any_shape_and_any_number_of_keys) {
  for (const std::uint32_t bits : {256U, 512U}) {
    for (const std::uint64_t blocks : {1U, 2U, 7U, 64U, 65U, 300U}) {
      for (const std::uint32_t trace : {0U, 2U, 4U}) {
        for (const std::uint64_t count : {0U, 1U, 500U, 20'000U}) {
          for (const second_block second : {second_block::page, second_block::table}) {
            gated_parameters p{.blocks = blocks,
                               .block_bits = bits,
                               .hashes = 12,
                               .trace = trace,
                               .second_hashes = 12 - trace,
                               .second = second,
                               .seed = blocks};
            const auto keys = numbers(7, count);
            const filter f = built(p, keys);
            EXPECT_EQ(f.keys_inserted(), count);
            for (const std::uint64_t key : keys)
              ASSERT_TRUE(f.may_contain(key)) << bits << ' ' << blocks << ' ' << count;
            std::vector<std::uint8_t> answers(count);
            f.may_contain_bulk(keys, answers);
            ASSERT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(count));
            const filter_view v(f.params(), f.bytes());
            for (const std::uint64_t key : keys) ASSERT_TRUE(v.may_contain(key));
          }
        }
      }
    }
  }
}

TEST(static_filter, strings_are_keys_too) {
  const std::vector<std::string> words = {"alpha", "beta", "", "gamma", "a longer key than the others here"};
  static_builder b(gated_parameters{.blocks = 2, .hashes = 8, .second_hashes = 4});
  b.insert_bulk(words);
  const filter f = b.build();
  for (const std::string& word : words) EXPECT_TRUE(f.may_contain(word));
  EXPECT_FALSE(f.may_contain("delta"));
}

// Reference reading of a static filter, block by block: what walk, kernels and views must answer.
bool reference_lookup(const filter& f, digest x) {
  const auto recipe = detail::make_recipe(std::get<gated_parameters>(f.params()));
  const auto blocks = recipe.blocks(f.bytes().data());
  const detail::candidate first = recipe.placement.at(x, 0);
  const bool whole = blocks.contains(first.block, x, first.positions).found;
  if (!recipe.block.gate_closed(blocks[first.block], x)) return whole;
  const bool trace = blocks.contains(first.block, x, {.count = recipe.placement.trace_bits()}).found;
  const detail::candidate second = recipe.placement.at(x, 1);
  return trace && blocks.contains(second.block, x, second.positions).found;
}

TEST(static_filter, a_closed_gate_makes_the_first_block_meaningless) {
  // So few bits that whole keys are found by chance often.
  const filter f = built({.blocks = 64, .hashes = 5, .trace = 2, .second_hashes = 3}, numbers(0, 64 * 60));
  std::vector<std::uint8_t> answers(50'000);
  const auto asked = numbers(elsewhere, answers.size());
  f.may_contain_bulk(asked, answers);
  int differs_from_the_other_reading = 0;
  auto other = std::get<gated_parameters>(f.params());
  other.is_static = false;
  const filter_view both_readings(other, f.bytes());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool expected = reference_lookup(f, hasher(0)(asked[i]));
    ASSERT_EQ(f.may_contain(asked[i]), expected);
    ASSERT_EQ(answers[i] != 0, expected);
    differs_from_the_other_reading += both_readings.may_contain(asked[i]) != expected ? 1 : 0;
  }
  EXPECT_GT(differs_from_the_other_reading, 10);
}

// Later insertions obey the gates. Every rule that a static filter could forget loses keys: a key behind a closed gate
// that stays, a gate that is closed over keys that stayed, a full block that sends a key away though the gate is open.
TEST(static_filter, later_insertions_obey_the_gates) {
  auto p = static_shape(30'000, 24, 512, 3);
  p.threshold = 1;  // an online filter would spill nearly every key
  p.margin = 0;
  for (const bool in_bulk : {false, true}) {
    filter f = built(p, numbers(0, 30'000));
    const std::vector<bool> gates = gates_of(f);
    EXPECT_GT(std::ranges::count(gates, true), 50);
    const auto later = numbers(elsewhere, 15'000);
    std::uint64_t fresh = 0;
    if (in_bulk) {
      fresh = f.insert_bulk(later);
    } else {
      for (const std::uint64_t key : later) fresh += f.insert(key) ? 1U : 0U;
    }
    EXPECT_EQ(f.keys_inserted(), 30'000 + fresh);
    EXPECT_EQ(gates_of(f), gates) << "a gate was closed";
    for (std::uint64_t key = 0; key < 30'000; ++key) ASSERT_TRUE(f.may_contain(key));
    for (const std::uint64_t key : later) ASSERT_TRUE(f.may_contain(key));
    const auto before = std::vector<std::byte>(f.bytes().begin(), f.bytes().end());
    for (const std::uint64_t key : later) EXPECT_FALSE(f.insert(key)) << "twice changes nothing";
    EXPECT_TRUE(std::ranges::equal(f.bytes(), before));
  }
}

TEST(static_filter, threads_may_insert_later) {
  const filter f = built(static_shape(20'000, 24, 512, 1), numbers(0, 20'000));
  EXPECT_THROW(concurrent_filter{f.params()}, parameter_error) << "an empty one would be no static filter";
  concurrent_filter shared(f);
  {
    std::jthread other([&] { shared.insert_bulk(numbers(30'000, 1000)); });
    shared.insert_bulk(numbers(20'000, 1000));
  }
  for (std::uint64_t key = 0; key < 21'000; ++key) ASSERT_TRUE(shared.may_contain(key));
  for (std::uint64_t key = 30'000; key < 31'000; ++key) ASSERT_TRUE(shared.may_contain(key));
  EXPECT_TRUE(std::get<gated_parameters>(shared.snapshot().params()).is_static);
  EXPECT_THROW(shared.merge(f), merge_error);
}

TEST(static_filter, a_union_is_no_longer_static) {
  const auto p = static_shape(20'000, 24, 512, 9);
  const filter a = built(p, numbers(0, 20'000));
  const filter b = built(p, numbers(elsewhere, 20'000));
  auto online_parameters = std::get<gated_parameters>(a.params());
  online_parameters.is_static = false;
  filter online(online_parameters);
  online.insert_bulk(numbers(2 * elsewhere, 20'000));

  filter both = a;
  both.merge(b);
  EXPECT_FALSE(std::get<gated_parameters>(both.params()).is_static);
  filter three = both;
  three.merge(online);
  filter online_first = online;
  online_first.merge(a);
  EXPECT_FALSE(std::get<gated_parameters>(online_first.params()).is_static);
  three.insert_bulk(numbers(3 * elsewhere, 10'000));
  for (std::uint64_t key = 0; key < 20'000; ++key) {
    ASSERT_TRUE(both.may_contain(key) && both.may_contain(elsewhere + key));
    ASSERT_TRUE(three.may_contain(key) && three.may_contain(elsewhere + key) && three.may_contain(2 * elsewhere + key));
    ASSERT_TRUE(online_first.may_contain(key) && online_first.may_contain(2 * elsewhere + key));
    if (key < 10'000) {
      ASSERT_TRUE(three.may_contain(3 * elsewhere + key));
    }
  }
  std::vector<std::uint8_t> answers(20'000);
  both.may_contain_bulk(numbers(elsewhere, 20'000), answers);
  EXPECT_EQ(std::ranges::count(answers, 1), 20'000);
  // Read as a static filter, the union has lost keys: this is what the flag is cleared for.
  auto wrong = std::get<gated_parameters>(both.params());
  wrong.is_static = true;
  const filter_view misread(wrong, both.bytes());
  int lost = 0;
  for (std::uint64_t key = 0; key < 20'000; ++key) lost += misread.may_contain(key) ? 0 : 1;
  EXPECT_GT(lost, 100);

  filter alone = a;
  alone.merge(alone);
  EXPECT_TRUE(std::get<gated_parameters>(alone.params()).is_static) << "with itself nothing changes";
  auto other = p;
  other.seed = 10;
  EXPECT_THROW(alone.merge(built(other, numbers(0, 10))), merge_error);
}

TEST(static_build, more_rounds_are_better) {
  const auto keys = numbers(0, 80'000);
  double last = 1;
  for (const std::uint32_t rounds : {0U, 1U, 2U, 8U}) {
    const double fpr = built(static_shape(keys.size(), 24), keys, {.rounds = rounds}).stats().fpr_from_fill;
    EXPECT_LT(fpr, last) << rounds;
    last = fpr;
  }
}

TEST(static_build, reads_are_traded_for_rate) {
  const auto keys = numbers(0, 80'000);
  const statistics cheap = built(static_shape(keys.size(), 24), keys, {.read_weight = 8}).stats();
  const statistics rare = built(static_shape(keys.size(), 24), keys, {.read_weight = 0}).stats();
  EXPECT_LT(rare.fpr_from_fill, cheap.fpr_from_fill);
  EXPECT_LT(cheap.blocks_per_miss_from_fill, rare.blocks_per_miss_from_fill);
}

TEST(static_build, progress_is_told_and_may_end_it) {
  const auto p = static_shape(60'000, 24);
  const auto keys = numbers(0, 60'000);
  std::vector<double> told;
  static_cast<void>(built(p, keys, {.threads = 2, .progress = [&](double share) { told.push_back(share); }}));
  ASSERT_GT(told.size(), 1U);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_DOUBLE_EQ(told.back(), 1);
  for (const std::uint32_t threads : {1U, 2U}) {
    EXPECT_THROW(
        static_cast<void>(built(
            p, keys, {.threads = threads, .progress = [](double /*share*/) { throw std::runtime_error("enough"); }})),
        std::runtime_error);
  }
}

TEST(static_build, bad_parameters_are_refused) {
  EXPECT_THROW(static_builder({.blocks = 0, .hashes = 8, .second_hashes = 4}), parameter_error);
  EXPECT_THROW(static_builder({.blocks = 8, .block_bits = 128, .hashes = 8, .second_hashes = 4}), parameter_error);
  EXPECT_THROW(static_builder({.blocks = 8, .hashes = 4, .trace = 4, .second_hashes = 4}), parameter_error);
}

/// What every builder offers.
template <class Builder>
filter by_any_builder(Builder builder, const std::vector<std::uint64_t>& keys) {
  builder.insert_bulk(std::span(keys).first(100));
  for (std::size_t i = 100; i < keys.size(); ++i) builder.insert(keys[i]);
  EXPECT_EQ(builder.size(), keys.size());
  std::vector<double> told;
  filter f = builder.build({.rounds = 3, .progress = [&](double share) { told.push_back(share); }});
  EXPECT_FALSE(told.empty());
  EXPECT_DOUBLE_EQ(told.back(), 1);
  return f;
}

TEST(builders, are_used_alike) {
  const auto keys = numbers(0, 10'000);
  const filter gated = by_any_builder(static_builder(static_shape(keys.size(), 16)), keys);
  const filter choice = by_any_builder(choice_builder({.bits = keys.size() * 16, .groups = 2, .hashes = 13}), keys);
  for (const std::uint64_t key : keys) ASSERT_TRUE(gated.may_contain(key) && choice.may_contain(key));
  filter online(choice_parameters{.bits = keys.size() * 16, .groups = 2, .hashes = 13});
  online.insert_bulk(keys);
  EXPECT_LT(choice.stats().bits_set, online.stats().bits_set);
}

TEST(builders, are_empty_after_they_were_moved) {
  static_builder first(static_shape(1000, 16));
  first.insert_bulk(numbers(0, 1000));
  static_builder second = std::move(first);
  EXPECT_EQ(second.size(), 1000U);
  EXPECT_EQ(first.size(), 0U);  // NOLINT(bugprone-use-after-move)
  first.insert(5);
  EXPECT_TRUE(first.build().may_contain(5));
  first = std::move(second);
  EXPECT_EQ(second.size(), 0U);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.build().keys_inserted(), 1000U);
}

}  // namespace
