// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/level: everything that is compiled once for each instruction set (bulk/x86_kernels.hpp), in one table, so that
// the processor is asked once, and whatever is called next to each other is of one level. (Sealed filters are looked up
// by code that is compiled once: bulk/sealed.hpp.)
//
// Cost: none; pointers to functions.
#pragma once

#include <cstddef>
#include <type_traits>

#include "bulk/ledger.hpp"
#include "bulk/sealed_system.hpp"
#include "bulk/singles.hpp"
#include "sluice/detail/bulk/kernels.hpp"

namespace sluice::detail::bulk {

/// The code for filters whose blocks have lanes.
template <class Byte>
struct lane_codes {
  kernel_set<Byte> many;
  single_set<Byte> one;
};

struct level {
  lane_codes<std::byte> own;
  lane_codes<shared_byte> shared;
  ledger_codes ledgers;
  sealed_solver solver;

  template <class Byte>
  [[nodiscard]] const lane_codes<Byte>& lanes() const noexcept {
    if constexpr (std::is_same_v<Byte, shared_byte>) {
      return shared;
    } else {
      return own;
    }
  }
};

}  // namespace sluice::detail::bulk

#include "bulk/level.inl"
