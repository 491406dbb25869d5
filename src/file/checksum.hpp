// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/checksum: XXH3 of 64 bits, seed 0. The header has one, the data one for every chunk of a mebibyte, and the table
// of those one of its own, so that a damaged file says where it is damaged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hash/stream.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail::file {

inline constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;

[[nodiscard]] inline std::uint64_t checksum(std::span<const std::byte> bytes) noexcept {
  return sluice::detail::hash_bytes(bytes.data(), bytes.size(), 0);
}

/// Checksums of chunks of a stream that comes in pieces.
class chunk_checksums {
public:
  void add(std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), chunk_bytes - filled_));
      chunk_.add(piece.first(some));
      filled_ += some;
      piece = piece.subspan(some);
      if (filled_ == chunk_bytes) close();
    }
  }
  /// So many bytes of zero.
  void add_zeros(std::uint64_t count) {
    static constexpr std::byte zeros[4096] = {};
    for (; count != 0; count -= std::min<std::uint64_t>(count, sizeof zeros)) {
      add(std::span(zeros).first(static_cast<std::size_t>(std::min<std::uint64_t>(count, sizeof zeros))));
    }
  }
  /// Of all chunks, the last of which may be shorter. Nothing can be added afterwards.
  [[nodiscard]] std::vector<std::uint64_t> finish() && {
    if (filled_ != 0) close();
    return std::move(sums_);
  }

private:
  void close() {
    sums_.push_back(chunk_.finish());
    filled_ = 0;
  }

  hash_stream chunk_;
  std::uint64_t filled_ = 0;
  std::vector<std::uint64_t> sums_;
};

}  // namespace sluice::detail::file
