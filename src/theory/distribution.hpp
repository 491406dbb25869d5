// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/distribution: load distributions, and the Poisson law in a form that is stable for means up to many thousands.
//
//   symbol here     the papers' letter
//   load            i          keys in a block
//   share[i]        P(i)       share of the blocks with load i
#pragma once

#include <cmath>
#include <cstdint>

#include "sluice/theory.hpp"

namespace sluice::theory {

/// log(n! / (k! (n - k)!)), for numbers that need not be whole. Not by std::lgamma, which writes to a variable that all
/// threads share (signgam).
[[nodiscard]] double log_choose(double n, double k);

/// Pr(X = i) for X ~ Poisson(mean).
[[nodiscard]] double poisson(double mean, std::uint64_t i);

/// Pr(X >= i).
[[nodiscard]] double poisson_at_least(double mean, std::uint64_t i);

/// E min(X, most).
[[nodiscard]] double poisson_mean_capped(double mean, std::uint64_t most);

/// From here on a Poisson law weighs less than 1e-18.
[[nodiscard]] double law_end(double mean);

/// The whole law, as far as anything remains.
[[nodiscard]] distribution poisson_law(double mean);

/// Calls use(n, weight) for numbers n of a Poisson law, weights adding up to 1, as far as 8 standard deviations. Where
/// there are more than about `points` numbers, every so-manieth stands for its neighbours.
template <class Use>
void over_poisson(double mean, std::uint64_t points, Use use) {
  const double reach = 8 * std::sqrt(mean) + 8;
  const auto low = static_cast<std::uint64_t>(mean > reach ? mean - reach : 0.0);
  const auto high = static_cast<std::uint64_t>(mean + reach);
  const std::uint64_t stride = high - low > points ? (high - low) / points : 1;
  double total = 0;
  for (std::uint64_t n = low; n <= high; n += stride) total += poisson(mean, n);
  for (std::uint64_t n = low; n <= high; n += stride) use(static_cast<double>(n), poisson(mean, n) / total);
}

[[nodiscard]] double mean_of(const distribution& p);

}  // namespace sluice::theory
