// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// part_header: a part of a filter (extend/part.hpp) without its bytes, as one string: what BF.RESERVEPART takes, the
// first chunk of BF.SCANDUMP and BF.LOADCHUNK, and what precedes the data in RDB and AOF files. Written and read by the
// module and by its client: nothing here needs a server. All numbers are little-endian.
//
//   8   89 'S' 'L' 'B' 'P' 0d 0a 01        the last byte is the version
//   4   number of the part                 4   parts of the whole filter
//   8   keys in this part                  8   bytes of data that have arrived
//   then the header of a file of the whole filter (docs/format.md), which has no keys; it knows its own length
//   then, of a sealed filter alone, 8 bytes: the length of what follows, and this part's members of the list
//
// Invariant: untrusted bytes become a header or an error; a list that becomes one is one that lookups can search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/extend/part.hpp"
#include "sluice/file.hpp"

namespace sluice::redis {

struct part_header {
  extend::part_description part = {};
  key_kind kind = key_kind::bytes;
  std::uint64_t arrived = 0;                        ///< bytes of data
  std::optional<key_origin> origin = std::nullopt;  ///< how keys were made; none: it is not said
};

[[nodiscard]] std::vector<std::byte> encode(const part_header& h);

/// Is this the beginning of one, of whatever version?
[[nodiscard]] bool is_part_header(std::span<const std::byte> bytes) noexcept;
/// Its list points into `bytes`. Throws file_error.
[[nodiscard]] part_header parse_part_header(std::span<const std::byte> bytes);

/// Equal for all parts of one filter, and for nothing else: commands of digests name it, so that digests which were
/// made for another filter, of another seed say, are refused. A union with another filter does not change it.
[[nodiscard]] std::uint64_t identity_of(const part_header& h);
/// As it stands in commands: 16 digits.
[[nodiscard]] std::string text_of_identity(std::uint64_t identity);

}  // namespace sluice::redis
