// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Real filters and their models, for experiments: everything that has to instantiate a filter is behind these
// functions, compiled once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/experiment.hpp"
#include "common/trials.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace experiments {

/// What real filters of these parameters do.
struct measured {
  summary fpr;   ///< from their final bits
  summary miss;  ///< blocks read
  summary hit;
  summary insert;
  summary overflow;    ///< share of the keys
  summary stored;      ///< keys that were not found when they came
  double memory = 0;   ///< bits per key, everything
  double lookups = 0;  ///< of absent keys, all trials together; 0 where too few would have been found
  double found = 0;    ///< false positives among them
  double due = 0;      ///< as many as the final bits say

  [[nodiscard]] number counted() const { return lookups > 0 ? number(found / lookups) : number(); }
  /// The counted false positives against those that the bits say: five deviations of the count.
  [[nodiscard]] judgement count_judged() const;
};

using teller = std::function<void(double)>;
inline const teller nobody = [](double) {};

/// How many absent keys to look up, to count a rate of about f: 1,000 false positives, within what this run can afford,
/// or none if fewer than 25 would be found.
[[nodiscard]] std::uint64_t lookups_for(double f, const setting& how);

/// Keys 0 to keys - 1, with a seed for each trial; no false negatives, or it throws. Static gated filters are built,
/// all others take the keys one by one. `expected` is the rate to count with real lookups, 0 for none.
[[nodiscard]] measured measure(const sluice::parameters& p, std::uint64_t keys, std::uint64_t trials,
                               const setting& how, double expected = 0, const teller& told = nobody);
/// The same with the first n of these keys.
[[nodiscard]] measured measure(const sluice::parameters& p, const std::vector<std::string>& keys, std::size_t n,
                               std::uint64_t trials, const setting& how, double expected = 0);

/// [trial][moment][load]: shares of the blocks with this many keys (or bits), when `until` keys are in.
[[nodiscard]] std::vector<std::vector<std::vector<double>>> loads_over_time(const sluice::parameters& p,
                                                                            const std::vector<std::uint64_t>& moments,
                                                                            std::uint64_t trials, const setting& how,
                                                                            const teller& told = nobody);

/// The model, or the paper's formula as it stands (fpr_usual), and the planner's parameters for a scheme.
[[nodiscard]] sluice::theory::prediction predict(const sluice::parameters& p, double keys);
[[nodiscard]] double formula_of(const sluice::parameters& p, double keys);
[[nodiscard]] sluice::parameters design_of(sluice::extend::family which, std::uint32_t block_bits, double bits_per_key,
                                           double keys);
/// Nothing where the planner knows none.
[[nodiscard]] std::optional<sluice::parameters> find_design(sluice::extend::family which, std::uint32_t block_bits,
                                                            double bits_per_key, double keys);

}  // namespace experiments
