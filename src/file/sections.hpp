// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/sections: what a file of version 2 says beside version 1. After the sizes of subtables, up to the end of the
// header, under its checksum, in ascending order of their kinds, each kind once:
//
//   0    4   kind                       4    4   1: a reader that does not know the kind may skip it; otherwise 0
//   8    8   length                     16       the bytes, and zeros up to a multiple of 8
//
//   kind 1, not to be skipped: how keys were made (sluice/key_origin.hpp)
//     0    1   form                     1    1   the byte between fields; 0: the usual one
//     2    2   flags: 1 canonical, 2 both directions, 4 keep-cr, 8 keep-empty, 16 without a header
//     4    4   number of fields         8    8   width
//     16   8   each field               then every column: 4 bytes of length, and the text; up to the end
//
// Invariants: a file is of version 2 if, and only if, it says something that version 1 cannot: in a section, or in a
// place of a record that version 1 leaves zero (file/layout.hpp). What is read is written again and must be equal
// (file/parse.hpp), so that there is one way to write a section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/file.hpp"
#include "sluice/key_origin.hpp"

namespace sluice::detail::file {

inline constexpr std::uint32_t section_key_origin = 1;

inline constexpr std::uint32_t section_may_be_skipped = 1;

inline constexpr std::uint64_t section_head_bytes = 16;

inline constexpr std::uint64_t most_section_bytes = std::uint64_t{1} << 16;

[[nodiscard]] std::vector<std::byte> bytes_of(const key_origin& o);

/// What is wrong with the bytes of a section, and where in them.
struct section_trouble {
  std::uint64_t at;
  std::string reason;
};

/// Throws section_trouble.
[[nodiscard]] key_origin origin_in(std::span<const std::byte> bytes);

/// Is there something that version 1 cannot say?
[[nodiscard]] bool has_origin_to_say(const std::optional<key_origin>& origin);

/// All sections of these contents, one after the other; none if version 1 says everything.
[[nodiscard]] std::vector<std::byte> sections_of(const file_contents& contents);

}  // namespace sluice::detail::file
