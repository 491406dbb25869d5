// builder/digest_groups: digests of keys, taken apart group by group, in place.
//
// A key's first block is the high part of digest times blocks, so digests in ascending order are keys in the order of
// their blocks, and a range of groups is a range of digests. Cost: no memory beside the digests; that of sorting them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"

namespace sluice {

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

/// Calls worker(number of the group, its digests) for every group of the range: each once, in ascending order. Groups is
/// block_groups or even_groups.
template <class Groups, class Entry = digest>
void for_each_group(const Groups& groups, const range_of<Entry>& range, auto& worker) {
  std::sort(range.digests.begin(), range.digests.end());
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

}  // namespace sluice
