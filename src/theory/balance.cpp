// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The access-constrained balancing problem: theory.hpp and theory/balance.hpp say what is computed.
#include "theory/balance.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/detail/numbers.hpp"
#include "sluice/errors.hpp"
#include "theory/distribution.hpp"

namespace sluice::theory {

static void check_balance(double accesses, double keys_per_block, double overflow) {
  constexpr double most_keys_per_block = 20'000;  // beyond this the terms of the series leave the range of double
  if (!(keys_per_block > 0 && keys_per_block <= most_keys_per_block)) {
    throw parameter_error("the number of keys per block must be above 0 and 20000 at most, not " +
                          sluice::detail::number_text(keys_per_block));
  }
  if (!(overflow >= 0 && overflow < 1)) {
    throw parameter_error("the overflow fraction is a share from 0 to below 1, not " +
                          sluice::detail::number_text(overflow));
  }
  if (!(accesses > 0) || !std::isfinite(accesses)) {
    throw parameter_error("the mean number of accesses must be positive, not " + sluice::detail::number_text(accesses));
  }
  if (accesses < 1 - overflow) {
    throw parameter_error("with " + sluice::detail::number_text(accesses) +
                          " accesses per insertion at least a share " + sluice::detail::number_text(1 - accesses) +
                          " of the keys overflows; allow that much, or more accesses");
  }
}

/// Theorems 1 and 2: no scheme does better, for ANY convex cost. X ~ Poisson(a r) is cut off at k0 so that the mean is
/// r (1 - gamma); what is cut off sits on k0 and k0 + 1.
double cost_of(const distribution& loads, const std::function<double(std::uint64_t)>& cost) {
  double sum = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] != 0) sum += loads[i] * cost(i);
  }
  return sum;
}

std::function<double(std::uint64_t)> variance_cost(double mean) {
  return [mean](std::uint64_t i) { return static_cast<double>(i) * static_cast<double>(i) - mean * mean; };
}

lower_bound best_loads(double accesses, double keys_per_block, double overflow) {
  check_balance(accesses, keys_per_block, overflow);
  const double offered = accesses * keys_per_block;
  const double stored = keys_per_block * (1 - overflow);
  if (offered - stored <= 1e-14 * offered) return {unbounded, poisson_law(offered)};

  std::uint64_t low = 0;  // E min(X, low) < stored
  std::uint64_t high = 1;
  while (poisson_mean_capped(offered, high) < stored) {
    low = high;
    high *= 2;
    if (high > 64 && static_cast<double>(high) > 2 * offered + 1000) return {unbounded, poisson_law(offered)};
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (poisson_mean_capped(offered, middle) < stored ? low : high) = middle;
  }
  const std::uint64_t k0 = low;
  lower_bound result{k0, distribution(k0 + 2)};
  for (std::uint64_t i = 0; i < k0; ++i) result.bound[i] = poisson(offered, i);
  // The mean of what is capped at k0 is known; the missing part of the mean is the share with one key more.
  result.bound[k0 + 1] = stored - poisson_mean_capped(offered, k0);
  result.bound[k0] = poisson_at_least(offered, k0) - result.bound[k0 + 1];
  return result;
}

/// f_h(p) = sum over i >= h of Pr(X = i) (1 - p)^(i - h): the share of blocks with load exactly h when `offered` keys
/// per block have been offered (theorem 3, with positive terms only).
double share_at_threshold(double offered, std::uint64_t threshold, double acceptance) {
  const double q = 1 - acceptance;
  double term = poisson(offered, threshold);
  if (term < 1e-280 && static_cast<double>(threshold) < offered) {
    // So far below the mean the series starts with terms too small to represent; the closed form has no such trouble.
    if (q <= 0) return term;
    const double scale = -acceptance * offered - static_cast<double>(threshold) * std::log(q);
    return std::exp(scale) * poisson_at_least(offered * q, threshold);
  }
  double sum = 0;
  for (std::uint64_t i = threshold; term > 0; ++i) {
    sum += term;
    const double ratio = q * offered / static_cast<double>(i + 1);
    term *= ratio;
    if (ratio < 1 && term < 1e-18 * sum) break;
  }
  return sum;
}

/// SINGLE in closed form: the loads after `offered` keys per block were offered to blocks that accept below h, and at h
/// with probability p (A.8). SEQUENTIAL's and every MHT subtable's loads are the same function of what they were
/// offered.
distribution threshold_loads(double offered, std::uint64_t threshold, double acceptance) {
  distribution p(threshold + 2);
  for (std::uint64_t i = 0; i < threshold; ++i) p[i] = poisson(offered, i);
  p[threshold] = share_at_threshold(offered, threshold, acceptance);
  const double rest = poisson_at_least(offered, threshold) - p[threshold];
  p[threshold + 1] = rest > 0 ? rest : 0;
  return p;
}

/// The share of keys that a block of these loads rejects: load h + 1, or load h and the coin says no.
double rejection(const distribution& loads, std::uint64_t threshold, double acceptance) {
  return (1 - acceptance) * loads[threshold] + loads[threshold + 1];
}

/// Theorems 3 to 5: h = k0, and p solves f_h(p) = P_LB(k0).
optimum optimal_threshold(double accesses, double keys_per_block, double overflow) {
  optimum result{.overflow = overflow, .loads = best_loads(accesses, keys_per_block, overflow)};
  if (result.loads.k0 == unbounded) {
    throw parameter_error("with " + sluice::detail::number_text(accesses) + " accesses and an overflow of " +
                          sluice::detail::number_text(overflow) +
                          " no key is ever turned away: no threshold is needed, use a blocked filter");
  }
  const std::uint64_t h = result.loads.k0;
  result.threshold = h;
  const double offered = accesses * keys_per_block;
  const double wanted = result.loads.bound[h];
  const auto excess = [&](double p) { return share_at_threshold(offered, h, p) - wanted; };
  if (excess(0) <= 0) {
    result.acceptance = 0;
  } else if (excess(1) >= 0) {
    result.acceptance = 1;
  } else {
    std::uintmax_t rounds = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(excess, 0.0, 1.0, boost::math::tools::eps_tolerance<double>(50), rounds);
    result.acceptance = (bracket.first + bracket.second) / 2;
  }
  return result;
}

sequential_state sequential_after(double keys_per_block, std::uint32_t choices, std::uint64_t threshold,
                                  double acceptance) {
  // Classical Runge-Kutta in the number of keys; the right-hand side is smooth and bounded by d.
  constexpr int steps = 120;
  const auto rejected = [&](double offered) {
    return rejection(threshold_loads(offered, threshold, acceptance), threshold, acceptance);
  };
  const auto rate = [&](double f) {
    double sum = 0;
    double power = 1;
    for (std::uint32_t j = 0; j < choices; ++j, power *= f) sum += power;
    return sum;
  };
  if (choices == 1) {  // SINGLE: every key makes one access
    const double stored = mean_of(threshold_loads(keys_per_block, threshold, acceptance));
    return {keys_per_block, 1, std::max(0.0, 1 - stored / keys_per_block)};
  }
  const double step = keys_per_block / steps;
  sequential_state s;
  double overflowed = 0;
  double f0 = rejected(0);
  for (int i = 0; i < steps; ++i) {
    const double k1 = rate(f0);
    const double fa = rejected(s.offered + step / 2 * k1);
    const double k2 = rate(fa);
    const double fb = rejected(s.offered + step / 2 * k2);
    const double k3 = rate(fb);
    const double fc = rejected(s.offered + step * k3);
    const double k4 = rate(fc);
    const double middle = (fa + fb) / 2;
    s.offered += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double f1 = rejected(s.offered);
    overflowed += step / 6 * (std::pow(f0, choices) + 4 * std::pow(middle, choices) + std::pow(f1, choices));
    f0 = f1;
  }
  s.accesses = s.offered / keys_per_block;
  s.overflow = overflowed / keys_per_block;
  return s;
}

/// The least overflow at which SEQUENTIAL reaches the bound with a mean of `accesses`: the equations spend exactly that
/// mean, with h and p recomputed for every trial.
double least_overflow_sequential(double accesses, std::uint32_t choices, double keys_per_block) {
  sluice::detail::check_access_budget(accesses, choices);
  const auto excess = [&](double gamma) {
    const optimum o = optimal_threshold(accesses, keys_per_block, gamma);
    return sequential_after(keys_per_block, choices, o.threshold, o.acceptance).accesses - accesses;
  };
  if (accesses == 1) return 0;
  double low = 0;
  if (excess(low) >= 0) return 0;  // the accesses are spent without any overflow
  double high = 1.0 / 64;
  double at_high = excess(high);
  while (!(at_high > 0)) {  // not a number is no root either
    low = high;
    high *= 2;
    if (high >= 1) {
      throw parameter_error("SEQUENTIAL with " + std::to_string(choices) + " candidates never needs " +
                            sluice::detail::number_text(accesses) + " accesses at this load");
    }
    at_high = excess(high);
  }
  const double at_low = excess(low);
  if (!(at_low < 0)) return low;
  std::uintmax_t rounds = 100;
  const auto bracket = boost::math::tools::toms748_solve(excess, low, high, at_low, at_high,
                                                         boost::math::tools::eps_tolerance<double>(40), rounds);
  return (bracket.first + bracket.second) / 2;
}

/// The whole (a, gamma) curve between two means, ends included.
std::vector<region_point> optimality_region(double from, double to, std::uint32_t points, std::uint32_t choices,
                                            double keys_per_block) {
  std::vector<region_point> curve;
  for (std::uint32_t i = 0; i < points; ++i) {
    const double a = points == 1 ? from : from + (to - from) * i / (points - 1);
    curve.push_back({a, least_overflow_sequential(a, choices, keys_per_block), detail::least_overflow(a, choices)});
  }
  return curve;
}

}  // namespace sluice::theory
