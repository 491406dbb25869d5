// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/filters.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "common/judge.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/sluice.hpp"
#include "sluice/theory.hpp"

namespace experiments {
namespace {

using key_maker = std::function<sluice::digest(const sluice::hasher&, std::uint64_t)>;

measured measure_keys(const sluice::parameters& p, std::uint64_t keys, const key_maker& key_of, std::uint64_t trials,
                      const setting& how, double expected, const teller& told) {
  const std::uint64_t lookups = expected > 0 ? lookups_for(expected, how) / trials : 0;
  std::vector<sluice::simulation> all(trials);
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t i) {
        all[i] = sluice::simulate(sluice::extend::with_seed(p, how.seed_of(i)),
                                  {.keys = keys, .hits = 100'000, .misses = lookups, .key_of = key_of});
      },
      told);
  const auto over = [&](const auto& value) {
    std::vector<double> values;
    values.reserve(all.size());
    for (const sluice::simulation& s : all) values.push_back(value(s.stats));
    return summarise(values);
  };
  const auto n = static_cast<double>(std::max<std::uint64_t>(1, keys));
  measured m{.fpr = over([](const sluice::statistics& s) { return s.fpr_from_fill; }),
             .miss = over([](const sluice::statistics& s) { return s.blocks_per_miss_from_fill; }),
             .hit = over([](const sluice::statistics& s) { return s.accesses.per_hit.value_or(0); }),
             .insert = over([](const sluice::statistics& s) { return s.accesses.per_insert.value_or(0); }),
             .overflow = over([n](const sluice::statistics& s) { return static_cast<double>(s.overflow_keys) / n; }),
             .stored = over([](const sluice::statistics& s) { return static_cast<double>(s.keys_inserted); }),
             // Per key that came, found by chance or not.
             .memory = over([n](const sluice::statistics& s) {
                         return s.memory_bits_per_key * static_cast<double>(s.keys_inserted) / n;
                       }).mean};
  for (const sluice::simulation& s : all) {
    m.lookups += static_cast<double>(s.lookups_absent);
    m.found += static_cast<double>(s.false_positives);
    m.due += static_cast<double>(s.lookups_absent) * s.stats.fpr_from_fill;
  }
  return m;
}

}  // namespace

std::uint64_t lookups_for(double f, const setting& how) {
  constexpr double wanted = 1000;
  const auto affordable = static_cast<double>(how.scaled(200'000'000, 3'000'000));
  const double lookups = std::min(affordable, wanted / f);
  return lookups * f < 25 ? 0 : static_cast<std::uint64_t>(lookups);
}

judgement measured::count_judged() const {
  if (lookups <= 0) return {};
  // Rates of gated filters from their bits are good to a thousandth.
  return compare(found, due, 5 * std::sqrt(due) + 0.001 * due, "the bits, counted", 1.0);
}

measured measure(const sluice::parameters& p, std::uint64_t keys, std::uint64_t trials, const setting& how,
                 double expected, const teller& told) {
  return measure_keys(p, keys, {}, trials, how, expected, told);
}
measured measure(const sluice::parameters& p, const std::vector<std::string>& keys, std::size_t n, std::uint64_t trials,
                 const setting& how, double expected) {
  return measure_keys(
      p, n, [&](const sluice::hasher& hash, std::uint64_t i) { return hash(keys[i]); }, trials, how, expected, nobody);
}

std::vector<std::vector<std::vector<double>>> loads_over_time(const sluice::parameters& p,
                                                              const std::vector<std::uint64_t>& moments,
                                                              std::uint64_t trials, const setting& how,
                                                              const teller& told) {
  std::vector<std::vector<std::vector<double>>> seen(trials);
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t trial) {
        sluice::filter f(sluice::extend::with_seed(p, how.seed_of(trial)));
        std::uint64_t key = 0;
        for (const std::uint64_t until : moments) {
          for (; key < until; ++key) f.insert(key);
          const sluice::statistics s = f.stats();
          std::vector<double> shares;
          shares.reserve(s.load_histogram.size());
          for (const std::uint64_t blocks : s.load_histogram) {
            shares.push_back(static_cast<double>(blocks) / static_cast<double>(s.blocks));
          }
          seen[trial].push_back(shares);
        }
      },
      told);
  return seen;
}

sluice::theory::prediction predict(const sluice::parameters& p, double keys) {
  return sluice::theory::predict(p, keys);
}
double formula_of(const sluice::parameters& p, double keys) {
  return sluice::theory::predict(p, keys, {.paper_rule = true}).fpr_usual;
}
sluice::parameters design_of(sluice::extend::family which, std::uint32_t block_bits, double bits_per_key, double keys) {
  const auto found = find_design(which, block_bits, bits_per_key, keys);
  if (!found) throw sluice::error("the planner knows no parameters for this experiment");
  return *found;
}
std::optional<sluice::parameters> find_design(sluice::extend::family which, std::uint32_t block_bits,
                                              double bits_per_key, double keys) {
  return sluice::extend::design(which, block_bits, bits_per_key, keys);
}

}  // namespace experiments
