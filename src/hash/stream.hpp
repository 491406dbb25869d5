// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// hash/stream: the same hash as hash_bytes, of bytes that come in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sluice::detail {

class hash_stream {
public:
  hash_stream();
  ~hash_stream();
  hash_stream(const hash_stream&) = delete;
  hash_stream& operator=(const hash_stream&) = delete;
  hash_stream(hash_stream&&) = delete;
  hash_stream& operator=(hash_stream&&) = delete;

  void add(std::span<const std::byte> piece) noexcept;
  /// hash_bytes, with seed 0, of everything that was added since the last call.
  [[nodiscard]] std::uint64_t finish() noexcept;

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace sluice::detail
