// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice model: what the theory says of a scheme.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "commands.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/plan.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace sluice_cli {
namespace {

struct model_command_options {
  scheme_options scheme;
  std::uint32_t turnovers = 0;
};

ordered_json run_model(const model_command_options& how) {
  const scheme_options& o = how.scheme;
  if (how.turnovers != 0 && o.scheme != sluice::name_of(sluice::scheme::ledger)) {
    throw sluice::parameter_error("--turnovers is for ledgers: keys of other filters are not erased");
  }
  if (!has_model(o)) {
    throw sluice::parameter_error("offline rounds have no model; use `sluice simulate " + o.scheme + " --rounds " +
                                  std::to_string(*o.rounds) + "`");
  }
  // Models speak of large filters: many blocks, so that rounding to whole ones does not show.
  const chosen_scheme c = choose(o, 1e9);
  const auto p = sluice::theory::predict(
      c.params, c.keys, {.paper_rule = o.paper_rule, .shards = o.request.shards, .turnovers = how.turnovers});
  ordered_json j;
  j["scheme"] = o.scheme;
  if (o.request.shards > 1) j["shards"] = o.request.shards;
  if (how.turnovers != 0) j["turnovers"] = how.turnovers;
  j["fpr"] = p.fpr_exact;
  if (o.json) j["fpr_exact"] = p.fpr_exact;  // the same, by its name in C++
  j["fpr_textbook"] = p.fpr_usual;
  j["accesses_insert"] = p.accesses_insert;
  j["accesses_hit"] = p.accesses_hit;
  j["accesses_miss"] = p.accesses_miss;
  j["overflow_fraction"] = p.overflow_fraction;
  if (o.request.list_capacity) j["refused_fraction"] = p.refused_fraction;
  j["k0"] = or_null(c.k0);
  j["subtables"] = c.subtables.empty() ? ordered_json(nullptr) : ordered_json(c.subtables);
  j.update(parameters_json(c.params));
  j["bits_per_key"] = c.bits_per_key / o.request.load;
  j["memory_bits_per_key"] = sluice::extend::memory_bits(c.params, p, c.keys) / c.keys;
  j["load_distribution"] = loads_json(p.loads);
  return j;
}

}  // namespace

command model_command(CLI::App& app) {
  CLI::App* const model = app.add_subcommand("model", "what the theory says of a scheme");
  const auto o = std::make_shared<model_command_options>();
  add_scheme_options(*model, o->scheme);
  model
      ->add_option("--turnovers", o->turnovers,
                   "of a ledger: after as many times all its keys were erased, and others inserted; 0: filled up")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000).description(""));
  model->footer(
      "examples:\n  sluice model mht --block-bits 256 --bits-per-key 40 --hashes 28\n"
      "  sluice model gated --bits-per-key 32 --load 1.25 --json\n"
      "  sluice model gated --bits-per-key 26 --shards 16\n"
      "  sluice model ledger --bits-per-key 20.4 --turnovers 8\n"
      "  sluice model single --keys-per-block 2.5 --threshold 2 --acceptance 0.5 --hashes 12");
  return {model, [o] {
            print_result(run_model(*o), o->scheme.json);
            return 0;
          }};
}

}  // namespace sluice_cli
