// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Ledgers against their model and against what is promised of them: rates that are counted with real lookups, lines,
// closed gates and lists, when they are filled and when their keys have come and gone many times.
//
// Seeds are fixed. Intervals of counted rates are such that a right ledger leaves one with a probability below 1e-7.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace sluice {
namespace {

constexpr std::uint64_t pages = 40;

struct promised {
  std::uint32_t rho;
  double fill;
  double bits_per_key;
  double fpr;
};

class ledger_rates : public testing::TestWithParam<promised> {
protected:
  static constexpr double line_limit_miss = 1.06;  // SPEC has 1.07 and 1.08; after turnovers, too
  static constexpr double line_limit_hit = 1.07;

  ledger_rates() : f_(params()), random_(7) {
    while (live_.size() < keys()) insert();
  }
  [[nodiscard]] static ledger_parameters params() {
    return {.blocks = 64 * pages, .remainder_bits = GetParam().rho, .seed = 11};
  }
  [[nodiscard]] static std::uint64_t keys() {
    return static_cast<std::uint64_t>(512.0 * 64 * pages / GetParam().bits_per_key);
  }
  void insert() {
    live_.push_back(next_);
    f_.insert(next_++);
  }
  void turn_over() {
    for (std::uint64_t i = 0; i < keys(); ++i) {
      const std::uint64_t at = random_() % live_.size();
      ASSERT_TRUE(f_.erase(live_[at]));
      live_[at] = next_;
      f_.insert(next_++);
    }
  }
  /// Counted, over stored keys and absent ones.
  void expect_as_promised(std::uint32_t turnovers) {
    std::uint64_t hit = 0;
    for (const std::uint64_t key : live_) {
      const lookup_outcome o = f_.probe(key);
      ASSERT_TRUE(o.found);
      hit += o.accesses;
    }
    const std::uint64_t asked = GetParam().rho < 12 ? 1'000'000 : 4'000'000;
    std::uint64_t found = 0;
    std::uint64_t miss = 0;
    for (std::uint64_t i = 0; i < asked; ++i) {
      const lookup_outcome o = f_.probe(~i);
      found += o.found ? 1 : 0;
      miss += o.accesses;
    }
    const theory::prediction model =
        theory::predict(f_.params(), static_cast<double>(keys()), {.turnovers = turnovers});
    const auto trials = static_cast<double>(asked);
    EXPECT_NEAR(static_cast<double>(found) / trials, model.fpr_exact,
                testing_support::share_tolerance(model.fpr_exact, trials));
    const double per_hit = static_cast<double>(hit) / static_cast<double>(keys());
    const double per_miss = static_cast<double>(miss) / static_cast<double>(asked);
    EXPECT_LT(per_hit, line_limit_hit);
    EXPECT_LT(per_miss, line_limit_miss);
    // The model fills some pages: a guest or a gate in a few hundred is its error.
    EXPECT_NEAR(per_hit, model.accesses_hit, 0.01);
    EXPECT_NEAR(per_miss, model.accesses_miss, 0.01);
    EXPECT_LT(f_.overflow().keys, keys() / 2000);
    const statistics s = f_.stats();
    EXPECT_NEAR(s.fpr_from_fill, model.fpr_exact, model.fpr_exact * 0.01);
    EXPECT_NEAR(s.blocks_per_miss_from_fill, per_miss, 0.002);
    EXPECT_LT(model.fpr_exact, GetParam().fpr * 1.05);
  }

  filter f_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> live_;
  std::uint64_t next_ = 0;
};

TEST_P(ledger_rates, are_as_promised_when_it_is_filled) { expect_as_promised(0); }

TEST_P(ledger_rates, are_as_promised_after_turnovers) {
  for (int turn = 0; turn < 12; ++turn) turn_over();
  expect_as_promised(8);
}

TEST_P(ledger_rates, do_not_drift) {
  for (int turn = 0; turn < 8; ++turn) turn_over();
  const statistics before = f_.stats();
  for (int turn = 0; turn < 32; ++turn) turn_over();
  const statistics after = f_.stats();
  EXPECT_NEAR(after.ledger->closed_gates, before.ledger->closed_gates, 0.006);
  EXPECT_NEAR(static_cast<double>(after.ledger->guests), static_cast<double>(before.ledger->guests),
              0.1 * static_cast<double>(before.ledger->guests));
  EXPECT_LT(after.overflow_keys, keys() / 2000);
}

INSTANTIATE_TEST_SUITE_P(all, ledger_rates,
                         testing::Values(promised{8, 0.9, 12.93, 3.3e-3}, promised{12, 0.9, 17.24, 2.7e-4},
                                         promised{15, 0.9, 20.32, 5.6e-5}, promised{16, 0.9, 21.88, 1.7e-5},
                                         promised{24, 0.87, 32.7, 4.5e-8}),
                         [](const auto& p) { return "rho_" + std::to_string(p.param.rho); });

TEST(ledger_plan, erasing_asks_for_a_ledger_and_nothing_else_does) {
  for (const double fpr : {1e-2, 1e-3, 1e-4, 1e-6}) {
    const auto all = plan({.keys = 1e6, .fpr = fpr, .erase = true});
    const auto* const best = std::get_if<ledger_parameters>(&all.front().params);
    ASSERT_NE(best, nullptr);
    EXPECT_TRUE(all.front().broken_limit.empty()) << all.front().broken_limit;
    EXPECT_LE(all.front().predicted.fpr_exact, fpr);
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_FALSE(all[i].broken_limit.empty());
    for (const plan_candidate& c : plan({.keys = 1e6, .fpr = fpr})) {
      EXPECT_NE(scheme_of(c.params), scheme::ledger);
    }
  }
}

TEST(ledger_plan, where_no_ledger_keeps_the_limits_one_is_the_nearest) {
  for (const plan_request& q : {plan_request{.keys = 1e4, .fpr = 1e-3, .mergeable = true, .erase = true},
                                plan_request{.keys = 1e4, .fpr = 1e-3, .max_blocks = 1, .erase = true},
                                plan_request{.keys = 1e4, .fpr = 1e-3, .concurrent = true, .erase = true}}) {
    const auto all = plan(q);
    EXPECT_EQ(scheme_of(all.front().params), scheme::ledger);
    EXPECT_FALSE(all.front().broken_limit.empty());
    for (std::size_t i = 1; i < all.size(); ++i) {
      EXPECT_NE(all[i].broken_limit.find("cannot be erased"), std::string::npos) << all[i].broken_limit;
    }
  }
  EXPECT_THROW(plan({.keys = 1e4, .fpr = 1e-3, .block_bits = 256, .erase = true}), parameter_error);
}

TEST(ledger_plan, more_memory_never_has_a_higher_rate) {
  double last = 1;
  for (double bits = 13; bits < 50; bits += 0.7) {
    const auto all = plan({.keys = 300'000, .memory_bits = bits * 300'000, .erase = true, .among = {scheme::ledger}});
    EXPECT_LE(all.front().predicted.fpr_exact, last) << bits;
    EXPECT_LE(8 * all.front().memory_bytes, bits * 300'000);
    last = all.front().predicted.fpr_exact;
  }
}

TEST(ledger_plan, a_planned_ledger_takes_its_keys_and_keeps_its_rate) {
  for (const std::uint64_t n : {1U, 10U, 500U, 3000U, 200'000U}) {
    filter f = filter::for_keys(n, {.fpr = 1e-3, .erase = true});
    for (std::uint64_t key = 0; key < n; ++key) ASSERT_TRUE(f.insert(key));
    EXPECT_LE(f.stats().fpr_from_fill, 1e-3);
    for (std::uint64_t key = 0; key < n; ++key) ASSERT_TRUE(f.erase(key));
    EXPECT_TRUE(f.empty());
  }
}

}  // namespace
}  // namespace sluice
