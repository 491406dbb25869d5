// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice simulate: builds the library's real filter and measures it.
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/progress.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/sluice.hpp"
#include "sluice/theory.hpp"

namespace sluice_cli {
namespace {

struct simulate_options {
  scheme_options scheme;
  std::uint32_t trials = 1;
  std::optional<double> negatives;  // lookups of absent keys in all; omitted: enough for 1,000 false positives
};

constexpr double confidence_tail = 0.005;  // fpr_low and fpr_high enclose 99%

ordered_json simulate(const simulate_options& how) {
  const scheme_options& o = how.scheme;
  if (how.trials < 1 || how.trials > 1'000'000) throw sluice::parameter_error("--trials is from 1 to 1000000");
  if (how.negatives && !(*how.negatives >= 1 && *how.negatives <= 1e12)) {
    throw sluice::parameter_error("--negatives is from 1 to 1e12");
  }
  if (o.rounds && (*o.rounds < 1 || *o.rounds > 10'000)) {
    throw sluice::parameter_error("--rounds is from 1 to 10000");
  }
  if (o.rounds && *o.rounds > 1 && o.scheme != "choice" && !o.request.is_static) {
    throw sluice::parameter_error("--rounds is for choice groups and static builds, which can be improved offline");
  }
  if (o.paper_rule && o.scheme != "alpha") {
    throw sluice::parameter_error("--paper-rule changes what lookups of the model do; the filters stop at the coin");
  }
  chosen_scheme c = choose(o, 1e6);
  const auto keys = static_cast<std::uint64_t>(c.keys);
  if (o.request.is_static) std::get<sluice::gated_parameters>(c.params).is_static = true;
  double fpr_from_fill = 0;
  double insert_accesses = 0;
  double hit_accesses = 0;
  double miss_accesses = 0;
  double lookups_absent = 0;
  double positives = 0;
  double overflow = 0;
  double refused = 0;
  double memory_bits = 0;
  std::vector<double> loads;
  progress_line bar;
  sluice::simulation_request asked{.keys = keys,
                                   .shards = o.request.shards,
                                   .rounds = o.rounds.value_or(0),
                                   .threads = 0,
                                   .progress = [&](const char* what, double share) { bar.tell(what, share); }};
  if (how.negatives) asked.misses = static_cast<std::uint64_t>(std::ceil(*how.negatives / how.trials));
  for (std::uint32_t trial = 0; trial < how.trials; ++trial) {
    const sluice::simulation seen =
        sluice::simulate(sluice::extend::with_seed(c.params, o.request.seed + trial), asked);
    const sluice::statistics& s = seen.stats;
    fpr_from_fill += s.fpr_from_fill;
    insert_accesses += s.accesses.per_insert.value_or(0);
    hit_accesses += s.accesses.per_hit.value_or(0);
    miss_accesses += s.accesses.per_miss.value_or(0) * static_cast<double>(seen.lookups_absent);
    lookups_absent += static_cast<double>(seen.lookups_absent);
    positives += static_cast<double>(seen.false_positives);
    overflow += static_cast<double>(s.overflow_keys);
    refused += static_cast<double>(seen.refused_keys);
    memory_bits += 8 * static_cast<double>(s.filter_bytes + s.overflow_bytes);
    if (s.load_histogram.size() > loads.size()) loads.resize(s.load_histogram.size());
    for (std::size_t i = 0; i < s.load_histogram.size(); ++i) {
      loads[i] += static_cast<double>(s.load_histogram[i]) / static_cast<double>(s.blocks);
    }
  }
  using binomial = boost::math::binomial_distribution<double>;
  const double trials = how.trials;
  ordered_json j;
  j["scheme"] = o.scheme;
  if (o.request.shards > 1) j["shards"] = o.request.shards;
  j["keys"] = c.keys;
  j["trials"] = how.trials;
  j["seed"] = o.request.seed;
  j["fpr"] = has_model(o) ? ordered_json(sluice::theory::predict(
                                             c.params, c.keys, {.paper_rule = o.paper_rule, .shards = o.request.shards})
                                             .fpr_exact)
                          : ordered_json(nullptr);
  j["fpr_from_fill"] = fpr_from_fill / trials;
  j["fpr_counted"] = positives / lookups_absent;
  j["fpr_low"] = positives == 0 ? 0 : binomial::find_lower_bound_on_p(lookups_absent, positives, confidence_tail);
  j["fpr_high"] = binomial::find_upper_bound_on_p(lookups_absent, positives, confidence_tail);
  // Builders do not insert one key after the other.
  j["accesses_insert"] = insert_accesses > 0 ? ordered_json(insert_accesses / trials) : ordered_json(nullptr);
  j["accesses_hit"] = hit_accesses / trials;
  j["accesses_miss"] = miss_accesses / lookups_absent;
  j["overflow_fraction"] = overflow / (trials * c.keys);
  if (o.request.list_capacity) j["refused_fraction"] = refused / (trials * c.keys);
  j["k0"] = or_null(c.k0);
  j["subtables"] = c.subtables.empty() ? ordered_json(nullptr) : ordered_json(c.subtables);
  j.update(parameters_json(c.params));
  j["bits_per_key"] = c.bits_per_key / o.request.load;
  j["memory_bits_per_key"] = memory_bits / (trials * c.keys);
  for (double& share : loads) share /= trials;
  j["load_distribution"] = loads_json(loads);
  return j;
}

}  // namespace

command simulate_command(CLI::App& app) {
  CLI::App* const simulation = app.add_subcommand("simulate", "build the real filter and measure it");
  const auto o = std::make_shared<simulate_options>();
  add_scheme_options(*simulation, o->scheme);
  simulation->add_option("--trials", o->trials, "filters to build, with different seeds")->capture_default_str();
  simulation
      ->add_option("--negatives", o->negatives,
                   "absent keys to look up in all (default: enough for 1,000 false positives, at most 1e9)")
      ->type_name(count_type);
  simulation->footer(
      "fpr is what `sluice model` says, if there is a model; fpr_from_fill is computed from the bits of the filters;\n"
      "fpr_counted is what the lookups found, and fpr_low and fpr_high enclose it with 99%.\n"
      "examples:\n  sluice simulate gated --bits-per-key 16 --keys 1e6\n"
      "  sluice simulate choice --groups 2 --rounds 10 --hashes 14 --bits-per-key 16 --keys 1e4 --trials 20\n"
      "  sluice simulate gated --static --bits-per-key 24 --keys 1e6\n"
      "  sluice simulate gated --bits-per-key 26 --keys 1e6 --shards 16\n"
      "  sluice simulate mht --bits-per-key 16 --keys 1e6 --list-capacity 2000 --when-full first");
  return {simulation, [o] {
            print_result(simulate(*o), o->scheme.json);
            return 0;
          }};
}

}  // namespace sluice_cli
