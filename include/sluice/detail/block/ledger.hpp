// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/ledger: a block of 512 bits as a small table of entries, to which entries are added and from which they are
// taken (block/ledger_layout.hpp has the layout).
//
// A lookup compares all slots with the remainder at once, several in each 64-bit word; only where one is equal does it
// look for the slots of its quotient. Adding and taking shift what lies behind within the block.
//
// Invariants: slots that are not in use, and their flags, are 0. Whatever the bytes are, no call reads or writes beyond
// the block; what a block of untrusted bytes answers may be anything.
// Cost: one access.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/simd/native.hpp"
#include "sluice/detail/target.hpp"

// Named before it is filled, so that no tool puts the next line among the others.
namespace sluice::detail::SLUICE_TARGET {}  // namespace sluice::detail::SLUICE_TARGET

#include "sluice/detail/block/ledger.inl"

namespace sluice::detail {
template <std::uint32_t Rho>
using ledger_block = baseline::ledger_block<Rho, simd::native>;
using baseline::position_of_one;
}  // namespace sluice::detail
