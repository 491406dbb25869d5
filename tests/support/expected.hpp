// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the papers' formulas say, computed independently of the library, for tests to compare with.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace testing_support {

inline double poisson(double mean, std::uint64_t i) {
  const auto x = static_cast<double>(i);
  return std::exp(x * std::log(mean) - mean - std::lgamma(x + 1));
}

/// The best load distribution for a mean of `accesses` blocks read per insertion at r keys a block: Poisson(a r) below
/// k0, and the rest on k0 and k0 + 1 so that the mean is r (1 - gamma).
inline std::vector<double> best_loads(double accesses, double r, double gamma, std::uint64_t k0) {
  std::vector<double> p(k0 + 2);
  double mass = 1;
  double mean = 0;
  for (std::uint64_t i = 0; i < k0; ++i) {
    p[i] = poisson(accesses * r, i);
    mass -= p[i];
    mean += static_cast<double>(i) * p[i];
  }
  const auto k = static_cast<double>(k0);
  p[k0 + 1] = r * (1 - gamma) - mean - k * mass;
  p[k0] = mass - p[k0 + 1];
  return p;
}

/// The usual approximation of a local filter's false positive rate: U usable bits, i keys, k bits each.
inline double usual_local_fpr(double usable, double k, double keys) {
  return std::pow(1 - std::pow(1 - 1 / usable, k * keys), k);
}

/// Its exact expectation over the number of set bits, for 0, 1, ..., most keys: a Markov chain, one bit at a time.
inline std::vector<double> exact_local_fpr(std::uint32_t usable, std::uint32_t k, std::uint64_t most) {
  const double u = usable;
  std::vector<double> ones(usable + 1);
  ones[0] = 1;
  std::vector<double> fpr;
  for (std::uint64_t keys = 0;; ++keys) {
    double f = 0;
    for (std::uint32_t x = 0; x <= usable; ++x) f += ones[x] * std::pow(x / u, k);
    fpr.push_back(f);
    if (keys == most) return fpr;
    for (std::uint32_t bit = 0; bit < k; ++bit) {
      for (std::uint32_t x = usable; x > 0; --x) ones[x] = ones[x] * (x / u) + ones[x - 1] * (1 - (x - 1) / u);
      ones[0] = 0;
    }
  }
}

}  // namespace testing_support
