// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Choice groups, many times: what the three tables of Lumetta and Mitzenmacher have in common.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/filters.hpp"
#include "common/judge.hpp"

namespace experiments {

inline constexpr std::uint64_t lumetta_keys = 10'000;
inline constexpr double paper_trials = 1000;

/// A row of a table: m bits, c groups, k positions, n keys.
struct choice_row {
  std::uint64_t bits;
  std::uint32_t groups;
  std::uint32_t hashes;
  std::uint64_t keys = lumetta_keys;
};

[[nodiscard]] inline double bits_per_key(const choice_row& row) {
  return static_cast<double>(row.bits) / static_cast<double>(row.keys);
}
/// The same row for ten times the keys.
[[nodiscard]] inline choice_row ten_times(const choice_row& row) {
  return {10 * row.bits, row.groups, row.hashes, 10 * row.keys};
}

/// From a fraction of ones, as the paper computes it.
[[nodiscard]] inline double rate_of(double ones, const choice_row& row) {
  return -std::expm1(row.groups * std::log1p(-std::pow(ones, row.hashes)));
}

/// What double hashing adds to that: a query's line of positions may be a stored key's, also reversed or shifted by a
/// few steps: 4 (1 + z) / (1 - z) c n / m^2. It does not fall with k: footnote 1 of the paper.
[[nodiscard]] inline double by_lines(double ones, const choice_row& row) {
  const auto m = static_cast<double>(row.bits);
  return 4 * (1 + ones) / (1 - ones) * row.groups * static_cast<double>(row.keys) / (m * m);
}

/// The differential equation's fraction of ones: the one that gives its rate.
[[nodiscard]] inline double ones_of(double rate, const choice_row& row) {
  return std::pow(-std::expm1(std::log1p(-rate) / row.groups), 1.0 / row.hashes);
}
[[nodiscard]] double model_rate(const choice_row& row);

/// What trials gave.
struct choice_seen {
  std::vector<std::vector<double>> ones;  ///< [which][trial]: fractions of ones after each of the numbers of rounds
  double lookups = 0;                     ///< of absent keys, in the last filters, all trials together
  double found = 0;

  [[nodiscard]] summary ones_after(std::size_t which) const { return summarise(ones[which]); }
  [[nodiscard]] summary rates_after(std::size_t which, const choice_row& row) const {
    std::vector<double> rates = ones[which];
    for (double& z : rates) z = rate_of(z, row);
    return summarise(rates);
  }
  [[nodiscard]] number counted() const { return lookups > 0 ? number(found / lookups) : number(); }
  /// The counted rate against another: five deviations of the count.
  [[nodiscard]] judgement count_judged(double rate, const std::string& with) const {
    if (lookups <= 0) return {};
    return compare(found / lookups, rate, 5 * std::sqrt(rate / lookups), with, 1.0);
  }
};

/// After the online pass. `lookups` of absent keys are made in all.
[[nodiscard]] choice_seen online(const choice_row& row, sluice::hash_form form, std::uint64_t trials,
                                 const setting& how, std::uint64_t lookups = 0, const teller& told = nobody);
/// After so many offline rounds, the first pass included; `rounds` ascends.
[[nodiscard]] choice_seen offline(const choice_row& row, sluice::hash_form form,
                                  const std::vector<std::uint32_t>& rounds, std::uint64_t trials, const setting& how,
                                  std::uint64_t lookups = 0, const teller& told = nobody);
/// The offline rounds once more in plain words, with random numbers for hashes as in the paper, and with ties that are
/// broken at random or by the order of the groups: the fraction of ones. It shares no code with the filters.
[[nodiscard]] double plain_offline(const choice_row& row, std::uint32_t rounds, bool random_ties, std::uint64_t seed);

/// How far a mean of ours may lie from one of the paper's: half of its last digit, and what chance does to both.
[[nodiscard]] inline double allowed_from_paper(const summary& s, double paper, int digits) {
  const double last_digit = std::pow(10, std::floor(std::log10(paper)) - digits + 1);
  return 0.5 * last_digit + std::hypot(by_chance(s), 4.4 * s.deviation / std::sqrt(paper_trials));
}

/// A row against the table: the rate from the ones against the paper's, and the counted one against that from the ones.
[[nodiscard]] point judged_row(const std::string& series, const choice_row& row, const choice_seen& seen,
                               std::size_t which, number paper);
/// The same with double hashing: the ones must be the paper's, and what is counted may be more by the lines.
[[nodiscard]] point judged_lines(const std::string& series, const choice_row& row, const choice_seen& seen,
                                 double paper);

/// Tells `progress` of a part of the work.
[[nodiscard]] inline teller part_of(const setting& how, std::size_t part, std::size_t parts) {
  return [&how, part, parts](double share) {
    how.progress((static_cast<double>(part) + share) / static_cast<double>(parts));
  };
}

/// Lookups that show what double hashing adds at 32 bits per key.
[[nodiscard]] inline std::uint64_t lookups_for_lines(const choice_row& row, double rate, const setting& how) {
  if (!how.quick) return 400'000'000;
  if (bits_per_key(row) < 32) return lookups_for(rate, how);
  return row.groups == 2 ? 24'000'000 : 0;
}

}  // namespace experiments
