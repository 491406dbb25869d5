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
  const std::uint64_t trials = how.scaled(6, 2);
  const std::vector<std::pair<double, double>> settings = {{16, 0.3}, {18, 0.4}, {20, 0.5}};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [c, paper_best] = settings[i];
    const std::string series = fmt::format("c = {}", c);
    const double at_zero = krimer_rate(c, 0);
    const measured zero = measure(krimer(c, 0, keys), keys, trials, how);
    const double exact_zero = predicted(krimer(c, 0, keys), static_cast<double>(keys)).fpr_exact;
    for (int step = 0; step <= 20; ++step) {
      const double alpha = step / 20.0;
      point p{series, alpha, krimer_rate(c, alpha) / at_zero, {}, {}, {}, {}, {}};
      if (step % (how.quick ? 10 : 2) == 0) {
        const auto q = krimer(c, alpha, keys);
        const measured m = measure(q, keys, trials, how);
        const double expected = predicted(q, static_cast<double>(keys)).fpr_exact / exact_zero;
        p.simulated = m.fpr.mean / zero.fpr.mean;
        const double noise =
            5 * (m.fpr.deviation / m.fpr.mean + zero.fpr.deviation / zero.fpr.mean) / std::sqrt(double(trials));
        p.verdict = compare(*p.simulated, expected, (0.02 + noise) * expected, "the exact model");
      }
      out.points.push_back(p);
      how.progress((static_cast<double>(i) + step / 20.0) / static_cast<double>(settings.size()));
    }
    const double best = best_alpha(c);
    out.findings.push_back(
        {std::abs(best - paper_best) <= 0.051,
         fmt::format("c = {}: the best alpha is {:.2f}; the paper reads {:.1f} off its curve.", c, best, paper_best)});
  }
  out.findings.insert(out.findings.begin(), tally(out.points, "Ratios of real filters against the model"));
  return out;
}

}  // namespace

experiment krimer_fig3() {
  return {"krimer-fig3",
          "Krimer and Erez, figure 3: the rate by alpha, relative to alpha = 0",
          "The share alpha of keys that have two blocks, for 16, 18 and 20 bits per key; blocks of 500 bits. Lines are "
          "the paper's equations, marks real "
          "filters.",
          {{"alpha", "rate relative to blocked"}},
          run_krimer_fig3};
}

}  // namespace experiments
