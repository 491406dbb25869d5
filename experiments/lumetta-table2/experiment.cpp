// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Lumetta and Mitzenmacher, table 2: the fraction of ones against the differential equation.
#include <fmt/format.h>

#include "common/choice_trials.hpp"
#include "list.hpp"

namespace experiments {
namespace {

struct table2_row {
  choice_row row;
  double observed;
  double equation;
};
const std::vector<table2_row> table2_rows = {{{80'000, 2, 7}, .5296, .5296},   {{80'000, 3, 7}, .5020, .5019},
                                             {{160'000, 2, 13}, .5187, .5187}, {{160'000, 3, 13}, .4994, .4994},
                                             {{320'000, 2, 24}, .5016, .5016}, {{320'000, 3, 25}, .5022, .5022}};

outcome run_lumetta_table2(const setting& how) {
  outcome out;
  const std::uint64_t trials = how.scaled(1000, 20);
  const std::uint64_t large_trials = how.scaled(100, 2);
  out.sizes =
      fmt::format("10,000 keys, {} trials a row (the paper: 1,000); 100,000 keys, trials: {}.", trials, large_trials);
  std::size_t part = 0;
  int digits_agree = 0;
  for (const sluice::hash_form form : {sluice::hash_form::independent, sluice::hash_form::double_hashing}) {
    const bool independent = form == sluice::hash_form::independent;
    for (const auto& [row, observed, equation] : table2_rows) {
      const summary s = online(row, form, trials, how, 0, part_of(how, part++, 3 * table2_rows.size())).ones_after(0);
      const double theory = ones_of(model_rate(row), row);
      if (independent && std::abs(theory - equation) < 1e-4 * 0.51) ++digits_agree;
      out.points.push_back({.series = fmt::format("c = {}{}", row.groups, independent ? "" : ", double hashing"),
                            .x = bits_per_key(row),
                            .theory = theory,
                            .simulated = s.mean,
                            .low = s.least,
                            .high = s.most,
                            .paper = observed,
                            .memory = bits_per_key(row),
                            .judged = compare(s.mean, observed, allowed_from_paper(s, observed, 4), "the paper")});
    }
  }
  for (const auto& [small, observed, equation] : table2_rows) {
    const choice_row row = ten_times(small);
    const summary s =
        online(row, sluice::hash_form::independent, large_trials, how, 0, part_of(how, part++, 3 * table2_rows.size()))
            .ones_after(0);
    // Ten times the keys vary by a root of ten less; the observed value of the paper has four digits.
    out.points.push_back({.series = fmt::format("c = {}, 100,000 keys", row.groups),
                          .x = bits_per_key(row),
                          .theory = ones_of(model_rate(row), row),
                          .simulated = s.mean,
                          .low = s.least,
                          .high = s.most,
                          .paper = observed,
                          .memory = bits_per_key(row),
                          .judged = compare(s.mean, observed, 0.001 * observed, "the paper's 10,000 keys")});
  }
  out.findings.push_back(tally(out.points, "Fractions of ones, independent and double hashing, and 100,000 keys"));
  out.findings.push_back(check(digits_agree == static_cast<int>(table2_rows.size()),
                               fmt::format("The differential equation gives the paper's four digits in {} of {} rows.",
                                           digits_agree, table2_rows.size())));
  return out;
}

}  // namespace

experiment lumetta_table2() {
  return {"lumetta-table2",
          "Lumetta and Mitzenmacher, table 2: fraction of ones",
          "The fraction of ones after the online pass, against the differential equation (theory). Low and high are "
          "the least and the greatest of all trials.",
          {{"bits", "ratio to the paper's value", false, false, "", true}},
          run_lumetta_table2};
}

}  // namespace experiments
