// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/ledger: our own placement for keys that come and go: the gated placement over blocks that keep entries
// (block/ledger_layout.hpp), from which keys can be taken again.
//
//   first block b1, of the digest                    second block b2, a function of b1 and of the entry
//   +-----------------------------------------+      +-----------------------------------------+
//   | natives ...   gate of the class  list? |      | guests: entries whose first block is b1 |
//   +-----------------------------------------+      +-----------------------------------------+
//
// Groups are pages of 64 blocks, or up to one page all blocks there are. b2 = b1 XOR w, with w from 1 to 63, where
// a group is a page; (s - b1) mod m in smaller filters, where b2 may be b1: then the key has no second block. Both are
// their own inverse, so that b1 follows from b2: it is known where a guest is at home.
//
// insert   1. b1 has room: there.
//          2. b1 is full: one of its guests goes home, if there is room (homecoming), and the key takes its slot.
//          3. The gate of the key's class is closed already: b2, the same; the key is a guest there.
//          4. One of 16 natives of b1 behind closed gates goes to its own second block, if there is room, and the key
//             takes its slot. Which ones are asked, the key's entry says.
//          5. The gate of the key's class is open: as step 3, and it is closed.
//          6. As step 4 with natives behind open gates; the gate of ITS class is closed.
//          7. The list, and b1's list bit is set.
//          Every so-manieth insertion into a page, by the digest and the block, makes the page tidy: gates must open
//          again. All its guests go home where there is room, keys of the page come back from the list, and gates and
//          list bits are written anew from what stays.
// lookup   a native of b1 with the key's entry; if its gate is closed, a guest of b2; if b1's list bit is set, the
//          list.
// erase    from the list; else a native of b1; else, if the gate is closed, a guest of b2. Precondition: the key is in.
//
// Why there are no false negatives. A key is native in b1, guest in b2 behind a closed gate, or in the list behind a
// set bit, and every move keeps that: gates are closed and bits set before they are needed, and opened only by tidying,
// which sees every guest of the page. Flags are part of every comparison: two blocks may be each other's second, and
// have equal entries, one of a native and one of a guest. And erasing takes what the key, or one with an equal entry
// and first block, has put there; such keys have everything in common, but in the list, where digests tell them apart:
// so the list is asked first.
//
// Gates that are closed already come first because a closed gate costs misses, and a second guest behind it nothing: at
// a fill of 0.9 and after many turnovers 5% of the gates are closed, and 7.5% if steps 3 and 5, 4 and 6 are one each.
//
// Nothing depends on chance or on the order of memory: the same calls make the same bytes.
// Cost: a lookup reads 1 block, and b2 if the gate is closed: 3% of misses at a fill of 0.9, 5% after many turnovers.
// An insertion reads 0.3 to 0.6 others on average, and one in some 200 a page.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/block/ledger.hpp"
#include "sluice/detail/overflow/ledger_list.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"
#include "sluice/detail/target.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

/// A ledger is full when 19 of 20 slots are in use: the list then has a key in a thousand, and beyond that it grows
/// fast.
[[nodiscard]] constexpr std::uint64_t most_ledger_keys(std::uint64_t blocks, std::uint32_t slots) noexcept {
  return static_cast<std::uint64_t>(static_cast<uint128>(blocks) * slots * 19 / 20);
}

}  // namespace sluice::detail

#include "sluice/detail/placement/ledger.inl"

namespace sluice::detail {
template <std::uint32_t Rho>
using ledger_placement = baseline::ledger_placement<Rho, simd::native>;
}  // namespace sluice::detail
