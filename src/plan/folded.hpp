// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/folded: how many keys a filter is planned for after it was folded. Half as many as before for every fold: that
// is what blocked and classic ones keep. In gated ones gates and loads of neighbours come together, so that after many
// folds the same rate holds fewer keys. Cost: some models, of up to 15 milliseconds each.
#pragma once

#include <cstdint>

#include "sluice/parameters.hpp"

namespace sluice::detail::planning {

/// The most keys, of at most `most`, with which such a filter keeps a rate, by its model, or up to 4% fewer.
[[nodiscard]] std::uint64_t keys_within(const parameters& p, std::uint64_t most, double fpr);

/// What a filter is planned for that is so now, after it was folded `folds` times; not less than `kept` keys, with
/// which it keeps the rate by its bits, unless that is more than the folds leave. 0, a number or rate, is not known.
[[nodiscard]] std::uint64_t planned_after_folds(const parameters& now, std::uint64_t before, std::uint32_t folds,
                                                double fpr, std::uint64_t kept);

}  // namespace sluice::detail::planning
