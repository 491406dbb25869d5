// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/ledger: what a ledger comes to. Its false positive rate has a formula:
//
//   f = 1 - (1 - 1 / (m Q 2^rho))^n        an absent key is found if a stored one has its first block, quotient and
//                                          remainder; where that one lies does not matter
//
// Which blocks lookups read follows from where keys went, which depends on everything before: some pages are filled
// with random keys, and looked at, as those of builders are (built_sample.hpp). In a steady state of keys that come and
// go more gates are closed than when it was filled: then keys of the sample are erased and others inserted, all of them
// several times.
// Cost: some ten milliseconds; with turnovers, about as many for each.
#pragma once

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

/// How many insertions a prediction makes.
[[nodiscard]] double ledger_keys_inserted(const ledger_parameters& p, double keys, std::uint32_t turnovers);

/// A filter of this many keys. Throws parameter_error where its blocks have no room for them.
[[nodiscard]] prediction predict_ledger(ledger_parameters p, double keys, std::uint32_t turnovers);

}  // namespace sluice::theory
