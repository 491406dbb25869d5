// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/contents: filters and chains become contents of a file, and the other way round.
//
// The headers of sluice/extend/ are for programs that keep filters in places of their own, as the Redis module and the
// Python package do: they may change with every version, and are in the static library alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "sluice/file.hpp"

namespace sluice::extend {

class replacement;

/// Writes into a replacement that is there already (whose lock others wait for); its commit() puts it in its place.
/// Contents that were read from a file should be verified first: damaged bytes would get checksums that are right.
/// Throws file_error.
void write(const file_contents& contents, replacement& into);

/// Puts a new content in its place, as a whole or not at all. Throws file_error.
void save(const file_contents& contents, const std::string& path, existing how);

/// What a file of this filter, or chain, will say. The spans point into it.
[[nodiscard]] file_contents contents_of(const filter& f, const saved_as& what);
[[nodiscard]] file_contents contents_of(const growing_filter& f, key_kind kind);

/// The size of a file with these contents, and the version of its format: the oldest that can say them.
[[nodiscard]] std::uint64_t file_bytes(const file_contents& contents);
[[nodiscard]] std::uint32_t format_version(const file_contents& contents);

/// Throws parameter_error for a map, whose values would be taken for fingerprints.
void require_filter(const stored_filter& stored);
/// The filter that a file has, in memory of its own: of `memory`, where that is given.
[[nodiscard]] filter filter_of(const stored_filter& stored, std::pmr::memory_resource* memory = nullptr);
/// Where the blocks of a filter lie that arrive a piece at a time: what is written there must be what stored.blocks of
/// filter_of would have been. They stay there while the filter, or what it is moved to, lives, or until they are moved.
[[nodiscard]] std::span<std::byte> blocks_of(filter& f) noexcept;
/// Whoever gave the memory resource has moved the blocks, and taken the old place back. Precondition: no other thread
/// uses the filter, and no part of one has it.
void set_moved_blocks(filter& f, std::byte* to) noexcept;
/// The chain of a file. Throws parameter_error for a file that is no chain.
[[nodiscard]] growing_filter growing_filter_of(const file_contents& contents);

}  // namespace sluice::extend
