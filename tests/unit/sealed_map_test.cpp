// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Sealed maps: every key has its value for any width of values and any number of keys, absent keys get one as seldom as
// the check bits promise, single and bulk agree, and what makes no sense is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sluice/detail/memory/words.hpp"
#include "sluice/sluice.hpp"
#include "support/chosen_keys.hpp"
#include "support/interval.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

std::vector<std::uint32_t> values_of(std::size_t count, std::uint32_t bits) {
  std::mt19937_64 random(bits);
  std::vector<std::uint32_t> values(count);
  for (auto& v : values) v = static_cast<std::uint32_t>(random() & detail::bits::low_bits(bits));
  return values;
}

TEST(sealed_map, every_key_has_its_value) {
  for (const std::uint32_t block_bits : {512U, 256U}) {
    for (const std::uint32_t value_bits : {1U, 3U, 8U, 12U, 16U, 24U, 32U}) {
      for (const std::uint32_t check_bits : {0U, 6U}) {
        if (value_bits + check_bits > 32) continue;
        for (const std::size_t n : {0U, 1U, 40U, 1000U, 20'000U}) {
          const auto keys = numbers(0, n);
          const auto values = values_of(n, value_bits);
          const auto m = sealed_map<>::build(
              keys, values, {.value_bits = value_bits, .check_bits = check_bits, .block_bits = block_bits});
          ASSERT_EQ(m.size(), n);
          std::vector<std::uint32_t> found(n);
          std::vector<std::uint8_t> known(n);
          m.get_bulk(keys, found, known);
          for (std::size_t i = 0; i < n; ++i) {
            const auto value = m.get(keys[i]);
            ASSERT_TRUE(value) << "a key of the map is unknown: " << value_bits << " bits, " << n << " keys";
            ASSERT_EQ(*value, values[i]) << value_bits << " bits, " << n << " keys";
            ASSERT_TRUE(known[i] != 0 && found[i] == values[i]) << "bulk";
          }
        }
      }
    }
  }
}

TEST(sealed_map, values_of_keys_in_the_list_are_right) {
  // Many keys of short columns: some find no place.
  const auto keys = numbers(0, 200'000);
  const auto values = values_of(keys.size(), 8);
  const auto m = sealed_map<std::uint8_t>::build(keys, values);
  ASSERT_GT(m.listed(), 5U) << "the list is tested";
  std::vector<std::uint8_t> found(keys.size());
  std::vector<std::uint8_t> known(keys.size());
  m.get_bulk(keys, found, known);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(m.get(keys[i]), static_cast<std::uint8_t>(values[i]));
    ASSERT_EQ(found[i], values[i]);
  }
  std::vector<std::uint8_t> by_threads(keys.size());
  std::vector<std::uint64_t> known_bits((keys.size() + 63) / 64);
  m.get_bulk(keys, by_threads, known_bits, 3);
  EXPECT_EQ(by_threads, found);
  EXPECT_TRUE(std::ranges::all_of(known_bits, [](std::uint64_t word) { return ~word == 0; }));
  EXPECT_LE(8.0 * static_cast<double>(m.memory_bytes()) / static_cast<double>(keys.size()), 8.7);
}

// Chance of failing by accident: 5.5 standard errors each.
TEST(sealed_map, absent_keys_are_known_as_seldom_as_the_checks_promise) {
  for (const std::uint32_t check_bits : {1U, 2U, 4U, 8U}) {
    const auto keys = numbers(0, 30'000);
    const auto m = sealed_map<>::build(keys, values_of(keys.size(), 12), {.value_bits = 12, .check_bits = check_bits});
    ASSERT_EQ(m.params().check_bits, check_bits);
    const auto absent = numbers(elsewhere, 300'000);
    std::vector<std::uint32_t> found(absent.size());
    std::vector<std::uint8_t> known(absent.size());
    m.get_bulk(absent, found, known);
    double positives = 0;
    for (std::size_t i = 0; i < absent.size(); ++i) {
      positives += known[i];
      const auto value = m.get(absent[i]);
      ASSERT_EQ(value.has_value(), known[i] != 0) << "single and bulk differ";
      ASSERT_EQ(value.value_or(0), found[i]);
    }
    const double expected = std::ldexp(1.0, -static_cast<int>(check_bits));
    const auto lookups = static_cast<double>(absent.size());
    EXPECT_NEAR(positives / lookups, expected, share_tolerance(expected, lookups)) << check_bits;
  }
  EXPECT_EQ(sealed_map<>::build(numbers(0, 10), values_of(10, 3), {.value_bits = 3}).params().check_bits, 0U);
  const auto none = sealed_map<>::build(numbers(0, 0), values_of(0, 3), {.check_bits = 4});
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_FALSE(none.get(i)) << "an empty map knows nobody";
}

TEST(sealed_map, bytes_depend_on_the_pairs_alone) {
  auto keys = numbers(0, 50'000);
  const auto values = values_of(keys.size(), 10);
  const auto m = sealed_map<>::build(keys, values);
  std::vector<std::size_t> order(70'000);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i % 50'000;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  std::vector<std::uint64_t> mixed_keys;
  std::vector<std::uint32_t> mixed_values;
  for (const std::size_t i : order) {
    mixed_keys.push_back(keys[i]);
    mixed_values.push_back(values[i]);
  }
  const auto again = sealed_map<>::build(mixed_keys, mixed_values, {}, {.threads = 3});
  EXPECT_TRUE(std::ranges::equal(again.bytes(), m.bytes()));
  EXPECT_EQ(again.size(), m.size());
  EXPECT_EQ(again.listed(), m.listed());
  const auto other = sealed_map<>::build(keys, values, {.seed = 9});
  EXPECT_FALSE(std::ranges::equal(other.bytes(), m.bytes()));
}

enum class colour : std::uint8_t { red, green, blue };

TEST(sealed_map, gives_enumerations_and_truths) {
  const std::vector<std::string> keys = {"poppy", "grass", "sky"};
  const auto colours = sealed_map<colour>::build(keys, std::vector{colour::red, colour::green, colour::blue});
  EXPECT_EQ(colours.get("grass"), colour::green);
  EXPECT_EQ(colours.get("sky"), colour::blue);
  const auto truths = sealed_map<bool>::build(keys, std::vector<bool>{true, false, true});
  EXPECT_EQ(truths.get("poppy"), true);
  EXPECT_EQ(truths.get("grass"), false);
  const auto copy = colours;
  EXPECT_EQ(copy.get("poppy"), colour::red);
}

TEST(sealed_map, refuses_what_makes_no_sense) {
  const auto keys = numbers(0, 100);
  const auto values = values_of(100, 10);
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, values_of(99, 10))), parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, values, {.value_bits = 5})), parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, values, {.value_bits = 30, .check_bits = 3})),
               parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, values, {.value_bits = 33})), parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, values, {.block_bits = 100})), parameter_error);
  const std::vector<std::uint64_t> twice = {1, 2, 1};
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(twice, std::vector<std::uint32_t>{5, 6, 7})), key_error);
  const auto same = sealed_map<>::build(twice, std::vector<std::uint32_t>{5, 6, 5});
  EXPECT_EQ(same.size(), 2U);
  EXPECT_EQ(same.get(std::uint64_t{1}), 5U);
  for (const double wrong : {1e20, -1.0, 0.5, 4294967296.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(static_cast<void>(sealed_map<>::build(keys, std::vector<double>(100, wrong))), parameter_error)
        << wrong;
  }
  const auto largest = sealed_map<>::build(keys, std::vector<double>(100, 4294967295.0));
  EXPECT_EQ(largest.get(std::uint64_t{7}), 4294967295U);
  std::vector<std::uint32_t> little(99);
  std::vector<std::uint8_t> known(100);
  EXPECT_THROW(same.get_bulk(keys, little, known), parameter_error);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < 20'000; ++i) chosen.push_back(integer_with(digest{i << 20}));
  EXPECT_THROW(static_cast<void>(sealed_map<>::build(chosen, values_of(chosen.size(), 9))), key_error);
}

}  // namespace
