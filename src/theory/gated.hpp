// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/gated: the load law of the gated filter. A block's number of ones is a Markov chain, fed by
//
//   keys whose first block it is and that stay        k bits
//   keys whose first block it is and that are spilled t bits, and a gate closes
//   guests, spilled from other blocks of its group    k2 bits
//
// and the rates of staying, spilling and guests depend on the loads of the other blocks of the group, which follow the
// same chain: the equation is integrated in the number of keys per block, everything else is a function of the current
// loads.
//
//   ones[x]     share of the blocks with x filter bits set
//   open[x]     the same, weighted with the chance that the gate of a random class is open: a spill leaves 7/8
//
// A key that is found by chance is not stored: it is not spilled from a block that contains it, and does not stay in a
// block through whose closed gate it is found. That matters to overfull filters alone.
//
// A group is closed in itself, and its number of keys varies: the result at r keys per block is the mixture, over a
// Poisson number of keys in the group, of the chain at that group's keys per block.
//
// A union of shards that were filled apart has in every block the ones of all of them, and a gate is open if it is open
// in all shards: both laws are those of a shard, united (theory/united.hpp).
//
// A key's positions go quad by quad. Given x, the lanes are filled more evenly than a random choice of x bits would be,
// and if one has more, the others have less; and neighbours in a quad are filled by the same keys. q^k is corrected to
// second order for that (lane_correction). One position of every lane with a gate is drawn twice as often as the others
// (position_law).
#pragma once

#include <cstdint>

#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

/// Of the parameters, all but the number of blocks. group_blocks: the part of the blocks among which a second one is
/// drawn; infinity: the whole table.
[[nodiscard]] prediction predict_gated(const gated_parameters& p, double group_blocks, double keys_per_block);

/// Of the union of equal shards with this many keys per block each.
[[nodiscard]] prediction predict_gated_union(const gated_parameters& p, double group_blocks, double keys_per_block,
                                             std::uint64_t shards);

}  // namespace sluice::theory
