// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/layouts: where the bits of a key lie, for code that looks at blocks by itself: a kernel on a GPU, a constant
// expression. Everything here is a function of numbers, constexpr, and calls nothing that is not: nvcc takes it for
// device code with --expt-relaxed-constexpr, clang without more (tests/portability/device.sh).
//
//   on the host   groups and layouts follow from parameters (groups_of in extend/names.hpp) and are a few numbers,
//                 which a kernel gets by value; the bytes of a filter are copied as they are, and read as 64-bit words
//   on a device   digest -> block (groups), positions (lanes, uniform_positions) or columns (sealed_layout), and bits
//                 of it (test_bit, read_field)
//
//   const std::uint64_t* const block = words + groups.first(x) * 8;                          512 bits
//   const auto start = lanes::start_of(x, 4);
//   for (std::uint32_t i = 0; i < k; ++i) {
//     if (i % 8 == 0) pair = lanes::word_pair_by(lanes::multiplier(i / 8), x);
//     if (!bits::test_bit(block, lanes::position_in<gated>(pair, start, i, 4))) return false;
//   }
//
// docs/lookups.md has the lookup of every scheme; tests/support/word_lookups.hpp those of the schemes that have all
// their keys in blocks. Tables (lanes::multipliers, lanes::gates) are the host's, and nvcc does not say so where a
// kernel reads one: a device computes what it needs.
// Cost: no block is read but by test_bit and read_field.
#pragma once

#include <type_traits>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/block/positions.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"

namespace sluice::extend {

// Words of a digest.
using detail::decide;
using detail::derive;
using detail::first_block;
using detail::reduce;
using detail::reduce_32;
using detail::use;

// Blocks of a key.
using detail::block_groups;
using detail::candidate_block;
using detail::even_groups;
using detail::subtables;
using detail::whole_table;

// What it has there.
namespace bits = detail::bits;
namespace lanes = detail::lanes;
using detail::ledger_layout;
using detail::position_slice;
using detail::sealed_key;
using detail::sealed_layout;
using detail::uniform_positions;

static_assert(std::is_trivially_copyable_v<block_groups> && std::is_trivially_copyable_v<even_groups> &&
              std::is_trivially_copyable_v<whole_table> && std::is_trivially_copyable_v<subtables> &&
              std::is_trivially_copyable_v<sealed_layout> && std::is_trivially_copyable_v<ledger_layout> &&
              std::is_trivially_copyable_v<digest>);

}  // namespace sluice::extend
