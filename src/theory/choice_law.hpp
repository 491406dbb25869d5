// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/choice_law: the exact law of the number of ones of choice groups (Lumetta and Mitzenmacher, section 3.1): the
// distribution of X_(t+1) follows from that of X_t, because the ones that a key adds depend on X_t alone.
//
//   greedy   each key takes the group that adds the fewest ones: X_t, which theorem 3.1 says is the least of all
//   first    always the same group: a classic filter
//   worst    the group that adds the most
//
// theorem_3_2 bounds how far X strays from its mean. Positions are independent and may coincide, as real filters draw
// them. Cost: keys x (standard deviations of X, some dozens) x k; the law of one key's ones is computed once for every
// number of ones that matters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/extend/theory.hpp"

namespace sluice::theory {

enum class group_strategy : std::uint8_t { greedy, first, worst };

/// The law of a number of ones: probability[i] is that of first + i; what is left out is less than 1e-12 in all.
struct law_of_ones {
  std::uint64_t first = 0;
  std::vector<double> probability = {1.0};

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (std::size_t i = 0; i < probability.size(); ++i) sum += probability[i] * static_cast<double>(first + i);
    return sum;
  }
  /// Pr(X >= ones).
  [[nodiscard]] double at_least(std::uint64_t ones) const {
    double sum = 0;
    for (std::size_t i = 0; i < probability.size(); ++i) sum += first + i >= ones ? probability[i] : 0;
    return sum;
  }
};

/// [v]: the chance that a key adds v ones to `ones` of `bits`, v from 0 to k.
[[nodiscard]] inline std::vector<double> ones_added(const extend::choice_scheme& s, double bits, double ones,
                                                    group_strategy how) {
  std::vector<double> group(s.hashes + 1);  // of one group: throws of k positions, of which some may coincide
  group[0] = 1;
  for (std::uint32_t thrown = 0; thrown < s.hashes; ++thrown) {
    for (std::uint32_t v = thrown + 1; v-- > 0;) {
      const double new_one = std::max(0.0, (bits - ones - v) / bits);
      group[v + 1] += group[v] * new_one;
      group[v] *= 1 - new_one;
    }
  }
  if (how == group_strategy::first || s.groups == 1) return group;
  std::vector<double> added(group.size());
  double beyond = 0;  // Pr(V > v), and Pr(V >= v) is that and group[v]
  for (std::size_t v = group.size(); v-- > 0;) {
    const double from = beyond + group[v];
    added[v] = how == group_strategy::greedy
                   ? std::pow(from, s.groups) - std::pow(beyond, s.groups)
                   : std::pow(std::max(0.0, 1 - beyond), s.groups) - std::pow(std::max(0.0, 1 - from), s.groups);
    beyond = from;
  }
  return added;
}

/// After this many keys in an array of `bits`.
[[nodiscard]] inline law_of_ones ones_after(const extend::choice_scheme& s, std::uint64_t bits, std::uint64_t keys,
                                            group_strategy how = group_strategy::greedy) {
  const double negligible = 1e-12 / (2 * static_cast<double>(std::max<std::uint64_t>(1, keys)));
  law_of_ones law;
  std::vector<std::vector<double>> added(bits + 1);  // by the number of ones, where it was asked for
  for (std::uint64_t t = 0; t < keys; ++t) {
    std::vector<double> next(law.probability.size() + s.hashes);
    for (std::size_t i = 0; i < law.probability.size(); ++i) {
      std::vector<double>& chances = added[law.first + i];
      if (chances.empty()) {
        chances = ones_added(s, static_cast<double>(bits), static_cast<double>(law.first + i), how);
      }
      for (std::size_t v = 0; v < chances.size(); ++v) next[i + v] += law.probability[i] * chances[v];
    }
    // Both ends are cut where nothing is left of them.
    std::size_t begin = 0;
    std::size_t end = next.size();
    for (double cut = 0; begin + 1 < end && cut + next[begin] < negligible; ++begin) cut += next[begin];
    for (double cut = 0; begin + 1 < end && cut + next[end - 1] < negligible; --end) cut += next[end - 1];
    for (std::uint64_t x = law.first; x < law.first + begin; ++x) added[x] = {};  // never needed again
    law.first += begin;
    law.probability.assign(next.begin() + static_cast<std::ptrdiff_t>(begin),
                           next.begin() + static_cast<std::ptrdiff_t>(end));
    while (law.first + law.probability.size() > bits + 1) law.probability.pop_back();
  }
  return law;
}

/// Theorem 3.2: Pr(|X - E X| >= deviation) is at most this, whatever the strategy.
[[nodiscard]] inline double theorem_3_2(double deviation, double keys, std::uint32_t hashes) {
  return std::min(1.0, 2 * std::exp(-deviation * deviation / (2 * keys * hashes * hashes)));
}

}  // namespace sluice::theory
