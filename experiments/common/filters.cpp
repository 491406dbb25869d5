#include "common/filters.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "plan/designs.hpp"
#include "sluice/sluice.hpp"
#include "sluice/theory.hpp"

namespace experiments {
namespace {

using key_maker = std::function<sluice::digest(const sluice::hasher&, std::uint64_t)>;

measured measure_keys(const sluice::parameters& p, std::uint64_t keys, const key_maker& key_of, std::uint64_t trials,
                      const setting& how, const teller& told) {
  std::vector<sluice::statistics> all(trials);
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t i) {
        all[i] = sluice::simulate(sluice::with_seed(p, how.seed_of(i)),
                                  {.keys = keys, .hits = 100'000, .misses = 0, .key_of = key_of})
                     .stats;
      },
      told);
  const auto over = [&](const auto& value) {
    std::vector<double> values;
    values.reserve(all.size());
    for (const sluice::statistics& s : all) values.push_back(value(s));
    return summarise(values);
  };
  const auto n = static_cast<double>(std::max<std::uint64_t>(1, keys));
  return {over([](const sluice::statistics& s) { return s.fpr_from_fill; }),
          over([](const sluice::statistics& s) { return s.blocks_per_miss_from_fill; }),
          over([](const sluice::statistics& s) { return s.accesses.per_hit.value_or(0); }),
          over([](const sluice::statistics& s) { return s.accesses.per_insert.value_or(0); }),
          over([n](const sluice::statistics& s) { return static_cast<double>(s.overflow_keys) / n; })};
}

}  // namespace

measured measure(const sluice::parameters& p, std::uint64_t keys, std::uint64_t trials, const setting& how,
                 const teller& told) {
  return measure_keys(p, keys, {}, trials, how, told);
}
measured measure(const sluice::parameters& p, const std::vector<std::string>& keys, std::size_t n, std::uint64_t trials,
                 const setting& how) {
  return measure_keys(
      p, n, [&](const sluice::hasher& hash, std::uint64_t i) { return hash(keys[i]); }, trials, how, nobody);
}

std::vector<std::vector<std::vector<double>>> loads_over_time(const sluice::parameters& p,
                                                              const std::vector<std::uint64_t>& moments,
                                                              std::uint64_t trials, const setting& how,
                                                              const teller& told) {
  std::vector<std::vector<std::vector<double>>> seen(trials);
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t trial) {
        sluice::filter f(with_seed(p, how.seed_of(trial)));
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

sluice::theory::prediction predicted(const sluice::parameters& p, double keys) {
  return sluice::theory::predict(p, keys);
}
sluice::parameters design_of(sluice::designs::family which, std::uint32_t block_bits, double bits_per_key,
                             double keys) {
  const auto found = designed(which, block_bits, bits_per_key, keys);
  if (!found) throw sluice::error("the planner knows no parameters for this experiment");
  return *found;
}
std::optional<sluice::parameters> designed(sluice::designs::family which, std::uint32_t block_bits, double bits_per_key,
                                           double keys) {
  return sluice::designs::design(which, block_bits, bits_per_key, keys);
}

}  // namespace experiments
