// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files of keys, read in batches, in their order. input_format.hpp says what formats there are.
//
// Memory: a batch is a mebibyte, or one key if that is longer; no key, and no line, record or packet that it stands in,
// is longer than the format's `longest`, because a few compressed bytes can be any number of others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "keys/input_format.hpp"
#include "keys/key_batch.hpp"

namespace sluice_keys {

/// What was met on the way and is not a key.
struct read_summary {
  std::uint64_t blank = 0;          ///< lines, or strings, with nothing in them, that were skipped
  std::uint64_t empty = 0;          ///< records whose key is empty
  std::uint64_t without_key = 0;    ///< lines with too few fields; packets without a 5-tuple, or without a byte
  std::uint64_t other_letters = 0;  ///< k-mers that have other letters than ACGT

  /// What stands in the input and is in no filter.
  [[nodiscard]] std::uint64_t keyless() const noexcept { return empty + without_key; }
  read_summary& operator+=(const read_summary& other) noexcept {
    blank += other.blank;
    empty += other.empty;
    without_key += other.without_key;
    other_letters += other.other_letters;
    return *this;
  }
};

class key_reader {
public:
  key_reader() = default;
  key_reader(const key_reader&) = delete;
  key_reader& operator=(const key_reader&) = delete;
  key_reader(key_reader&&) = delete;
  key_reader& operator=(key_reader&&) = delete;
  virtual ~key_reader() = default;
  /// Fills a batch that is clear; false if there is nothing more. Throws sluice::error with the file, the place and
  /// the reason; what the batch has by then came before that place.
  [[nodiscard]] virtual bool next(key_batch& batch) = 0;
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  [[nodiscard]] const read_summary& summary() const noexcept { return summary_; }

protected:
  read_summary summary_;
};

/// Opens a file, or "-". Throws sluice::error.
[[nodiscard]] std::unique_ptr<key_reader> open_keys(const std::string& file, const input_format& format);

}  // namespace sluice_keys
