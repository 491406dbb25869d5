// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "file/sections.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/extend/numbers.hpp"
#include "sluice/file.hpp"
#include "sluice/key_origin.hpp"

namespace sluice::detail::file {

namespace {

namespace in_origin {
inline constexpr std::uint64_t form = 0;
inline constexpr std::uint64_t delimiter = 1;
inline constexpr std::uint64_t flags = 2;
inline constexpr std::uint64_t fields = 4;
inline constexpr std::uint64_t width = 8;
inline constexpr std::uint64_t lists = 16;
}  // namespace in_origin

void put_section(std::vector<std::byte>& to, std::uint32_t kind, std::uint32_t flags,
                 std::span<const std::byte> bytes) {
  if (bytes.size() > most_section_bytes) {
    throw parameter_error("a file has no room for " + std::to_string(bytes.size()) + " bytes on how keys were made");
  }
  extend::put_number(to, kind, 4);
  extend::put_number(to, flags, 4);
  extend::put_number(to, bytes.size(), 8);
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.resize((to.size() + 7) / 8 * 8);
}

}  // namespace

std::vector<std::byte> bytes_of(const key_origin& o) {
  std::vector<std::byte> bytes;
  extend::put_number(bytes, static_cast<std::uint64_t>(o.what), 1);
  extend::put_number(bytes, static_cast<unsigned char>(o.delimiter.value_or('\0')), 1);
  extend::put_number(bytes,
                     (o.canonical ? 1U : 0U) | (o.both_directions ? 2U : 0U) | (o.keep_cr ? 4U : 0U) |
                         (o.keep_empty ? 8U : 0U) | (o.header ? 0U : 16U),
                     2);
  extend::put_number(bytes, o.fields.size(), 4);
  extend::put_number(bytes, o.width, 8);
  for (const std::uint64_t field : o.fields) extend::put_number(bytes, field, 8);
  for (const std::string& column : o.columns) {
    extend::put_number(bytes, column.size(), 4);
    const auto text = std::as_bytes(std::span(column.data(), column.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  return bytes;
}

key_origin origin_in(std::span<const std::byte> bytes) {
  if (bytes.size() < in_origin::lists) throw section_trouble{0, "how keys were made takes at least 16 bytes"};
  const std::uint64_t form = extend::number_at(bytes, in_origin::form, 1);
  if (form < 1 || form > static_cast<std::uint64_t>(key_form::kmers)) {
    throw section_trouble{in_origin::form, "keys of form " + std::to_string(form) +
                                               " are not known; a newer sluice may " + "read this file"};
  }
  const std::uint64_t flags = extend::number_at(bytes, in_origin::flags, 2);
  if ((flags & ~std::uint64_t{31}) != 0) throw section_trouble{in_origin::flags, "flags that are not known"};
  key_origin o{.what = static_cast<key_form>(form),
               .header = (flags & 16) == 0,
               .width = extend::number_at(bytes, in_origin::width, 8),
               .canonical = (flags & 1) != 0,
               .both_directions = (flags & 2) != 0,
               .keep_cr = (flags & 4) != 0,
               .keep_empty = (flags & 8) != 0};
  if (const auto delimiter = std::to_integer<unsigned char>(bytes[in_origin::delimiter]); delimiter != 0) {
    o.delimiter = static_cast<char>(delimiter);
  }
  const std::uint64_t fields = extend::number_at(bytes, in_origin::fields, 4);
  std::uint64_t at = in_origin::lists;
  if (fields > (bytes.size() - at) / 8) throw section_trouble{in_origin::fields, "more fields than there is room for"};
  for (std::uint64_t i = 0; i < fields; ++i, at += 8) o.fields.push_back(extend::number_at(bytes, at, 8));
  while (at < bytes.size()) {
    if (bytes.size() - at < 4) throw section_trouble{at, "a column was cut off"};
    const std::uint64_t length = extend::number_at(bytes, at, 4);
    at += 4;
    if (length > bytes.size() - at) throw section_trouble{at - 4, "a column is longer than there is room for"};
    o.columns.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, length);
    at += length;
  }
  try {
    check(o);
  } catch (const parameter_error& e) {
    throw section_trouble{0, std::string("keys were not made so: ") + e.what()};
  }
  return o;
}

bool has_origin_to_say(const std::optional<key_origin>& origin) { return origin && !is_usual(*origin); }

std::vector<std::byte> sections_of(const file_contents& contents) {
  std::vector<std::byte> all;
  if (contents.origin && has_origin_to_say(contents.origin)) {
    put_section(all, section_key_origin, 0, bytes_of(*contents.origin));
  }
  for (const file_contents::skipped_section& s : contents.skipped) {
    put_section(all, s.kind, section_may_be_skipped, s.bytes);
  }
  return all;
}

}  // namespace sluice::detail::file
