// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/sealed: lookups in sealed filters and maps, one key at a time and many: plain code, the same for every
// processor. It is compiled for every layout (32 widths of columns, two sizes of blocks), so that all numbers of a
// layout are constants, and chosen once for a filter.
//
//   one    reads the first block, the second behind a closed gate, and asks the list where the bump bit says so
//   many   a first pass over the first blocks; the few keys behind a closed gate, or whose block has bumped keys, are
//          noted without a branch, and a second pass, with a ring of its own, does them again
//   value, values    the same, for maps (sealed_map.hpp): what the columns give, and who must ask the list
//
// Invariants: the answers of the walk (placement/sealed.hpp). A load never leaves the block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bulk/singles.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/detail/placement/groups.hpp"

namespace sluice::detail::bulk {

/// A sealed filter, as its lookups see it.
struct sealed_filter {
  const std::byte* blocks = nullptr;
  even_groups groups{1, 1};
  std::uint64_t block_count = 0;
  sorted_list_view list;
  std::uint64_t origin = 0;  ///< the block that the bytes begin with; for `one` and `value` it is 0
};

/// What the columns give a key, and whether the list must be asked before it is believed: the key may be there.
struct sealed_value {
  std::uint32_t value;
  bool ask;
};

/// The code of one layout.
struct sealed_code {
  look_up_one one = nullptr;  ///< called with the address of the filter
  void (*many)(const sealed_filter& filter, const chunk& some, std::uint8_t* out) noexcept = nullptr;
  sealed_value (*value)(const sealed_filter& filter, digest x) noexcept = nullptr;
  /// Writes a value for each, and the numbers of those whose list must be asked. Returns how many these are.
  std::size_t (*values)(const sealed_filter& filter, const chunk& some, std::uint32_t* out,
                        std::uint16_t* ask) noexcept = nullptr;
};

[[nodiscard]] const sealed_code& code_for(const sealed_layout& layout) noexcept;

}  // namespace sluice::detail::bulk
