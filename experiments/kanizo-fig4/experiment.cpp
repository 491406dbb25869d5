// Kanizo, Hay and Keslassy, figure 4: where SEQUENTIAL and MHT are optimal.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "list.hpp"
#include "sluice/detail/subtables.hpp"
#include "theory/balance.hpp"

namespace experiments {
namespace {

constexpr std::uint32_t choices = 3;

/// Overflow of a real table of this many blocks with the optimal h and p.
measured simulated(bool mht, double a, double r, double gamma, std::uint64_t blocks, const setting& how) {
  const auto best = sluice::theory::optimal_threshold(a, r, gamma);
  const auto h = static_cast<std::uint32_t>(best.threshold);
  const auto keys = static_cast<std::uint64_t>(r * static_cast<double>(blocks));
  // So many bits that no key is found by chance; what is measured are loads.
  if (mht) {
    return measure(sluice::mht_parameters{.subtables = sluice::subtable_sizes(
                                              blocks, sluice::subtable_fractions(a, gamma, choices)),
                                          .block_bits = 4096,
                                          .hashes = 24,
                                          .threshold = h,
                                          .acceptance = best.acceptance},
                   keys, 2, how);
  }
  return measure(sluice::sequential_parameters{.blocks = blocks,
                                               .block_bits = 4096,
                                               .hashes = 24,
                                               .choices = choices,
                                               .threshold = h,
                                               .acceptance = best.acceptance},
                 keys, 2, how);
}

outcome run_kanizo_fig4(const setting& how) {
  outcome out;
  const std::uint64_t blocks = how.scaled(20'000, 4'000);
  const auto add = [&](const std::string& series, double x, double a, double r, bool mht, bool simulate) {
    const double gamma =
        mht ? sluice::least_overflow(a, choices) : sluice::theory::least_overflow_sequential(a, choices, r);
    point p{series, x, gamma, {}, {}, {}, {}, {}};
    if (simulate) {
      const measured m = simulated(mht, a, r, gamma, blocks, how);
      p.simulated = m.overflow.mean;
      const double keys = r * static_cast<double>(blocks) * 2;
      p.verdict = compare(m.overflow.mean, gamma, 0.02 * gamma + 6 * std::sqrt(gamma / keys) + 2e-5, "the theory");
    }
    return p;
  };
  for (int i = 1; i <= 25; ++i) {
    const double a = 1 + 0.02 * i;
    const bool simulate = i % (how.quick ? 10 : 5) == 0;
    out.points.push_back(add("by a: SEQUENTIAL", a, a, 8, false, simulate));
    out.points.push_back(add("by a: MHT", a, a, 8, true, simulate));
    if (i == 10) out.points.back().paper = 0.005;
    how.progress(i / 50.0);
  }
  for (int r = 1; r <= 25; ++r) {
    const bool simulate = r % (how.quick ? 12 : 6) == 0;
    out.points.push_back(add("by r: SEQUENTIAL", r, 1.2, r, false, simulate));
    out.points.push_back(add("by r: MHT", r, 1.2, r, true, simulate));
    how.progress(0.5 + r / 50.0);
  }
  const double at_11 = sluice::theory::least_overflow_sequential(1.1, choices, 8);
  const double mht_12 = sluice::least_overflow(1.2, choices);
  out.findings.push_back(tally(out.points, "Overflow of real tables against the theory"));
  out.findings.push_back(
      {std::abs(mht_12 - 0.00498) < 1e-5,
       fmt::format("MHT with a = 1.2 needs an overflow of {:.3f}% at any load; the paper says about 0.5%.",
                   100 * mht_12)});
  out.findings.push_back({true, fmt::format("SEQUENTIAL with a = 1.1 and 8 keys a block: {:.2f}% by the paper's own "
                                            "equations. The paper's text reads about 1% off "
                                            "its chart, which is too much.",
                                            100 * at_11)});
  const double light = sluice::theory::least_overflow_sequential(1.2, choices, 2);
  const double heavy = sluice::theory::least_overflow_sequential(1.2, choices, 25);
  out.findings.push_back(
      {light < heavy && heavy > mht_12,
       fmt::format("MHT does not depend on the load; SEQUENTIAL needs {:.3f}% at 2 keys a block and {:.2f}% at 25.",
                   100 * light, 100 * heavy)});
  return out;
}

}  // namespace

experiment kanizo_fig4() {
  return {"kanizo-fig4",
          "Kanizo, Hay and Keslassy, figure 4: the overflow from which schemes are optimal",
          "The least overflow fraction at which SEQUENTIAL and MHT with three candidates reach the lower bound: by "
          "accesses (8 keys a block), and by keys a "
          "block (1.2 accesses). Marks are real tables with those parameters.",
          {{"accesses per insertion, a", "overflow fraction", false, true, "by a: "},
           {"keys per block, r", "overflow fraction", false, true, "by r: "}},
          run_kanizo_fig4};
}

}  // namespace experiments
