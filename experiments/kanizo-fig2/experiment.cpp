// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Kanizo, Hay and Keslassy, figure 2: the lower bound on loads.
#include <fmt/format.h>

#include <random>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "list.hpp"
#include "sluice/extend/recipes.hpp"

namespace experiments {
namespace {

constexpr double keys_per_block = 8;

/// The bound's own argument: a r m balls are thrown, then the fullest bins give balls away until r m are left.
std::vector<double> eliminate(double accesses, std::uint64_t blocks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> loads(blocks);
  const auto thrown = static_cast<std::uint64_t>(std::llround(accesses * keys_per_block * static_cast<double>(blocks)));
  for (std::uint64_t i = 0; i < thrown; ++i) ++loads[sluice::extend::reduce(random(), blocks)];
  std::vector<std::uint64_t> histogram(64);
  for (const std::uint32_t load : loads) ++histogram[std::min<std::size_t>(load, histogram.size() - 1)];
  auto surplus = static_cast<std::int64_t>(thrown) -
                 static_cast<std::int64_t>(std::llround(keys_per_block * static_cast<double>(blocks)));
  for (std::size_t load = histogram.size() - 1; load > 0 && surplus > 0; --load) {
    const auto moved = std::min<std::int64_t>(surplus, static_cast<std::int64_t>(histogram[load]));
    histogram[load] -= static_cast<std::uint64_t>(moved);
    histogram[load - 1] += static_cast<std::uint64_t>(moved);
    surplus -= moved;
  }
  std::vector<double> shares;
  shares.reserve(histogram.size());
  for (const std::uint64_t count : histogram)
    shares.push_back(static_cast<double>(count) / static_cast<double>(blocks));
  return shares;
}

outcome run_kanizo_fig2(const setting& how) {
  outcome out;
  const std::uint64_t blocks = how.scaled(4'000'000, 400'000);
  out.sizes = fmt::format("{} blocks, one trial.", thousands(blocks));
  for (const double a : {1.0, 1.1, 1.2}) {
    const auto bound = sluice::theory::best_loads(a, keys_per_block, 0);
    const std::vector<double> seen = eliminate(a, blocks, how.seed);
    for (std::size_t load = 0; load <= 20; ++load) {
      const double theory = load < bound.bound.size() ? bound.bound[load] : 0;
      // The total number of balls is fixed, so the cut varies less than the tails; six binomial deviations are
      // generous.
      const double allowed = 6 * std::sqrt(std::max(theory, 1e-6) / static_cast<double>(blocks)) + 1e-5;
      out.points.push_back({.series = fmt::format("a = {}", a),
                            .x = static_cast<double>(load),
                            .theory = theory,
                            .simulated = seen[load],
                            .judged = compare(seen[load], theory, allowed, "the bound")});
    }
    how.progress((a - 1) * 5);
  }
  const auto b11 = sluice::theory::best_loads(1.1, keys_per_block, 0);
  const auto b12 = sluice::theory::best_loads(1.2, keys_per_block, 0);
  out.findings.push_back(tally(out.points, "The bound against balls thrown and taken away"));
  out.findings.push_back(check(b11.k0 == 9 && b12.k0 == 8,
                               fmt::format("The law is a Poisson law cut off at k0: {} for a = 1.1 and {} for a = 1.2, "
                                           "where P(8) = {:.4f} and P(9) = {:.4f}.",
                                           b11.k0, b12.k0, b12.bound[8], b12.bound[9])));
  return out;
}

}  // namespace

experiment kanizo_fig2() {
  return {"kanizo-fig2",
          "Kanizo, Hay and Keslassy, figure 2: the best possible loads",
          "P_LB: the share of blocks with a given number of keys that no scheme with a mean of a accesses can improve "
          "on, for 8 "
          "keys a block and no overflow. "
          "Marks: balls are thrown and the fullest bins emptied, which is the argument of the bound.",
          {{"keys in a block", "share of the blocks"}},
          run_kanizo_fig2};
}

}  // namespace experiments
