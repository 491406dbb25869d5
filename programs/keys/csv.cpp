// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "keys/csv_record.hpp"
#include "keys/integers.hpp"
#include "keys/piece_reader.hpp"

namespace sluice_keys {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some programs begin a file with it

class csv_reader : public key_reader {
public:
  csv_reader(const std::string& file, input_format format)
      : format_(std::move(format)), pieces_(file, format_.unpack, format_.longest) {
    if (format_.made.what == input_format::shape::tsv) {
      syntax_ = {.delimiter = '\t', .quotes = false};
    } else {
      syntax_.delimiter = format_.made.delimiter.value_or(',');
    }
  }

  [[nodiscard]] bool next(key_batch& batch) override {
    while (batch.is_empty()) {
      if (pieces_.ended()) {
        if (records_ == 0 && format_.made.header)
          fail(0, "there is nothing in it; a table begins with the names of its columns");
        return false;
      }
      std::size_t have = pieces_.begin(batch.memory);
      std::size_t used = 0;
      std::size_t wanted = 0;
      do {
        // A record ends with a line end. One that is not complete nevertheless (line ends in quotes) is read again from
        // its beginning: only when there is twice as much of it, or more than it may have.
        bool line_ended = false;
        do {
          const std::size_t before = have;
          have = pieces_.more(batch.memory, have);
          line_ended = line_ended || std::memchr(batch.memory.data() + before, '\n', have - before) != nullptr;
        } while (!pieces_.ended() && !pieces_.is_too_much(have) && (!line_ended || have < wanted));
        used = cut({batch.memory.data(), have}, batch);
        if (used == 0 && pieces_.is_too_much(have)) pieces_.require_short(have, 0, "a record");
        wanted = 2 * have;
      } while (used == 0 && !pieces_.ended());
      pieces_.end({batch.memory.data(), have}, used);
    }
    return true;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return pieces_.source().consumed(); }

private:
  /// Takes the records of a piece; returns how much of it they are.
  [[nodiscard]] std::size_t cut(std::string_view piece, key_batch& batch) {
    std::size_t at = 0;
    try {
      while (at < piece.size()) {
        const bool marked = !begun_ && piece.starts_with(byte_order_mark);
        const std::size_t mark = marked ? byte_order_mark.size() : 0;
        const auto length = parse_record(piece.substr(at + mark), syntax_, pieces_.ended(), fields_);
        if (!length) break;
        begun_ = true;
        take(piece.substr(at, mark + *length), at, batch);
        at += mark + *length;
      }
    } catch (const broken_record& broken) {
      fail(at + broken.at, broken.reason);
    }
    return at;
  }

  void take(std::string_view record, std::size_t at, key_batch& batch) {
    const std::size_t end = record.ends_with("\r\n") ? 2 : record.ends_with('\n') ? 1 : 0;
    pieces_.require_short(record.size() - end, at, "a record");
    const bool blank = fields_.size() == 1 && fields_.front().raw.empty() && record.find('"') == std::string_view::npos;
    if (blank && records_ == 0 && !format_.made.header) return;
    ++records_;
    if (records_ == 1) {
      columns_ = fields_.size();
      find_columns(at);
      if (format_.made.header) {
        if (format_.records) batch.preface = ended(record);
        preface_ = batch.preface;
        return;
      }
    }
    if (batch.preface.empty()) batch.preface = preface_;
    if (blank && columns_ != 1) return;
    if (fields_.size() != columns_) {
      fail(at, fmt::format("record {} has {} field{}, and the {} has {}", records_, fields_.size(),
                           fields_.size() == 1 ? "" : "s", first(), columns_));
    }
    const auto is_empty = [&](std::size_t column) { return fields_[column].raw.empty(); };
    if (!format_.made.keep_empty && std::all_of(chosen_.begin(), chosen_.end(), is_empty)) {
      ++summary_.empty;
      if (format_.records) batch.keyless.push_back({batch.size(), whole(record, batch)});
      return;
    }
    if (value_column_) {
      const std::string text = unescape(fields_[*value_column_]);
      const auto value = value_integer(text);
      if (!value) fail(at, why_no_value(text));
      batch.values.push_back(*value);
    }
    batch.texts.push_back(key(batch));
    if (format_.records) batch.records.push_back(whole(record, batch));
  }

  /// What the chosen columns of this record say.
  [[nodiscard]] std::string_view key(key_batch& batch) const {
    const field& only = fields_[chosen_.front()];
    if (chosen_.size() == 1) return only.has_quotes ? batch.unescaped.emplace_back(unescape(only)) : only.raw;
    std::string joined;
    for (const std::size_t column : chosen_) joined += unescape(fields_[column]) + joint;
    joined.pop_back();
    return batch.unescaped.emplace_back(std::move(joined));
  }

  void find_columns(std::size_t at) {
    if (fields_.size() > most_columns) {
      fail(at, fmt::format("the {} has {} columns; a table has at most {}", first(), fields_.size(), most_columns));
    }
    std::vector<std::string> names(fields_.size());
    if (format_.made.header) std::transform(fields_.begin(), fields_.end(), names.begin(), unescape);
    for (const std::string& column : format_.made.columns) chosen_.push_back(find_column(names, column, at));
    if (!format_.values) return;
    const bool bare = !format_.made.header && format_.values->starts_with('#');  // as --input has it
    value_column_ = find_column(names, format_.values->substr(bare ? 1 : 0), at);
  }
  [[nodiscard]] std::size_t find_column(const std::vector<std::string>& names, const std::string& column,
                                        std::size_t at) const {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found != names.end()) {
      if (std::find(found + 1, names.end(), column) != names.end()) {
        fail(at, fmt::format("the header has several columns '{}'; give its number", column));
      }
      return static_cast<std::size_t>(found - names.begin());
    }
    std::size_t number = 0;
    const char* const end = column.data() + column.size();
    const auto parsed = std::from_chars(column.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 1 && number <= names.size()) return number - 1;
    std::string list;  // as far as people read it
    for (const std::string& name : names) {
      if (!format_.made.header || list.size() > 1000) break;
      list += (list.empty() ? ": " : ", ") + name.substr(0, 100);
    }
    fail(at, fmt::format("there is no column '{}'; the {} has {}{}", column, first(), names.size(), list));
  }
  /// What the others must be like.
  [[nodiscard]] const char* first() const noexcept { return format_.made.header ? "header" : "first record"; }

  /// The record as it stood; a last one gets an end.
  [[nodiscard]] static std::string_view whole(std::string_view record, key_batch& batch) {
    return record.ends_with('\n') ? record : batch.unescaped.emplace_back(ended(record));
  }
  [[nodiscard]] static std::string ended(std::string_view record) {
    std::string whole(record);
    if (!whole.ends_with('\n')) whole.push_back('\n');
    return whole;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& reason) const { pieces_.fail(at, reason); }

  static constexpr std::size_t most_columns = 65'536;

  input_format format_;
  piece_reader pieces_;
  record_syntax syntax_;
  std::vector<field> fields_;
  std::string preface_;
  std::vector<std::size_t> chosen_;  // columns, in the order in which they make the key
  std::optional<std::size_t> value_column_;
  std::size_t columns_ = 0;
  std::uint64_t records_ = 0;
  bool begun_ = false;  // a first record was taken, if only a blank one: what follows is not the file's beginning
};

}  // namespace

std::unique_ptr<key_reader> open_csv(const std::string& file, const input_format& format) {
  return std::make_unique<csv_reader>(file, format);
}

}  // namespace sluice_keys
