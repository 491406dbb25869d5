// Choice groups, n = 10,000, many times: what the three tables of Lumetta and Mitzenmacher have in common.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/filters.hpp"

namespace experiments {

inline constexpr std::uint64_t lumetta_keys = 10'000;
inline constexpr double paper_trials = 1000;

/// A row of a table: m bits, c groups, k positions.
struct choice_row {
  std::uint64_t bits;
  std::uint32_t groups;
  std::uint32_t hashes;
};

[[nodiscard]] inline double bits_per_key(const choice_row& row) {
  return static_cast<double>(row.bits) / static_cast<double>(lumetta_keys);
}

/// From a fraction of ones, as the paper computes it.
[[nodiscard]] inline double rate_of(double ones, const choice_row& row) {
  return -std::expm1(row.groups * std::log1p(-std::pow(ones, row.hashes)));
}

/// The differential equation's fraction of ones: the one that gives its rate.
[[nodiscard]] inline double ones_of(double rate, const choice_row& row) {
  return std::pow(-std::expm1(std::log1p(-rate) / row.groups), 1.0 / row.hashes);
}
[[nodiscard]] double model_rate(const choice_row& row);

/// Fractions of ones after the online pass.
[[nodiscard]] std::vector<double> online_ones(const choice_row& row, sluice::hash_form form, std::uint64_t trials,
                                              const setting& how, const teller& told);
/// [which][trial]: after this many offline rounds, the first pass included; `rounds` ascends.
[[nodiscard]] std::vector<std::vector<double>> offline_ones(const choice_row& row,
                                                            const std::vector<std::uint32_t>& rounds,
                                                            std::uint64_t trials, const setting& how,
                                                            const teller& told);

/// How far a mean of ours may lie from one of the paper's: half of its last digit, and 4.5 standard errors of both.
[[nodiscard]] inline double allowed_from_paper(const summary& s, double paper, int digits) {
  const double last_digit = std::pow(10, std::floor(std::log10(paper)) - digits + 1);
  return 0.5 * last_digit + 4.5 * s.deviation * std::sqrt(1 / static_cast<double>(s.count) + 1 / paper_trials);
}

/// Tells `progress` of a part of the work.
[[nodiscard]] inline teller part_of(const setting& how, std::size_t part, std::size_t parts) {
  return [&how, part, parts](double share) {
    how.progress((static_cast<double>(part) + share) / static_cast<double>(parts));
  };
}

}  // namespace experiments
