// theory/choice: the fraction of ones of choice groups over time (Lumetta and Mitzenmacher, equation 3.2, any c).
//
//   dz/dt = E[min of c binomials (k, 1 - z)] / (m/n)
//
//   symbol here     the paper's letter
//   ones            z          fraction of ones
//   bits_per_key    m / n
//   groups          c
#pragma once

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sluice/theory/prediction.hpp"

namespace sluice::theory {

struct choice_scheme {
  std::uint32_t groups = 1;
  std::uint32_t hashes = 1;
};

namespace detail {

/// [v]: Pr(B >= v) for B ~ Binomial(k, q), v from 0 to k + 1.
[[nodiscard]] inline std::vector<double> binomial_at_least(std::uint32_t k, double q) {
  std::vector<double> p(k + 2);
  if (q <= 0 || q >= 1) {
    for (std::uint32_t v = 0; v <= k; ++v) p[v] = q >= 1 || v == 0 ? 1 : 0;
    return p;
  }
  double sum = 0;
  for (std::uint32_t v = k + 1; v-- > 0;) {
    const double log_choose = std::lgamma(k + 1.0) - std::lgamma(v + 1.0) - std::lgamma(k - v + 1.0);
    sum += std::exp(log_choose + v * std::log(q) + (k - v) * std::log1p(-q));
    p[v] = sum < 1 ? sum : 1;
  }
  return p;
}

}  // namespace detail

/// After n keys in m = bits_per_key n bits: the fraction of ones, and the mean number of a key's group (0 is the first; ties
/// go to the first).
struct choice_state {
  double ones = 0;
  double mean_group = 0;
};

[[nodiscard]] inline choice_state choice_after(const choice_scheme& s, double bits_per_key) {
  using state_type = std::vector<double>;  // ones, group
  const auto equations = [&](const state_type& x, state_type& dx, double /*t*/) {
    const std::vector<double> at_least = detail::binomial_at_least(s.hashes, 1 - x[0]);
    double least = 0;
    double group = 0;
    for (std::uint32_t v = 0; v <= s.hashes; ++v) {
      if (v > 0) least += std::pow(at_least[v], s.groups);
      // Group j has v missing, all before it more, all after it at least as many.
      const double here = at_least[v] - at_least[v + 1];
      for (std::uint32_t j = 1; j < s.groups; ++j) {
        group += j * here * std::pow(at_least[v + 1], j) * std::pow(at_least[v], s.groups - 1 - j);
      }
    }
    dx[0] = least / bits_per_key;
    dx[1] = group;
  };
  state_type x(2);
  constexpr int steps = 400;
  boost::numeric::odeint::runge_kutta4<state_type> stepper;
  boost::numeric::odeint::integrate_n_steps(stepper, equations, x, 0.0, 1.0 / steps, steps);
  return {x[0], x[1]};
}

/// Accesses are probed positions, in order, stopping at the first 0.
[[nodiscard]] inline prediction predict(const choice_scheme& s, double bits_per_key) {
  const choice_state state = choice_after(s, bits_per_key);
  const double z = state.ones;
  const double full = std::pow(z, s.hashes);
  double probes = 0;  // of a group that is not known to be full
  for (std::uint32_t i = 0; i < s.hashes; ++i) probes += std::pow(z, i);
  prediction result{.unit = load_unit::set_bits};
  double reach = 1;
  for (std::uint32_t j = 0; j < s.groups; ++j, reach *= 1 - full) {
    result.fpr_exact += reach * full;
    result.accesses_miss += reach * probes;
  }
  result.fpr_usual = result.fpr_exact;
  result.accesses_insert = static_cast<double>(s.groups) * s.hashes;
  result.accesses_hit = s.hashes + state.mean_group * probes;
  return result;
}

}  // namespace sluice::theory
