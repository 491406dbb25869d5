// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Krimer and Erez, figure 1: load distributions at 20 bits per key.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "common/krimer.hpp"
#include "list.hpp"

namespace experiments {
namespace {

outcome run_krimer_fig1(const setting& how) {
  outcome out;
  const std::uint64_t keys = how.scaled(1'000'000, 100'000);
  const std::uint64_t trials = how.scaled(100, 20);
  out.sizes = fmt::format("{} keys, {} trials (the paper: 1,000,000 and 100).", thousands(keys), trials);
  const auto& schemes = krimer_schemes;
  std::vector<double> deviations;
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    const auto& [series, alpha] = schemes[i];
    const sluice::alpha_parameters p = krimer(20, alpha, keys);
    const auto loads = predict(p, static_cast<double>(keys)).loads;
    const auto seen = loads_over_time(p, {keys}, trials, how, [&](double share) {
      how.progress((static_cast<double>(i) + share) / static_cast<double>(schemes.size()));
    });
    double variance = 0;
    for (std::size_t load = 5; load <= 50; ++load) {
      std::vector<double> values;
      values.reserve(seen.size());
      for (const auto& one : seen) values.push_back(load < one[0].size() ? one[0][load] : 0);
      const summary s = summarise(values);
      const double theory = load < loads.size() ? loads[load] : 0;
      const double d = static_cast<double>(load) - 25;
      variance += s.mean * d * d;
      // Counts of blocks vary as binomial ones at most.
      const double blocks = static_cast<double>(p.blocks) * static_cast<double>(trials);
      const double allowed = 0.003 * theory + 5 * std::sqrt(std::max(theory, 1 / blocks) / blocks) + 2e-5;
      out.points.push_back({.series = series,
                            .x = static_cast<double>(load),
                            .theory = theory,
                            .simulated = s.mean,
                            .low = s.least,
                            .high = s.most,
                            .judged = compare(s.mean, theory, allowed, "the model")});
    }
    deviations.push_back(std::sqrt(variance));
  }
  out.findings.push_back(tally(out.points, "Loads of real filters against the differential equations"));
  out.findings.push_back(
      check(deviations[2] < deviations[1] && deviations[1] < deviations[0] && std::abs(deviations[0] - 5) < 0.05,
            fmt::format("Two-choice is the most even (standard deviation {:.2f} keys), 1+alpha lies "
                        "between ({:.2f}), blocked has a Poisson law's ({:.2f}; root of 25: 5).",
                        deviations[2], deviations[1], deviations[0])));
  return out;
}

}  // namespace

experiment krimer_fig1() {
  return {"krimer-fig1",
          "Krimer and Erez, figure 1: how full blocks are",
          "The share of blocks with a given number of keys when all are in, at 20 bits per key, blocks of 500 bits, "
          "against the differential equations. Low and high are the least and the greatest of all trials.",
          {{"keys in a block", "share of the blocks"}},
          run_krimer_fig1};
}

}  // namespace experiments
