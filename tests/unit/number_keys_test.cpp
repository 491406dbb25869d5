// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys that are numbers: enumerations are the integer behind them, and integers of 128 bits are refused. Compiled with
// the compiler's extensions (gnu++20), with which 128 bits are an integer for the standard library, too.
#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/sluice.hpp"

namespace canal {

enum class lane { left = -1, middle, right = 7 };
enum plain { first = 3, second };
enum class small_one : std::uint8_t { all = 255 };
enum class large_one : std::uint64_t { beyond_32_bits = std::uint64_t{1} << 40 };
enum class truth : bool { no, yes };
enum class letter : char { a = 'a' };

}  // namespace canal

namespace {

using canal::lane, canal::large_one, canal::letter, canal::plain, canal::small_one, canal::truth;
using namespace sluice;  // NOLINT(google-build-using-namespace): the library's own tests

__extension__ using wide_number = __int128;
__extension__ using unsigned_wide_number = unsigned __int128;

template <class K>
concept taken = requires(filter& f, const K& k) { f.insert(k); };
template <class K>
concept taken_in_bulk = requires(filter& f, const std::vector<K>& keys) { f.insert_bulk(keys); };

TEST(number_keys, of_128_bits_are_refused) {
  EXPECT_TRUE(std::integral<wide_number> && std::integral<unsigned_wide_number>)
      << "this test needs the compiler's extensions";
  // Said when the test runs, so that a compiler that takes them can be told from one that does not compile this.
  EXPECT_FALSE(taken<wide_number>);
  EXPECT_FALSE(taken<unsigned_wide_number>);
  EXPECT_FALSE(taken_in_bulk<unsigned_wide_number>);
  EXPECT_FALSE(detail::integer_key<const wide_number>);
  const bool is_hashed =
      std::invocable<const hasher&, wide_number> || std::invocable<const hasher&, unsigned_wide_number>;
  EXPECT_FALSE(is_hashed) << "also not by the hash itself";
  // What the message advises.
  const wide_number one = 1;
  const wide_number other = (wide_number{1} << 64) + 1;
  const auto bytes_of = [](const wide_number& number) { return std::as_bytes(std::span(&number, 1)); };
  EXPECT_NE(hasher()(bytes_of(one)), hasher()(bytes_of(other))) << "numbers with the same low half are different keys";
  EXPECT_EQ(bytes_of(one).size(), 16U);
}

TEST(number_keys, enumerations_are_the_integer_behind_them) {
  const hasher hash(5);
  EXPECT_EQ(hash(lane::right), hash(7));
  EXPECT_EQ(hash(lane::left), hash(std::int64_t{-1}));
  EXPECT_EQ(hash(plain::second), hash(4U));
  EXPECT_EQ(hash(small_one::all), hash(255));
  EXPECT_EQ(hash(large_one::beyond_32_bits), hash(std::int64_t{1} << 40));
  EXPECT_FALSE(key<truth> || key<letter> || key<std::byte>) << "truth values and characters are no keys";

  auto f = filter::for_keys(1000);
  EXPECT_EQ(f.insert_bulk(std::vector<lane>{lane::left, lane::right, lane::right}), 2U);
  EXPECT_TRUE(f.may_contain(7) && f.may_contain(-1) && f.may_contain(lane::left));
  EXPECT_FALSE(f.may_contain(lane::middle));
}

TEST(number_keys, enumerations_are_integers_for_a_file) {
  const filter empty(blocked_parameters{.blocks = 4, .hashes = 8});
  filter_file of_numbers(empty, {key_kind::u64});
  EXPECT_TRUE(of_numbers.insert(lane::right));
  EXPECT_TRUE(of_numbers.may_contain(std::uint64_t{7}));
  filter_file of_bytes(empty, {key_kind::bytes});
  EXPECT_THROW(of_bytes.insert(lane::right), key_error);
  EXPECT_THROW(static_cast<void>(of_bytes.may_contain(plain::first)), key_error);
  filter_file of_short_numbers(empty, {key_kind::u32});
  EXPECT_TRUE(of_short_numbers.insert(small_one::all));
  EXPECT_THROW(of_short_numbers.insert(large_one::beyond_32_bits), key_error);
}

}  // namespace
