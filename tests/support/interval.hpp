// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Two-sided statistical checks. Every check states how many standard errors it allows; `sigmas` is 5.5, which a correct
// program exceeds with probability 3.8e-8, so the whole suite fails by accident with a chance below 1e-6. Seeds are
// fixed: a test that passes once passes always, until the code changes.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace testing_support {

inline constexpr double sigmas = 5.5;

/// How far a counted share may lie from its probability.
inline double share_tolerance(double probability, double trials) {
  return sigmas * std::sqrt(probability * (1 - probability) / trials);
}

/// Mean and standard error of repeated measurements.
struct sample {
  double mean = 0;
  double standard_error = 0;
};

inline sample summarise(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double v : values) sum += v;
  const double mean = sum / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / (n - 1) / n)};
}

/// How many standard deviations a chi-square statistic of counts against a uniform distribution lies from its mean.
/// With some hundred cells the statistic is close to normal; the slightly heavier upper tail is why callers allow 7.
inline double uniformity_deviation(const std::vector<std::uint64_t>& counts) {
  double total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double chi_square = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    chi_square += difference * difference / expected;
  }
  const auto freedom = static_cast<double>(counts.size() - 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

inline constexpr double uniformity_limit = 7;

}  // namespace testing_support
