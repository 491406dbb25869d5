// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Integers and records of a fixed length as keys: every form gives the same numbers, and what is none is named with its
// place.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "keys/integers.hpp"
#include "support/read_keys.hpp"

namespace {

using sluice_keys::decimal_integer;
using sluice_keys::hex_integer;
using sluice_keys::input_format;
using sluice_keys::key_input;
using shape = input_format::shape;
using testing_support::key_file;
using testing_support::read_slowly;
using testing_support::read_text;
using testing_support::refusal;
using testing_support::texts;
using testing_support::what_was_read;
using integers = std::vector<std::uint64_t>;

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(integer_keys, decimal) {
  EXPECT_EQ(decimal_integer("0"), 0U);
  EXPECT_EQ(decimal_integer("-0"), 0U);
  EXPECT_EQ(decimal_integer("007"), 7U);
  EXPECT_EQ(decimal_integer("18446744073709551615"), largest);
  EXPECT_EQ(decimal_integer("-1"), largest) << "two's complement";
  EXPECT_EQ(decimal_integer("-9223372036854775808"), std::uint64_t{1} << 63);
  for (const char* const text :
       {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "18446744073709551616", "-9223372036854775809", "--1"}) {
    EXPECT_FALSE(decimal_integer(text)) << text;
  }
}

TEST(integer_keys, hexadecimal) {
  EXPECT_EQ(hex_integer("0xfF"), 255U);
  EXPECT_EQ(hex_integer("ff"), 255U);
  EXPECT_EQ(hex_integer("0XFF"), 255U);
  EXPECT_EQ(hex_integer("10"), 16U);
  EXPECT_EQ(hex_integer("ffffffffffffffff"), largest);
  EXPECT_EQ(hex_integer("00000000000000000001"), 1U);
  for (const char* const text : {"", "0x", "-1", "0x-1", "g", "1 ", "0x0x1", "10000000000000000"}) {
    EXPECT_FALSE(hex_integer(text)) << text;
  }
}

// Every form says the same.
TEST(integer_keys, files) {
  const integers expected = {1, largest, std::uint64_t{1} << 63, 258};
  const std::string big("\0\0\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02", 32);
  const std::string decimal = "1\n-1\r\n\n-9223372036854775808\n258";
  const std::string hex = "1\n0xFFFFffffFFFFffff\n8000000000000000\n0X102\n";
  const what_was_read of_decimal = read_text(decimal, {.made = {.what = shape::decimal}, .records = true});
  EXPECT_EQ(of_decimal.numbers, expected);
  EXPECT_EQ(of_decimal.records, (texts{"1\n", "-1\r\n", "-9223372036854775808\n", "258\n"})) << "as they stood";
  EXPECT_EQ(of_decimal.summary.blank, 1U);
  EXPECT_EQ(read_text(hex, {.made = {.what = shape::hex}}).numbers, expected);
  const what_was_read of_big = read_text(big, {.made = {.what = shape::u64be}, .records = true});
  EXPECT_EQ(of_big.numbers, expected);
  EXPECT_EQ(of_big.all_absent, big);
  EXPECT_EQ(read_text("x 258\ny\n", {.made = {.what = shape::decimal, .fields = {2}}}).numbers, (integers{258}));
  EXPECT_EQ(refusal("1\nx2\n", {.made = {.what = shape::decimal}}),
            ": byte 2: 'x2' is not a decimal number from -9223372036854775808 to 18446744073709551615");
  EXPECT_EQ(refusal("1\n" + std::string(50, 'f'), {.made = {.what = shape::hex}}),
            ": byte 2: '" + std::string(40, 'f') + "...' is not a hexadecimal number of 64 bits");
  EXPECT_EQ(refusal(big + "abc", {.made = {.what = shape::u64be}}),
            ": byte 32: 3 bytes are left over; every key has 8");
}

TEST(integer_keys, records_of_a_fixed_length) {
  const std::string bytes("ab\0\ncd", 6);
  const what_was_read three = read_text(bytes, {.made = {.what = shape::fixed, .width = 3}, .records = true});
  EXPECT_EQ(three.keys, (texts{std::string("ab\0", 3), "\ncd"}));
  EXPECT_EQ(three.all_absent, bytes);
  EXPECT_EQ(refusal(bytes + "x", {.made = {.what = shape::fixed, .width = 3}}),
            ": byte 6: 1 byte is left over; every key has 3");
  EXPECT_EQ(refusal("ab", {.made = {.what = shape::fixed, .width = 3}}),
            ": byte 0: 2 bytes are left over; every key has 3");
  const std::size_t piece = std::size_t{1} << 20;
  for (const std::size_t width : {piece - 1, piece + 1, 3 * piece + 5}) {
    const std::string two = std::string(width, 'a') + std::string(width, 'b');
    EXPECT_EQ(read_text(two, {.made = {.what = shape::fixed, .width = width}}).keys,
              (texts{std::string(width, 'a'), std::string(width, 'b')}));
  }
  for (std::size_t step = 1; step < 8; ++step) {
    EXPECT_EQ(read_slowly(bytes, {.made = {.what = shape::fixed, .width = 3}}, step).keys, three.keys) << step;
  }
}

TEST(integer_keys, literals_are_printed_as_the_file_has_them) {
  const auto printed = [](const texts& literals, const std::string& content, input_format format) {
    format.records = true;
    const key_file file(content);
    key_input input({.literals = literals, .files = {file.path()}, .format = format});
    sluice_keys::key_batch batch;
    std::string out;
    while (input.next(batch)) batch.append_records(std::vector<std::uint8_t>(batch.size(), 1), 1, out);
    return out;
  };
  EXPECT_EQ(printed({"-5", "0x10"}, "7\n", {.made = {.what = shape::decimal}}), "-5\n16\n7\n");
  EXPECT_EQ(printed({"16"}, "7\n", {.made = {.what = shape::hex}}), "0x10\n7\n");
  EXPECT_EQ(printed({"258"}, std::string(8, '\0'), {.made = {.what = shape::u64be}}),
            std::string("\0\0\0\0\0\0\x01\x02\0\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(printed({"abc"}, "xyz", {.made = {.what = shape::fixed, .width = 3}}), "abcxyz");
  EXPECT_THROW(key_input({.literals = {"ab"}, .format = {.made = {.what = shape::fixed, .width = 3}}}), sluice::error);
  EXPECT_THROW(key_input({.literals = {"18446744073709551616"}, .format = {.made = {.what = shape::u64}}}),
               sluice::error);
}

}  // namespace
