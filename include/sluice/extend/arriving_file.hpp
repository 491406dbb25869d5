// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/arriving_file: a file of one filter whose blocks arrive in their order, a piece at a time, and are nowhere
// held as a whole. The list must be known before the first block: where blocks lie depends on its length.
// Invariant: until finish() the file has no header, and no reader takes it for a filter. Cost: one pass over the bytes
// for checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "sluice/file.hpp"

namespace sluice::extend {

class arriving_file {
public:
  /// write_at(offset, bytes) puts bytes into a file that is zero everywhere else, and is kept.
  using write_function = std::function<void(std::uint64_t, std::span<const std::byte>)>;

  /// Of a filter with these parameters and this list, whose blocks are not looked at.
  arriving_file(const stored_filter& whole, key_kind kind, const std::optional<key_origin>& origin,
                write_function write_at);
  arriving_file(const arriving_file&) = delete;
  arriving_file& operator=(const arriving_file&) = delete;
  arriving_file(arriving_file&&) = delete;
  arriving_file& operator=(arriving_file&&) = delete;
  ~arriving_file();

  /// How long the file will be.
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  /// The next blocks.
  void put(std::span<const std::byte> blocks);
  /// The list and the header, with the numbers that are known now: keys, and parameters of the same geometry.
  void finish(const stored_filter& whole);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace sluice::extend
