// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/ledger: what is done to ledgers, one key at a time and many, compiled for each instruction set
// (bulk/x86_kernels.hpp): entries are found by counting bits, which plain x86-64 has no instruction for.
//
// Invariant: the answers of the walk and the bytes of the placement (placement/ledger.hpp), whose functions these are.
// Cost: theirs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "bulk/singles.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/overflow/ledger_list.hpp"
#include "sluice/detail/placement/ledger.hpp"

namespace sluice::detail::bulk {

/// A ledger, as its lookups see it. The list may move with every insertion: its owner is asked.
struct ledger_filter {
  block_groups groups{1, 1};
  const std::byte* blocks = nullptr;
  const void* owner = nullptr;
  bool (*lists)(const void* owner, digest x) noexcept = nullptr;
};

/// The code of one length of remainders.
struct ledger_code {
  look_up_one look_up;  ///< called with the address of a ledger_filter
  void (*look_up_many)(const ledger_filter& filter, const chunk& some, std::uint8_t* out) noexcept;
  insert_outcome (*insert)(const block_groups& groups, std::byte* blocks, ledger_list& list, digest x);
  /// With 1 in `out` for each that was inserted.
  void (*insert_many)(const block_groups& groups, std::byte* blocks, ledger_list& list, const chunk& some,
                      std::uint8_t* out);
  bool (*erase_entry)(const block_groups& groups, std::byte* blocks, digest x) noexcept;
};

/// By the place of a length among ledger_layout::all_remainders.
using ledger_codes = std::array<ledger_code, ledger_layout::all_remainders.size()>;

/// The code for the best instruction set that this processor has.
[[nodiscard]] const ledger_codes& best_ledger_codes() noexcept;
[[nodiscard]] inline const ledger_code& best_ledger_code(std::uint32_t remainder_bits) noexcept {
  constexpr auto& all = ledger_layout::all_remainders;
  return best_ledger_codes()[static_cast<std::size_t>(std::find(all.begin(), all.end(), remainder_bits) - all.begin())];
}

}  // namespace sluice::detail::bulk

#include "bulk/ledger.inl"
