// What people type and what they see: numbers are read as they were meant or not at all, and nothing from outside
// commands a terminal.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "../cli/frame/number_reader.hpp"
#include "../cli/frame/printable.hpp"
#include "sluice/errors.hpp"

namespace {

using sluice_cli::number_of_bytes;
using sluice_cli::printable;
using sluice_cli::real_number;
using sluice_cli::whole_number;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(text, whole_numbers_are_decimal_digits) {
  EXPECT_EQ(whole_number("0"), 0U);
  EXPECT_EQ(whole_number("010"), 10U) << "not octal";
  EXPECT_EQ(whole_number("18446744073709551615"), most);
  EXPECT_EQ(whole_number("2147483647", 2147483647), 2147483647U);
  EXPECT_EQ(whole_number("2147483648", 2147483647), std::nullopt);
  for (const char* const text : {"", " ", " 5", "5 ", "+5", "-1", "-0", "0x10", "1e3", "1.0", "1,000", "five", "5\n",
                                 "18446744073709551616", "99999999999999999999999"}) {
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
  }
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
