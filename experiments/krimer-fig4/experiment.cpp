// Krimer and Erez, figure 4: the best alpha.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "common/krimer.hpp"
#include "list.hpp"

namespace experiments {
namespace {

outcome run_krimer_fig4(const setting& how) {
  outcome out;
  std::vector<double> best(41);
  in_parallel(
      40, how.threads, [&](std::uint64_t i) { best[i + 1] = best_alpha(static_cast<double>(i + 1)); }, how.progress);
  // The linear part, by least squares.
  double n = 0;
  double sx = 0;
  double sy = 0;
  double sxx = 0;
  double sxy = 0;
  for (std::size_t c = 1; c <= 40; ++c) {
    if (best[c] <= 0 || best[c] >= 1) continue;
    const auto x = static_cast<double>(c);
    n += 1;
    sx += x;
    sy += best[c];
    sxx += x * x;
    sxy += x * best[c];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  const double offset = (sy - slope * sx) / n;
  double worst = 0;
  std::size_t last_zero = 0;
  std::size_t first_one = 41;
  for (std::size_t c = 1; c <= 40; ++c) {
    const auto x = static_cast<double>(c);
    out.points.push_back({"best alpha", x, best[c], {}, {}, {}, {}, {}});
    if (best[c] <= 0) last_zero = c;
    if (best[c] >= 1) first_one = std::min(first_one, c);
    if (best[c] > 0 && best[c] < 1) worst = std::max(worst, std::abs(best[c] - offset - slope * x));
  }
  for (std::size_t c = last_zero; c <= first_one; ++c) {
    out.points.push_back({"linear fit",
                          static_cast<double>(c),
                          std::clamp(offset + slope * static_cast<double>(c), 0.0, 1.0),
                          {},
                          {},
                          {},
                          {},
                          {}});
  }
  for (const auto& [c, alpha] : {std::pair{16.0, 0.3}, {18.0, 0.4}, {20.0, 0.5}, {10.0, 0.0}, {31.0, 1.0}}) {
    const double ours = best[static_cast<std::size_t>(c)];
    out.points.push_back({"the paper's points", c, ours, {}, {}, {}, alpha, compare(ours, alpha, 0.051, "the paper")});
  }
  out.findings.push_back(tally(out.points, "Values that the paper names"));
  out.findings.push_back(
      {last_zero >= 10 && last_zero <= 11,
       fmt::format("Alpha = 0 is the best up to {} bits per key; the paper says at and below 10.", last_zero)});
  out.findings.push_back(
      {first_one <= 31, fmt::format("Alpha = 1 is the best from {} bits per key on; the paper says 31.", first_one)});
  out.findings.push_back(
      {worst < 0.1, fmt::format("In between alpha = {:.3f} c {:+.3f}, off by {:.2f} at most.", slope, offset, worst)});
  return out;
}

}  // namespace

experiment krimer_fig4() {
  return {"krimer-fig4",
          "Krimer and Erez, figure 4: the best alpha by bits per key",
          "Where the paper's model (3.4) is lowest, in hundredths, and the straight line through what lies between 0 "
          "and 1.",
          {{"bits per key", "best alpha"}},
          run_krimer_fig4};
}

}  // namespace experiments
