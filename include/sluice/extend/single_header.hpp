// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/single_header: the header of a file that has one filter, alone: what a database keeps beside the blocks, where
// a whole file with its pages of zeros would be too large. It is read with the same suspicion as that of a file.
// Cost: a few hundred bytes; of an exact list, a search for every member.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/file.hpp"

namespace sluice::extend {

/// Its checksum covers the header alone. The blocks need not be there.
[[nodiscard]] std::vector<std::byte> single_header_of(const stored_filter& f, key_kind kind = key_kind::bytes,
                                                      const std::optional<key_origin>& origin = {});

/// How long the header is that these bytes begin with; nothing if they are too few to say.
[[nodiscard]] std::optional<std::uint64_t> single_header_bytes(std::span<const std::byte> bytes);

/// What such a header says: a filter whose spans are empty, and how many bytes belong there.
struct announced_filter {
  key_kind kind;
  stored_filter filter;
  std::uint64_t blocks_bytes;
  std::uint64_t slots_bytes;
  std::optional<key_origin> origin = std::nullopt;
};

/// Throws file_error, also for a header of something else than one filter; of byte keys, unless `any_kind`.
[[nodiscard]] announced_filter parse_single_header(const std::string& name, std::span<const std::byte> header,
                                                   bool any_kind = false);

/// Gives an announced filter its list. Throws file_error unless it is one that insertions can have made.
void take_list(const std::string& name, announced_filter& to, std::span<const std::byte> slots);

}  // namespace sluice::extend
