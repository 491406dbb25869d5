// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The bytes of a file or of the standard input, unpacked on the way if the first of them say that they are packed
// (unpacker.hpp). What is packed in a way that is not read is an error. No more bytes are waited for than tell the
// formats: who feeds a pipe key by key is answered key by key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sluice/extend/descriptor.hpp"

namespace sluice_keys {

class unpacker;

class byte_source {
public:
  /// `file` may be "-". Throws sluice::error with the file and the reason.
  explicit byte_source(const std::string& file, bool unpack = true);
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  byte_source(byte_source&&) = delete;
  byte_source& operator=(byte_source&&) = delete;
  ~byte_source();  // where unpackers are known

  /// `room` bytes at most; 0 at the end. Throws sluice::error with the file, the place and the reason, also where
  /// packed bytes are cut off.
  [[nodiscard]] std::size_t read(char* out, std::size_t room);

  /// For sentences.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Bytes of the file that were read, packed as they are.
  [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }
  [[nodiscard]] bool is_packed() const noexcept { return unpacker_ != nullptr; }

private:
  [[nodiscard]] std::size_t read_raw(char* out, std::size_t room);
  [[nodiscard]] std::size_t read_plain(char* out, std::size_t room);
  [[nodiscard]] std::size_t read_unpacked(char* out, std::size_t room);
  [[nodiscard]] bool refill();
  void look_at_first_bytes();
  [[noreturn]] void refuse(const char* what) const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::string name_;
  bool looks_;  // whether it is packed
  sluice::extend::descriptor descriptor_;
  std::optional<std::uint64_t>
      position_;  // in a standard input that is a file: it is left where it was, to be read again
  std::uint64_t consumed_ = 0;
  std::uint64_t given_ = 0;  // bytes, unpacked
  std::unique_ptr<unpacker> unpacker_;
  std::string input_;         // packed bytes, or the first ones of a file that is not packed
  std::size_t input_at_ = 0;  // what of them was used
  bool in_frame_ = false;     // packed bytes may not end here
};

/// What can be known of a file before it is read. A pipe, for one, can be read once only. Throws sluice::error if there
/// is no such file.
struct file_size {
  bool can_be_read_again = false;
  std::uint64_t bytes = 0;
};
[[nodiscard]] file_size size_of(const std::string& file);

}  // namespace sluice_keys
