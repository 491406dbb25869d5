// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Integers of any width and byte order, at equal distances, as the 64 bits that are their keys: negative ones as two's
// complement. What arrays of numpy and of Arrow have in common. Cost: no block is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sluice_python {

struct strided_integers {
  const char* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t width = 8;
  bool is_signed = false;
  bool swapped = false;  ///< not in the byte order of this machine

  /// Do they lie in memory as the keys that they are?
  [[nodiscard]] bool in_place() const noexcept {
    return width == sizeof(std::uint64_t) && stride == sizeof(std::uint64_t) && !swapped &&
           reinterpret_cast<std::uintptr_t>(data) % alignof(std::uint64_t) == 0;
  }
  [[nodiscard]] std::span<const std::uint64_t> as_they_are(std::size_t count) const noexcept {
    return {reinterpret_cast<const std::uint64_t*>(data), count};
  }

  void read(std::size_t first, std::span<std::uint64_t> out) const noexcept {
    switch (width) {
      case 1:
        return is_signed ? read_as<std::int8_t>(first, out) : read_as<std::uint8_t>(first, out);
      case 2:
        return is_signed ? read_as<std::int16_t>(first, out) : read_as<std::uint16_t>(first, out);
      case 4:
        return is_signed ? read_as<std::int32_t>(first, out) : read_as<std::uint32_t>(first, out);
      default:
        return read_as<std::uint64_t>(first, out);
    }
  }

private:
  template <class Number>
  void read_as(std::size_t first, std::span<std::uint64_t> out) const noexcept {
    for (std::size_t i = 0; i < out.size(); ++i) {
      char bytes[sizeof(Number)];
      std::memcpy(bytes, data + static_cast<std::ptrdiff_t>(first + i) * stride, sizeof(Number));
      if (swapped) std::reverse(bytes, bytes + sizeof(Number));
      Number number{};
      std::memcpy(&number, bytes, sizeof(Number));
      out[i] = static_cast<std::uint64_t>(number);
    }
  }
};

}  // namespace sluice_python
