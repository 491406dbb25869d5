// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// All keys that a command is given: literal ones, then those of its files, in their order.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "keys/key_batch.hpp"
#include "keys/key_reader.hpp"

namespace sluice_keys {

struct key_files {
  std::vector<std::string> literals = {};
  std::vector<std::string> files = {};  ///< "-" is the standard input
  input_format format = {};
};

class key_input {
public:
  /// Throws sluice::error if the format is none, if a literal is no key of it, or cannot be printed beside the records
  /// of a file.
  explicit key_input(key_files what);

  /// Fills a batch; false at the end. A batch may have no keys: of a file without records it has what that begins with,
  /// which is printed all the same. Throws sluice::error with the file, the place and the reason, when what came before
  /// that place was given.
  [[nodiscard]] bool next(key_batch& batch);

  /// Can the keys be counted and then read? Not those of a pipe.
  [[nodiscard]] bool can_be_read_again() const;
  /// From the beginning. Precondition: can_be_read_again(), or nothing was read.
  void rewind();
  /// Bytes that one key may have.
  [[nodiscard]] std::size_t longest() const noexcept { return what_.format.longest; }
  /// Of the bytes of all files, as far as their sizes are known; negative otherwise.
  [[nodiscard]] double share_read() const;
  [[nodiscard]] const input_format& format() const noexcept { return what_.format; }
  /// Of all files that were read since the beginning, to their end.
  [[nodiscard]] const read_summary& summary() const noexcept { return summary_; }

private:
  void read_literals();
  void take_literals(key_batch& batch) const;
  void close_file();

  key_files what_;
  std::vector<std::uint64_t> numbers_;  // of the literals, if they are integers
  std::vector<std::string> texts_;      // of the literals, if they are not
  std::vector<std::uint64_t> sizes_;    // of the files, in bytes
  bool sizes_known_ = true;

  bool literals_done_ = false;
  std::size_t file_ = 0;
  std::unique_ptr<key_reader> reader_;
  std::exception_ptr trouble_;    // that is told when what came before it was given
  std::uint64_t done_bytes_ = 0;  // of files that were closed
  read_summary summary_;
};

}  // namespace sluice_keys
