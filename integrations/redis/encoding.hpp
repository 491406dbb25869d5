// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// encoding: a chain without the bytes of its links, as one string: the first chunk of BF.SCANDUMP and CF.SCANDUMP, and
// what precedes the data in RDB and AOF files. All numbers are little-endian.
//
//   8   89 'S' 'L' 'B' 'F' 0d 0a 01        the last byte is the version; of ledgers 'C' in place of 'B'
//   8   error rate, f64                    8   tightening, f64 (not of ledgers)
//   8   capacity of the first link         8   seed
//   4   expansion, 0: does not grow        4   bits of a block (not of ledgers)
//   4   scheme of new links, 0: any (not of ledgers)
//   4   number of links
//   8   bytes of data that have arrived    8   items that were erased (of ledgers alone)
//   then for each link
//   4   kind: 1, a filter of sluice: 4 bytes length and the header of its file (docs/format.md), 8 bytes length and the
//       slots of its exact list
//       2, of RedisBloom: 8 bytes of bits, 8 range, 4 hashes, 8 keys, 8 capacity, 8 error rate (f64)
//
// A part of a filter has a header of its own (part_header.hpp).
// RedisBloom's own first chunk of BF.SCANDUMP is read as well: it becomes links of kind 2. That of its CF.SCANDUMP is
// not: its fingerprints are too short to find the place of an item in our blocks.
//
// Invariant: untrusted bytes become a chain or an error. Nothing is allocated before `space` has allowed it. A chain of
// ledgers has links that are nested, and stay so when it grows: else an item that is erased would take another along.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chain.hpp"
#include "room.hpp"

namespace sluice::redis {

/// The most that one chunk of data has.
inline constexpr std::uint64_t most_chunk_bytes = std::uint64_t{16} << 20;

/// Why chain_from_header would refuse such a chain; null if it would not. What is made in another way, of a file, is
/// asked for it as well: replicas get the header.
[[nodiscard]] const char* why_no_header(const shape& s, std::size_t links) noexcept;

[[nodiscard]] std::vector<std::byte> encoded_header(const chain& c);

/// A chain whose data is still to come: all zero, and arrived() as the header says; nothing of a RedisBloom chain has
/// arrived. Throws file_error for bytes that are no header, memory_error.
[[nodiscard]] std::unique_ptr<chain> chain_from_header(std::span<const std::byte> header, const room& space,
                                                       family of = family::bloom);

}  // namespace sluice::redis
