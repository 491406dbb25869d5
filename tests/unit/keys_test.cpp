// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys from files: every format against a plain reading, at every size of the pieces in which a source gives its bytes;
// records as they stood; errors with their place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/errors.hpp"
#include "support/gzip.hpp"
#include "support/peak_memory.hpp"
#include "support/read_keys.hpp"

namespace {

using sluice_keys::input_format;
using sluice_keys::key_batch;
using sluice_keys::key_input;
using shape = input_format::shape;
using testing_support::gzip;
using testing_support::key_file;
using testing_support::peak_memory;
using testing_support::read;
using testing_support::read_slowly;
using testing_support::read_text;
using testing_support::refusal;
using testing_support::texts;
using testing_support::what_was_read;

TEST(keys, lines) {
  const what_was_read all = read_text("one\ntwo\r\n\n\r\nthree\rx\nlast", {.records = true});
  EXPECT_EQ(all.keys, (texts{"one", "two", "three\rx", "last"}));
  EXPECT_EQ(all.records, (texts{"one\n", "two\r\n", "three\rx\n", "last\n"}));
  EXPECT_EQ(all.summary.blank, 2U);
  const what_was_read kept = read_text("one\n\ntwo\r\n", {.made = {.keep_cr = true, .keep_empty = true}});
  EXPECT_EQ(kept.keys, (texts{"one", "", "two\r"}));
  EXPECT_TRUE(read_text("", {}).keys.empty());
  EXPECT_EQ(read_text("\n", {}).summary.blank, 1U);
  EXPECT_EQ(read_text(std::string("a\nb\0c\n", 6), {}).keys, (texts{"a", std::string("b\0c", 3)}));
}

TEST(keys, strings_that_end_with_zero) {
  const what_was_read all = read_text(std::string("a\n\0\0b\r\0c", 8), {.made = {.what = shape::nul}, .records = true});
  EXPECT_EQ(all.keys, (texts{"a\n", "b\r", "c"}));
  EXPECT_EQ(all.records, (texts{std::string("a\n\0", 3), std::string("b\r\0", 3), std::string("c\0", 2)}));
}

// Lines of every length around that of a piece, and one of many pieces.
TEST(keys, lines_of_any_length) {
  const std::size_t piece = std::size_t{1} << 20;
  texts expected;
  std::string content;
  for (const std::size_t length :
       {piece - 2, piece - 1, piece, piece + 1, std::size_t{3}, 5 * piece + 7, std::size_t{1}}) {
    expected.emplace_back(length, static_cast<char>('a' + expected.size()));
    content += expected.back() + "\n";
  }
  EXPECT_EQ(read_text(content, {}).keys, expected);
}

// A limit is a limit: its last byte is allowed, wherever the key stands and however it ends, and the next is not.
TEST(keys, none_is_longer_than_the_longest) {
  for (const std::size_t longest :
       {std::size_t{1}, std::size_t{10}, std::size_t{1} << 20, (std::size_t{1} << 20) + 7}) {
    const std::string just(longest, 'x');
    const std::string sentence =
        "a key of more than " + std::to_string(longest) + " bytes; --longest-key takes longer ones";
    const input_format lines{.longest = longest};
    const input_format nul{.made = {.what = shape::nul}, .longest = longest};
    for (const char* const end : {"", "\n", "\r\n"}) {
      EXPECT_EQ(read_text("a\n" + just + end, lines).keys, (texts{"a", just})) << longest;
      EXPECT_EQ(refusal("a\n" + just + "x" + end, lines), ": byte 2: " + sentence) << longest;
      EXPECT_EQ(refusal(just + "x" + end, lines), ": byte 0: " + sentence) << longest;
    }
    EXPECT_EQ(refusal("a\n" + just + "\r\n", {.made = {.keep_cr = true}, .longest = longest}), ": byte 2: " + sentence);
    EXPECT_EQ(read_text(just + std::string("\0b", 2), nul).keys, (texts{just, "b"}));
    EXPECT_EQ(refusal(just + std::string("x\0b", 3), nul), ": byte 0: " + sentence);
  }
}

TEST(keys, no_record_is_longer_than_the_longest) {
  const std::string sentence = "a record of more than 10 bytes; --longest-key takes longer ones";
  const input_format ten{.made = {.what = shape::csv, .columns = {"a"}}, .longest = 10};
  for (const char* const end : {"", "\n", "\r\n"}) {
    EXPECT_EQ(read_text(std::string("a,b\n12345,7890") + end, ten).keys, (texts{"12345"}));
    EXPECT_EQ(refusal(std::string("a,b\n12345,78901") + end, ten), ": byte 4: " + sentence);
  }
  EXPECT_EQ(refusal("a,b,c,d,e,f\n1,2,3,4,5,6\n", ten), ": byte 0: " + sentence) << "the header is one, too";
  EXPECT_EQ(read_text("a\n\"1\n\n\n\n\n\n8\"\n", ten).keys, (texts{"1\n\n\n\n\n\n8"})) << "line ends in quotes";
  EXPECT_EQ(refusal("a\n\"1\n\n\n\n\n\n89\"\n", ten), ": byte 2: " + sentence);
  const input_format mebibyte{.made = {.what = shape::csv, .columns = {"a"}}, .longest = std::size_t{1} << 20};
  const std::string just(std::size_t{1} << 20, 'x');
  EXPECT_EQ(read_text("a\n" + just + "\r\n1", mebibyte).keys, (texts{just, "1"}));
  EXPECT_NE(refusal("a\n" + just + "x\n", mebibyte).find("byte 2: a record of more than 1048576"), std::string::npos);
}

// A few packed bytes are very many others. None of the readers waits for the end of them.
TEST(keys, a_packed_bomb_is_an_error_and_not_a_key) {
  const std::size_t longest = std::size_t{1} << 20;
  // Packed files may be put one after the other; what comes first begins a CSV, too.
  const auto bomb_of = [](char byte) {
    std::string packed = gzip("a\n\"");
    const std::string mebibyte = gzip(std::string(std::size_t{1} << 20, byte));
    for (int i = 0; i < 256; ++i) packed += mebibyte;
    return packed;
  };
  const key_file bomb(bomb_of('a'));
  const key_file quoted(bomb_of('\n'));  // in quotes, where they end nothing
  const auto refused = [&](const key_file& file, const input_format& format) {
    try {
      static_cast<void>(read(file.path(), format));
    } catch (const sluice::error& e) {
      return std::string(e.what()).substr(file.path().size());
    }
    return std::string("taken");
  };
  const std::size_t before = peak_memory();
  const std::string key = "a key of more than 1048576 bytes; --longest-key takes longer ones";
  const std::string record = "a record of more than 1048576 bytes; --longest-key takes longer ones";
  EXPECT_EQ(refused(bomb, {.longest = longest}), ": byte 2: " + key);
  EXPECT_EQ(refused(bomb, {.made = {.what = shape::nul}, .longest = longest}), ": byte 0: " + key);
  EXPECT_EQ(refused(bomb, {.made = {.what = shape::csv, .columns = {"a"}}, .longest = longest}), ": byte 2: " + record);
  EXPECT_EQ(refused(quoted, {.made = {.what = shape::csv, .columns = {"a"}}, .longest = longest}),
            ": byte 2: " + record);
  EXPECT_LT(peak_memory() - before, 64 * longest);
  EXPECT_NE(refused(bomb, {}).find("a key of more than 16777216 bytes"), std::string::npos) << "the usual limit";
}

TEST(keys, integers) {
  const std::string bytes("\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  EXPECT_EQ(read_text(bytes, {.made = {.what = shape::u64}}).numbers,
            (std::vector<std::uint64_t>{1, ~std::uint64_t{0}}));
  EXPECT_EQ(read_text(bytes, {.made = {.what = shape::u32}}).numbers,
            (std::vector<std::uint64_t>{1, 0, 0xffffffff, 0xffffffff}));
  EXPECT_EQ(refusal(bytes + "abc", {.made = {.what = shape::u64}}),
            ": byte 16: 3 bytes are left over; every key has 8");
}

TEST(keys, columns) {
  const std::string content =
      "\xef\xbb\xbfid,name,\"a \"\"quoted\"\" title\"\r\n1,plain,x\r\n2,\"with, "
      "comma\",\r\n3,\"two\r\nlines\",z\n4,\"say \"\"hi\"\"\",w";
  const what_was_read names = read_text(content, {.made = {.what = shape::csv, .columns = {"name"}}, .records = true});
  EXPECT_EQ(names.keys, (texts{"plain", "with, comma", "two\r\nlines", "say \"hi\""}));
  EXPECT_EQ(names.records[1], "2,\"with, comma\",\r\n");
  EXPECT_EQ(names.records[3], "4,\"say \"\"hi\"\"\",w\n");
  EXPECT_EQ(names.preface, content.substr(0, content.find('\n') + 1));
  EXPECT_EQ(read_text(content, {.made = {.what = shape::csv, .columns = {"id"}}}).keys, (texts{"1", "2", "3", "4"}));
  const what_was_read third = read_text(content, {.made = {.what = shape::csv, .columns = {"3"}}});
  EXPECT_EQ(third.keys, (texts{"x", "z", "w"}));
  EXPECT_EQ(third.summary.empty, 1U);
  EXPECT_EQ(read_text(content, {.made = {.what = shape::csv, .columns = {"a \"quoted\" title"}}}).keys, third.keys);
  EXPECT_EQ(read_text("a\n\"\"\nb\n\n", {.made = {.what = shape::csv, .columns = {"a"}}}).keys, (texts{"b"}));
  EXPECT_EQ(read_text("\xef\xbb\xbf\"a\",b\n1,2\n", {.made = {.what = shape::csv, .columns = {"a"}}}).keys,
            (texts{"1"}));
  // Blank lines are no records where there are several columns; a last record may end with a lone carriage return.
  const what_was_read blanks =
      read_text("a,b\n\n1,2\n\r\n3,4\r", {.made = {.what = shape::csv, .columns = {"b"}, .keep_empty = true}});
  EXPECT_EQ(blanks.keys, (texts{"2", "4"}));
  EXPECT_EQ(blanks.summary.empty, 0U);
}

TEST(keys, broken_columns_are_named_with_their_place) {
  const auto because = [](const std::string& content, const std::string& column) {
    return refusal(content, {.made = {.what = shape::csv, .columns = {column}}});
  };
  EXPECT_EQ(because("a,b\n1,2\n", "c"), ": byte 0: there is no column 'c'; the header has 2: a, b");
  EXPECT_EQ(because("a,b\n1,2\n", "3"), ": byte 0: there is no column '3'; the header has 2: a, b");
  EXPECT_EQ(because("a,b\n1,2\n3\n", "b"), ": byte 8: record 3 has 1 field, and the header has 2");
  EXPECT_EQ(because("a,b\n1,2,3\n", "a"), ": byte 4: record 2 has 3 fields, and the header has 2");
  EXPECT_EQ(because("a,b,a\n1,2,3\n", "a"), ": byte 0: the header has several columns 'a'; give its number");
  EXPECT_EQ(because("a\n\"x\n", "a"), ": byte 2: a quote is opened here and never closed");
  EXPECT_EQ(because("a\nx\"y\n", "a"), ": byte 3: a quote within a field that does not begin with one");
  EXPECT_EQ(because("a\n\"x\"y\n", "a"), ": byte 5: after a closing quote comes a delimiter or the end of the record");
  EXPECT_EQ(because("", "a"), ": byte 0: there is nothing in it; a table begins with the names of its columns");
}

// However the bytes come, the keys are the same.
TEST(keys, pieces_of_any_size_give_the_same_keys) {
  std::string lines;
  std::string csv = "k,v\n";
  std::string numbers;
  for (int i = 0; i < 40; ++i) {
    lines += std::string(static_cast<std::size_t>(i % 7), 'x') + std::to_string(i) + (i % 3 == 0 ? "\r\n" : "\n");
    csv += "\"" + std::to_string(i) + "\"\"\n\"," + std::to_string(i) + "\r\n";
    numbers += std::string(8, static_cast<char>(i));
  }
  for (std::size_t step = 1; step < 40; ++step) {
    const input_format of_records{.made = {.what = shape::csv, .columns = {"k"}}, .records = true};
    ASSERT_EQ(read_slowly(lines, {.records = true}, step).records, read_text(lines, {.records = true}).records) << step;
    ASSERT_EQ(read_slowly(csv, of_records, step).keys, read_text(csv, of_records).keys) << step;
    ASSERT_EQ(read_slowly(csv, of_records, step).records, read_text(csv, of_records).records) << step;
    ASSERT_EQ(read_slowly(numbers, {.made = {.what = shape::u64}}, step).numbers,
              read_text(numbers, {.made = {.what = shape::u64}}).numbers);
  }
}

TEST(keys, packed_files) {
  std::string packed = gzip("one\ntwo\n");
  EXPECT_EQ(read_text(packed, {}).keys, (texts{"one", "two"}));
  EXPECT_EQ(read_text(packed + packed, {}).keys, (texts{"one", "two", "one", "two"}));
  for (std::size_t size = 4; size < packed.size(); ++size) {
    EXPECT_NE(refusal(packed.substr(0, size), {}).find("cut off"), std::string::npos) << size;
  }
  packed[packed.size() - 6] ^= 1;
  EXPECT_NE(refusal(packed, {}).find("cannot be unpacked"), std::string::npos);
}

TEST(keys, literals_come_first_and_are_checked) {
  const key_file file("b\n");
  key_input input({.literals = {"a", ""}, .files = {file.path()}});
  key_batch batch;
  texts all;
  while (input.next(batch)) all.insert(all.end(), batch.texts.begin(), batch.texts.end());
  EXPECT_EQ(all, (texts{"a", "", "b"}));
  EXPECT_TRUE(input.can_be_read_again());
  input.rewind();
  texts again;
  while (input.next(batch)) again.insert(again.end(), batch.texts.begin(), batch.texts.end());
  EXPECT_EQ(again, all);
  EXPECT_FALSE(key_input({.files = {"/dev/null", "-"}}).can_be_read_again());
  EXPECT_THROW(key_input({.files = {"-", "-"}}), sluice::error);
  EXPECT_THROW(key_input({.literals = {"-1"}, .format = {.made = {.what = shape::u32}}}), sluice::error);
  EXPECT_THROW(key_input({.literals = {"4294967296"}, .format = {.made = {.what = shape::u32}}}), sluice::error);
  EXPECT_THROW(key_input({.literals = {""}, .format = {.made = {.what = shape::u32}}}), sluice::error);
}

TEST(keys, literals_are_printed_as_the_format_has_them) {
  const auto printed = [](const sluice_keys::key_files& what) {
    key_input input(what);
    key_batch batch;
    std::string out;
    while (input.next(batch)) batch.append_records(std::vector<std::uint8_t>(batch.size(), 1), 1, out);
    return out;
  };
  const key_file number(std::string("\x07\0\0\0", 4));
  const input_format u32{.made = {.what = shape::u32}, .records = true};
  EXPECT_EQ(printed({.literals = {"a"}, .format = {.records = true}}), "a\n");
  EXPECT_EQ(printed({.literals = {"a"}, .format = {.made = {.what = shape::nul}, .records = true}}),
            std::string("a\0", 2));
  EXPECT_EQ(printed({.literals = {"0x10"}, .format = u32}), "0x10\n");
  EXPECT_EQ(printed({.literals = {"5"}, .files = {number.path()}, .format = u32}),
            std::string("\x05\0\0\0\x07\0\0\0", 8));
  const key_file csv("a\n1\n");
  const input_format column{.made = {.what = shape::csv, .columns = {"a"}}, .records = true};
  EXPECT_THROW(key_input({.literals = {"1"}, .files = {csv.path()}, .format = column}), sluice::error);
}

TEST(keys, files_that_are_not_there_are_named_before_anything_is_read) {
  EXPECT_THROW(key_input({.files = {"/dev/null", "/nowhere/at/all"}}), sluice::error);
}

// Who feeds a pipe waits for an answer before the next key.
TEST(keys, a_short_key_is_given_as_soon_as_it_is_there) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  key_input input({.files = {"/dev/fd/" + std::to_string(ends[0])}});
  for (const std::string& key : texts{"5", "x", "(", "\x1f", "P*"}) {
    const std::string line = key + "\n";
    ASSERT_EQ(::write(ends[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    key_batch batch;
    ASSERT_TRUE(input.next(batch));
    EXPECT_EQ(batch.texts.front(), key);
  }
  ::close(ends[1]);
  ::close(ends[0]);
}

TEST(keys, formats_by_name) {
  EXPECT_EQ(sluice_keys::parse_format("csv:a:b").columns, (texts{"a:b"}));
  EXPECT_EQ(sluice_keys::parse_format("u32").kind(), sluice::key_kind::u32);
  EXPECT_EQ(sluice_keys::parse_format("pcap:5tuple").what, shape::pcap_five_tuple);
  EXPECT_THROW(static_cast<void>(sluice_keys::parse_format("csv:")), sluice::error);
  EXPECT_THROW(static_cast<void>(sluice_keys::parse_format("Lines")), sluice::error);
}

}  // namespace
