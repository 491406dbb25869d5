// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/parse: untrusted bytes become contents, or a file_error that says where they are wrong. Nothing is believed
// before it is checked, and nothing is allocated but what the header, which is there, describes.
//
// parse() reads the header alone, so that a mapped file answers at once; verify() reads everything. A header is
// accepted only if writing what it says gives the same bytes again: this covers reserved bytes, unused fields,
// positions and sizes with one rule. file/write.hpp runs the same checks on what it is about to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "file/layout.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail::file {

/// What a reader expects of a file: sealed maps are not filters, and would answer wrongly as such.
enum class held : std::uint8_t { filters, map };

[[noreturn]] void refuse(const std::string& name, std::uint64_t offset, const std::string& reason,
                         error_code code = error_code::damaged);

/// Every member is where a search finds it, and there once, and no farther from its home than insertions leave it. `at`
/// is where the slots lie.
void check_list(const std::string& name, std::uint64_t at, const parameters& p, const overflow_state& o);

/// What a header says, before the rest of the file is looked at: contents whose spans are empty, and where their bytes
/// lie.
struct header_contents {
  file_contents contents;
  layout at;
};

/// `begin` has at least the header of a file of this many bytes.
[[nodiscard]] header_contents parse_header(const std::string& name, std::span<const std::byte> begin,
                                           std::uint64_t file_bytes);

/// Throws file_error where a file has something else than its reader wants.
void require_held(const std::string& name, const file_contents& contents, held expected);

/// What stands beside the blocks, as a whole. Precondition: the spans are those of a file that lies so.
void check_lists(const std::string& name, const layout& at, const file_contents& contents);

/// What the header says; the spans point into `file`. `name` is for sentences. Throws file_error, also for what is not
/// expected.
[[nodiscard]] file_contents parse(const std::string& name, std::span<const std::byte> file,
                                  held expected = held::filters);

/// What a file has. Throws file_error for what has neither.
[[nodiscard]] held held_in(const std::string& name, std::span<const std::byte> file);

/// Reads everything and compares all checksums. Precondition: `contents` are those of parse(file). Throws file_error.
void verify(const std::string& name, std::span<const std::byte> file, const file_contents& contents);

}  // namespace sluice::detail::file
