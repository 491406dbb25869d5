// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What comes from outside (names of files and columns, keys, arguments), as it may be shown: a terminal obeys control
// characters, so that a file's name could move the cursor, hide a sentence or write one of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice_cli {
namespace detail {

/// The length of the UTF-8 character that the text begins with; 0: there is none.
[[nodiscard]] inline std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length > text.size()) return 0;
  // Neither longer than need be, nor a surrogate, nor above U+10FFFF.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  return length;
}

[[nodiscard]] inline bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;  // U+0080 to U+009F
}

/// \xNN
[[nodiscard]] inline std::string hexadecimal(char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {'\\', 'x', digits[value >> 4U], digits[value & 15U]};
}

}  // namespace detail

/// Any bytes as UTF-8, so that they can be told from it again: what is UTF-8 as it is, other bytes as \xNN, a backslash
/// as two. `printf %b` reads it.
[[nodiscard]] inline std::string escaped_bytes(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = detail::character_length(bytes);
    if (length == 0) {
      text += detail::hexadecimal(bytes.front());
    } else if (bytes.front() == '\\') {
      text += "\\\\";
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

/// Control characters, and bytes that are no UTF-8, as \xNN; line ends, too: a sentence is one line.
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = detail::character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    if (length != 0 && !detail::is_control(character)) {
      shown += character;
      continue;
    }
    for (const char c : character) shown += detail::hexadecimal(c);
  }
  return shown;
}

}  // namespace sluice_cli
