// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The bytes of a source in pieces that end where a record ends: what is left over of one piece stands at the beginning
// of the next. A piece is a mebibyte, or more where a record is longer; no record is longer than a limit.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "keys/byte_source.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {

/// For sentences.
[[nodiscard]] inline std::string too_long(const char* what, std::size_t longest) {
  return fmt::format("{} of more than {} bytes; --longest-key takes longer ones", what, longest);
}

class piece_reader {
public:
  /// `longest` bytes of a record, without its end.
  piece_reader(const std::string& file, bool unpack, std::size_t longest) : source_(file, unpack), longest_(longest) {}

  /// Begins a piece: what was left over. Returns how many bytes there are.
  [[nodiscard]] std::size_t begin(std::vector<char>& memory) {
    if (memory.size() < piece_bytes) memory.resize(piece_bytes);
    if (memory.size() < rest_.size()) memory.resize(rest_.size());
    std::copy(rest_.begin(), rest_.end(), memory.begin());
    const std::size_t have = rest_.size();
    rest_.clear();
    return have;
  }
  /// Adds to a piece of this many bytes what comes next, at least one byte, or nothing at the end. Returns how many
  /// there are now.
  [[nodiscard]] std::size_t more(std::vector<char>& memory, std::size_t have) {
    if (have == memory.size()) memory.resize(std::min(2 * have, std::max(have, longest_) + piece_bytes));
    // Not as much as a long record once needed: a batch has as many keys as a piece.
    const std::size_t some = source_.read(memory.data() + have, std::min(memory.size() - have, piece_bytes));
    ended_ = some == 0;
    return have + some;
  }
  /// Ends a piece: this many bytes of it were used, and the others come again.
  void end(std::string_view piece, std::size_t used) {
    rest_.assign(piece.substr(used));
    offset_ += used;
  }

  /// Is this more than one record can be, with its end (\r\n)?
  [[nodiscard]] bool is_too_much(std::size_t bytes) const noexcept { return bytes > longest_ + 2; }
  /// Throws sluice::error if what begins at this byte of the piece, without its end, is too long.
  void require_short(std::size_t bytes, std::size_t at, const char* what) const {
    if (bytes > longest_) fail(at, too_long(what, longest_));
  }
  [[noreturn]] void fail(std::size_t at, const std::string& reason) const {
    throw sluice::error(fmt::format("{}: byte {}: {}", source_.name(), offset_ + at, reason));
  }

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// Where the piece begins, in bytes of the source, unpacked.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] const byte_source& source() const noexcept { return source_; }

private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  byte_source source_;
  std::string rest_;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::size_t longest_;
};

}  // namespace sluice_keys
