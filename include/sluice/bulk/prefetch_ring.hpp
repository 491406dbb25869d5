// bulk/prefetch_ring: many keys at once. A random cache line takes longer to arrive than a dozen lookups take, so the block of
// the key sixteen places ahead is asked for while the current key is tested.
//
//   keys --hash--> digests of a chunk --+--> test key i while the block of key i + 16 is under way
//                                       (the digests of the next sixteen keys are there before a chunk begins)
//
// Keys become digests in chunks, so that everything after this file knows digests only, whatever the keys were.
// Invariant: keys are taken in order; an insertion in bulk leaves the bytes that single insertions in that order would.
// Cost: the accesses of the single operations; the machine overlaps up to sixteen of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sluice/hash.hpp"
#include "sluice/target.hpp"

namespace sluice::bulk {

/// How many keys ahead blocks are asked for. Deeper rings gain nothing: about so many lines can be under way at once.
inline constexpr std::size_t ahead = 16;
/// Keys per chunk: their digests stay in the first-level cache.
inline constexpr std::size_t chunk_keys = 512;

/// The digests of a chunk, and of the keys that follow it as far as they are known already.
struct chunk {
  const digest* digests;
  std::size_t count;      ///< keys of this chunk
  std::size_t available;  ///< digests that are there: count, and up to `ahead` more
};

/// Calls work(chunk, number of its first key) for one chunk after the other.
template <class Key, class Work>
void in_chunks(const hasher& hash, std::span<const Key> keys, const Work& work) {
  std::array<digest, chunk_keys + ahead> digests;
  std::size_t hashed = 0;  // keys whose digests are in the array
  for (std::size_t done = 0; done < keys.size();) {
    const std::size_t want = std::min(keys.size() - done, chunk_keys + ahead);
    for (; hashed < want; ++hashed) digests[hashed] = hash(keys[done + hashed]);
    const std::size_t count = std::min(hashed, chunk_keys);
    work(chunk{digests.data(), count, hashed}, done);
    std::copy(digests.begin() + static_cast<std::ptrdiff_t>(count),
              digests.begin() + static_cast<std::ptrdiff_t>(hashed), digests.begin());
    hashed -= count;
    done += count;
  }
}

}  // namespace sluice::bulk

#include "sluice/bulk/ring.inl"

namespace sluice::bulk {
using baseline::ring;
}  // namespace sluice::bulk
