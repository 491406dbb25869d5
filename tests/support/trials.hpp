// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Repeats an experiment under many seeds and keeps what each filter says, so that means come with their standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace testing_support {

/// With 100 trials, 6.5 standard errors (Student's t, 99 degrees of freedom) are exceeded with probability 3.3e-9.
inline constexpr int trials = 100;
inline constexpr double trial_sigmas = 6.5;

inline double tolerance(const sample& s) { return trial_sigmas * s.standard_error; }

/// One filter of each seed, filled with `keys` keys.
class repeated {
public:
  repeated(const sluice::parameters& p, std::uint64_t keys, int repetitions = trials) : keys_(keys) {
    for (int trial = 0; trial < repetitions; ++trial) {
      const auto seed = static_cast<std::uint64_t>(trial) + 1;
      // E(P) is a mean over absent keys, false positives included, so the lookups themselves are counted.
      results_.push_back(
          sluice::simulate(sluice::detail::with_seed(p, seed), {.keys = keys, .hits = keys / 5, .misses = keys / 5})
              .stats);
    }
  }

  [[nodiscard]] sample of(const std::function<double(const sluice::statistics&)>& value) const {
    std::vector<double> values;
    values.reserve(results_.size());
    for (const sluice::statistics& s : results_) values.push_back(value(s));
    return summarise(values);
  }

  [[nodiscard]] sample fpr() const {
    return of([](const auto& s) { return s.fpr_from_fill; });
  }
  [[nodiscard]] sample per_insert() const {
    return of([](const auto& s) { return s.accesses.per_insert.value(); });
  }
  [[nodiscard]] sample per_hit() const {
    return of([](const auto& s) { return s.accesses.per_hit.value(); });
  }
  [[nodiscard]] sample per_miss() const {
    return of([](const auto& s) { return s.accesses.per_miss.value(); });
  }
  [[nodiscard]] sample overflow_fraction() const {
    return of([&](const auto& s) { return static_cast<double>(s.overflow_keys) / static_cast<double>(keys_); });
  }
  [[nodiscard]] sample share_with_load(std::uint64_t load) const {
    return of([=](const auto& s) { return share(s, load); });
  }
  /// Mean over the blocks of a function of the load.
  [[nodiscard]] sample over_loads(const std::function<double(std::uint64_t)>& cost) const {
    return of([&](const auto& s) {
      double sum = 0;
      for (std::uint64_t i = 0; i < s.load_histogram.size(); ++i) sum += share(s, i) * cost(i);
      return sum;
    });
  }

private:
  static double share(const sluice::statistics& s, std::uint64_t load) {
    if (load >= s.load_histogram.size()) return 0;
    return static_cast<double>(s.load_histogram[load]) / static_cast<double>(s.blocks);
  }

  std::uint64_t keys_;
  std::vector<sluice::statistics> results_;
};

}  // namespace testing_support
