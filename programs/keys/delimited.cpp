// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/delimited.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "keys/fields.hpp"
#include "keys/integers.hpp"
#include "keys/piece_reader.hpp"

namespace sluice_keys {
namespace {

using shape = input_format::shape;

class delimited_reader : public key_reader {
public:
  delimited_reader(const std::string& file, const input_format& format)
      : format_(format),
        end_(format.made.what == shape::nul ? '\0' : '\n'),
        integers_(format.kind() == sluice::key_kind::u64),
        unit_(format.made.fields.empty() ? "a key" : "a line"),
        pieces_(file, format.unpack, format.longest) {
    if (!format.made.fields.empty())
      most_field_ = *std::max_element(format.made.fields.begin(), format.made.fields.end());
    if (format.values) value_field_ = field_of_values(*format.values);
  }

  [[nodiscard]] bool next(key_batch& batch) override {
    while (batch.is_empty()) {
      if (pieces_.ended()) return false;
      std::size_t have = pieces_.begin(batch.memory);
      std::size_t searched = have;  // what was left over has no end in it
      do {
        if (pieces_.is_too_much(have)) pieces_.require_short(have, 0, unit_);
        have = pieces_.more(batch.memory, have);
      } while (!pieces_.ended() && !has_end(batch.memory, std::exchange(searched, have), have));
      const std::string_view piece(batch.memory.data(), have);
      pieces_.end(piece, cut(piece, batch));
    }
    return true;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return pieces_.source().consumed(); }

private:
  [[nodiscard]] bool has_end(const std::vector<char>& memory, std::size_t from, std::size_t to) const {
    return std::memchr(memory.data() + from, end_, to - from) != nullptr;
  }

  /// Takes the keys of a piece; returns how much of it they are.
  [[nodiscard]] std::size_t cut(std::string_view piece, key_batch& batch) {
    std::size_t at = 0;
    while (at < piece.size()) {
      const void* const found = std::memchr(piece.data() + at, end_, piece.size() - at);
      if (found == nullptr) break;
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
      take(piece, at, end, batch);
      at = end + 1;
    }
    if (pieces_.ended() && at < piece.size()) {
      take(piece, at, piece.size(), batch);  // a last one without its end
      at = piece.size();
    }
    return at;
  }

  void take(std::string_view piece, std::size_t at, std::size_t end, key_batch& batch) {
    std::string_view line = piece.substr(at, end - at);
    if (end_ == '\n' && !format_.made.keep_cr && line.ends_with('\r')) line.remove_suffix(1);
    pieces_.require_short(line.size(), at, unit_);
    if (line.empty() && !format_.made.keep_empty && !format_.blank_records) {
      ++summary_.blank;
      return;
    }
    const auto key = format_.made.fields.empty() ? std::optional(line) : of_fields(line, batch);
    if (!key || (key->empty() && !format_.made.keep_empty)) {
      ++(key ? summary_.empty : summary_.without_key);
      if (format_.records) batch.keyless.push_back({batch.size(), record(piece, at, end, batch)});
      return;
    }
    // Whatever is wrong with a line is found before anything of it is taken.
    const std::uint64_t number = integers_ ? integer(*key, at) : 0;
    if (value_field_ != 0) batch.values.push_back(value(at));
    if (integers_) {
      batch.u64.push_back(number);
    } else {
      batch.texts.push_back(*key);
    }
    if (format_.records) batch.records.push_back(record(piece, at, end, batch));
  }

  /// The key that the wanted fields make; empty if all of them are; nothing if there are too few.
  [[nodiscard]] std::optional<std::string_view> of_fields(std::string_view line, key_batch& batch) {
    cut_fields(line, format_.made.delimiter, fields_);
    if (fields_.size() < most_field_) return std::nullopt;
    if (format_.made.fields.size() == 1) return fields_[most_field_ - 1];
    std::string key;
    bool all_empty = true;
    for (const std::size_t number : format_.made.fields) {
      key += fields_[number - 1];
      key += joint;
      all_empty = all_empty && fields_[number - 1].empty();
    }
    key.pop_back();
    if (all_empty && !format_.made.keep_empty) key.clear();
    return batch.unescaped.emplace_back(std::move(key));
  }

  [[nodiscard]] std::uint64_t integer(std::string_view text, std::size_t at) const {
    const auto number = format_.made.what == shape::hex ? hex_integer(text) : decimal_integer(text);
    if (number) return *number;
    pieces_.fail(at, fmt::format("{} is not {}", quote(text),
                                 format_.made.what == shape::hex
                                     ? "a hexadecimal number of 64 bits"
                                     : "a decimal number from -9223372036854775808 to 18446744073709551615"));
  }

  /// Precondition: the line is cut into fields.
  [[nodiscard]] std::uint32_t value(std::size_t at) const {
    if (fields_.size() < value_field_) {
      pieces_.fail(at, fmt::format("a key without a value: it would be field {}, and there are {}", value_field_,
                                   fields_.size()));
    }
    const std::string_view text = fields_[value_field_ - 1];
    const auto number = value_integer(text);
    if (!number) pieces_.fail(at, why_no_value(text));
    return *number;
  }

  /// The line as it stood; a last one gets an end.
  [[nodiscard]] std::string_view record(std::string_view piece, std::size_t at, std::size_t end,
                                        key_batch& batch) const {
    if (end < piece.size()) return piece.substr(at, end + 1 - at);
    std::string& whole = batch.unescaped.emplace_back(piece.substr(at, end - at));
    if (end_ == '\n' && !format_.made.keep_cr && whole.ends_with('\r')) whole.pop_back();
    whole.push_back(end_);
    return whole;
  }

  input_format format_;
  char end_;
  bool integers_;
  const char* unit_;  // what may not be too long
  piece_reader pieces_;
  std::size_t most_field_ = 0;
  std::size_t value_field_ = 0;  // 0: keys have no values
  std::vector<std::string_view> fields_;
};

}  // namespace

std::unique_ptr<key_reader> open_delimited(const std::string& file, const input_format& format) {
  return std::make_unique<delimited_reader>(file, format);
}

}  // namespace sluice_keys
