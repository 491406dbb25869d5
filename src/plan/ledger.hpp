// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/ledger: the ledger for a request that must be able to erase. There is nothing to search for: a remainder of rho
// bits and the fill say the rate and the bits a key; of the five remainders there are, the one with the fewest bits
// that keeps the rate is taken, or the longest that fits into the memory. Ledgers are planned to be filled to 0.9 of
// their slots (0.87 with 24 bits, where a block has few), and predicted as they are after many turnovers.
// Invariant: for given keys, more memory never gives a higher rate. Cost: a model.
#pragma once

#include <cstdint>
#include <optional>

#include "sluice/plan.hpp"

namespace sluice::detail::planning {

/// The one with the fewest blocks that keeps the rate with so many keys; nothing where none does.
[[nodiscard]] std::optional<ledger_parameters> smallest_ledger(double fpr, double keys);

/// How many keys it is planned for at most, at this rate.
[[nodiscard]] std::uint64_t planned_keys_of(const ledger_parameters& p, double fpr);

/// The longest remainder with which so many blocks hold these keys; nothing where none does.
[[nodiscard]] std::optional<std::uint32_t> longest_remainder(double blocks, double keys);

/// Nothing where none fits. `keys` are those that it is sized for, 0 where they follow.
[[nodiscard]] std::optional<plan_candidate> ledger_candidate(const plan_request& q, double keys);

}  // namespace sluice::detail::planning
