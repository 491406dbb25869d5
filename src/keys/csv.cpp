#include "keys/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "keys/piece_reader.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

struct field {
  std::string_view raw = {};  ///< between the commas, or between the quotes
  bool has_quotes = false;    ///< doubled ones, in between
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some programs begin a file with it

struct broken_record {
  std::size_t at;
  const char* reason;
};

/// Where one field ends, and what it is. Nothing if the text may go on. Throws broken_record.
std::optional<std::size_t> parse_field(std::string_view text, std::size_t at, bool is_all, field& out) {
  if (at < text.size() && text[at] == '"') {
    const std::size_t begin = at + 1;
    bool doubled = false;
    for (std::size_t i = begin;; ++i) {
      i = text.find('"', i);
      if (i == std::string_view::npos) {
        if (is_all) throw broken_record{at, "a quote is opened here and never closed"};
        return std::nullopt;
      }
      if (i + 1 == text.size() && !is_all) return std::nullopt;
      if (i + 1 < text.size() && text[i + 1] == '"') {
        doubled = true;
        ++i;
        continue;
      }
      out = {text.substr(begin, i - begin), doubled};
      return i + 1;
    }
  }
  const std::size_t end = text.find_first_of(",\n\"", at);
  if (end == std::string_view::npos) {
    if (!is_all) return std::nullopt;
    const std::size_t rest = text.size() - (text.size() > at && text.back() == '\r' ? 1 : 0);
    out = {text.substr(at, rest - at)};
    return rest;
  }
  if (text[end] == '"') throw broken_record{end, "a quote within a field that does not begin with one"};
  std::size_t length = end - at;
  if (text[end] == '\n' && length != 0 && text[end - 1] == '\r') --length;
  out = {text.substr(at, length)};
  return at + length;
}

/// One record from the beginning of the text: its fields, and how long it is with its end. Nothing if the text may go
/// on. Throws broken_record.
std::optional<std::size_t> parse_record(std::string_view text, bool is_all, std::vector<field>& fields) {
  fields.clear();
  std::size_t at = 0;
  for (;;) {
    field f;
    const auto end = parse_field(text, at, is_all, f);
    if (!end) return std::nullopt;
    fields.push_back(f);
    at = *end;
    if (at == text.size()) return is_all ? std::optional(at) : std::nullopt;
    if (text[at] == ',') {
      ++at;
      continue;
    }
    if (text[at] == '\n') return at + 1;
    if (text[at] == '\r') {
      if (at + 1 == text.size()) return is_all ? std::optional(at + 1) : std::nullopt;
      if (text[at + 1] == '\n') return at + 2;
    }
    throw broken_record{at, "after a closing quote comes a comma or the end of the record"};
  }
}

std::string unescaped(const field& f) {
  std::string text(f.raw);
  if (!f.has_quotes) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out.push_back(text[i]);
    if (text[i] == '"') ++i;
  }
  return out;
}

class csv_reader : public key_reader {
public:
  csv_reader(const std::string& file, input_format format)
      : format_(std::move(format)), pieces_(file, format_.unpack, format_.longest) {}

  [[nodiscard]] bool next(key_batch& batch) override {
    while (batch.size() == 0) {
      if (pieces_.ended()) {
        if (records_ == 0) fail(0, "there is nothing in it; a CSV file begins with the names of its columns");
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
        if (used == 0 && pieces_.is_too_much(have)) pieces_.demand_short(have, 0, "a record");
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
        const bool marked = records_ == 0 && piece.starts_with(byte_order_mark);
        const std::size_t mark = marked ? byte_order_mark.size() : 0;
        const auto length = parse_record(piece.substr(at + mark), pieces_.ended(), fields_);
        if (!length) break;
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
    pieces_.demand_short(record.size() - end, at, "a record");
    ++records_;
    if (records_ == 1) {
      find_column(at);
      columns_ = fields_.size();
      if (format_.records) batch.preface = ended(record);
      preface_ = batch.preface;
      return;
    }
    if (batch.preface.empty()) batch.preface = preface_;
    const bool blank = fields_.size() == 1 && fields_.front().raw.empty() && record.find('"') == std::string_view::npos;
    if (blank && columns_ != 1) return;
    if (fields_.size() != columns_) {
      fail(at, fmt::format("record {} has {} field{}, and the header has {}", records_, fields_.size(),
                           fields_.size() == 1 ? "" : "s", columns_));
    }
    const field& f = fields_[column_];
    if (f.raw.empty() && !format_.keep_empty) {
      ++summary_.empty;
      return;
    }
    batch.texts.push_back(f.has_quotes ? batch.unescaped.emplace_back(unescaped(f)) : f.raw);
    if (!format_.records) return;
    batch.records.push_back(record.ends_with('\n') ? record : batch.unescaped.emplace_back(ended(record)));
  }

  void find_column(std::size_t at) {
    std::vector<std::string> names(fields_.size());
    std::transform(fields_.begin(), fields_.end(), names.begin(), unescaped);
    const auto found = std::find(names.begin(), names.end(), format_.column);
    if (found != names.end()) {
      if (std::find(found + 1, names.end(), format_.column) != names.end()) {
        fail(at, fmt::format("the header has several columns '{}'; give its number", format_.column));
      }
      column_ = static_cast<std::size_t>(found - names.begin());
      return;
    }
    std::size_t number = 0;
    const char* const end = format_.column.data() + format_.column.size();
    const auto parsed = std::from_chars(format_.column.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 1 && number <= names.size()) {
      column_ = number - 1;
      return;
    }
    fail(at, fmt::format("there is no column '{}'; the header has {}: {}", format_.column, names.size(),
                         fmt::join(names, ", ")));
  }

  [[nodiscard]] static std::string ended(std::string_view record) {
    std::string whole(record);
    if (!whole.ends_with('\n')) whole.push_back('\n');
    return whole;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& reason) const { pieces_.fail(at, reason); }

  input_format format_;
  piece_reader pieces_;
  std::vector<field> fields_;
  std::string preface_;
  std::size_t column_ = 0;
  std::size_t columns_ = 0;
  std::uint64_t records_ = 0;
};

}  // namespace

std::unique_ptr<key_reader> open_csv(const std::string& file, const input_format& format) {
  return std::make_unique<csv_reader>(file, format);
}

}  // namespace sluice_keys
