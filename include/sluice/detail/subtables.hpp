// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/subtables: how MHT divides its blocks among its candidates.
//
//   symbol here        the papers' letter
//   accesses           a          mean blocks read per insertion
//   overflow_fraction  gamma      share of the keys that no block takes
//   choices            d          candidates per key
//   fraction j         alpha_j    share of the blocks in subtable j
//   rejection          p(a)       1 - (1 - gamma) / a: the share of the keys that one candidate turns away
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/detail/numbers.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

inline void check_access_budget(double accesses, std::uint32_t choices) {
  if (choices < 1 || choices > most_candidates) {
    throw parameter_error("MHT has 1 to " + std::to_string(most_candidates) + " candidates, not " +
                          std::to_string(choices));
  }
  if (!(accesses >= 1 && accesses <= choices)) {
    throw parameter_error("the mean number of accesses lies between 1 and the number of candidates, " +
                          std::to_string(choices) + "; " + number_text(accesses) + " does not");
  }
}

/// The least overflow fraction for which MHT is optimal: the smallest root of gamma = (1 - (1 - gamma) / a)^d. It does
/// not depend on the load. The iteration from 0 rises monotonically towards that root.
[[nodiscard]] inline double least_overflow(double accesses, std::uint32_t choices) {
  check_access_budget(accesses, choices);
  constexpr int most_rounds = 1'000'000;
  double gamma = 0;
  for (int round = 0; round < most_rounds; ++round) {
    const double next = std::pow(1 - (1 - gamma) / accesses, choices);
    if (next - gamma <= 1e-17) break;
    gamma = next;
  }
  return gamma;
}

/// alpha_j = p(a)^(j-1) (1 - p(a)) / (1 - p(a)^d): all subtables then fill up alike.
[[nodiscard]] inline std::vector<double> subtable_fractions(double accesses, double overflow_fraction,
                                                            std::uint32_t choices) {
  check_access_budget(accesses, choices);
  if (!(overflow_fraction >= 0 && overflow_fraction < 1)) {
    throw parameter_error("the overflow fraction is a share from 0 to below 1, not " + number_text(overflow_fraction));
  }
  const double rejection = 1 - (1 - overflow_fraction) / accesses;
  std::vector<double> fractions;
  double sum = 0;
  for (std::uint32_t j = 0; j < choices; ++j) {
    fractions.push_back(std::pow(rejection, j));
    sum += fractions.back();
  }
  for (double& fraction : fractions) fraction /= sum;
  return fractions;
}

/// The shares of the blocks that subtables of these sizes have.
[[nodiscard]] inline std::vector<double> subtable_shares(std::span<const std::uint64_t> sizes) {
  double blocks = 0;
  for (const std::uint64_t size : sizes) blocks += static_cast<double>(size);
  std::vector<double> shares;
  shares.reserve(sizes.size());
  for (const std::uint64_t size : sizes) shares.push_back(static_cast<double>(size) / blocks);
  return shares;
}

/// Whole blocks in these proportions: every subtable has at least one, and together they are exactly `blocks`.
[[nodiscard]] inline std::vector<std::uint64_t> subtable_sizes(std::uint64_t blocks,
                                                               std::span<const double> fractions) {
  if (fractions.empty() || blocks < fractions.size()) {
    throw parameter_error(std::to_string(fractions.size()) + " subtables need at least as many blocks, not " +
                          std::to_string(blocks));
  }
  std::vector<std::uint64_t> sizes;
  std::uint64_t left = blocks;
  for (std::size_t j = fractions.size(); j-- > 1;) {  // the first subtable, the largest, takes what rounding leaves
    const double share = std::round(static_cast<double>(blocks) * fractions[j]);
    const std::uint64_t most = left - j;  // one block must remain for each subtable before this one
    const std::uint64_t size = share < 1 ? 1 : static_cast<std::uint64_t>(share);
    sizes.insert(sizes.begin(), size < most ? size : most);
    left -= sizes.front();
  }
  sizes.insert(sizes.begin(), left);
  return sizes;
}

}  // namespace sluice::detail
