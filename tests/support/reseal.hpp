// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The checksums of a file made right again, as far as its header can be read: to see what is behind them. For tests and
// fuzzing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "file/layout.hpp"

namespace testing_support {

inline void reseal(std::vector<std::byte>& file) {
  namespace f = sluice::detail::file;
  namespace bits = sluice::detail::bits;
  if (file.size() < f::preamble_bytes) return;
  const std::uint64_t header = bits::load_word(file.data() + 8, 0) >> 32;  // the second half of the word
  const std::uint64_t data = bits::load_word(file.data() + 32, 0);
  if (header < f::preamble_bytes || header > file.size()) return;
  if (data >= header && data < file.size()) {
    const std::uint64_t chunks = (file.size() - data - 1) / f::chunk_bytes + 1;
    if (header + 8 * chunks <= data) {
      for (std::uint64_t i = 0; i < chunks; ++i) {
        const std::uint64_t begin = data + i * f::chunk_bytes;
        const auto chunk = std::span(file).subspan(begin, std::min(f::chunk_bytes, file.size() - begin));
        bits::store_word(file.data() + header, i, f::checksum(chunk));
      }
      bits::store_word(file.data() + 48, 0, f::checksum(std::span(file).subspan(header, 8 * chunks)));
    }
  }
  bits::store_word(file.data() + f::in_preamble::header_checksum, 0, 0);
  bits::store_word(file.data() + f::in_preamble::header_checksum, 0, f::checksum(std::span(file).first(header)));
}

}  // namespace testing_support
