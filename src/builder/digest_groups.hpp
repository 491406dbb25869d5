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

/// Digests of keys whose groups are from `first_group` on and before `end_group`.
struct digest_range {
  std::span<digest> digests;
  std::uint64_t first_group;
  std::uint64_t end_group;
};

/// Calls worker(number of the group, its digests) for every group of the range: each digest once, in ascending order.
/// Groups is block_groups or even_groups.
template <class Groups>
void for_each_group(const Groups& groups, const digest_range& range, auto& worker) {
  std::sort(range.digests.begin(), range.digests.end());
  const auto end = std::unique(range.digests.begin(), range.digests.end());
  auto from = range.digests.begin();
  for (std::uint64_t group = range.first_group; group < range.end_group; ++group) {
    const std::uint64_t next_block = (group + 1) * groups.group_blocks();
    const auto to = std::partition_point(from, end, [&](digest x) { return groups.first(x) < next_block; });
    worker(group, std::span<const digest>(from, to));
    from = to;
  }
}

}  // namespace sluice
