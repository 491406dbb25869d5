// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/numbers: little-endian numbers of any width in the bytes of files and of headers. Cost: no block is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::extend {

/// Precondition: there are so many bytes.
[[nodiscard]] inline std::uint64_t number_at(std::span<const std::byte> bytes, std::uint64_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
  return value;
}

inline void put_number(std::vector<std::byte>& to, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace sluice::extend
