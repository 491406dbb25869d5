// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Krimer and Erez, figure 3: what alpha does.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "common/krimer.hpp"
#include "list.hpp"

namespace experiments {
namespace {

outcome run_krimer_fig3(const setting& how) {
  outcome out;
  const std::uint64_t keys = how.scaled(1'000'000, 50'000);
  const std::uint64_t trials = how.scaled(100, 10);
  out.sizes = fmt::format("{} keys, {} trials a point (the paper: 1,000,000 and 100).", thousands(keys), trials);
  const std::vector<std::pair<double, double>> settings = {{16, 0.3}, {18, 0.4}, {20, 0.5}};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [c, paper_best] = settings[i];
    const std::string series = fmt::format("c = {}", c);
    const auto formula = [bits = c](double alpha) { return krimer_formula(bits, alpha); };
    const auto exact = [bits = c](double alpha) { return krimer_exact(bits, alpha); };
    const double formula_zero = formula(0);
    const double exact_zero = exact(0);
    const measured zero = measure(krimer(c, 0, keys), keys, trials, how);
    for (int step = 0; step <= 20; ++step) {
      const double alpha = step / 20.0;
      point p{
          .series = series, .x = alpha, .formula = formula(alpha) / formula_zero, .theory = exact(alpha) / exact_zero};
      if (step > 0 && step % (how.quick ? 5 : 2) == 0) {
        const auto q = krimer(c, alpha, keys);
        const measured m = measure(q, keys, trials, how, exact(alpha));
        p.simulated = m.fpr.mean / zero.fpr.mean;
        p.memory = m.memory;
        const double noise = std::hypot(by_chance(m.fpr) / m.fpr.mean, by_chance(zero.fpr) / zero.fpr.mean);
        p.judged =
            both(compare(*p.simulated, *p.theory, (0.005 + noise) * *p.theory, "the exact model"), m.count_judged());
      }
      out.points.push_back(p);
      how.progress((static_cast<double>(i) + step / 20.0) / static_cast<double>(settings.size()));
    }
    const double best = best_alpha(formula);
    out.findings.push_back(check(
        std::abs(best - paper_best) <= 0.051,
        fmt::format("c = {}: the paper's formula is lowest at alpha = {:.2f}, the exact model at {:.2f}; the paper "
                    "reads {:.1f} off its curve.",
                    c, best, best_alpha(exact), paper_best)));
  }
  out.findings.insert(out.findings.begin(), tally(out.points, "Ratios of real filters against the exact model"));
  return out;
}

}  // namespace

experiment krimer_fig3() {
  return {
      "krimer-fig3",
      "Krimer and Erez, figure 3: the rate by alpha, relative to alpha = 0",
      "The share alpha of keys that have two blocks, for 16, 18 and 20 bits per key; blocks of 500 bits. Thin lines "
      "are the paper's formula (3.4) as it stands, thick ones the exact model, marks real filters.",
      {{"alpha", "rate relative to blocked"}},
      run_krimer_fig3};
}

}  // namespace experiments
