// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The theory, to the papers' digits: the lower bound, the optimal parameters, the dynamics, and special functions
// against multiprecision.
#include "sluice/theory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "sluice/detail/block/counted.hpp"
#include "sluice/extend/theory.hpp"
#include "support/trials.hpp"
#include "theory/alpha.hpp"
#include "theory/balance.hpp"
#include "theory/distribution.hpp"
#include "theory/threshold.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace sluice::theory;   // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

struct spec_row {
  std::uint32_t block_bits;
  double beta;
  std::uint32_t k;
  std::uint64_t h;
  double p, miss_paper, miss_ours, f_paper, f_ours;
};

// MHT at a = 1.2, d = 3 with the usual approximation, by the paper's lookup rule and by ours.
TEST(theory, mht_reference_rows_to_all_printed_digits) {
  constexpr spec_row rows[] = {
      {256, 24, 17, 11, .1566, 2.265, 2.095, 4.80e-5, 4.45e-5},
      {256, 32, 22, 8, .5338, 2.292, 2.007, 2.02e-6, 1.77e-6},
      {256, 40, 28, 7, .1128, 2.063, 1.935, 1.44e-7, 1.35e-7},
      {512, 24, 17, 21, .3953, 2.556, 2.387, 3.26e-5, 3.04e-5},
      {512, 32, 22, 16, .2265, 2.435, 2.247, 9.24e-7, 8.53e-7},
      {512, 40, 28, 13, .1803, 2.340, 2.160, 3.12e-8, 2.88e-8},
  };
  const double gamma = detail::least_overflow(1.2, 3);
  for (const spec_row& row : rows) {
    const double r = row.block_bits / row.beta;
    const optimum o = optimal_threshold(1.2, r, gamma);
    EXPECT_EQ(o.threshold, row.h);
    EXPECT_NEAR(o.acceptance, row.p, 0.00005);
    const threshold_scheme s{.choices = 3,
                             .fractions = detail::subtable_fractions(1.2, gamma, 3),
                             .threshold = o.threshold,
                             .acceptance = o.acceptance};
    const extend::local_filter local{
        detail::counted_block(row.block_bits, static_cast<std::uint32_t>(row.h)).usable_bits(), row.k};
    const prediction ours = predict(s, local, r);
    const prediction paper = predict(s, local, r, true);
    EXPECT_NEAR(ours.accesses_miss, row.miss_ours, 0.0005);
    EXPECT_NEAR(paper.accesses_miss, row.miss_paper, 0.0005);
    EXPECT_NEAR(ours.fpr_usual / row.f_ours, 1, 0.005);
    EXPECT_NEAR(paper.fpr_usual / row.f_paper, 1, 0.005);
    EXPECT_NEAR(ours.accesses_insert, 1.2, 1e-9);
    EXPECT_NEAR(ours.overflow_fraction, 0.00498, 0.000005);
  }
}

// (3.5) as it stands, in small steps, and (3.4): two-choice at one bit a key has a "rate" above 1 by it.
TEST(theory, the_papers_rule_of_one_plus_alpha_is_its_formula) {
  for (const auto& [c, alpha] : {std::pair{1.0, 1.0}, {4.0, 1.0}, {7.0, 0.3}, {16.0, 0.3}, {20.0, 0.5}}) {
    const auto k = static_cast<std::uint32_t>(std::max(1L, std::lround(c * std::numbers::ln2)));
    const double r = 500 / c;
    std::vector<double> share(static_cast<std::size_t>(r + 20 * std::sqrt(r) + 40));
    share[0] = 1;
    constexpr int steps = 200'000;
    for (int step = 0; step < steps; ++step) {
      std::vector<double> next = share;
      double above = 0;
      for (std::size_t x = share.size(); x-- > 0; above += share[x]) {
        const double chosen = share[x] * share[x] + 2 * share[x] * above;
        const double moved = (alpha * chosen + (1 - alpha) * share[x]) * r / steps;
        next[x] -= moved;
        if (x + 1 < share.size()) next[x + 1] += moved;
      }
      share = next;
    }
    const extend::local_filter local{500, k};
    double q = 0;
    for (std::size_t x = 0; x < share.size(); ++x) q += share[x] * local.usual_fpr(static_cast<double>(x));
    const alpha_parameters p{
        .blocks = 1'000'000, .block_bits = 500, .hashes = k, .alpha = alpha, .load = load_unit::keys};
    const prediction paper = predict(p, r * 1e6, {.paper_rule = true});
    EXPECT_NEAR(paper.fpr_usual / ((1 + alpha) * q), 1, 0.002) << c << " bits a key";
    EXPECT_NEAR(paper.accesses_miss, 1 + alpha, 1e-12);
    if (c <= 1) {
      EXPECT_NEAR(paper.fpr_usual, 1.265, 0.0005);
    }
    EXPECT_LT(predict(p, r * 1e6).fpr_usual, paper.fpr_usual);
  }
}

TEST(theory, exact_expectations_of_the_reference) {
  const extend::local_filter blocked{256, 28};
  const distribution loads = poisson_law(6.4);
  const auto exact = blocked.exact_fpr(loads.size());
  EXPECT_NEAR(cost_of(loads, [&](auto i) { return blocked.usual_fpr(static_cast<double>(i)); }), 2.4e-5, 0.05e-5);
  EXPECT_NEAR(cost_of(loads, [&](auto i) { return exact[i]; }), 3.0e-5, 0.05e-5);
}

TEST(theory, lower_bound_reference) {
  EXPECT_EQ(best_loads(1.1, 8, 0).k0, 9U);
  const lower_bound b = best_loads(1.2, 8, 0);
  EXPECT_EQ(b.k0, 8U);
  EXPECT_NEAR(b.bound[8], .1856, .00005);
  EXPECT_NEAR(b.bound[9], .5559, .00005);
  EXPECT_EQ(best_loads(1, 8, 0).k0, unbounded);
  EXPECT_THROW(static_cast<void>(best_loads(0.9, 8, 0.05)), parameter_error);
  EXPECT_THROW(static_cast<void>(best_loads(1.2, 0, 0.05)), parameter_error);
  EXPECT_THROW(static_cast<void>(best_loads(1.2, 8, 1)), parameter_error);
  EXPECT_THROW(static_cast<void>(optimal_threshold(1, 8, 0)), parameter_error);
}

TEST(theory, lower_bound_is_a_distribution_with_the_right_mean) {
  std::mt19937_64 random(1);
  const auto real = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
  };
  for (int i = 0; i < 1000; ++i) {
    const double gamma = real(0, 0.5);
    const double a = real(1 - gamma, 4);
    const double r = std::exp(real(std::log(0.05), std::log(4096)));
    const lower_bound b = best_loads(a, r, gamma);
    double sum = 0;
    for (const double p : b.bound) {
      ASSERT_GE(p, -1e-12);
      sum += p;
    }
    ASSERT_NEAR(sum, 1, 1e-9) << a << ' ' << r << ' ' << gamma;
    ASSERT_NEAR(mean_of(b.bound) / (r * (1 - gamma)), 1, 1e-9) << a << ' ' << r << ' ' << gamma;
  }
}

TEST(theory, the_optimum_reaches_the_bound_and_nothing_tried_beats_it) {
  for (const double r : {0.7, 2.5, 8.0, 32.0, 512.0, 4096.0}) {
    const double gamma = detail::least_overflow(1.2, 3);
    const optimum o = optimal_threshold(1.2, r, gamma);
    const distribution reached = threshold_loads(1.2 * r, o.threshold, o.acceptance);
    for (std::size_t i = 0; i < reached.size(); ++i) ASSERT_NEAR(reached[i], o.loads.bound[i], 1e-9) << r;
    const double best = cost_of(reached, variance_cost(mean_of(reached)));
    // Other thresholds with the same accesses store fewer keys or vary more: compare at equal stored keys per block.
    for (const std::uint64_t h : {o.threshold / 2, o.threshold + 1, 2 * o.threshold + 1}) {
      for (const double p : {0.0, 0.3, 1.0}) {
        const distribution other = threshold_loads(1.2 * r, h, p);
        const double stored = mean_of(other);
        const double other_gamma = 1 - stored / r;
        if (other_gamma < 0 || other_gamma >= 1) continue;
        const distribution bound = best_loads(1.2, r, other_gamma).bound;
        EXPECT_GE(cost_of(other, variance_cost(stored)) + 1e-9, cost_of(bound, variance_cost(mean_of(bound))));
      }
    }
    EXPECT_GT(best, 0);
  }
}

TEST(theory, least_overflow_of_sequential) {
  EXPECT_NEAR(least_overflow_sequential(1.2, 3, 8), 0.0262, 0.00005);
  EXPECT_NEAR(least_overflow_sequential(1.1, 3, 8), 0.0059, 0.00005);
  const auto curve = optimality_region(1.05, 1.5, 5, 3, 8);
  ASSERT_EQ(curve.size(), 5U);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    EXPECT_GT(curve[i].overflow_sequential, curve[i - 1].overflow_sequential);
    EXPECT_GT(curve[i].overflow_sequential, curve[i].overflow_mht) << "MHT needs the smaller list";
  }
}

/// Equations A.1 to A.4 as they stand, without the reduction that the library uses.
TEST(theory, sequential_reduction_agrees_with_the_full_equations) {
  for (const double r : {2.5, 8.0, 40.0}) {
    const auto h = static_cast<std::size_t>(r * 1.05) + 1;
    const double p = 0.37;
    constexpr int d = 3;
    using state = std::vector<double>;
    const auto equations = [&](const state& f, state& df, double /*t*/) {
      const double reject = (1 - p) * f[h] + f[h + 1];
      const double g = 1 + reject + reject * reject;
      std::fill(df.begin(), df.end(), 0.0);
      for (std::size_t i = 0; i <= h; ++i) {
        const double flow = r * g * f[i] * (i == h ? p : 1);
        df[i] -= flow;
        df[i + 1] += flow;
      }
      df[h + 2] = g;
      df[h + 3] = std::pow(reject, d);
    };
    state f(h + 4);
    f[0] = 1;
    boost::numeric::odeint::integrate_n_steps(boost::numeric::odeint::runge_kutta4<state>(), equations, f, 0.0,
                                              1.0 / 8000, 8000);
    const sequential_state s = sequential_after(r, d, h, p);
    EXPECT_NEAR(s.accesses, f[h + 2], 1e-6);
    EXPECT_NEAR(s.overflow, f[h + 3], 1e-6);
    const distribution loads = threshold_loads(s.offered, h, p);
    for (std::size_t i = 0; i < loads.size(); ++i) EXPECT_NEAR(loads[i], f[i], 1e-6);
  }
}

TEST(theory, single_in_closed_form) {
  // r = 2.5, h = 2, p = 0.5 at t = 1
  const double x = 2.5;
  const double p = 0.5;
  const distribution loads = threshold_loads(x, 2, p);
  const double f2 = (std::exp(-p * x) - std::exp(-x) * (1 + x * (1 - p))) / ((1 - p) * (1 - p));
  EXPECT_NEAR(loads[0], std::exp(-x), 1e-12);
  EXPECT_NEAR(loads[1], x * std::exp(-x), 1e-12);
  EXPECT_NEAR(loads[2], f2, 1e-12);
  EXPECT_NEAR(loads[0] + loads[1] + loads[2] + loads[3], 1, 1e-12);
}

TEST(theory, alpha_reference_values) {
  struct row {
    double beta, alpha, f, rounding;
  };
  for (const row& e : {row{16, 0, 8.7e-4, .05e-4}, row{16, 1, 9.4e-4, .05e-4}, row{16, .3, 7.2e-4, .05e-4},
                       row{24, 0, 7.0e-5, .05e-5}, row{24, 1, 2.2e-5, .05e-5}, row{24, .3, 2.9e-5, .05e-5}}) {
    const auto k = static_cast<std::uint32_t>(std::lround(e.beta * 0.693147));
    EXPECT_NEAR(predict(alpha_scheme{500, k, e.alpha, load_unit::keys}, 500 / e.beta).fpr_usual, e.f, e.rounding);
  }
}

TEST(theory, fractions_of_ones_of_choice_groups) {
  struct row {
    double beta;
    std::uint32_t c, k;
    double ones;
  };
  for (const row& e : {row{8, 2, 7, .5296}, row{8, 3, 7, .5019}, row{16, 2, 13, .5187}, row{16, 3, 13, .4994},
                       row{32, 2, 24, .5016}, row{32, 3, 25, .5022}}) {
    EXPECT_NEAR(extend::ones_over_time({e.c, e.k}, e.beta).back(), e.ones, 0.00005);
  }
  EXPECT_NEAR(extend::ones_over_time({1, 11}, 16).back(), -std::expm1(-11.0 / 16), 1e-9)
      << "c = 1 is the classic filter";
  // Table 1's rates: n = 10,000, four digits; the equation neglects terms of order 1/m.
  EXPECT_NEAR(predict(extend::choice_scheme{1, 6}, 8).fpr_exact, 2.159e-2, 0.0015e-2);
  EXPECT_NEAR(predict(extend::choice_scheme{2, 13}, 16).fpr_exact, 3.935e-4, 0.005e-4);
  EXPECT_NEAR(predict(extend::choice_scheme{3, 25}, 32).fpr_exact, 9.980e-8, 0.03e-8);
}

TEST(theory, special_functions_against_multiprecision) {
  using wide = boost::multiprecision::cpp_dec_float_50;
  for (const double mean : {0.01, 1.0, 38.4, 614.4, 4915.2}) {
    for (const double at : {0.0, 0.5, 0.9, 1.0, 1.1, 1.5}) {
      const auto i = static_cast<std::uint64_t>(mean * at);
      const wide exact = boost::math::gamma_p_derivative(wide(i + 1), wide(mean));
      const auto expected = exact.convert_to<double>();
      if (expected > 1e-250) {
        EXPECT_NEAR(sluice::theory::poisson(mean, i) / expected, 1, 1e-10) << mean << ' ' << i;
      }
      if (i > 0) {
        const auto tail = boost::math::gamma_p(wide(i), wide(mean)).convert_to<double>();
        if (tail > 1e-250) {
          EXPECT_NEAR(poisson_at_least(mean, i) / tail, 1, 1e-10) << mean << ' ' << i;
        }
      }
    }
  }
}

// The last subtable of MHT may be offered next to nothing and still have a threshold of hundreds.
TEST(theory, a_tiny_mean_reaches_no_high_threshold) {
  for (const double mean : {5e-324, 1e-300, 1e-20, 1e-9, 0.1, 0.999}) {
    for (const std::uint64_t i : {2U, 150U, 170U, 171U, 172U, 400U, 4000U}) {
      const double tail = poisson_at_least(mean, i);
      EXPECT_TRUE(tail >= 0 && tail <= mean * mean) << mean << ' ' << i << ' ' << tail;
      EXPECT_LE(sluice::theory::poisson(mean, i), tail * (1 + 1e-9) + 1e-300) << mean << ' ' << i;
    }
  }
}

TEST(theory, overfull_and_huge_thresholds_stay_finite) {
  for (const double r : {1.0, 64.0, 4096.0}) {
    for (const double load : {0.1, 1.0, 2.0}) {
      const optimum o = optimal_threshold(1.2, r, detail::least_overflow(1.2, 3));
      const distribution loads = threshold_loads(1.2 * r * load, o.threshold, o.acceptance);
      double sum = 0;
      for (const double p : loads) {
        ASSERT_TRUE(std::isfinite(p) && p >= 0 && p <= 1 + 1e-9);
        sum += p;
      }
      ASSERT_NEAR(sum, 1, 1e-9);
    }
  }
  const prediction p = predict(threshold_scheme{.choices = 1, .fractions = {}, .threshold = 3, .acceptance = 0.5},
                               extend::local_filter{4000, 64}, 30);
  EXPECT_TRUE(std::isfinite(p.fpr_exact));
}

}  // namespace
