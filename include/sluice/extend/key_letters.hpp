// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/key_letters: the letters of k-mers, and which of two directions of a flow stands for both: what makes single
// keys (sluice/key_origin.hpp) and what reads files of them (keys/kmers.cpp, keys/capture.cpp) share.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace sluice::extend {

/// For every byte: the letter in upper case, or 0 if it is none of ACGT.
inline constexpr std::array<char, 256> letters = [] {
  std::array<char, 256> table{};
  for (const char c : {'A', 'C', 'G', 'T'}) {
    table[static_cast<unsigned char>(c)] = c;
    table[static_cast<unsigned char>(c - 'A' + 'a')] = c;
  }
  return table;
}();

[[nodiscard]] inline char letter(char c) { return letters[static_cast<unsigned char>(c)]; }

/// Precondition: it is one of ACGT.
[[nodiscard]] inline char complement(char c) { return c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A'; }

/// A 5-tuple has 13 bytes, or 37 with addresses of IPv6 (keys/capture.hpp).
inline constexpr std::size_t five_tuple_bytes = 13;
inline constexpr std::size_t five_tuple_6_bytes = 37;

/// The same for a flow and the one back. Precondition: it is a 5-tuple.
[[nodiscard]] inline std::string either_direction(std::string key) {
  const std::size_t address = (key.size() - 5) / 2;
  const std::size_t ports = 1 + 2 * address;
  const std::string source = key.substr(1, address) + key.substr(ports, 2);
  const std::string destination = key.substr(1 + address, address) + key.substr(ports + 2, 2);
  if (source <= destination) return key;
  return key.substr(0, 1) + key.substr(1 + address, address) + key.substr(1, address) + key.substr(ports + 2, 2) +
         key.substr(ports, 2);
}

}  // namespace sluice::extend
