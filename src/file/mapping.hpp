// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/mapping: a whole file as bytes in memory, read by the system when they are looked at. POSIX.
//
// sluice never writes into a file that others may have mapped: it puts a new one in its place (extend/replacement.hpp),
// and a mapping keeps the old. A program that cuts a mapped file short makes every reader of the missing part stop with
// SIGBUS; nothing can be done about that here.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sluice::detail::file {

class mapping {
public:
  /// Throws file_error with the file and the reason.
  explicit mapping(const std::string& path);
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  mapping(mapping&&) = delete;
  mapping& operator=(mapping&&) = delete;
  ~mapping();

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
  std::span<const std::byte> bytes_;
};

}  // namespace sluice::detail::file
