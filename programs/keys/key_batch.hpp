// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys that are handled together: read at once, looked up in bulk, printed in their order. A batch is used again and
// again, so that its memory is taken once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file.hpp"
#include "sluice/hash.hpp"

namespace sluice_keys {

/// Bytes that a record ends with, \r\n or one byte. `cr_belongs_to_it`: a \r before the end is of the end, not of a
/// key.
[[nodiscard]] constexpr std::size_t end_of_record(std::string_view record, bool cr_belongs_to_it) noexcept {
  return cr_belongs_to_it && record.ends_with("\r\n") ? 2 : 1;
}

struct key_batch {
  sluice::key_kind kind = sluice::key_kind::bytes;
  // Of the three, the one that the kind says:
  std::vector<std::string_view> texts;  ///< into `memory`, or `unescaped`
  std::vector<std::uint64_t> u64;
  std::vector<std::uint32_t> u32;
  std::vector<std::uint32_t> values;  ///< of each key, where the input has them
  /// If they are wanted: what stood in the input, with its end. Empty: integers in binary, and texts as lines.
  std::vector<std::string_view> records;
  /// If they are wanted: what stood there and has no key, and the number of the key that it stood before. In no filter.
  struct keyless_record {
    std::size_t before;
    std::string_view record;
  };
  std::vector<keyless_record> keyless;
  /// What a file in the input's format begins with (the first line of a CSV, the header of a capture); printed before
  /// the first record.
  std::string preface;
  std::string file;  ///< where the keys stood, for sentences

  std::vector<char> memory;
  std::deque<std::string> unescaped;  ///< keys and records that do not stand in the input as they are

  void clear() {
    texts.clear();
    u64.clear();
    u32.clear();
    values.clear();
    records.clear();
    keyless.clear();
    preface.clear();
    unescaped.clear();
  }
  /// Keys.
  [[nodiscard]] std::size_t size() const noexcept { return texts.size() + u64.size() + u32.size(); }
  /// Has it neither keys nor records without one?
  [[nodiscard]] bool is_empty() const noexcept { return size() == 0 && keyless.empty(); }

  /// The digests of all keys: filters are asked and filled with those, so that they are compiled for one type of keys.
  void make_digests(const sluice::hasher& hash, std::vector<sluice::digest>& out) const;

  /// What stands in the input for the keys whose answer is `wanted`: records, integers in binary, or the key itself as
  /// a line. What has no key is answered with 0.
  void append_records(std::span<const std::uint8_t> answers, std::uint8_t wanted, std::string& out) const;

  /// What stands in the input for the keys that have a value, each with its value as a last field behind `delimiter`;
  /// integers in binary are printed as decimal lines. `ends_with_cr`: a \r before the end of a line belongs to the end.
  void append_with_values(std::span<const std::uint8_t> known, std::span<const std::uint32_t> of_each, char delimiter,
                          bool ends_with_cr, std::string& out) const;

  /// Calls f with the keys, as a vector of their type.
  decltype(auto) visit(const auto& f) const {
    switch (kind) {
      case sluice::key_kind::u64:
        return f(u64);
      case sluice::key_kind::u32:
        return f(u32);
      default:
        return f(texts);
    }
  }
};

}  // namespace sluice_keys
