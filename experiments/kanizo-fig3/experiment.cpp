// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Kanizo, Hay and Keslassy, figure 3: SINGLE over time.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "list.hpp"

namespace experiments {
namespace {

outcome run_kanizo_fig3(const setting& how) {
  constexpr double keys_per_block = 2.5;
  constexpr std::uint32_t h = 2;
  constexpr double p = 0.5;
  constexpr std::uint64_t blocks = 10'000;
  constexpr int moments = 20;
  const std::uint64_t trials = how.scaled(100, 16);
  std::vector<std::uint64_t> until;
  until.reserve(moments);
  for (int moment = 1; moment <= moments; ++moment) {
    until.push_back(static_cast<std::uint64_t>(keys_per_block * blocks * moment / moments));
  }
  // Many hashes: no key is found by chance.
  const auto seen =
      loads_over_time(sluice::single_parameters{.blocks = blocks, .hashes = 30, .threshold = h, .acceptance = p}, until,
                      trials, how, how.progress);
  outcome out;
  out.sizes = fmt::format("25,000 keys, 10,000 blocks, {} trials.", trials);
  for (std::size_t load = 0; load <= h + 1; ++load) {
    for (int moment = 1; moment <= moments; ++moment) {
      const double t = static_cast<double>(moment) / moments;
      const auto loads = sluice::theory::threshold_loads(keys_per_block * t, h, p);
      std::vector<double> values;
      values.reserve(seen.size());
      for (const auto& trial : seen) {
        const auto& shares = trial[static_cast<std::size_t>(moment - 1)];
        values.push_back(load < shares.size() ? shares[load] : 0);
      }
      const summary s = summarise(values);
      out.points.push_back({.series = fmt::format("load {}", load),
                            .x = t,
                            .theory = loads[load],
                            .simulated = s.mean,
                            .low = s.least,
                            .high = s.most,
                            .judged = compare(s.mean, loads[load], by_chance(s) + 1e-4, "the closed form")});
    }
  }
  out.findings.push_back(tally(out.points, "Real SINGLE filters against the closed form"));
  return out;
}

}  // namespace

experiment kanizo_fig3() {
  return {"kanizo-fig3",
          "Kanizo, Hay and Keslassy, figure 3: SINGLE while it fills",
          "Shares of the blocks with 0, 1, 2 and 3 keys as time goes from 0 to 1: h = 2, p = 0.5. "
          "Lines are the closed form "
          "(A.8); low and high are the least and the greatest of all trials.",
          {{"time", "share of the blocks"}},
          run_kanizo_fig3};
}

}  // namespace experiments
