// theory/distribution: load distributions, and the Poisson law in a form that is stable for means up to many thousands.
//
//   symbol here     the papers' letter
//   load            i          keys in a block
//   share[i]        P(i)       share of the blocks with load i
#pragma once

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sluice/theory.hpp"

namespace sluice::theory {

/// Double is precise enough, and long double is emulated, hence slow, on some machines.
using math_policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// log(n! / (k! (n - k)!)), for numbers that need not be whole. Not by std::lgamma, which writes to a variable that all
/// threads share (signgam).
[[nodiscard]] inline double log_choose(double n, double k) {
  const auto log_factorial = [](double x) { return boost::math::lgamma(x + 1, math_policy()); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Pr(X = i) for X ~ Poisson(mean).
[[nodiscard]] inline double poisson(double mean, std::uint64_t i) {
  if (mean <= 0) return i == 0 ? 1 : 0;
  return boost::math::gamma_p_derivative(static_cast<double>(i) + 1, mean, math_policy());
}

/// Pr(X >= i).
[[nodiscard]] inline double poisson_at_least(double mean, std::uint64_t i) {
  if (i == 0) return 1;
  if (mean <= 0 || (mean < 1 && i > 170)) return 0;  // at most 1/171!; gamma_p of tiny means throws
  return boost::math::gamma_p(static_cast<double>(i), mean, math_policy());
}

/// E min(X, most).
[[nodiscard]] inline double poisson_mean_capped(double mean, std::uint64_t most) {
  if (most == 0) return 0;
  // sum of i Pr(X = i) for i < most is mean Pr(X <= most - 2)
  return mean * (1 - poisson_at_least(mean, most - 1)) + static_cast<double>(most) * poisson_at_least(mean, most);
}

/// From here on a Poisson law weighs less than 1e-18.
[[nodiscard]] inline double law_end(double mean) { return mean + 12 * std::sqrt(mean) + 40; }

/// The whole law, as far as anything remains.
[[nodiscard]] inline distribution poisson_law(double mean) {
  const auto end = static_cast<std::uint64_t>(law_end(mean));
  distribution p(end);
  for (std::uint64_t i = 0; i < end; ++i) p[i] = poisson(mean, i);
  return p;
}

/// Calls use(n, weight) for numbers n of a Poisson law, weights adding up to 1, as far as 8 standard deviations. Where
/// there are more than about `points` numbers, every so-manieth stands for its neighbours.
template <class Use>
void over_poisson(double mean, std::uint64_t points, Use use) {
  const double reach = 8 * std::sqrt(mean) + 8;
  const auto low = static_cast<std::uint64_t>(mean > reach ? mean - reach : 0.0);
  const auto high = static_cast<std::uint64_t>(mean + reach);
  const std::uint64_t stride = high - low > points ? (high - low) / points : 1;
  double total = 0;
  for (std::uint64_t n = low; n <= high; n += stride) total += poisson(mean, n);
  for (std::uint64_t n = low; n <= high; n += stride) use(static_cast<double>(n), poisson(mean, n) / total);
}

[[nodiscard]] inline double mean_of(const distribution& p) {
  double mean = 0;
  for (std::size_t i = 0; i < p.size(); ++i) mean += static_cast<double>(i) * p[i];
  return mean;
}

}  // namespace sluice::theory
