// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/prefetch_ring: many keys at once. A random cache line takes longer to arrive than a dozen lookups take, so the
// block of the key sixteen places ahead is asked for while the current key is tested.
//
//   keys --hash--> digests of a chunk --+--> test key i while the block of key i + 16 is under way
//                                       (the digests of the next sixteen keys are there before a chunk begins)
//
// bulk/chunks.hpp makes the digests.
// Invariant: keys are taken in order; an insertion in bulk leaves the bytes that single insertions in that order would.
// Cost: the accesses of the single operations; the machine overlaps up to sixteen of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/target.hpp"

// Named before it is filled, so that no tool puts the next line among the others.
namespace sluice::detail::bulk::SLUICE_TARGET {}  // namespace sluice::detail::bulk::SLUICE_TARGET

#include "sluice/detail/bulk/ring.inl"

namespace sluice::detail::bulk {
using baseline::ring;
}  // namespace sluice::detail::bulk
