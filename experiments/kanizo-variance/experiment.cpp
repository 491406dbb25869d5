// Kanizo, Hay and Keslassy, appendix C: chains of a hash table.
#include <fmt/format.h>

#include "common/filters.hpp"
#include "common/judge.hpp"
#include "list.hpp"
#include "sluice/chained_table.hpp"
#include "theory/balance.hpp"

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
  sluice::chained_table<std::uint64_t, std::uint8_t, Shape> t(buckets, shape, seed);
  for (std::uint64_t key = 0; key < keys; ++key) t.insert(key, 0);
  const sluice::table_statistics s = t.stats();
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
  const std::uint64_t buckets = how.scaled(50'000, 10'000);
  const double gamma = sluice::least_overflow(1.2, 3);
  bool beaten = false;
  for (const int r : {2, 4, 6, 8, 12, 16}) {
    const auto keys = static_cast<std::uint64_t>(r) * buckets;
    const auto single = sluice::theory::optimal_threshold(1, r, gamma);
    const auto mht = sluice::theory::optimal_threshold(1.2, r, gamma);
    const double sequential_gamma = sluice::theory::least_overflow_sequential(1.2, 3, r);
    const auto sequential = sluice::theory::optimal_threshold(1.2, r, sequential_gamma);
    const auto rule = [](const sluice::theory::optimum& o) {
      return sluice::threshold_rule{.threshold = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, o.threshold)),
                                    .acceptance = o.acceptance};
    };
    const auto add = [&](const std::string& series, const seen_table& t, number theory) {
      point p{series, double(r), theory, t.variance, {}, {}, {}, {}};
      if (theory) p.verdict = compare(t.variance, *theory, 0.04 * *theory + 0.01, "the theory");
      out.points.push_back(p);
      out.points.push_back({"time: " + series, double(r), {}, t.comparisons_deviation, {}, {}, {}, {}});
    };
    add("ordinary chains", table_of(buckets, keys, sluice::one_bucket{}, how.seed), double(r));
    add("SINGLE", table_of(buckets, keys, sluice::sequential_buckets{1, rule(single)}, how.seed),
        variance_of(sluice::theory::best_loads(1, r, gamma).bound));
    add("SEQUENTIAL", table_of(buckets, keys, sluice::sequential_buckets{3, rule(sequential)}, how.seed),
        variance_of(sluice::theory::best_loads(1.2, r, sequential_gamma).bound));
    const seen_table by_mht = table_of(buckets, keys, sluice::mht_buckets{3, 1.2, rule(mht)}, how.seed);
    const double bound = variance_of(sluice::theory::best_loads(1.2, r, gamma).bound);
    add("MHT", by_mht, bound);
    add("two-choice (a = 2)", table_of(buckets, keys, sluice::two_buckets{1}, how.seed), {});
    beaten = beaten || by_mht.variance < 0.9 * bound;
    how.progress(r / 16.0);
  }
  out.findings.push_back(
      tally(out.points, "Variances of real tables against the bound at their accesses and overflow"));
  out.findings.push_back({!beaten,
                          "MHT and SEQUENTIAL reach the bound for 1.2 buckets read per insertion, and nothing is below "
                          "it; two-choice is more even and "
                          "reads two buckets for every insertion and lookup."});
  out.findings.push_back({true,
                          "Even chains do not make the time of a successful lookup even: a key that went to its second "
                          "bucket is compared with all "
                          "keys of its first. The comparisons of a hit vary more than in an ordinary table."});
  return out;
}

}  // namespace

experiment kanizo_variance() {
  return {"kanizo-variance",
          "Kanizo, Hay and Keslassy, appendix C: how even chains are",
          "The variance of the chain lengths of hash tables by keys per bucket; lines are the bound for the accesses "
          "and the overflow of each. Below: the "
          "standard deviation of the number of keys that a successful lookup compares.",
          {{"keys per bucket", "variance of the chain length"},
           {"keys per bucket", "deviation of comparisons per hit", false, false, "time: "}},
          run_kanizo_variance};
}

}  // namespace experiments
