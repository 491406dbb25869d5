// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/bloom_g.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"
#include "theory/distribution.hpp"
#include "theory/lanes.hpp"

namespace sluice::theory {

namespace {

/// The law of a count with mean n q that is Binomial(n, q), or Poisson for a whole table (n infinite).
[[nodiscard]] distribution count_law(double mean, double trials) {
  if (!std::isfinite(trials)) return poisson_law(mean);
  distribution p(static_cast<std::size_t>(std::min(trials, law_end(mean))) + 1);
  const double q = trials > 0 ? std::min(1.0, mean / trials) : 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto x = static_cast<double>(i);
    if (q <= 0 || q >= 1) {
      p[i] = (q <= 0 ? x == 0 : x == trials) ? 1 : 0;
    } else {
      p[i] = std::exp(log_choose(trials, x) + x * std::log(q) + (trials - x) * std::log1p(-q));
    }
  }
  return p;
}

}  // namespace

prediction predict(const spread_scheme& s, double keys_per_block) {
  const std::uint32_t share = s.hashes / s.spread;
  const std::uint32_t larger = s.hashes % s.spread;
  const double r = keys_per_block;
  const bool paged = std::isfinite(s.group_blocks);
  const double mean_keys = paged ? r * s.group_blocks : 0;
  const spread_extent extent(s, r);
  const auto most_more = static_cast<std::size_t>(extent.with_more);
  const auto most_less = static_cast<std::size_t>(extent.with_less);
  const match_table small(s, {.first = larger * (share + 1), .count = share}, most_more, most_less);
  const match_table large = larger == 0 ? small : match_table(s, {.count = share + 1}, most_more, most_less);

  // What is asked of a block in which two shares of a key meet.
  const auto met = static_cast<std::uint32_t>(std::lround(2.0 * s.hashes / s.spread));
  const bool may_meet = s.coincide > 0 && s.spread > 1;
  const match_table pair = may_meet ? match_table(s, {.count = met}, most_more, most_less) : small;
  double apart = 1;  // the chance that no two meet
  for (std::uint32_t j = 1; j < s.spread; ++j) apart *= std::max(0.0, 1 - j * s.coincide);

  prediction result{.accesses_insert = static_cast<double>(s.spread), .accesses_hit = static_cast<double>(s.spread)};
  const auto add = [&](double trials, double load, double weight) {
    // Keys that have this block among their `larger` blocks, and among the others.
    const distribution with_more = count_law(load * larger, trials);
    const distribution with_less = count_law(load * (s.spread - larger), trials);
    double exact[2] = {0, 0};
    double usual[2] = {0, 0};
    double exact_pair = 0;
    double usual_pair = 0;
    for (std::size_t i = 0; i < (larger == 0 ? 1 : with_more.size()); ++i) {
      const double p = larger == 0 ? 1 : with_more[i];
      if (p < 1e-25) continue;
      for (std::size_t j = 0; j < with_less.size(); ++j) {
        if (with_less[j] < 1e-25) continue;
        const double both = p * with_less[j];
        const std::size_t more = std::min(i, most_more);
        const std::size_t less = std::min(j, most_less);
        exact[0] += both * small.exact(more, less);
        exact[1] += both * large.exact(more, less);
        usual[0] += both * small.usual(more, less);
        usual[1] += both * large.usual(more, less);
        exact_pair += both * pair.exact(more, less);
        usual_pair += both * pair.usual(more, less);
      }
    }
    double reach_exact = 1;
    double reach_usual = 1;
    for (std::uint32_t j = 0; j < s.spread; ++j) {
      result.accesses_miss += weight * reach_exact;
      reach_exact *= exact[j < larger ? 1 : 0];
      reach_usual *= usual[j < larger ? 1 : 0];
    }
    if (may_meet) {
      const double others = (s.spread - 2.0) / s.spread;
      reach_exact = apart * reach_exact + (1 - apart) * exact_pair * std::pow(reach_exact, others);
      reach_usual = apart * reach_usual + (1 - apart) * usual_pair * std::pow(reach_usual, others);
    }
    result.fpr_exact += weight * reach_exact;
    result.fpr_usual += weight * reach_usual;
  };
  if (!paged) {
    add(std::numeric_limits<double>::infinity(), r, 1);
  } else {
    over_poisson(mean_keys, 40, [&](double keys, double weight) { add(keys, keys / s.group_blocks, weight); });
  }
  result.loads = poisson_law(r * s.spread);
  return result;
}

}  // namespace sluice::theory
