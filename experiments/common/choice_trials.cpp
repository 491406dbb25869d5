// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/choice_trials.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "sluice/builders.hpp"
#include "sluice/extend/recipes.hpp"
#include "sluice/extend/theory.hpp"

namespace experiments {
namespace {

sluice::choice_parameters parameters_of(const choice_row& row, sluice::hash_form form, std::uint64_t seed) {
  return {.bits = row.bits, .groups = row.groups, .hashes = row.hashes, .form = form, .seed = seed};
}

double found_among(const sluice::filter& f, std::uint64_t first, std::uint64_t lookups) {
  std::uint64_t found = 0;
  for (std::uint64_t key = first; key < first + lookups; ++key) found += f.may_contain(key) ? 1U : 0U;
  return static_cast<double>(found);
}

/// Runs the trials; `one` fills ones[...][trial] and returns how many of `each` absent keys it found.
template <class Trial>
choice_seen in_trials(std::size_t numbers, std::uint64_t trials, std::uint64_t lookups, const setting& how,
                      const teller& told, const Trial& one) {
  choice_seen seen{.ones = std::vector(numbers, std::vector<double>(trials))};
  std::vector<double> found(trials);
  const std::uint64_t each = lookups / trials;
  in_parallel(trials, how.threads, [&](std::uint64_t i) { found[i] = one(i, each, seen.ones); }, told);
  seen.lookups = static_cast<double>(each * trials);
  seen.found = std::accumulate(found.begin(), found.end(), 0.0);
  return seen;
}

}  // namespace

double model_rate(const choice_row& row) {
  return predict(sluice::extend::choice_scheme{row.groups, row.hashes}, bits_per_key(row)).fpr_exact;
}

choice_seen online(const choice_row& row, sluice::hash_form form, std::uint64_t trials, const setting& how,
                   std::uint64_t lookups, const teller& told) {
  return in_trials(1, trials, lookups, how, told, [&](std::uint64_t i, std::uint64_t each, auto& ones) {
    sluice::filter f(parameters_of(row, form, how.seed_of(i)));
    for (std::uint64_t key = 0; key < row.keys; ++key) f.insert(key);
    ones[0][i] = static_cast<double>(sluice::extend::bits::count_ones(f.bytes().data(), row.bits)) /
                 static_cast<double>(row.bits);
    return found_among(f, row.keys, each);
  });
}

choice_seen offline(const choice_row& row, sluice::hash_form form, const std::vector<std::uint32_t>& rounds,
                    std::uint64_t trials, const setting& how, std::uint64_t lookups, const teller& told) {
  return in_trials(rounds.size(), trials, lookups, how, told, [&](std::uint64_t i, std::uint64_t each, auto& ones) {
    const std::uint64_t seed = how.seed_of(i);
    sluice::choice_builder builder(parameters_of(row, form, seed), seed + 1);
    for (std::uint64_t key = 0; key < row.keys; ++key) builder.insert(key);
    std::uint32_t done = 1;
    for (std::size_t which = 0; which < rounds.size(); ++which) {
      if (rounds[which] > done) builder.improve(rounds[which] - done);
      done = std::max(done, rounds[which]);
      ones[which][i] = builder.fraction_of_ones();
    }
    return each == 0 ? 0.0 : found_among(builder.build(), row.keys, each);
  });
}

double plain_offline(const choice_row& row, std::uint32_t rounds, bool random_ties, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t of_a_key = std::size_t{row.groups} * row.hashes;
  std::vector<std::uint32_t> positions(row.keys * of_a_key);
  for (std::uint32_t& p : positions) p = static_cast<std::uint32_t>(random() % row.bits);
  std::vector<std::uint32_t> keys_at(row.bits);  // a counting filter
  std::vector<std::uint32_t> group_of(row.keys);
  const auto change = [&](std::uint64_t key, std::uint32_t by) {
    const std::uint32_t* const at = &positions[key * of_a_key + std::size_t{group_of[key]} * row.hashes];
    for (std::uint32_t i = 0; i < row.hashes; ++i) keys_at[at[i]] += by;
  };
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint64_t key = 0; key < row.keys; ++key) {
      if (round > 0) change(key, static_cast<std::uint32_t>(-1));
      std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
      std::uint32_t ties = 0;
      for (std::uint32_t group = 0; group < row.groups; ++group) {
        const std::uint32_t* const at = &positions[key * of_a_key + std::size_t{group} * row.hashes];
        std::uint32_t missing = 0;
        for (std::uint32_t i = 0; i < row.hashes; ++i) missing += keys_at[at[i]] == 0 ? 1U : 0U;
        ties = missing < fewest ? 1 : missing == fewest ? ties + 1 : ties;
        const bool better = missing < fewest || (missing == fewest && random_ties && random() % ties == 0);
        if (better) group_of[key] = group;
        fewest = std::min(fewest, missing);
      }
      change(key, 1);
    }
  }
  const auto ones = std::ranges::count_if(keys_at, [](std::uint32_t n) { return n > 0; });
  return static_cast<double>(ones) / static_cast<double>(row.bits);
}

point judged_row(const std::string& series, const choice_row& row, const choice_seen& seen, std::size_t which,
                 number paper) {
  const summary s = seen.rates_after(which, row);
  const bool last = which + 1 == seen.ones.size();
  return {.series = series,
          .x = bits_per_key(row),
          .simulated = s.mean,
          .counted = last ? seen.counted() : number(),
          .low = s.least,
          .high = s.most,
          .paper = paper,
          .memory = bits_per_key(row),
          .judged = both(paper ? compare(s.mean, *paper, allowed_from_paper(s, *paper, 4), "the paper") : judgement{},
                         last ? seen.count_judged(s.mean, "the bits, counted") : judgement{})};
}

point judged_lines(const std::string& series, const choice_row& row, const choice_seen& seen, double paper) {
  const std::size_t last = seen.ones.size() - 1;
  const summary s = seen.rates_after(last, row);
  const double with_lines = s.mean + by_lines(seen.ones_after(last).mean, row);
  const judgement of_the_ones = compare(s.mean, paper, allowed_from_paper(s, paper, 4), "the paper");
  const judgement counted =
      explained(seen.count_judged(paper, "the paper, counted"), seen.count_judged(with_lines, "the law of lines"),
                "lines of stored keys, footnote 1");
  return {.series = series,
          .x = bits_per_key(row),
          .theory = with_lines,
          .simulated = s.mean,
          .counted = seen.counted(),
          .low = s.least,
          .high = s.most,
          .paper = paper,
          .memory = bits_per_key(row),
          .judged = both(of_the_ones, counted)};
}

}  // namespace experiments
