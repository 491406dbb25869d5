// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/chunks: keys become digests in chunks, so that everything after this file knows digests only, whatever the keys
// were. Cost: no block is read.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "sluice/hash.hpp"

namespace sluice::detail {

template <bulk_keys Keys>
[[nodiscard]] auto span_of(const Keys& keys) {
  return std::span<const element_of<Keys>>(std::data(keys), std::size(keys));
}

}  // namespace sluice::detail

namespace sluice::detail::bulk {

/// How many keys ahead blocks are asked for. Deeper rings gain nothing: about this many lines can be under way at once.
inline constexpr std::size_t ahead = 16;
/// Keys per chunk: their digests stay in the first-level cache.
inline constexpr std::size_t chunk_keys = 512;

/// The digests of a chunk, and of the keys that follow it as far as they are known already.
struct chunk {
  const digest* digests;
  std::size_t count;      ///< keys of this chunk
  std::size_t available;  ///< digests that are there: count, and up to `ahead` more
};

/// The digests of all keys: out[i] = hash(keys[i]). Of std::string_views with one call; to make such of other texts
/// takes longer than a call for each.
template <class Key>
void hash_keys(const hasher& hash, std::span<const Key> keys, digest* out) {
  if constexpr (std::same_as<Key, std::string_view>) {
    hash_texts(keys.data(), keys.size(), hash.seed(), out);
  } else {
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = hash(keys[i]);
  }
}

/// Calls work(chunk, number of its first key) for one chunk after the other.
template <class Key, class Work>
void in_chunks(const hasher& hash, std::span<const Key> keys, const Work& work) {
  std::array<digest, chunk_keys + ahead> digests;
  std::size_t hashed = 0;  // keys whose digests are in the array
  for (std::size_t done = 0; done < keys.size();) {
    const std::size_t want = std::min(keys.size() - done, chunk_keys + ahead);
    hash_keys(hash, keys.subspan(done + hashed, want - hashed), digests.data() + hashed);
    hashed = want;
    const std::size_t count = std::min(hashed, chunk_keys);
    work(chunk{digests.data(), count, hashed}, done);
    std::copy(digests.begin() + static_cast<std::ptrdiff_t>(count),
              digests.begin() + static_cast<std::ptrdiff_t>(hashed), digests.begin());
    hashed -= count;
    done += count;
  }
}

/// Inserts all keys in their order: insert(chunk) says how many of a chunk were new. Returns how many were new of all.
template <class Key, class Insert>
std::uint64_t insert_in_chunks(const hasher& hash, std::span<const Key> keys, const Insert& insert) {
  std::uint64_t fresh = 0;
  in_chunks(hash, keys, [&](const chunk& some, std::size_t /*first*/) { fresh += insert(some); });
  return fresh;
}

}  // namespace sluice::detail::bulk
