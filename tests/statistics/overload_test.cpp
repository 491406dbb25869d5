// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Models against real filters from half to four times the planned keys, every scheme, two-sided: the false positive
// rate computed from the final bits within 5% and ten standard errors of 24 filters: Student's t with 23 degrees of
// freedom exceeds ten with probability 7e-10, all 270 comparisons together with 2e-7. Where rates hardly vary, from 1.5
// n on, all models are within 2%.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "plan/designs.hpp"
#include "sluice/builders.hpp"
#include "sluice/theory.hpp"
#include "support/interval.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr std::array loads = {0.5, 1.0, 1.5, 2.0, 3.0, 4.0};
constexpr std::uint64_t filters = 24;

struct overload_case {
  std::string name;
  parameters p;
  std::uint64_t planned;
  double standard_errors = 10;
};

/// Every composition at about 16 bits a key, and the planner's designs at 24.
std::vector<overload_case> overload_cases() {
  constexpr std::uint64_t filter_bits = std::uint64_t{1} << 17;
  std::vector<overload_case> all;
  for (const scheme_case& s : all_schemes()) {
    all.push_back({s.name, s.make(filter_bits / s.block_bits, 0), filter_bits / 16});
  }
  const std::uint64_t planned = filter_bits / 24;
  for (const detail::designs::family which : detail::designs::all_families) {
    const auto p = detail::designs::design(which, 512, 24, static_cast<double>(planned));
    const bool is_static = which == detail::designs::family::static_gated;
    // The model of static builds is itself a sample, half as large as the test's: its variance is twice as great.
    const double wider = is_static ? 17 : 10;
    all.push_back({"planned_" + std::to_string(static_cast<int>(which)), p.value(), planned, wider});
  }
  return all;
}

/// A filter is folded when it has its keys.
parameters before_folds(parameters p) {
  std::visit(
      [](auto& q) {
        if constexpr (requires { q.folds; }) q.folds = 0;
      },
      p);
  return p;
}

/// The rates of a number of filters at each load. A static filter is built again for each.
std::vector<std::vector<double>> measured_rates(const overload_case& c) {
  constexpr std::uint64_t first_key = std::uint64_t{1} << 32;  // not those that the model of static builds takes
  const auto keys_at = [&](double load) { return static_cast<std::uint64_t>(load * static_cast<double>(c.planned)); };
  std::vector<std::vector<double>> rates(loads.size());
  for (std::uint64_t seed = 1; seed <= filters; ++seed) {
    const parameters p = detail::with_seed(c.p, seed);
    const auto* const gated = std::get_if<gated_parameters>(&p);
    if (gated != nullptr && gated->is_static) {
      for (std::size_t i = 0; i < loads.size(); ++i) {
        static_builder builder(*gated);
        for (std::uint64_t key = 0; key < keys_at(loads[i]); ++key) builder.insert(first_key + key);
        rates[i].push_back(builder.build().stats().fpr_from_fill);
      }
      continue;
    }
    filter f(before_folds(p));
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      for (; key < keys_at(loads[i]); ++key) f.insert(first_key + key);
      filter folded = f;
      if (detail::folds_of(p) != 0) folded.fold(detail::folds_of(p));
      rates[i].push_back(folded.stats().fpr_from_fill);
    }
  }
  return rates;
}

class overload : public testing::TestWithParam<overload_case> {};

TEST_P(overload, model_and_filters_agree) {
  const overload_case& c = GetParam();
  const auto rates = measured_rates(c);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const sample measured = summarise(rates[i]);
    const theory::prediction predicted = theory::predict(c.p, loads[i] * static_cast<double>(c.planned));
    EXPECT_GE(predicted.fpr_exact, 0);
    EXPECT_LE(predicted.fpr_exact, 1);
    EXPECT_GE(predicted.fpr_usual, 0);
    EXPECT_LE(predicted.fpr_usual, 1);
    EXPECT_NEAR(predicted.fpr_exact, measured.mean, 0.05 * measured.mean + c.standard_errors * measured.standard_error)
        << c.name << " at " << loads[i] << " times the planned keys";
  }
}

INSTANTIATE_TEST_SUITE_P(schemes, overload, testing::ValuesIn(overload_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
