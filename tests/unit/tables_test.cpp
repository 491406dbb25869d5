// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys out of logs and tables: fields of lines, columns of CSV and TSV files, several of them as one key; what has no
// key is absent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "keys/fields.hpp"
#include "support/read_keys.hpp"

namespace {

using sluice_keys::input_format;
using sluice_keys::key_input;
using sluice_keys::parse_format;
using shape = input_format::shape;
using testing_support::key_file;
using testing_support::read_slowly;
using testing_support::read_text;
using testing_support::refusal;
using testing_support::texts;
using testing_support::what_was_read;

texts cut(const std::string& line, std::optional<char> delimiter) {
  std::vector<std::string_view> fields;
  sluice_keys::cut_fields(line, delimiter, fields);
  return {fields.begin(), fields.end()};
}

input_format as(const std::string& input) {
  input_format format{.made = parse_format(input)};
  format.records = true;
  return format;
}

TEST(tables, fields_as_in_awk_and_as_with_cut) {
  EXPECT_EQ(cut("  a\t b  c ", {}), (texts{"a", "b", "c"}));
  EXPECT_EQ(cut(" \t", {}), texts{});
  EXPECT_EQ(cut("", {}), texts{});
  EXPECT_EQ(cut("a  b", ' '), (texts{"a", "", "b"}));
  EXPECT_EQ(cut("\ta\t", '\t'), (texts{"", "a", ""}));
  EXPECT_EQ(cut("", ','), (texts{""}));
}

TEST(tables, a_field_is_the_key_and_the_line_is_printed) {
  const std::string log = "10.0.0.1 - GET /a\n\n10.0.0.2\tx\r\n  10.0.0.3  -  PUT";
  const what_was_read first = read_text(log, {.made = {.fields = {1}}, .records = true});
  EXPECT_EQ(first.keys, (texts{"10.0.0.1", "10.0.0.2", "10.0.0.3"}));
  EXPECT_EQ(first.records, (texts{"10.0.0.1 - GET /a\n", "10.0.0.2\tx\r\n", "  10.0.0.3  -  PUT\n"}));
  EXPECT_EQ(first.summary.blank, 1U);
  const what_was_read joined = read_text(log, {.made = {.fields = {3, 1}}, .records = true});
  EXPECT_EQ(joined.keys, (texts{"GET\t10.0.0.1", "PUT\t10.0.0.3"})) << "in the order asked for, joined by a tab";
  EXPECT_EQ(joined.summary.without_key, 1U);
  EXPECT_EQ(joined.all_absent, "10.0.0.1 - GET /a\n10.0.0.2\tx\r\n  10.0.0.3  -  PUT\n") << "each line once, in order";
  EXPECT_EQ(joined.records.size(), 2U);
}

TEST(tables, fields_between_delimiters) {
  const std::string text = "a;b;c\n;;\nx;;z\n;y\n";
  const what_was_read second = read_text(text, {.made = {.fields = {2}, .delimiter = ';'}, .records = true});
  EXPECT_EQ(second.keys, (texts{"b", "y"}));
  EXPECT_EQ(second.summary.empty, 2U);
  EXPECT_EQ(second.summary.keyless(), 2U);
  EXPECT_EQ(second.all_absent, text);
  const what_was_read two = read_text(text, {.made = {.fields = {1, 2}, .delimiter = ';'}, .records = true});
  EXPECT_EQ(two.keys, (texts{"a\tb", "x\t", "\ty"})) << "one of them may be empty";
  EXPECT_EQ(two.summary.empty, 1U);
  EXPECT_EQ(two.all_absent, text);
  EXPECT_EQ(read_text(text, {.made = {.fields = {1, 2}, .delimiter = ';', .keep_empty = true}}).keys,
            (texts{"a\tb", "\t", "x\t", "\ty"}));
  const what_was_read third =
      read_text(text, {.made = {.fields = {3}, .delimiter = ';', .keep_empty = true}, .records = true});
  EXPECT_EQ(third.keys, (texts{"c", "", "z"}));
  EXPECT_EQ(third.summary.without_key, 1U) << "a line with too few has no key, whatever is kept";
  EXPECT_EQ(read_text(std::string("a b\0c d", 7), {.made = {.what = shape::nul, .fields = {2}}}).keys,
            (texts{"b", "d"}));
}

TEST(tables, lines_with_fields_have_a_longest_too) {
  const input_format ten{.made = {.fields = {1}}, .longest = 10};
  EXPECT_EQ(read_text("a 34567890\n", ten).keys, (texts{"a"}));
  EXPECT_EQ(refusal("b\na 345678901\n", ten),
            ": byte 2: a line of more than 10 bytes; --longest-key takes longer ones");
}

TEST(tables, columns_together_are_one_key) {
  const std::string flows = "src,dst,bytes\na,b,1\n\"a,c\",\"\"\"q\"\"\",2\n,,3\n,b,4\n";
  const what_was_read pairs = read_text(flows, as("csv:src,dst"));
  EXPECT_EQ(pairs.keys, (texts{"a\tb", "a,c\t\"q\"", "\tb"}));
  EXPECT_EQ(pairs.summary.empty, 1U);
  EXPECT_EQ(pairs.preface + pairs.all_absent, flows) << "records with an empty key are absent, in their place";
  EXPECT_EQ(read_text(flows, as("csv:dst,1")).keys, (texts{"b\ta", "\"q\"\ta,c", "b\t"})) << "by number, too";
  EXPECT_EQ(read_text(flows, as("csv:src,src")).keys.front(), "a\ta");
  EXPECT_EQ(refusal(flows, as("csv:src,age")), ": byte 0: there is no column 'age'; the header has 3: src, dst, bytes");
  // Names that have commas stand in quotes, as in the file.
  EXPECT_EQ(read_text("\"a,b\",c\n1,2\n", as("csv:\"a,b\"")).keys, (texts{"1"}));
}

TEST(tables, a_byte_order_mark_is_one_at_the_beginning_alone) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(read_text(mark + "\n,i", as("csv:#2")).keys, (texts{"i"})) << "a blank line behind it is no beginning";
  EXPECT_EQ(read_text(mark + "\n\n" + mark + ",i\n", as("csv:#1")).keys, (texts{mark}));
}

TEST(tables, without_a_header) {
  const std::string content = "\n1,a\n2,b\n\n3,\n";
  const what_was_read second = read_text(content, as("csv:#2"));
  EXPECT_EQ(second.keys, (texts{"a", "b"}));
  EXPECT_EQ(second.preface, "");
  EXPECT_EQ(second.all_absent, "1,a\n2,b\n3,\n");
  EXPECT_EQ(read_text(content, as("csv:#2,#1")).keys, (texts{"a\t1", "b\t2", "\t3"}));
  EXPECT_EQ(refusal(content, as("csv:#3")), ": byte 1: there is no column '3'; the first record has 2");
  EXPECT_EQ(refusal("1,2\n1\n", as("csv:#1")), ": byte 4: record 2 has 1 field, and the first record has 2");
  EXPECT_TRUE(read_text("", as("csv:#1")).keys.empty()) << "which is an error only where a header is missing";
  EXPECT_EQ(read_text("\xef\xbb\xbf"
                      "1,2\n",
                      as("csv:#1"))
                .keys,
            (texts{"1"}));
  EXPECT_EQ(read_text("a\n\nb\n", as("csv:#1")).all_absent, "a\n\nb\n");
}

TEST(tables, tabs_quote_nothing) {
  const std::string content = "#chrom\tname\n1\t\"x\n2\ta,b\r\n3\t\n";
  const what_was_read names = read_text(content, as("tsv:name"));
  EXPECT_EQ(names.keys, (texts{"\"x", "a,b"}));
  EXPECT_EQ(names.preface + names.all_absent, content);
  EXPECT_EQ(read_text(content, as("tsv:#chrom,name")).keys, (texts{"1\t\"x", "2\ta,b", "3\t"}));
  EXPECT_EQ(read_text("1\t2\n3\t4", as("tsv:#2")).keys, (texts{"2", "4"}));
}

TEST(tables, another_delimiter) {
  input_format format = as("csv:b");
  format.made.delimiter = ';';
  EXPECT_EQ(read_text("a;b\n1;\"x;y\"\n2;3,4\n", format).keys, (texts{"x;y", "3,4"}));
}

// However the bytes come, everything is printed once and in its order.
TEST(tables, pieces_of_any_size_give_the_same) {
  std::string log;
  std::string table = "k\tv\n";
  for (int i = 0; i < 40; ++i) {
    log += std::string(static_cast<std::size_t>(i % 3), ' ') + "x" + (i % 4 == 0 ? "" : " " + std::to_string(i)) + "\n";
    table += (i % 5 == 0 ? "" : std::to_string(i)) + "\tv" + (i % 3 == 0 ? "\r\n" : "\n");
  }
  const input_format second{.made = {.fields = {2}}, .records = true};
  const what_was_read of_log = read_text(log, second);
  const what_was_read of_table = read_text(table, as("tsv:k"));
  EXPECT_EQ(of_log.all_absent, log);
  EXPECT_EQ(of_log.summary.without_key, 10U);
  EXPECT_EQ(of_table.preface + of_table.all_absent, table);
  EXPECT_EQ(of_table.summary.empty, 8U);
  for (std::size_t step = 1; step < 30; ++step) {
    ASSERT_EQ(read_slowly(log, second, step).keys, of_log.keys) << step;
    ASSERT_EQ(read_slowly(log, second, step).all_absent, log) << step;
    ASSERT_EQ(read_slowly(table, as("tsv:k"), step).keys, of_table.keys) << step;
    ASSERT_EQ(read_slowly(table, as("tsv:k"), step).all_absent, of_table.all_absent) << step;
  }
}

TEST(tables, keys_have_values) {
  using values = std::vector<std::uint32_t>;
  const auto with = [](input_format format, const char* where) {
    format.values = where;
    return format;
  };
  const std::string table = "shard,user,\"n, m\"\n7,ada,1\n\"300\",\"gra\"\"ce\",4294967295\n9,,5\n";
  const what_was_read by_name = read_text(table, with(as("csv:user"), "shard"));
  EXPECT_EQ(by_name.keys, (texts{"ada", "gra\"ce"}));
  EXPECT_EQ(by_name.values, (values{7, 300})) << "what has no key has no value";
  EXPECT_EQ(read_text(table, with(as("csv:user"), "n, m")).values, (values{1, 4294967295}));
  EXPECT_EQ(read_text(table, with(as("csv:user"), "3")).values, (values{1, 4294967295})) << "by number";
  EXPECT_EQ(read_text("a\t5\nb\t6\n", with(as("tsv:#1"), "#2")).values, (values{5, 6}));
  for (const std::size_t step : {1U, 7U}) {
    EXPECT_EQ(read_slowly(table, with(as("csv:user"), "shard"), step).values, (values{7, 300}));
  }
  const input_format fields{.made = {.fields = {2}}};
  const what_was_read lines = read_text("1 a\n2\n3 c x\n", with(fields, "1"));
  EXPECT_EQ(lines.keys, (texts{"a", "c"}));
  EXPECT_EQ(lines.values, (values{1, 3}));
  const what_was_read integers = read_text("5 1\n-1 2\n", with({.made = {.what = shape::decimal, .fields = {1}}}, "2"));
  EXPECT_EQ(integers.numbers, (std::vector<std::uint64_t>{5, ~std::uint64_t{0}}));
  EXPECT_EQ(integers.values, (values{1, 2}));
  EXPECT_NE(refusal("1 a\nx b\n", with(fields, "1")).find("byte 4: the value 'x' is not a whole number"),
            std::string::npos);
  EXPECT_NE(refusal("1 a\n", with(fields, "3")).find("it would be field 3, and there are 2"), std::string::npos);
  EXPECT_NE(refusal("a,b\nx,+1\n", with(as("csv:a"), "b")).find("the value '+1' is not"), std::string::npos);
  // What came before is given, each key with its value.
  const key_file file("a,b\nx,1\ny,-1\n");
  key_input input({.files = {file.path()}, .format = with(as("csv:a"), "b")});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(input.next(batch));
  EXPECT_TRUE(batch.texts.size() == 1 && batch.values == values{1});
  EXPECT_THROW(static_cast<void>(input.next(batch)), sluice::error);
  // As they are printed.
  const key_file some("a;b\r\nc;d\n");
  input_format delimited{.made = {.fields = {1}, .delimiter = ';'}, .records = true};
  key_input printed({.files = {some.path()}, .format = delimited});
  ASSERT_TRUE(printed.next(batch));
  std::string out;
  batch.append_with_values(std::vector<std::uint8_t>{1, 1}, values{4, 5}, ';', true, out);
  batch.append_with_values(std::vector<std::uint8_t>{0, 1}, values{4, 5}, '\t', true, out);
  EXPECT_EQ(out, "a;b;4\r\nc;d;5\nc;d\t5\n");
}

// What came before an error is given before it.
TEST(tables, nothing_before_an_error_is_lost) {
  const key_file file("a,b\n1,2\n3,4\n5\n");
  key_input input({.files = {file.path()}, .format = as("csv:b")});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(input.next(batch));
  EXPECT_EQ(batch.texts, (std::vector<std::string_view>{"2", "4"}));
  EXPECT_THROW(static_cast<void>(input.next(batch)), sluice::error);
}

TEST(tables, what_does_not_fit_is_refused) {
  const auto why = [](const input_format& format) -> std::string {
    try {
      sluice_keys::require_consistent(format);
    } catch (const sluice::error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(why({.made = {.what = shape::u64, .fields = {1}}}).find("--field is for lines"), std::string::npos);
  EXPECT_NE(why({.made = {.what = shape::decimal, .fields = {1, 2}}}).find("several fields"), std::string::npos);
  EXPECT_NE(why({.made = {.delimiter = ';'}}).find("--delimiter is for --field"), std::string::npos);
  EXPECT_NE(why({.made = {.what = shape::csv, .columns = {"a"}, .delimiter = '"'}}).find("quote"), std::string::npos);
  EXPECT_NE(why({.made = {.canonical = true}}).find("--canonical is for"), std::string::npos);
  EXPECT_NE(why({.made = {.what = shape::pcap_packet, .both_directions = true}}).find("--both-directions is for"),
            std::string::npos);
  EXPECT_NE(why({.made = {.what = shape::fixed, .width = 11}, .longest = 10}).find("fixed:11"), std::string::npos);
  EXPECT_EQ(why({.made = {.what = shape::hex, .fields = {2}, .delimiter = ','}}), "");
  for (const char* const text : {"0", "", "1,", ",1", "-1", "a", "1,0", "99999999999999999999"}) {
    EXPECT_THROW(static_cast<void>(sluice_keys::parse_fields(text)), sluice::error) << text;
  }
  EXPECT_EQ(sluice_keys::parse_fields("3,1"), (std::vector<std::size_t>{3, 1}));
  for (const char* const text : {"ab", "\n", "\r", "TAB"}) {
    EXPECT_THROW(static_cast<void>(sluice_keys::parse_delimiter(text)), sluice::error) << text;
  }
  EXPECT_EQ(sluice_keys::parse_delimiter("tab"), '\t');
  EXPECT_EQ(sluice_keys::parse_delimiter("\\t"), '\t');
  EXPECT_EQ(sluice_keys::parse_delimiter("\\"), '\\');
  for (const char* const text : {"csv:a,", "csv:#1,b", "tsv:", "csv:a\nb", "csv:\"a", "fixed:0", "fixed:x", "kmers:0",
                                 "kmers:1025", "kmers:", "u64le", "Decimal"}) {
    EXPECT_THROW(static_cast<void>(parse_format(text)), sluice::error) << text;
  }
  EXPECT_FALSE(parse_format("tsv:#2,#1").header);
  EXPECT_EQ(parse_format("tsv:#2,#1").columns, (texts{"2", "1"}));
  EXPECT_TRUE(parse_format("tsv:#x").header);
  for (const char* const text : {"lines", "nul", "decimal", "hex", "u64", "u32", "u64be", "fixed:7", "csv:a,b",
                                 "tsv:#2", "pcap:5tuple", "pcap:packet", "kmers:31"}) {
    EXPECT_EQ(sluice::detail::text_of(parse_format(text)),
              std::string("--input ") + (text == std::string("tsv:#2") ? "'tsv:#2'" : text));
  }
  EXPECT_EQ(sluice::detail::text_of(parse_format("csv:\"a,\"\"b\",c d")), "--input 'csv:\"a,\"\"b\",c d'");
}

}  // namespace
