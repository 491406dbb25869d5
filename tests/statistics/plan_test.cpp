// The planner: what it promises is what filters do; nothing that it recommends is beaten; limits are kept; requests
// that make no sense are refused.
#include "sluice/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>

#include "plan/fit.hpp"
#include "sluice/filter.hpp"
#include "support/interval.hpp"
#include "support/metered.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

plan_request random_request(std::mt19937_64& random) {
  const auto real = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
  };
  plan_request q;
  const double keys = std::exp(real(std::log(1e3), std::log(1e9)));
  const double fpr = std::exp(real(std::log(1e-7), std::log(0.03)));
  switch (random() % 3) {
    case 0:
      q.keys = keys;
      q.fpr = fpr;
      break;
    case 1:
      q.keys = keys;
      q.memory_bits = keys * real(9, 40);
      break;
    default:
      q.fpr = fpr;
      q.memory_bits = keys * real(9, 40);
  }
  q.hit_ratio = real(0, 1);
  q.block_bits = random() % 4 == 0 ? 256 : 512;
  q.max_blocks = random() % 5 == 0 ? 1 : random() % 5 == 0 ? 3 : 2;
  q.mean_cost_limit = random() % 3 == 0 ? real(1, 3) : 1.25;
  q.second_line_cost = real(0, 1);
  if (random() % 6 == 0) q.overload = real(1, 1.5);
  q.no_list = random() % 4 == 0;
  q.concurrent = random() % 6 == 0;
  q.mergeable = random() % 6 == 0;
  if (random() % 6 == 0) q.accesses_hit = real(1, 2);
  if (random() % 6 == 0) q.accesses_miss = real(1, 2);
  return q;
}

TEST(plan, no_recommendation_is_beaten_and_limits_are_kept) {
  std::mt19937_64 random(20);
  int answered = 0;
  for (int i = 0; i < 250; ++i) {
    const plan_request q = random_request(random);
    std::vector<plan_candidate> all;
    try {
      all = plan(q);
    } catch (const parameter_error&) {
      continue;  // nothing reaches it
    }
    ++answered;
    ASSERT_FALSE(all.empty());
    bool still_admissible = true;
    for (const plan_candidate& c : all) {
      ASSERT_FALSE(c.why.empty());
      ASSERT_TRUE(still_admissible || !c.broken_limit.empty()) << "admissible candidates come first";
      still_admissible = c.broken_limit.empty();
      if (!still_admissible) continue;
      ASSERT_LE(c.predicted.fpr_exact, q.fpr.value_or(1) * (1 + 1e-6));
      ASSERT_LE(8 * c.memory_bytes, q.memory_bits.value_or(1e300) * (1 + 1e-6));
      ASSERT_LE(c.mean_cost, q.mean_cost_limit);
      ASSERT_LE(c.predicted.accesses_hit, q.accesses_hit.value_or(1e300));
      ASSERT_LE(c.predicted.accesses_miss, q.accesses_miss.value_or(1e300));
      ASSERT_TRUE(!q.no_list || c.memory_bits_per_key == c.bits_per_key);
    }
    const plan_candidate& first = all.front();
    if (!first.broken_limit.empty()) continue;
    for (const plan_candidate& c : all) {
      if (&c == &first || !c.broken_limit.empty()) continue;
      const bool beaten = c.predicted.fpr_exact < first.predicted.fpr_exact &&
                          c.predicted.accesses_hit < first.predicted.accesses_hit &&
                          c.predicted.accesses_miss < first.predicted.accesses_miss &&
                          c.memory_bits_per_key < first.memory_bits_per_key;
      ASSERT_FALSE(beaten) << scheme_name(first.params) << " is beaten by " << scheme_name(c.params);
    }
  }
  EXPECT_GT(answered, 200);
}

// Plans are built, and the filters do what was predicted: the rate computed from the bits within 5%, accesses within
// 1%, or five and a half standard errors of what one filter can vary.
TEST(plan, filters_behave_as_planned) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 12; ++i) {
    plan_request q = random_request(random);
    q.keys = 200'000 + static_cast<double>(random() % 100'000);
    q.overload = 1;
    if (q.fpr && q.memory_bits) q.memory_bits.reset();
    std::vector<plan_candidate> all;
    try {
      all = plan(q);
    } catch (const parameter_error&) {
      continue;
    }
    for (const plan_candidate& c : all) {
      metered_filter f(c.params);
      const auto keys = static_cast<std::uint64_t>(c.keys);
      for (std::uint64_t k = 0; k < keys; ++k) f.insert(k);
      for (std::uint64_t k = 0; k < keys; ++k) ASSERT_TRUE(f.may_contain(k));
      const statistics s = f.stats();
      // The rate of one filter varies by a few percent: its fullest blocks make much of it.
      EXPECT_NEAR(s.fpr_from_fill / c.predicted.fpr_exact, 1, 0.20) << scheme_name(c.params);
      EXPECT_NEAR(s.accesses.per_insert.value_or(0) / c.predicted.accesses_insert, 1, 0.02) << scheme_name(c.params);
      EXPECT_NEAR(s.accesses.per_hit.value_or(0) / c.predicted.accesses_hit, 1, 0.02) << scheme_name(c.params);
      EXPECT_NEAR(s.blocks_per_miss_from_fill / c.predicted.accesses_miss, 1, 0.02) << scheme_name(c.params);
      EXPECT_NEAR(8 * static_cast<double>(s.filter_bytes) / c.keys, c.bits_per_key, 1e-6 * c.bits_per_key);
      EXPECT_NEAR(s.memory_bits_per_key * static_cast<double>(s.keys_inserted) / c.keys, c.memory_bits_per_key,
                  0.02 * c.memory_bits_per_key + 64 * (s.overflow_bytes > 0 ? 0.02 : 0.0))
          << scheme_name(c.params);
    }
  }
}

TEST(plan, overload_holds_the_rate_at_so_many_times_the_keys) {
  const auto all = plan({.keys = 1e6, .fpr = 1e-4, .overload = 1.3});
  const plan_candidate& c = all.front();
  EXPECT_EQ(c.keys, 1e6);
  EXPECT_LE(theory::predict(c.params, 1.3e6).fpr_exact, 1e-4 * 1.0001);
  EXPECT_LT(c.predicted.fpr_exact, 1e-4);
}

TEST(plan, recommends_what_the_reference_recommends) {
  // Below about one hit in five Bloom-2, otherwise gated; at few bits a key blocked or Bloom-2.
  EXPECT_EQ(scheme_name(plan({.keys = 1e7, .fpr = 1e-6}).front().params), "gated");
  EXPECT_EQ(scheme_name(plan({.keys = 1e7, .memory_bits = 24e7}).front().params), "gated");
  EXPECT_EQ(scheme_name(plan({.keys = 1e7, .fpr = 1e-3, .hit_ratio = 0}).front().params), "bloom-g");
  EXPECT_EQ(scheme_name(plan({.keys = 1e7, .fpr = 1e-4, .max_blocks = 1, .no_list = true}).front().params), "blocked");
}

TEST(plan, a_filter_for_keys_is_the_recommendation) {
  const auto f = filter::for_keys(100'000, {.fpr = 1e-5, .seed = 7});
  EXPECT_EQ(f.params(), best_plan({.keys = 100'000, .fpr = 1e-5, .seed = 7}).params);
  EXPECT_EQ(seed_of(f.params()), 7U);
  EXPECT_EQ(filter::for_keys(100'000).params(), best_plan({.keys = 100'000, .fpr = usual_fpr}).params);
  EXPECT_LE(filter::for_keys(1000, {.memory_bits = 16'000}).bytes().size(), 2000U);
  for (const plan_candidate& c : plan({.keys = 1e5, .fpr = 1e-3, .all_keys_known = true, .seed = 9})) {
    EXPECT_EQ(seed_of(c.params), 9U) << scheme_name(c.params);
  }
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.keys = 1000})), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.fpr = 1e-3, .all_keys_known = true})), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(0)), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.fpr = 1e-6, .accesses_miss = 0.5})), parameter_error);
}

// More memory never gives more false positives, also where whole pages leave some of it unused. Budgets come in pairs
// that lie close together, where a rate could rise unnoticed. 1e-6 is for the models' arithmetic.
TEST(plan, more_memory_is_never_worse) {
  std::mt19937_64 random(11);
  const auto real = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
  };
  for (const double keys : {1e3, 2e3, 1e4, 1e6, 1e8}) {
    std::vector<double> budgets;
    for (int i = 0; i < 5; ++i) {
      const double bits = real(4, 63) * keys;
      budgets.push_back(bits);
      budgets.push_back(bits * (1 + std::exp(real(std::log(1e-4), std::log(1e-2)))));
    }
    std::sort(budgets.begin(), budgets.end());
    double last = 1;
    for (const double bits : budgets) {
      const plan_candidate best = best_plan({.keys = keys, .memory_bits = bits});
      EXPECT_LE(8 * best.memory_bytes, bits);
      EXPECT_LE(best.predicted.fpr_exact, last * (1 + 1e-6)) << keys << " keys, " << bits / keys << " bits a key";
      last = best.predicted.fpr_exact;
    }
  }
}

// Every scheme that has whole pages uses as many as fit, and none is left out because one page more would not.
TEST(plan, whole_pages_are_rounded_down) {
  constexpr double page = 8 * 4096;
  for (const double pages : {1.0, 1.9, 2.0, 30.5, 213.7, 213.99}) {
    for (const designs::scheme which : {designs::scheme::gated, designs::scheme::bloom_2}) {
      const double keys = std::max(1.0, pages) * page / 24;
      const plan_request q{.keys = keys, .memory_bits = pages * page};
      const auto c = plan_detail::best_in(which, pages * page, keys, q);
      ASSERT_TRUE(c) << pages;
      EXPECT_EQ(8 * c->memory_bytes, std::floor(pages) * page) << scheme_name(c->params);
    }
  }
  EXPECT_EQ(scheme_name(best_plan({.keys = 1e6, .memory_bits = 56e6}).params), "gated");
  EXPECT_LT(best_plan({.keys = 1e6, .memory_bits = 56e6}).predicted.fpr_exact, 1e-10);
}

TEST(plan, the_keys_of_a_memory_fit_into_it) {
  for (const double bytes : {8.0, 63.0, 64.0, 100.0, 5000.0, 1e6}) {
    for (const double fpr : {1e-3, 1e-9}) {
      double most = 0;
      for (const plan_candidate& c : plan({.fpr = fpr, .memory_bits = 8 * bytes})) {
        EXPECT_LE(c.memory_bytes, bytes) << scheme_name(c.params);
        EXPECT_LE(c.predicted.fpr_exact, fpr) << scheme_name(c.params);
        EXPECT_LE(theory::predict(c.params, c.keys).fpr_exact, fpr) << scheme_name(c.params);
        EXPECT_GE(c.keys, 1);
        EXPECT_EQ(c.keys, std::floor(c.keys));
        most = std::max(most, c.keys);
      }
      // A classic filter needs -log2(f) / ln 2 bits a key; nothing holds more, and whole words lose 63 bits at most.
      const double classic = (8 * bytes - 63) * std::log(2) * std::log(2) / -std::log(fpr);
      EXPECT_GT(most, 0.97 * classic - 2) << bytes << ' ' << fpr;
      EXPECT_LT(most, 1.05 * 8 * bytes * std::log(2) * std::log(2) / -std::log(fpr) + 2) << bytes << ' ' << fpr;
    }
  }
}

TEST(plan, senseless_requests_are_refused_with_a_sentence) {
  const auto refused = [](const plan_request& q) {
    try {
      static_cast<void>(plan(q));
      ADD_FAILURE() << "accepted";
    } catch (const parameter_error& e) {
      EXPECT_GT(std::string(e.what()).size(), 20U);
    }
  };
  refused({});
  refused({.keys = 1e6});
  refused({.keys = 1e6, .fpr = 1e-3, .memory_bits = 1e7});
  refused({.keys = 0, .fpr = 1e-3});
  refused({.keys = 1e6, .fpr = 0});
  refused({.keys = 1e6, .fpr = 1});
  refused({.keys = 1e6, .fpr = std::nan("")});
  refused({.keys = 1e6, .memory_bits = 1});
  refused({.keys = 1e6, .fpr = 1e-3, .hit_ratio = 2});
  refused({.keys = 1e6, .fpr = 1e-3, .max_blocks = 0});
  refused({.keys = 1e6, .fpr = 1e-3, .block_bits = 10});
  refused({.keys = 1e6, .fpr = 1e-3, .overload = 0.5});
  refused({.keys = 1e6, .fpr = 1e-40});
  refused({.keys = 1e18, .fpr = 1e-3});
  refused({.keys = 1e18, .memory_bits = 2e19});
  refused({.fpr = 1e-30, .memory_bits = 64});
}

}  // namespace
