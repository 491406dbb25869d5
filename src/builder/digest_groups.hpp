// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/digest_groups: digests of keys, taken apart group by group, in place.
//
// A key's first block is the high part of digest times blocks, so digests in ascending order are keys in the order of
// their blocks, and a range of groups is a range of digests. Cost: that of sorting them, some 12 bytes for each
// of a range while it is sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// What lies in a range is ordered by its digest.
[[nodiscard]] constexpr digest digest_of(digest x) noexcept { return x; }

/// Keys whose groups are from `first_group` on and before `end_group`: digests, or entries that have one (digest_of).
template <class Entry>
struct range_of {
  std::span<Entry> digests;
  std::uint64_t first_group;
  std::uint64_t end_group;
};
using digest_range = range_of<digest>;

/// In ascending order. Digests of keys that nobody chose are evenly spread: each is put near its place, by its share of
/// the range, and then moved to it. Where many meet, they are compared as usual.
template <class Entry>
void sort_evenly_spread(std::span<Entry> entries) {
  constexpr std::size_t few = 64;
  constexpr std::uint32_t most_in_a_place = 32;
  if (entries.size() < few || entries.size() > std::numeric_limits<std::uint32_t>::max()) {
    return std::sort(entries.begin(), entries.end());
  }
  std::uint64_t least = digest_of(entries[0]).value;
  std::uint64_t most = least;
  for (const Entry& e : entries) {
    least = std::min(least, digest_of(e).value);
    most = std::max(most, digest_of(e).value);
  }
  // Places are a power of two of digests wide; there are one to two of them for each entry.
  const std::uint64_t range = most - least;
  std::uint32_t shift = 0;
  while ((range >> shift) >= 2 * entries.size()) ++shift;
  const auto place_of = [&](const Entry& e) { return static_cast<std::size_t>((digest_of(e).value - least) >> shift); };
  std::vector<std::uint32_t> next(static_cast<std::size_t>(range >> shift) + 2, 0);
  for (const Entry& e : entries) ++next[place_of(e) + 1];
  if (*std::max_element(next.begin(), next.end()) > most_in_a_place) return std::sort(entries.begin(), entries.end());
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Entry> placed(entries.size());
  for (const Entry& e : entries) placed[next[place_of(e)]++] = e;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    std::size_t to = i;
    for (; to > 0 && placed[i] < entries[to - 1]; --to) entries[to] = entries[to - 1];
    entries[to] = placed[i];
  }
}

/// Calls worker(number of the group, its digests) for every group of the range: each once, in ascending order. Groups
/// is block_groups or even_groups.
template <class Groups, class Entry = digest>
void for_each_group(const Groups& groups, const range_of<Entry>& range, auto& worker) {
  sort_evenly_spread(range.digests);
  const auto end = std::unique(range.digests.begin(), range.digests.end());
  auto from = range.digests.begin();
  for (std::uint64_t group = range.first_group; group < range.end_group; ++group) {
    const std::uint64_t next_block = (group + 1) * groups.group_blocks();
    const auto to =
        std::partition_point(from, end, [&](const Entry& x) { return groups.first(digest_of(x)) < next_block; });
    worker(group, std::span<const Entry>(from, to));
    from = to;
  }
}

}  // namespace sluice::detail
