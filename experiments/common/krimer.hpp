// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The setting of Krimer and Erez: blocks of 500 bits, c bits per key, k = round(c ln 2), loads counted in keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "common/filters.hpp"
#include "sluice/parameters.hpp"

namespace experiments {

inline constexpr std::uint32_t krimer_block = 500;

[[nodiscard]] inline sluice::alpha_parameters krimer(double bits_per_key, double alpha, std::uint64_t keys) {
  return {.blocks = sluice::blocks_for(keys, bits_per_key, krimer_block),
          .block_bits = krimer_block,
          .hashes = static_cast<std::uint32_t>(std::max(1L, std::lround(bits_per_key * std::numbers::ln2))),
          .alpha = alpha,
          .load = sluice::load_unit::keys};
}

/// The shares alpha that the paper compares.
inline const std::vector<std::pair<std::string, double>> krimer_schemes = {
    {"blocked", 0.0}, {"1+alpha, alpha 0.3", 0.3}, {"two-choice", 1.0}};

/// (3.1) and (3.4), with D by (3.3) and (3.5), as they stand.
[[nodiscard]] inline double krimer_formula(double bits_per_key, double alpha) {
  constexpr std::uint64_t keys = 1'000'000'000;
  return formula_of(krimer(bits_per_key, alpha, keys), double{keys});
}
/// What real filters should have: the expectation over the number of set bits, and no key counted twice.
[[nodiscard]] inline double krimer_exact(double bits_per_key, double alpha) {
  constexpr std::uint64_t keys = 1'000'000'000;
  return predict(krimer(bits_per_key, alpha, keys), double{keys}).fpr_exact;
}

/// (2.1), the classical filter: the bound of all others, by lemma 6.2.
[[nodiscard]] inline double krimer_classical(double bits_per_key) {
  const double k = krimer(bits_per_key, 0, 1000).hashes;
  return std::pow(-std::expm1(-k / bits_per_key), k);
}

/// The best alpha of a model, in hundredths. Rates are convex in alpha: they fall up to the best, and rise from there.
template <class Rate>
[[nodiscard]] double best_alpha(const Rate& rate) {
  int low = 0;
  int high = 100;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (rate((middle + 1) / 100.0) < rate(middle / 100.0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low / 100.0;
}

}  // namespace experiments
