// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What people type and what they see: numbers are read as they were meant or not at all, and nothing from outside
// commands a terminal.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "frame/number_reader.hpp"
#include "frame/printable.hpp"
#include "frame/suggestion.hpp"
#include "sluice/errors.hpp"

namespace {

using sluice_cli::edit_distance;
using sluice_cli::escaped_bytes;
using sluice_cli::nearest_word;
using sluice_cli::number_of_bytes;
using sluice_cli::number_of_seconds;
using sluice_cli::printable;
using sluice_cli::real_number;
using sluice_cli::share;
using sluice_cli::whole_number;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(text, whole_numbers_are_decimal) {
  EXPECT_EQ(whole_number("0"), 0U);
  EXPECT_EQ(whole_number("010"), 10U) << "not octal";
  EXPECT_EQ(whole_number("18446744073709551615"), most);
  EXPECT_EQ(whole_number("2147483647", 2147483647), 2147483647U);
  EXPECT_EQ(whole_number("2147483648", 2147483647), std::nullopt);
  for (const char* const text : {"", " ", " 5", "5 ", "+5", "-1", "-0", "0x10", "five", "5\n", "1.", ".5k",
                                 "18446744073709551616", "99999999999999999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
}

TEST(text, whole_numbers_have_separators_exponents_and_suffixes) {
  for (const char* const text : {"1000000", "1,000,000", "1e6", "1E6", "1e+6", "1.0e6", "10e5", "1M", "1000k", "1000K",
                                 "0.001G", "0.000001T", "1,000k", "1,000,000.0", "10000000e-1"}) {
    EXPECT_EQ(whole_number(text), 1'000'000U) << text;
  }
  EXPECT_EQ(whole_number("1.5M"), 1'500'000U);
  EXPECT_EQ(whole_number("12,345,678"), 12'345'678U);
  EXPECT_EQ(whole_number("123,456"), 123'456U);
  EXPECT_EQ(whole_number("0.0"), 0U);
  EXPECT_EQ(whole_number("0e-5"), 0U);
  EXPECT_EQ(whole_number("1.8446744073709551615e19"), most) << "to the last digit";
  EXPECT_EQ(whole_number("9007199254740993"), 9'007'199'254'740'993U) << "not through a double";
  EXPECT_EQ(whole_number("2k", 2000), 2000U);
  EXPECT_EQ(whole_number("2k", 1999), std::nullopt);
  for (const char* const text :
       {"1,00", "1,0000", "1000,000", ",000", "1,",  "1,,000", "0,001", "1,000,00", "1.000,000", "1.5",
        "0.5",  "1e-1",   "1.55e1",   "1e",   "1e+", "1e+-1",  "1e1.5", "M",        "1m",        "1X",
        "1KB",  "1Ki",    "1MM",      "1e3k", "1 M", "5%",     "1e20",  "20e18",    "1e1000",    "1e99999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
}

TEST(text, shares_may_be_percentages) {
  EXPECT_EQ(share("0.001"), 0.001);
  EXPECT_EQ(share("1e-6"), 1e-6);
  EXPECT_EQ(share("1%"), 0.01);
  EXPECT_EQ(share("0.1%"), 0.001);
  EXPECT_EQ(share("100%"), 1);
  EXPECT_EQ(share("1e-4%"), 1e-6);
  for (const char* const text : {"", "%", "1%%", "1 %", "%1", "0,001", "1k", "five%", "1e400%"}) {
    EXPECT_EQ(share(text), std::nullopt) << text;
  }
}

TEST(text, times_have_units) {
  const auto seconds = [](const char* text) { return number_of_seconds("--window-time", text); };
  EXPECT_EQ(seconds("90s"), 90);
  EXPECT_EQ(seconds("10m"), 600);
  EXPECT_EQ(seconds("1.5h"), 5400);
  EXPECT_EQ(seconds("7d"), 604'800);
  EXPECT_EQ(seconds("1e-3s"), 0.001);
  for (const char* const text : {"", "10", "m", "10M", "10 m", "10ms", "-5s", "0s", "1e9d", "x", "1h30m"}) {
    EXPECT_THROW(static_cast<void>(seconds(text)), sluice::parameter_error) << text;
  }
}

TEST(text, mistyped_words_have_a_nearest) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("query", "query"), 0U);
  EXPECT_EQ(edit_distance("", "query"), 5U);
  EXPECT_EQ(edit_distance("query", ""), 5U);
  EXPECT_EQ(edit_distance("qury", "query"), 1U) << "one missing";
  EXPECT_EQ(edit_distance("queery", "query"), 1U) << "one too many";
  EXPECT_EQ(edit_distance("quary", "query"), 1U) << "another one";
  EXPECT_EQ(edit_distance("qurey", "query"), 1U) << "two swapped";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U) << "what was swapped is not changed again";
  const std::vector<std::string> words = {"plan", "build", "query", "add", "merge", "reproduce"};
  EXPECT_EQ(nearest_word("qurey", words), "query");
  EXPECT_EQ(nearest_word("plna", words), "plan");
  EXPECT_EQ(nearest_word("ad", words), "add");
  EXPECT_EQ(nearest_word("repordcue", words), "reproduce") << "two mistakes in a long word";
  EXPECT_EQ(nearest_word("ask", words), std::nullopt) << "two mistakes in a short one";
  EXPECT_EQ(nearest_word("help", words), std::nullopt);
  EXPECT_EQ(nearest_word("", words), std::nullopt);
  EXPECT_EQ(nearest_word("x", {}), std::nullopt);
}

TEST(text, real_numbers_are_decimal_and_finite) {
  EXPECT_EQ(real_number("16"), 16);
  EXPECT_EQ(real_number("010"), 10);
  EXPECT_EQ(real_number("1e8"), 1e8);
  EXPECT_EQ(real_number("1E-6"), 1e-6);
  EXPECT_EQ(real_number("0.001"), 0.001);
  EXPECT_EQ(real_number(".5"), 0.5);
  EXPECT_EQ(real_number("2."), 2);
  EXPECT_EQ(real_number("-1"), -1) << "whether that makes sense is for others to say";
  for (const char* const text :
       {"",    " ",    " 5",       "5 ",  "+5",   "--5",    "-",  ".",   "0x10", "0x1p3", "1e400", "-1e400",
        "inf", "-inf", "infinity", "nan", "-nan", "nan(1)", "1e", "1e+", "1,5",  "1'000", "5%"}) {
    EXPECT_EQ(real_number(text), std::nullopt) << text;
  }
}

TEST(text, bytes_have_suffixes) {
  const auto bytes = [](const char* text) { return number_of_bytes("--memory", text); };
  EXPECT_EQ(bytes("2000"), 2000);
  for (const char* const text : {"2k", "2K", "2KB", "2kB", "0.002M", "2e3", "2000B"})
    EXPECT_EQ(bytes(text), 2000) << text;
  EXPECT_EQ(bytes("1.5Ki"), 1536);
  EXPECT_EQ(bytes("1KiB"), 1024);
  EXPECT_EQ(bytes("1Mi"), 1 << 20);
  EXPECT_EQ(bytes("1Gi"), 1 << 30);
  EXPECT_EQ(bytes("1T"), 1e12);
  for (const char* const text : {"", "lots", " 5", "5 M", "-5M", "0x10", "nanM", "inf", "1e400", "1e308T", "2X", "2Ko",
                                 "2i", "2mi", "2M2", "K"}) {
    try {
      static_cast<void>(bytes(text));
      ADD_FAILURE() << text << " is taken";
    } catch (const sluice::parameter_error& e) {
      EXPECT_EQ(std::string(e.what()).rfind(std::string("--memory: '") + text + "'", 0), 0U) << e.what();
    }
  }
}

TEST(text, bytes_are_told_from_their_escapes) {
  EXPECT_EQ(escaped_bytes("caf\xc3\xa9, \xe2\x82\xac and \xf0\x9f\x8c\x8a"),
            "caf\xc3\xa9, \xe2\x82\xac and \xf0\x9f\x8c\x8a");
  EXPECT_EQ(escaped_bytes("\xff"), "\\xff");
  EXPECT_EQ(escaped_bytes("\\xff"), "\\\\xff") << "which is another key";
  EXPECT_EQ(escaped_bytes("a\\b"), "a\\\\b");
  EXPECT_EQ(escaped_bytes(std::string("a\0\n\x1b", 4)), std::string("a\0\n\x1b", 4)) << "JSON has escapes for those";
  EXPECT_EQ(escaped_bytes("\xe0\x80\x80"), "\\xe0\\x80\\x80") << "longer than need be";
  EXPECT_EQ(escaped_bytes("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(escaped_bytes("\xf0\x80\x80\x80\xf4\x90\x80\x80"), "\\xf0\\x80\\x80\\x80\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(escaped_bytes("\xed\x9f\xbf\xf4\x8f\xbf\xbf"), "\xed\x9f\xbf\xf4\x8f\xbf\xbf")
      << "the last that are none of these";
}

TEST(text, nothing_that_is_shown_commands_a_terminal) {
  EXPECT_EQ(printable("a plain name, with \\ and 'quotes'"), "a plain name, with \\ and 'quotes'");
  EXPECT_EQ(printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(printable("two\nlines\r\tand\x7f"), "two\\x0alines\\x0d\\x09and\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a \xc2\xa0"),
            "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a \xc2\xa0")
      << "text stays text";
  // The same commands as ESC [, as one character of UTF-8 and as one byte.
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\x80\xc2\x9f"),
            "\\xc2\\x9b31m\\xc2\\x80\\xc2\\x9f");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\x9b\xe2\x82"), "\\xc0\\x9b\\xe2\\x82") << "cut off, and longer than need be";
  EXPECT_EQ(printable("\xc3\x1b[0m"), "\\xc3\\x1b[0m") << "what is no character does not hide the next one";
}

}  // namespace
