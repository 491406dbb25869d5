// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/detail/block/bit_array.hpp"
#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"
#include "theory/distribution.hpp"

namespace sluice::extend {

namespace {

/// [v]: Pr(B >= v) for B ~ Binomial(k, q), v from 0 to k + 1.
[[nodiscard]] std::vector<double> binomial_at_least(std::uint32_t k, double q) {
  std::vector<double> p(k + 2);
  if (q <= 0 || q >= 1) {
    for (std::uint32_t v = 0; v <= k; ++v) p[v] = q >= 1 || v == 0 ? 1 : 0;
    return p;
  }
  double sum = 0;
  for (std::uint32_t v = k + 1; v-- > 0;) {
    sum += std::exp(theory::log_choose(k, v) + v * std::log(q) + (k - v) * std::log1p(-q));
    p[v] = sum < 1 ? sum : 1;
  }
  return p;
}

}  // namespace

std::vector<double> ones_over_time(const choice_scheme& s, double bits_per_key, int steps) {
  using state_type = std::vector<double>;
  const auto equation = [&](const state_type& z, state_type& dz, double /*t*/) {
    const std::vector<double> at_least = binomial_at_least(s.hashes, 1 - z[0]);
    dz[0] = 0;
    for (std::uint32_t v = 1; v <= s.hashes; ++v) dz[0] += std::pow(at_least[v], s.groups) / bits_per_key;
  };
  state_type z(1);
  std::vector<double> ones{0};
  boost::numeric::odeint::runge_kutta4<state_type> stepper;
  for (int i = 0; i < steps; ++i) {
    stepper.do_step(equation, z, 0.0, 1.0 / steps);
    ones.push_back(z[0]);
  }
  return ones;
}

namespace {

/// What probing k positions costs, and how likely all are set, if each is with probability z.
struct group_probe {
  double accesses = 0;
  double full = 1;
};

[[nodiscard]] group_probe probe_group(std::uint32_t k, double z) {
  group_probe result;
  for (std::uint32_t i = 0; i < k; ++i, result.full *= z) result.accesses += result.full;
  return result;
}

/// Probes of a stored key. It chose group j because that lacked the fewest ones, v: every group before it lacked more,
/// u > v, and of these positions only a share has been set since. Ties go to the first group.
[[nodiscard]] double choice_hit(const choice_scheme& s, const std::vector<double>& ones) {
  const std::uint32_t k = s.hashes;
  if (s.groups == 1) return k;
  const double final_ones = ones.back();
  double sum = 0;
  constexpr std::size_t every = 4;  // the integrand is smooth: forty points are plenty
  double weights = 0;
  for (std::size_t i = 0; i < ones.size(); i += every) {
    const double weight = i == 0 || i + 1 == ones.size() ? 0.5 : 1;
    weights += weight;
    const double z = ones[i];
    const std::vector<double> at_least = binomial_at_least(k, 1 - z);
    for (std::uint32_t v = 0; v <= k; ++v) {
      group_probe earlier{0, 0};
      for (std::uint32_t u = v + 1; u <= k && at_least[v + 1] > 0; ++u) {
        const double still_missing = static_cast<double>(u) / k * (1 - final_ones) / (1 - z);
        const group_probe p = probe_group(k, std::max(0.0, 1 - still_missing));
        const double chance = (at_least[u] - at_least[u + 1]) / at_least[v + 1];
        earlier.accesses += chance * p.accesses;
        earlier.full += chance * p.full;
      }
      double chance = (at_least[v] - at_least[v + 1]) * std::pow(at_least[v], s.groups - 1);
      const double more = at_least[v] > 0 ? at_least[v + 1] / at_least[v] : 0;
      double before = 0;
      double reach = 1;
      for (std::uint32_t j = 0; j < s.groups; ++j, chance *= more) {
        sum += weight * chance * (before + reach * k);
        before += reach * earlier.accesses;
        reach *= 1 - earlier.full;
      }
    }
  }
  return sum / weights;
}

}  // namespace

theory::prediction predict(const choice_scheme& s, double bits_per_key) {
  const std::vector<double> ones = ones_over_time(s, bits_per_key);
  const group_probe group = probe_group(s.hashes, ones.back());
  double full = group.full;
  if (s.lined_bits > 0) {
    full += sluice::detail::coinciding_lines(s.lined_bits / bits_per_key, s.lined_bits, s.hashes, ones.back());
  }
  theory::prediction result{.unit = load_unit::set_bits};
  double reach = 1;
  double reach_usual = 1;
  for (std::uint32_t j = 0; j < s.groups; ++j, reach *= 1 - full, reach_usual *= 1 - group.full) {
    result.fpr_exact += reach * full;
    result.fpr_usual += reach_usual * group.full;
    result.accesses_miss += reach * group.accesses;
  }
  result.accesses_insert = static_cast<double>(s.groups) * s.hashes;
  result.accesses_hit = choice_hit(s, ones);
  return result;
}

}  // namespace sluice::extend
