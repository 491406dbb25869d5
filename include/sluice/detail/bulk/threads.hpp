// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/threads: bulk calls that several threads share.
//
// Lookups: every thread has a share of the keys. Insertions into a filter that is not shared: keys become digests in
// shares; then every thread has a range of groups of blocks, and inserts the keys whose blocks lie there, in their
// order. Insertions into a shared filter: every thread has a share of the keys; where each key is to be answered for,
// it has those whose digests lie in a range, so that equal keys are one thread's, and one of them is new.
// Invariant: answers, bytes and counts are those of one thread (of a shared filter: but for keys that depend on the
// order in which others come).
// Cost: that of the calls; inserting threads read all digests, which costs little beside one block for each. A thread
// is started for each share: worth it from some 100,000 keys on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// As many threads as were asked for; for 0, as many as the machine has.
[[nodiscard]] std::uint32_t threads_or_all(std::uint32_t threads) noexcept;

}  // namespace sluice::detail

namespace sluice::detail::bulk {

/// Keys whose digests are made, and then inserted, at once: they fit into a cache that threads share.
inline constexpr std::size_t digests_at_once = std::size_t{1} << 19U;

/// What a thread is given: work(context, first, count).
struct share_work {
  void (*call)(const void* context, std::size_t first, std::size_t count);
  const void* context;
};

/// Calls `work` for shares of 0 .. count - 1, which begin at multiples of chunk_keys, by this many threads (0: all), of
/// which the caller is one. An exception of a share is thrown when all have ended; of several, one. Where the system
/// gives no further thread, fewer do the work.
SLUICE_API void in_shares(std::size_t count, std::uint32_t threads, share_work work);

template <class Work>
void in_shares(std::size_t count, std::uint32_t threads, const Work& work) {
  in_shares(count, threads,
            share_work{[](const void* context, std::size_t first, std::size_t some) {
                         (*static_cast<const Work*>(context))(first, some);
                       },
                       &work});
}

/// look_up_in_chunks by several threads.
template <class Key, class LookUp>
void look_up_by_threads(const hasher& hash, std::span<const Key> keys, answers& to, std::uint32_t threads,
                        const LookUp& look_up) {
  to.require_room(keys.size());
  in_shares(keys.size(), threads, [&](std::size_t first, std::size_t count) {
    answers mine = to;  // which has room for a chunk of its own
    in_chunks(hash, keys.subspan(first, count), [&](const chunk& some, std::size_t at) {
      look_up(some, mine.chunk(first + at));
      mine.done(first + at, some.count);
    });
  });
}

/// Calls work(digests, number of the first) for all keys, some at a time; the digests are made by several threads.
template <class Key, class Work>
void digests_by_threads(const hasher& hash, std::span<const Key> keys, std::uint32_t threads, const Work& work) {
  std::vector<digest> digests(std::min(keys.size(), digests_at_once));
  for (std::size_t done = 0; done < keys.size();) {
    const std::span<const Key> some = keys.subspan(done, std::min(keys.size() - done, digests.size()));
    in_shares(some.size(), threads, [&](std::size_t first, std::size_t count) {
      hash_keys(hash, some.subspan(first, count), digests.data() + first);
    });
    work(std::span<const digest>(digests).first(some.size()), done);
    done += some.size();
  }
}

/// Calls insert(digests) for all keys, some at a time. Returns how many were new of all.
template <class Key, class Insert>
[[nodiscard]] std::uint64_t insert_by_threads(const hasher& hash, std::span<const Key> keys, std::uint32_t threads,
                                              const Insert& insert) {
  std::uint64_t fresh = 0;
  digests_by_threads(hash, keys, threads,
                     [&](std::span<const digest> some, std::size_t /*first*/) { fresh += insert(some); });
  return fresh;
}

/// The same with answers: insert(digests, out) writes 1 or 0 for each. Throws parameter_error, before it inserts
/// anything, if there is no room for them.
template <class Key, class Insert>
[[nodiscard]] std::uint64_t insert_by_threads(const hasher& hash, std::span<const Key> keys, answers& to,
                                              std::uint32_t threads, const Insert& insert) {
  to.require_room(keys.size());
  std::uint64_t fresh = 0;
  std::vector<std::uint8_t> were_new(std::min(keys.size(), digests_at_once));
  digests_by_threads(hash, keys, threads, [&](std::span<const digest> some, std::size_t first) {
    fresh += insert(some, were_new.data());
    for (std::size_t i = 0; i < some.size(); i += chunk_keys) {
      const std::size_t count = std::min(chunk_keys, some.size() - i);
      std::copy_n(were_new.data() + i, count, to.chunk(first + i));
      to.done(first + i, count);
    }
  });
  return fresh;
}

}  // namespace sluice::detail::bulk
