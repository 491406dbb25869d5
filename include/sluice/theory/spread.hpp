// theory/spread: Bloom-g (and, with g = 1, the blocked filter). A block's bits come from the keys that chose it; given the
// number of keys in its group these are binomial, and the g blocks of a lookup are nearly independent:
//
//   f = E over the group's keys N of  prod over the g blocks of E[(ones / U)^(bits asked there) | N]
//
// For the whole table N does not vary, and the number of keys in a block is Poisson.
//
//   symbol here   the letter
//   spread        g          blocks per key
//   share         k / g      bits per block, the first k mod g blocks have one more
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sluice/theory/distribution.hpp"
#include "sluice/theory/local_filter.hpp"
#include "sluice/theory/prediction.hpp"

namespace sluice::theory {

struct spread_scheme {
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 1;
  std::uint32_t spread = 1;
  double group_blocks = 64;  ///< infinity: the whole table
};

namespace detail {

/// [s]: E (ones / U)^power after s bits were thrown into U, and the usual approximation of it.
struct thrown_powers {
  std::vector<double> exact;
  std::vector<double> usual;
};

[[nodiscard]] inline thrown_powers powers_after_throws(std::uint32_t usable, std::uint32_t power, std::size_t most) {
  const double u = usable;
  const std::vector<double> value = fill_powers(usable, power);
  thrown_ones ones(usable);
  thrown_powers result;
  for (std::size_t thrown = 0; thrown <= most; ++thrown, ones.throw_bit()) {
    result.exact.push_back(ones.expect(value));
    result.usual.push_back(std::pow(-std::expm1(static_cast<double>(thrown) * std::log1p(-1 / u)), power));
  }
  return result;
}

/// The law of a count with mean n q that is Binomial(n, q), or Poisson for a whole table (n infinite).
[[nodiscard]] inline distribution count_law(double mean, double trials) {
  if (!std::isfinite(trials)) return poisson_law(mean);
  distribution p(static_cast<std::size_t>(std::min(trials, mean + 12 * std::sqrt(mean) + 40)) + 1);
  const double q = trials > 0 ? std::min(1.0, mean / trials) : 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto x = static_cast<double>(i);
    if (q <= 0 || q >= 1) {
      p[i] = (q <= 0 ? x == 0 : x == trials) ? 1 : 0;
    } else {
      p[i] = std::exp(std::lgamma(trials + 1) - std::lgamma(x + 1) - std::lgamma(trials - x + 1) + x * std::log(q) +
                      (trials - x) * std::log1p(-q));
    }
  }
  return p;
}

}  // namespace detail

[[nodiscard]] inline prediction predict(const spread_scheme& s, double keys_per_block) {
  const std::uint32_t share = s.hashes / s.spread;
  const std::uint32_t larger = s.hashes % s.spread;
  const double r = keys_per_block;
  const bool paged = std::isfinite(s.group_blocks);
  const double mean_keys = paged ? r * s.group_blocks : 0;
  const double most_keys =
      paged ? (mean_keys + 8 * std::sqrt(mean_keys) + 8) * s.spread / s.group_blocks : r * s.spread;
  const auto most_thrown = static_cast<std::size_t>((most_keys + 12 * std::sqrt(most_keys) + 80) * (share + 1));
  const detail::thrown_powers small = detail::powers_after_throws(s.block_bits, share, most_thrown);
  const detail::thrown_powers large =
      larger == 0 ? small : detail::powers_after_throws(s.block_bits, share + 1, most_thrown);

  prediction result{.accesses_insert = static_cast<double>(s.spread), .accesses_hit = static_cast<double>(s.spread)};
  const auto add = [&](double trials, double load, double weight) {
    // Keys that have this block among their `larger` blocks, and among the others.
    const distribution with_more = detail::count_law(load * larger, trials);
    const distribution with_less = detail::count_law(load * (s.spread - larger), trials);
    double exact[2] = {0, 0};
    double usual[2] = {0, 0};
    for (std::size_t i = 0; i < (larger == 0 ? 1 : with_more.size()); ++i) {
      const double p = larger == 0 ? 1 : with_more[i];
      if (p < 1e-25) continue;
      for (std::size_t j = 0; j < with_less.size(); ++j) {
        if (with_less[j] < 1e-25) continue;
        const std::size_t thrown = std::min(i * (share + 1) + j * share, most_thrown);
        const double both = p * with_less[j];
        exact[0] += both * small.exact[thrown];
        exact[1] += both * large.exact[thrown];
        usual[0] += both * small.usual[thrown];
        usual[1] += both * large.usual[thrown];
      }
    }
    double reach_exact = 1;
    double reach_usual = 1;
    for (std::uint32_t j = 0; j < s.spread; ++j) {
      result.accesses_miss += weight * reach_exact;
      reach_exact *= exact[j < larger ? 1 : 0];
      reach_usual *= usual[j < larger ? 1 : 0];
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
