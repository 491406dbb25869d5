// sluice simulate: builds the library's real filter and measures it.
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "command.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "sluice/sluice.hpp"

namespace sluice_cli {
namespace {

struct simulate_options {
  scheme_options scheme;
  std::uint32_t trials = 1;
  std::optional<double> negatives;  // lookups of absent keys in all; omitted: enough for 1,000 false positives
};

constexpr double most_negatives = 1e9;
constexpr double wanted_positives = 1000;
constexpr double confidence_tail = 0.005;  // fpr_low and fpr_high enclose 99%

struct totals {
  double fpr_exact = 0;
  double insert_accesses = 0;
  double hit_accesses = 0;
  double miss_accesses = 0;
  double inserted = 0;
  double lookups_absent = 0;
  double positives = 0;
  double overflow = 0;
  double memory_bits = 0;
  std::vector<double> loads;
};

/// One filter: keys are 0, 1, ..., n - 1 under a seed of their own; absent keys follow.
void one_trial(sluice::metered_filter& f, std::uint64_t keys, double negatives, totals& sum) {
  constexpr std::uint64_t chunk = 1U << 20;
  {
    progress_line bar;
    for (std::uint64_t i = 0; i < keys; ++i) {
      f.insert(i);
      if (i % chunk == 0) bar.tell("inserting", static_cast<double>(i) / static_cast<double>(keys));
    }
  }
  for (std::uint64_t i = 0; i < keys; ++i) {
    if (!f.may_contain(i)) throw sluice::error("false negative: this is a bug, please report it");
  }
  const sluice::statistics s = f.stats();
  const auto n = static_cast<double>(f.keys_inserted());
  sum.inserted += n;
  sum.insert_accesses += n * s.accesses.per_insert.value_or(0);
  sum.hit_accesses += static_cast<double>(keys) * s.accesses.per_hit.value_or(0);
  sum.fpr_exact += s.fpr_from_fill;
  sum.overflow += static_cast<double>(s.overflow_keys);
  sum.memory_bits += 8 * static_cast<double>(s.filter_bytes + s.overflow_bytes);
  if (s.load_histogram.size() > sum.loads.size()) sum.loads.resize(s.load_histogram.size());
  for (std::size_t i = 0; i < s.load_histogram.size(); ++i) {
    sum.loads[i] += static_cast<double>(s.load_histogram[i]) / static_cast<double>(s.blocks);
  }
  const double lookups =
      negatives > 0 ? negatives : std::min(most_negatives, wanted_positives / std::max(s.fpr_from_fill, 1e-12));
  progress_line bar;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(std::max(1.0, lookups)); ++i) {
    const sluice::lookup_outcome outcome = f.probe(keys + i);
    sum.miss_accesses += outcome.accesses;
    sum.positives += outcome.found ? 1 : 0;
    ++sum.lookups_absent;
    if (i % chunk == 0) bar.tell("looking up absent keys", static_cast<double>(i) / lookups);
  }
}

/// What a builder makes of the keys, as a filter that counts.
template <class Builder>
sluice::metered_filter made_by(Builder builder, std::uint64_t keys, std::uint32_t rounds) {
  progress_line bar;
  for (std::uint64_t i = 0; i < keys; ++i) builder.insert(i);
  return sluice::metered_filter(
      builder.build({.rounds = rounds, .threads = 0, .progress = [&](double share) { bar.tell("building", share); }}));
}

ordered_json simulate(const simulate_options& how) {
  const scheme_options& o = how.scheme;
  if (how.trials < 1 || how.trials > 1'000'000) throw sluice::parameter_error("--trials is from 1 to 1000000");
  if (how.negatives && !(*how.negatives >= 1 && *how.negatives <= 1e12)) {
    throw sluice::parameter_error("--negatives is from 1 to 1e12");
  }
  if (o.rounds && (*o.rounds < 1 || *o.rounds > 10'000)) {
    throw sluice::parameter_error("--rounds is from 1 to 10000");
  }
  if (o.rounds && *o.rounds > 1 && o.scheme != "choice" && !o.is_static) {
    throw sluice::parameter_error("--rounds is for choice groups and static builds, which can be improved offline");
  }
  if (o.paper_rule && o.scheme != "alpha") {
    throw sluice::parameter_error("--paper-rule changes what lookups of the model do; the filters stop at the coin");
  }
  chosen_scheme c = choose(o, 1e6);
  const auto keys = static_cast<std::uint64_t>(c.keys);
  totals sum;
  for (std::uint32_t trial = 0; trial < how.trials; ++trial) {
    c.params = sluice::with_seed(c.params, o.seed + trial);
    const double negatives = how.negatives ? std::ceil(*how.negatives / how.trials) : 0;
    if (o.is_static) {
      const sluice::build_options usual;
      auto f = made_by(sluice::static_builder(std::get<sluice::gated_parameters>(c.params)), keys,
                       o.rounds.value_or(usual.rounds));
      one_trial(f, keys, negatives, sum);
    } else if (o.rounds && *o.rounds > 1) {
      auto f = made_by(sluice::choice_builder(std::get<sluice::choice_parameters>(c.params), o.seed + trial + 1), keys,
                       *o.rounds - 1);
      one_trial(f, keys, negatives, sum);
    } else {
      sluice::metered_filter f(c.params);
      one_trial(f, keys, negatives, sum);
    }
  }
  using binomial = boost::math::binomial_distribution<double>;
  const double trials = how.trials;
  ordered_json j;
  j["scheme"] = o.scheme;
  j["keys"] = c.keys;
  j["trials"] = how.trials;
  j["seed"] = o.seed;
  j["fpr"] = sum.positives / sum.lookups_absent;
  j["fpr_low"] =
      sum.positives == 0 ? 0 : binomial::find_lower_bound_on_p(sum.lookups_absent, sum.positives, confidence_tail);
  j["fpr_high"] = binomial::find_upper_bound_on_p(sum.lookups_absent, sum.positives, confidence_tail);
  j["fpr_exact"] = sum.fpr_exact / trials;
  // Builders do not insert one key after the other.
  j["accesses_insert"] =
      sum.insert_accesses > 0 ? ordered_json(sum.insert_accesses / sum.inserted) : ordered_json(nullptr);
  j["accesses_hit"] = sum.hit_accesses / (trials * c.keys);
  j["accesses_miss"] = sum.miss_accesses / sum.lookups_absent;
  j["overflow_fraction"] = sum.overflow / (trials * c.keys);
  j["k0"] = or_null(c.k0);
  j["subtables"] = c.subtables.empty() ? ordered_json(nullptr) : ordered_json(c.subtables);
  j.update(parameters_json(c.params));
  j["bits_per_key"] = c.bits_per_key / o.load;
  j["memory_bits_per_key"] = sum.memory_bits / (trials * c.keys);
  for (double& share : sum.loads) share /= trials;
  j["load_distribution"] = loads_json(sum.loads);
  return j;
}

}  // namespace

command simulate_command(CLI::App& app) {
  CLI::App* const simulation = app.add_subcommand("simulate", "build the real filter and measure it");
  const auto o = std::make_shared<simulate_options>();
  add_scheme_options(*simulation, o->scheme);
  simulation->add_option("--trials", o->trials, "filters to build, with different seeds")->capture_default_str();
  simulation->add_option("--negatives", o->negatives,
                         "absent keys to look up in all (default: enough for 1,000 false positives, at most 1e9)");
  simulation->footer(
      "examples:\n  sluice simulate gated --bits-per-key 16 --keys 1e6\n"
      "  sluice simulate choice --groups 2 --rounds 10 --hashes 14 --bits-per-key 16 --keys 1e4 --trials 20\n"
      "  sluice simulate gated --static --bits-per-key 24 --keys 1e6");
  return {simulation, [o] {
            print_result(simulate(*o), o->scheme.json);
            return 0;
          }};
}

}  // namespace sluice_cli
