// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/distribution.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sluice/theory.hpp"

namespace sluice::theory {

namespace {

/// Double is precise enough, and long double is emulated, hence slow, on some machines.
using math_policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double log_choose(double n, double k) {
  const auto log_factorial = [](double x) { return boost::math::lgamma(x + 1, math_policy()); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double poisson(double mean, std::uint64_t i) {
  if (mean <= 0) return i == 0 ? 1 : 0;
  return boost::math::gamma_p_derivative(static_cast<double>(i) + 1, mean, math_policy());
}

double poisson_at_least(double mean, std::uint64_t i) {
  if (i == 0) return 1;
  if (mean <= 0 || (mean < 1 && i > 170)) return 0;  // at most 1/171!; gamma_p of tiny means throws
  return boost::math::gamma_p(static_cast<double>(i), mean, math_policy());
}

double poisson_mean_capped(double mean, std::uint64_t most) {
  if (most == 0) return 0;
  // sum of i Pr(X = i) for i < most is mean Pr(X <= most - 2)
  return mean * (1 - poisson_at_least(mean, most - 1)) + static_cast<double>(most) * poisson_at_least(mean, most);
}

double law_end(double mean) { return mean + 12 * std::sqrt(mean) + 40; }

distribution poisson_law(double mean) {
  const auto end = static_cast<std::uint64_t>(law_end(mean));
  distribution p(end);
  for (std::uint64_t i = 0; i < end; ++i) p[i] = poisson(mean, i);
  return p;
}

double mean_of(const distribution& p) {
  double mean = 0;
  for (std::size_t i = 0; i < p.size(); ++i) mean += static_cast<double>(i) * p[i];
  return mean;
}

}  // namespace sluice::theory
