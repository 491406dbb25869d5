// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The planner: what it promises is what filters do; nothing that it recommends is beaten; limits are kept; requests
// that make no sense are refused.
#include "sluice/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../programs/sluice/looser_limits.hpp"
#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "plan/fit.hpp"
#include "plan/time.hpp"
#include "sluice/extend/choose.hpp"
#include "sluice/filter.hpp"
#include "support/interval.hpp"
#include "support/metered.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

constexpr std::array every_order = {plan_by::balanced, plan_by::lines, plan_by::bits, plan_by::time};

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
  q.shards = 1;  // what is built here is one filter
  if (random() % 6 == 0) q.accesses_hit = real(1, 2);
  if (random() % 6 == 0) q.accesses_miss = real(1, 2);
  q.by = every_order[random() % every_order.size()];
  return q;
}

/// Plans for requests by chance: most have an answer, no first one is beaten, and limits are kept.
void check_plans(std::uint64_t seed, int requests) {
  std::mt19937_64 random(seed);
  int answered = 0;
  for (int i = 0; i < requests; ++i) {
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
      ASSERT_TRUE(q.by != plan_by::balanced || c.time <= plan_request::most_time) << detail::scheme_name(c.params);
    }
    const plan_candidate& first = all.front();
    if (!first.broken_limit.empty()) continue;
    for (const plan_candidate& c : all) {
      if (&c == &first || !c.broken_limit.empty()) continue;
      const bool beaten = c.predicted.fpr_exact < first.predicted.fpr_exact &&
                          c.predicted.accesses_hit < first.predicted.accesses_hit &&
                          c.predicted.accesses_miss < first.predicted.accesses_miss &&
                          c.memory_bits_per_key < first.memory_bits_per_key && c.time < first.time;
      ASSERT_FALSE(beaten) << detail::scheme_name(first.params) << " is beaten by " << detail::scheme_name(c.params);
    }
  }
  EXPECT_GT(answered, requests * 4 / 5);
}

TEST(plan, no_recommendation_is_beaten_and_limits_are_kept) { check_plans(20, 50); }
TEST(plan, no_recommendation_of_many_is_beaten) { check_plans(21, 250); }

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
      EXPECT_NEAR(s.fpr_from_fill / c.predicted.fpr_exact, 1, 0.20) << detail::scheme_name(c.params);
      EXPECT_NEAR(s.accesses.per_insert.value_or(0) / c.predicted.accesses_insert, 1, 0.02)
          << detail::scheme_name(c.params);
      EXPECT_NEAR(s.accesses.per_hit.value_or(0) / c.predicted.accesses_hit, 1, 0.02) << detail::scheme_name(c.params);
      EXPECT_NEAR(s.blocks_per_miss_from_fill / c.predicted.accesses_miss, 1, 0.02) << detail::scheme_name(c.params);
      EXPECT_NEAR(8 * static_cast<double>(s.filter_bytes) / c.keys, c.bits_per_key, 1e-6 * c.bits_per_key);
      EXPECT_NEAR(s.memory_bits_per_key * static_cast<double>(s.keys_inserted) / c.keys, c.memory_bits_per_key,
                  0.02 * c.memory_bits_per_key + 64 * (s.overflow_bytes > 0 ? 0.02 : 0.0))
          << detail::scheme_name(c.params);
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

// Sized for twice the keys and told for the planned ones, the last subtable of MHT gets nearly none.
TEST(plan, a_nearly_empty_subtable_does_not_spoil_the_plan) {
  for (const plan_request& q :
       {plan_request{.keys = 1610, .memory_bits = 8 * 1073, .overload = 1.5, .shards = 2},
        plan_request{.keys = 6.72e6, .memory_bits = 8 * 5905200.0, .overload = 2, .all_keys_known = true}}) {
    const auto all = plan(q);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [](const plan_candidate& c) { return scheme_of(c.params) == scheme::mht; }));
  }
}

TEST(plan, recommends_what_the_reference_recommends) {
  // By lines, below about one hit in five Bloom-2, otherwise gated; at few bits a key blocked or Bloom-2.
  EXPECT_EQ(detail::scheme_name(plan({.keys = 1e7, .fpr = 1e-6}).front().params), "gated");
  EXPECT_EQ(detail::scheme_name(plan({.keys = 1e7, .memory_bits = 24e7}).front().params), "gated");
  const plan_request misses{.keys = 1e7, .fpr = 1e-3, .by = plan_by::lines, .hit_ratio = 0};
  EXPECT_EQ(detail::scheme_name(plan(misses).front().params), "bloom-g");
  EXPECT_EQ(detail::scheme_name(plan({.keys = 1e7, .fpr = 1e-4, .max_blocks = 1, .no_list = true}).front().params),
            "blocked");
}

TEST(plan, a_filter_for_keys_is_the_recommendation) {
  const auto f = filter::for_keys(100'000, {.fpr = 1e-5, .seed = 7});
  EXPECT_EQ(f.params(), best_plan({.keys = 100'000, .fpr = 1e-5, .seed = 7}).params);
  EXPECT_EQ(detail::seed_of(f.params()), 7U);
  EXPECT_EQ(filter::for_keys(100'000).params(), best_plan({.keys = 100'000, .fpr = plan_request::usual_fpr}).params);
  const filter small = filter::for_keys(1000, {.memory_bits = 16'000});
  EXPECT_LE(small.bytes().size(), 2000U);
  for (const plan_candidate& c : plan({.keys = 1e5, .fpr = 1e-3, .all_keys_known = true, .seed = 9})) {
    EXPECT_EQ(detail::seed_of(c.params), 9U) << detail::scheme_name(c.params);
  }
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.keys = 1000})), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.fpr = 1e-3, .all_keys_known = true})), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(0)), parameter_error);
  EXPECT_THROW(static_cast<void>(filter::for_keys(1000, {.fpr = 1e-6, .accesses_miss = 0.5})), parameter_error);
}

// Reads are not time: 1+alpha saves false positives at 16 bits a key, and takes four times as long as gated or blocked.
TEST(plan, nothing_slow_is_recommended_unless_asked_for) {
  const plan_request q{.keys = 1e5, .memory_bits = 1.6e6};
  const auto first = [&](plan_by by) {
    plan_request asked = q;
    asked.by = by;
    return best_plan(asked);
  };
  EXPECT_NE(detail::scheme_name(first(plan_by::balanced).params), "alpha");
  EXPECT_LE(first(plan_by::balanced).time, plan_request::most_time);
  EXPECT_EQ(detail::scheme_name(first(plan_by::lines).params), "alpha");
  EXPECT_EQ(detail::scheme_name(first(plan_by::bits).params), "alpha");
  EXPECT_EQ(detail::scheme_name(first(plan_by::time).params), "blocked");
  const auto all = plan(q);
  const auto alpha = std::find_if(all.begin(), all.end(), [](const auto& c) { return c.design == "1+alpha"; });
  ASSERT_NE(alpha, all.end());
  EXPECT_TRUE(alpha->too_slow);
  EXPECT_NE(alpha->why.find("times as long as one of blocked"), std::string::npos) << alpha->why;
}

// Sealed filters are planned for memory: whatever keeps the rate with the fewest bits is recommended, and where its
// lookups are slow, the nearest that are not stand beside it, and come before it by time.
TEST(plan, time_is_no_limit_for_sealed_filters) {
  const auto sealed_of = [](const plan_request& q) {
    std::vector<plan_candidate> sealed = plan(q);
    std::erase_if(sealed, [](const auto& c) { return !detail::is_sealed(c.params); });
    return sealed;
  };
  const auto bits_of = [](const plan_candidate& c) { return std::get<sealed_parameters>(c.params).fingerprint_bits; };
  int slow = 0;
  for (std::uint32_t r = 8; r <= 32; ++r) {
    plan_request q{.keys = 1e6, .fpr = 1.5 * std::ldexp(1.0, -static_cast<int>(r)), .all_keys_known = true};
    q.among = {scheme::sealed, scheme::blocked};
    for (const plan_by by : every_order) {
      q.by = by;
      const auto sealed = sealed_of(q);
      ASSERT_FALSE(sealed.empty()) << r;
      const plan_candidate& least = by == plan_by::time ? sealed.back() : sealed.front();
      EXPECT_EQ(bits_of(least), r);
      EXPECT_FALSE(least.too_slow);
      EXPECT_EQ(least.broken_limit, "");
      EXPECT_EQ(sealed.size(), least.time > plan_request::most_time ? 2U : 1U) << r;
      if (sealed.size() < 2) continue;
      ++slow;
      const plan_candidate& fast = by == plan_by::time ? sealed.front() : sealed.back();
      EXPECT_GT(bits_of(fast), r);
      EXPECT_LE(fast.time, plan_request::most_time);
      EXPECT_EQ(fast.why.find("a plan by time has it before") != std::string::npos, by != plan_by::time) << fast.why;
      EXPECT_EQ(least.why.find("no limit for sealed") != std::string::npos, by == plan_by::balanced) << least.why;
    }
    const plan_candidate best = best_plan({.keys = 1e6, .fpr = q.fpr, .all_keys_known = true, .among = q.among});
    EXPECT_EQ(best.why.find("Recommended: the least memory"), 0U) << best.why;
  }
  EXPECT_GE(slow, 4 * 8) << "r of which this is a test";
  // Of a memory, the fewest false positives that fit, and the most keys.
  const plan_request memory{.keys = 1e6, .memory_bits = 15.6e6, .all_keys_known = true, .among = {scheme::sealed}};
  EXPECT_EQ(bits_of(sealed_of(memory).front()), 14U);
  const plan_request room{.fpr = 1e-3, .memory_bits = 11e6, .all_keys_known = true, .among = {scheme::sealed}};
  EXPECT_EQ(bits_of(sealed_of(room).front()), 10U);
  EXPECT_GT(sealed_of(room).front().keys, 1e6);
}

TEST(plan, what_takes_no_more_keys_has_no_rate_with_more) {
  for (const plan_candidate& c : plan({.keys = 1e5, .fpr = 1e-3, .all_keys_known = true})) {
    ASSERT_EQ(c.fpr_overfull.has_value(), !detail::is_sealed(c.params)) << detail::scheme_name(c.params);
    EXPECT_GT(c.fpr_overfull.value_or(1), 1.1 * c.predicted.fpr_exact) << detail::scheme_name(c.params);
  }
}

// What is named are options of the command, for what it builds, in its own units.
TEST(plan, a_way_out_is_one_of_the_command) {
  const plan_request q{.keys = 1e4, .fpr = 1e-12};
  const auto why_not = [&](const sluice_cli::plan_use& use) {
    try {
      static_cast<void>(sluice_cli::best_plan_or_way_out(q, use));
    } catch (const parameter_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto rate_in = [](const std::string& sentence) {
    const std::size_t at = sentence.find("--fpr ");
    return at == std::string::npos ? 0 : std::stod(sentence.substr(at + 6));
  };
  const std::string any = why_not({});
  EXPECT_NE(any.find("; allow --fpr "), std::string::npos) << any;
  EXPECT_NE(any.find("--max-blocks"), std::string::npos) << any;
  const std::string few = why_not({.options = {{"--fpr"}}});
  EXPECT_EQ(few.find("--max-blocks"), std::string::npos) << few;
  EXPECT_DOUBLE_EQ(rate_in(few), rate_in(any));
  EXPECT_TRUE(sluice_cli::recommend({.keys = 1e4, .fpr = rate_in(few)}));
  const std::string halves = why_not({.options = {{"--fpr"}}, .rates = 2});
  EXPECT_GT(rate_in(halves), 1.9 * rate_in(few));
  EXPECT_TRUE(sluice_cli::recommend({.keys = 1e4, .fpr = rate_in(halves) / 2}));
  EXPECT_EQ(why_not({.options = std::vector<std::string_view>{}}).find("allow"), std::string::npos);
  const auto blocked = [](const plan_candidate& c) { return scheme_of(c.params) == scheme::blocked; };
  const std::string of_blocked = why_not({.wanted = blocked, .scheme = "blocked"});
  EXPECT_TRUE(sluice_cli::recommend({.keys = 1e4, .fpr = rate_in(of_blocked)}, {.wanted = blocked})) << of_blocked;
  EXPECT_GT(rate_in(of_blocked), rate_in(few)) << "gated has lower rates";
}

TEST(plan, every_candidate_has_a_time_and_a_design_of_its_own) {
  for (const double bits : {8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 63.0}) {
    for (const std::uint32_t block_bits : {256U, 512U, 1024U}) {
      std::set<std::pair<std::string, std::string>> seen;
      const bool is_small = block_bits == 512;  // static builds are simulated beside their table
      for (const auto& c :
           plan({.keys = 1e5, .memory_bits = bits * 1e5, .block_bits = block_bits, .all_keys_known = is_small})) {
        const std::string scheme(detail::scheme_name(c.params));
        EXPECT_TRUE(seen.emplace(scheme, c.design).second) << scheme << ' ' << c.design;
        EXPECT_GT(c.time_in_cache, 0.5) << scheme << ' ' << bits;
        EXPECT_GT(c.time_in_memory, 0.5) << scheme << ' ' << bits;
        EXPECT_LT(c.time_in_cache, 50) << scheme << ' ' << bits;
        EXPECT_EQ(c.time, std::max(c.time_in_cache, c.time_in_memory));
        if (scheme == "blocked") {
          EXPECT_EQ(c.time_in_cache, 1);
          EXPECT_EQ(c.time_in_memory, 1);
        }
      }
    }
  }
}

// Gated filters of many positions have no code of their own and take three times as long as blocked: there designs
// with fewer are offered.
TEST(plan, what_is_too_slow_at_its_best_is_offered_with_fewer_positions) {
  for (const double hit_ratio : {0.0, 0.5, 1.0}) {
    const plan_request q{.keys = 1e5, .memory_bits = 60e5, .hit_ratio = hit_ratio};
    plan_request slow = q;
    slow.by = plan_by::bits;
    const plan_candidate fast = best_plan(q);
    const plan_candidate best = best_plan(slow);
    EXPECT_LE(fast.time, plan_request::most_time);
    EXPECT_EQ(fast.design, "page");
    EXPECT_GT(best.time, plan_request::most_time);
    EXPECT_LT(best.predicted.fpr_exact, fast.predicted.fpr_exact);
    plan_request blocked = q;
    blocked.by = plan_by::time;
    EXPECT_LT(fast.predicted.fpr_exact, best_plan(blocked).predicted.fpr_exact / 10);
  }
  // The same for a given rate, and for the keys of a given memory.
  EXPECT_LE(best_plan({.keys = 1e5, .fpr = 1e-9}).time, plan_request::most_time);
  EXPECT_LE(best_plan({.fpr = 1e-9, .memory_bits = 50e5}).time, plan_request::most_time);
}

TEST(plan, a_recommendation_says_what_it_is_the_best_in) {
  for (const double fpr : {0.02, 0.005, 1e-3, 3e-4, 1e-5}) {
    for (const plan_by by : every_order) {
      const auto all = plan({.keys = 1e6, .fpr = fpr, .by = by});
      const plan_candidate& first = all.front();
      const bool least = std::none_of(all.begin(), all.end(), [&](const auto& c) {
        return c.broken_limit.empty() && c.memory_bytes < first.memory_bytes;
      });
      if (first.why.find("Recommended: the least memory") == 0) {
        EXPECT_TRUE(least) << first.why;
      } else {
        EXPECT_EQ(
            first.why.find(by == plan_by::lines ? "Recommended: the fewest reads" : "Recommended: the least time"), 0U)
            << first.why;
        EXPECT_NE(by, plan_by::bits);
      }
    }
  }
}

TEST(plan, a_limit_and_what_breaks_it_are_shown_to_differ) {
  EXPECT_EQ(detail::planning::tell_apart(1.2519, " is above ", 1.25), "1.252 is above 1.25");
  EXPECT_EQ(detail::planning::tell_apart(3, " is above ", 2), "3 is above 2");
  EXPECT_EQ(detail::planning::tell_apart(1.25000001, " is above ", 1.25), "1.25000001 is above 1.25");
  const double next = std::nextafter(1.25, 2.0);
  EXPECT_EQ(detail::planning::tell_apart(next, " is above ", 1.25), "1.2500000000000002 is above 1.25");
}

// Every limit, at which something is short of it: what is named is enough, and a little less is not.
TEST(plan, what_to_loosen_is_enough) {
  plan_request rate{.keys = 1e6, .fpr = 1e-12};
  ASSERT_FALSE(sluice_cli::recommend(rate));
  const auto higher = sluice_cli::with_a_higher_rate(rate);
  ASSERT_TRUE(higher);
  EXPECT_TRUE(sluice_cli::recommend(higher->request)) << higher->options.front();
  EXPECT_LT(*higher->request.fpr, 1e-9) << "not just any rate";
  const auto candidates = plan({.keys = 1e6, .fpr = 1e-4});
  for (const plan_candidate& c : candidates) {
    if (c.broken_limit.empty()) continue;
    const auto looser = sluice_cli::allowing(c, {.keys = 1e6, .fpr = 1e-4});
    ASSERT_FALSE(looser.options.empty()) << detail::scheme_name(c.params);
    EXPECT_EQ(detail::planning::broken_limit(c, looser.request), "") << detail::scheme_name(c.params);
    EXPECT_FALSE(detail::planning::takes_too_long(c, looser.request)) << detail::scheme_name(c.params);
  }
  EXPECT_DOUBLE_EQ(sluice_cli::rounded_up(1.2341), 1.24);
  EXPECT_DOUBLE_EQ(sluice_cli::rounded_up(1.25), 1.25);
  EXPECT_NEAR(sluice_cli::rounded_up(3.0001e-11), 3.01e-11, 1e-20);
}

TEST(plan, the_reach_of_a_lookup_is_that_of_its_scheme) {
  EXPECT_EQ(detail::designs::reach_of(parameters(choice_parameters{.bits = 1000, .groups = 3, .hashes = 5})).blocks,
            15U);
  EXPECT_EQ(detail::designs::reach_of(parameters(classic_parameters{.bits = 1000, .hashes = 5})).blocks, 5U);
  EXPECT_EQ(detail::designs::reach_of(parameters(sequential_parameters{.blocks = 9, .choices = 4})).blocks, 4U);
  EXPECT_EQ(detail::designs::reach_of(parameters(mht_parameters{.subtables = {4, 2, 1}})).blocks, 3U);
  EXPECT_EQ(detail::designs::reach_of(parameters(bloom_g_parameters{.blocks = 9, .spread = 3})).blocks, 3U);
}

// More memory never gives more false positives, also where whole pages leave some of it unused, and where time is
// short. Budgets come in pairs that lie close together, where a rate could rise unnoticed, and on both sides of the
// size above which no cache counts. 1e-6 is for the models' arithmetic.
TEST(plan, more_memory_is_never_worse) {
  std::mt19937_64 random(11);
  const auto real = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
  };
  for (const plan_by by : every_order) {
    const bool thoroughly = by == plan_by::balanced;
    for (const double keys : {1e3, 2e3, 1e4, 6e6, 1e8}) {
      if (!thoroughly && (keys == 1e4 || keys == 6e6)) continue;
      const double hit_ratio = thoroughly ? real(0, 1) : 0.5;
      std::vector<double> budgets;
      for (int i = 0; i < (thoroughly ? 4 : 2); ++i) {
        const double bits = real(4, 63) * keys;
        budgets.push_back(bits);
        budgets.push_back(bits * (1 + std::exp(real(std::log(1e-4), std::log(1e-2)))));
      }
      if (thoroughly) budgets.insert(budgets.end(), {38.5 * keys, 41 * keys});  // where gated becomes slow
      const double cache = 8 * detail::planning::most_cached_bytes;
      if (cache > 4 * keys && cache < 60 * keys) budgets.insert(budgets.end(), {cache, cache * 1.001});
      std::sort(budgets.begin(), budgets.end());
      double last = 1;
      for (const double bits : budgets) {
        const plan_candidate best = best_plan({.keys = keys,
                                               .memory_bits = bits,
                                               .by = by,
                                               .hit_ratio = hit_ratio,
                                               .mean_cost_limit = keys < 5e3 ? 1.25 : 1.5});
        EXPECT_LE(8 * best.memory_bytes, bits);
        EXPECT_LE(best.predicted.fpr_exact, last * (1 + 1e-6))
            << keys << " keys, " << bits / keys << " bits a key, order " << static_cast<int>(by);
        last = best.predicted.fpr_exact;
      }
    }
  }
}

// Every scheme that has whole pages uses as many as fit, and none is left out because one page more would not.
TEST(plan, whole_pages_are_rounded_down) {
  constexpr double page = 8 * 4096;
  for (const double pages : {1.0, 1.9, 2.0, 30.5, 213.7, 213.99}) {
    for (const detail::designs::family which : {detail::designs::family::gated, detail::designs::family::bloom_2}) {
      const double keys = std::max(1.0, pages) * page / 24;
      const plan_request q{.keys = keys, .memory_bits = pages * page};
      const auto c = detail::planning::best_in(which, pages * page, keys, q);
      ASSERT_TRUE(c) << pages;
      EXPECT_EQ(8 * c->memory_bytes, std::floor(pages) * page) << detail::scheme_name(c->params);
    }
  }
  EXPECT_EQ(detail::scheme_name(best_plan({.keys = 1e6, .memory_bits = 56e6}).params), "gated");
  EXPECT_LT(best_plan({.keys = 1e6, .memory_bits = 56e6, .by = plan_by::bits}).predicted.fpr_exact, 1e-10);
}

TEST(plan, the_keys_of_a_memory_fit_into_it) {
  for (const double bytes : {8.0, 63.0, 64.0, 100.0, 5000.0, 1e6}) {
    for (const double fpr : {1e-3, 1e-9}) {
      double most = 0;
      for (const plan_candidate& c : plan({.fpr = fpr, .memory_bits = 8 * bytes})) {
        EXPECT_LE(c.memory_bytes, bytes) << detail::scheme_name(c.params);
        EXPECT_LE(c.predicted.fpr_exact, fpr) << detail::scheme_name(c.params);
        EXPECT_LE(theory::predict(c.params, c.keys).fpr_exact, fpr) << detail::scheme_name(c.params);
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

TEST(plan, among_some_schemes_the_others_are_left_out_and_nothing_else_changes) {
  const auto all = plan({.keys = 1e5, .fpr = 1e-4});
  const auto some = plan({.keys = 1e5, .fpr = 1e-4, .among = {scheme::blocked, scheme::alpha}});
  std::vector<parameters> expected;
  for (const plan_candidate& c : all) {
    const scheme which = scheme_of(c.params);
    if (which == scheme::blocked || which == scheme::alpha) expected.push_back(c.params);
  }
  ASSERT_EQ(some.size(), expected.size());
  EXPECT_GE(some.size(), 2U);  // two-choice is 1+alpha, too
  for (const plan_candidate& c : some) {
    EXPECT_NE(std::find(expected.begin(), expected.end(), c.params), expected.end()) << detail::scheme_name(c.params);
  }
  try {
    (void)plan({.keys = 1e5, .fpr = 1e-4, .among = {scheme::choice}});  // which the planner does not know
    ADD_FAILURE();
  } catch (const parameter_error& e) {
    EXPECT_NE(std::string(e.what()).find("of those asked for"), std::string::npos) << e.what();
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

TEST(plan, fills_the_memory_or_reaches_no_rate) {
  const plan_request q{.fpr = 1e-12, .memory_bits = 0x1p33, .by = plan_by::lines};
  try {
    for (const plan_candidate& c : plan(q)) EXPECT_LE(0x1p33 / c.keys, extend::most_bits * 1.001);
  } catch (const parameter_error&) {  // nothing reaches it
  }
  EXPECT_THROW(static_cast<void>(best_plan(q)), error);
}

TEST(plan, knows_alpha_where_the_best_is_one_of_the_ends) {
  const auto alpha_of = [](double bits) {
    return std::get<alpha_parameters>(extend::choose({.scheme = scheme::alpha, .bits_per_key = bits}, 1e6).params)
        .alpha;
  };
  EXPECT_EQ(alpha_of(9), 0);
  EXPECT_NEAR(alpha_of(16), 0.4, 0.3);
  EXPECT_EQ(alpha_of(36), 1);
}

TEST(plan, sealed_filters_of_few_bits_are_found_quickly) {
  // Of small fingerprints lists are long, so that the first guesses are far off: a step of a thousandth at a time takes
  // a hundred models.
  for (const double fpr : {0.25, 0.01}) {
    plan_request q{.fpr = fpr, .memory_bits = 1.6e7, .all_keys_known = true};
    q.among = {scheme::sealed};
    const plan_candidate best = plan(q).front();
    EXPECT_LE(8 * best.memory_bytes, 1.6e7);
    EXPECT_GT(8 * best.memory_bytes, 1.6e7 * 0.985) << fpr;
  }
  const auto few = extend::choose({.scheme = scheme::sealed, .bits_per_key = 5}, 1e6);
  const auto& p = std::get<sealed_parameters>(few.params);
  EXPECT_EQ(p.fingerprint_bits, 4U);
  EXPECT_LE(8.0 * static_cast<double>(bytes_for(p)), 5e6);
  EXPECT_THROW(static_cast<void>(extend::choose({.scheme = scheme::sealed, .bits_per_key = 1}, 1e6)), parameter_error);
}

}  // namespace
