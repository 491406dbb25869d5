// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Kanizo, Hay and Keslassy, appendix C: chains of a hash table.
#include <fmt/format.h>

#include "common/chained_table.hpp"
#include "common/filters.hpp"
#include "common/judge.hpp"
#include "list.hpp"
#include "sluice/extend/recipes.hpp"
#include "sluice/theory.hpp"

namespace experiments {
namespace {

struct seen_table {
  double variance;
  double comparisons;
  double comparisons_deviation;
  double overflow;
};

template <class Shape>
seen_table table_of(std::uint64_t buckets, std::uint64_t keys, const Shape& shape, std::uint64_t seed) {
  chained_table<std::uint64_t, std::uint8_t, Shape> t(buckets, shape, seed);
  for (std::uint64_t key = 0; key < keys; ++key) t.insert(key, 0);
  const table_statistics s = t.stats();
  return {s.load_variance, s.comparisons_per_hit, std::sqrt(s.comparisons_variance),
          static_cast<double>(s.overflow_keys) / static_cast<double>(keys)};
}

double variance_of(const sluice::theory::distribution& loads) {
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    mean += static_cast<double>(i) * loads[i];
    square += static_cast<double>(i * i) * loads[i];
  }
  return square - mean * mean;
}

outcome run_kanizo_variance(const setting& how) {
  outcome out;
  const std::uint64_t buckets = how.scaled(50'000, 5'000);
  const std::uint64_t trials = how.scaled(10, 10);
  out.sizes = fmt::format("{} buckets, {} trials a point.", thousands(buckets), trials);
  const double gamma = sluice::theory::least_overflow(1.2, 3);
  const std::vector<int> loads = how.quick ? std::vector<int>{2, 8, 16} : std::vector<int>{2, 4, 6, 8, 12, 16};
  double least_ratio = 10;
  double most_ratio = 0;
  std::size_t less_even = 0;
  std::string at_8;
  for (const int r : loads) {
    const auto keys = static_cast<std::uint64_t>(r) * buckets;
    const auto single = sluice::theory::optimal_threshold(1, r, gamma);
    const auto mht = sluice::theory::optimal_threshold(1.2, r, gamma);
    const double sequential_gamma = sluice::theory::least_overflow_sequential(1.2, 3, r);
    const auto sequential = sluice::theory::optimal_threshold(1.2, r, sequential_gamma);
    const auto rule = [](const sluice::theory::optimum& o) {
      return sluice::extend::threshold_rule{
          .threshold = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, o.threshold)), .acceptance = o.acceptance};
    };
    /// The deviation of the comparisons, for what is said below.
    const auto add = [&](const std::string& series, const auto& shape, number theory) {
      std::vector<double> variances(trials);
      std::vector<double> deviations(trials);
      in_parallel(trials, how.threads, [&](std::uint64_t i) {
        const seen_table t = table_of(buckets, keys, shape, how.seed_of(i));
        variances[i] = t.variance;
        deviations[i] = t.comparisons_deviation;
      });
      const summary s = summarise(variances);
      const summary time = summarise(deviations);
      point p{.series = series, .x = double(r), .theory = theory, .simulated = s.mean, .low = s.least, .high = s.most};
      if (theory) p.judged = compare(s.mean, *theory, by_chance(s) + 0.01 * *theory + 0.002, "the theory");
      out.points.push_back(p);
      out.points.push_back(
          {.series = "time: " + series, .x = double(r), .simulated = time.mean, .low = time.least, .high = time.most});
      if (theory && (series == "MHT" || series == "SEQUENTIAL")) {
        least_ratio = std::min(least_ratio, s.mean / *theory);
        most_ratio = std::max(most_ratio, s.mean / *theory);
      }
      return time.mean;
    };
    const double ordinary = add("ordinary chains", one_bucket{}, double(r));
    add("SINGLE", sequential_buckets{1, rule(single)}, variance_of(sluice::theory::best_loads(1, r, gamma).bound));
    add("SEQUENTIAL", sequential_buckets{3, rule(sequential)},
        variance_of(sluice::theory::best_loads(1.2, r, sequential_gamma).bound));
    const double by_mht =
        add("MHT", mht_buckets{3, 1.2, rule(mht)}, variance_of(sluice::theory::best_loads(1.2, r, gamma).bound));
    add("two-choice (a = 2)", two_buckets{1}, {});
    less_even += by_mht > ordinary ? 1U : 0U;
    if (r == 8) at_8 = fmt::format("{:.2f} against {:.2f} at 8 keys a bucket", by_mht, ordinary);
    how.progress(r / 16.0);
  }
  out.findings.push_back(
      tally(out.points, "Variances of real tables against the bound at their accesses and overflow"));
  out.findings.push_back(check(least_ratio > 0.97 && most_ratio < 1.03,
                               fmt::format("MHT and SEQUENTIAL have {:.3f} to {:.3f} times the least variance for 1.2 "
                                           "buckets read per insertion: they reach the bound, and are not below it.",
                                           least_ratio, most_ratio)));
  out.findings.push_back(
      check(less_even == 0, less_even == loads.size(),
            fmt::format("Even chains should make the times of successful lookups even; the comparisons "
                        "of a hit deviate more with MHT than in an ordinary table at {} of {} loads "
                        "({}).",
                        less_even, loads.size(), at_8),
            "a key that went to its second bucket is compared with all keys of its first."));
  return out;
}

}  // namespace

experiment kanizo_variance() {
  return {"kanizo-variance",
          "Kanizo, Hay and Keslassy, appendix C: how even chains are",
          "The variance of the chain lengths of hash tables by keys per bucket; lines are the bound for the accesses "
          "and the overflow of each. Below: the standard deviation of the number of keys that a successful lookup "
          "compares. Low and high are the least and the greatest of all trials.",
          {{"keys per bucket", "variance of the chain length"},
           {"keys per bucket", "deviation of comparisons per hit", false, false, "time: "}},
          run_kanizo_variance};
}

}  // namespace experiments
