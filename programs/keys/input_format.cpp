// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/input_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "keys/csv_record.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_keys {
namespace {

using shape = sluice::key_form;
using sluice::key_origin;

constexpr std::pair<std::string_view, shape> plain_names[] = {
    {"lines", shape::lines},
    {"nul", shape::nul},
    {"decimal", shape::decimal},
    {"hex", shape::hex},
    {"u64", shape::u64},
    {"u32", shape::u32},
    {"u64be", shape::u64be},
    {"pcap:5tuple", shape::pcap_five_tuple},
    {"pcap:packet", shape::pcap_packet},
};

/// From 1; nothing if the text is anything but digits.
std::optional<std::uint64_t> ordinal(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

/// #N: a column of a table without a header.
bool is_bare_number(std::string_view column) { return column.starts_with('#') && ordinal(column.substr(1)); }

[[noreturn]] void fail(const std::string& text, const std::string& reason) {
  throw sluice::error(fmt::format("--input: '{}' {}", text, reason));
}

/// Columns are given as the header would have them: with commas in between, and in quotes where a name has one.
key_origin table(shape what, const std::string& text, std::string_view columns) {
  std::vector<field> fields;
  try {
    if (parse_record(columns, {}, true, fields) != columns.size()) fail(text, "has columns in several lines");
  } catch (const broken_record& broken) {
    fail(text, fmt::format("cannot be read as names of columns: {}", broken.reason));
  }
  key_origin format{.what = what};
  for (const field& f : fields) {
    format.columns.push_back(unescape(f));
    if (format.columns.back().empty()) fail(text, "lacks the name of a column");
  }
  const auto bare = std::count_if(format.columns.begin(), format.columns.end(), is_bare_number);
  if (bare == 0) return format;
  if (bare != std::ssize(format.columns)) {
    fail(text, "has columns of a table with a header and, with #, of one without");
  }
  format.header = false;
  for (std::string& column : format.columns) column.erase(0, 1);
  return format;
}

key_origin with_width(shape what, const std::string& text, std::string_view digits, std::uint64_t most,
                      const char* unit) {
  const auto number = ordinal(digits);
  if (!number || *number > most) fail(text, fmt::format("does not have from 1 to {} {}", most, unit));
  return {.what = what, .width = *number};
}

}  // namespace

std::size_t input_format::key_bytes() const noexcept {
  switch (made.what) {
    case shape::u64:
    case shape::u64be:
      return 8;
    case shape::u32:
      return 4;
    case shape::fixed:
      return made.width;
    default:
      return 0;
  }
}

key_origin parse_format(const std::string& text) {
  for (const auto& [name, what] : plain_names) {
    if (text == name) return {.what = what};
  }
  const std::size_t colon = text.find(':');
  const std::string_view name = std::string_view(text).substr(0, colon);
  if (colon != std::string::npos && colon + 1 < text.size()) {
    const std::string_view rest = std::string_view(text).substr(colon + 1);
    if (name == "csv") return table(shape::csv, text, rest);
    if (name == "tsv") return table(shape::tsv, text, rest);
    if (name == "fixed") return with_width(shape::fixed, text, rest, most_longest, "bytes");
    if (name == "kmers") return with_width(shape::kmers, text, rest, sluice::extend::most_letters_of_kmer, "letters");
  }
  fail(text,
       "is none of lines, nul, decimal, hex, u64, u64be, u32, fixed:N, csv:COLUMNS, tsv:COLUMNS, pcap:5tuple, "
       "pcap:packet and kmers:K");
}

std::vector<std::uint64_t> parse_fields(const std::string& text) {
  std::vector<std::uint64_t> fields;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto number = ordinal(std::string_view(text).substr(at, end - at));
    if (!number) {
      throw sluice::error(fmt::format("--field: '{}' is not a number of a field, from 1; examples: 2, or 1,3", text));
    }
    fields.push_back(*number);
    at = end + 1;
  }
  return fields;
}

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1 && text != "\n" && text != "\r") return text.front();
  throw sluice::error(fmt::format("--delimiter: '{}' is not one byte, or tab; lines end at \\n in any case", text));
}

void require_consistent(const input_format& f) {
  sluice::extend::check(f.made);
  if (f.made.what == shape::fixed && f.made.width > f.longest) {
    throw sluice::error(fmt::format("--input fixed:{}: keys of more than {} bytes; --longest-key takes longer ones",
                                    f.made.width, f.longest));
  }
  if (!f.values) return;
  if (!f.made.is_table() && f.made.fields.empty()) {
    throw sluice::error(
        "--values: values stand in a column of a table (--input csv:COLUMN), or in a field of a line whose key is "
        "another one (--field)");
  }
  if (!f.made.is_table()) static_cast<void>(field_of_values(*f.values));
  if (f.made.header || !f.made.is_table()) {
    if (f.values->empty()) throw sluice::error("--values: '' is not the name of a column");
  } else if (!ordinal(*f.values) && !is_bare_number(*f.values)) {
    throw sluice::error(
        fmt::format("--values: '{}' is not the number of a column: the table has no header", *f.values));
  }
}

std::uint64_t field_of_values(const std::string& values) {
  const auto number = ordinal(values);
  if (number) return *number;
  throw sluice::error(fmt::format("--values: '{}' is not the number of a field, from 1", values));
}

}  // namespace sluice_keys
