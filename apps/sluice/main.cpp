// sluice: numbers about access-efficient Bloom filters, before and after they are built.
//   model      what the theory says of a scheme          plan      the best filter for a budget
//   simulate   what a real filter does
// Every error exits with status 2 and a sentence on stderr.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "report.hpp"
#include "reproduce.hpp"
#include "scheme_options.hpp"
#include "simulate.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory/model.hpp"

namespace {

using namespace sluice_cli;  // NOLINT(google-build-using-namespace): this program's own names

void add_scheme_options(CLI::App& app, scheme_options& o) {
  app.add_option("scheme", o.scheme, "classic, choice, blocked, alpha, single, sequential, mht, bloom-g or gated")
      ->required()
      ->check(CLI::IsMember(scheme_names));
  app.add_option("--block-bits", o.block_bits, "bits of a block, 64 to 4096")->capture_default_str();
  app.add_option("--bits-per-key", o.bits_per_key, "bits of the filter per planned key (default 16)");
  app.add_option("--keys-per-block", o.keys_per_block, "instead of --bits-per-key");
  app.add_option("--keys", o.keys, "planned number of keys; 1e8 is accepted");
  app.add_option("--load", o.load, "insert so many times the planned keys; parameters stay those of the plan");
  app.add_option("--hashes", o.hashes, "k: bits a key sets");
  app.add_option("--choices", o.choices, "d: candidate blocks (sequential, mht); g of bloom-g");
  app.add_option("--accesses", o.accesses, "a: optimum for this mean of blocks read per insertion (default 1.2)");
  app.add_flag("--budget", o.budget, "sequential, mht: stop using blocks when a n accesses are spent");
  app.add_option("--overflow", o.overflow, "gamma: share of keys in the list (default: the least that is optimal)");
  app.add_option("--alpha", o.alpha, "share of keys with two candidate blocks");
  app.add_option("--groups", o.groups, "c: choice groups");
  app.add_flag("--static", o.is_static, "gated: made from all keys at once");
  app.add_option("--rounds", o.rounds,
                 "choice: offline rounds, the first pass included; static: of the search (simulate only)");
  app.add_option("--threshold", o.threshold, "h: load at which a block is full (gated: in bits)");
  app.add_option("--acceptance", o.acceptance, "p: probability of accepting a key at load exactly h");
  app.add_flag("--paper-rule", o.paper_rule,
               "model: lookups go on at every load >= h, as in the paper; alpha: loads counted in keys");
  app.add_option("--trace", o.trace, "t: bits that a spilled key leaves behind");
  app.add_option("--second-hashes", o.second_hashes, "k2: bits of a spilled key in its second block");
  app.add_option("--margin", o.margin, "spill only to a block with more than so many bits fewer");
  app.add_option("--positions", o.positions,
                 "lanes (fast; the default of blocked, 256 or 512 bits) or uniform (as in the papers; of bloom-g)")
      ->check(CLI::IsMember({"lanes", "uniform"}));
  app.add_option("--second", o.second, "further blocks in the same page, or anywhere in the table")
      ->check(CLI::IsMember({"page", "table"}))
      ->capture_default_str();
  app.add_option("--list", o.list, "keep an exact overflow list")
      ->check(CLI::IsMember({"yes", "no"}))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "seed of the hash");
  app.add_flag("--json", o.json, "print JSON");
}

ordered_json run_model(const scheme_options& o) {
  if (o.rounds && (o.is_static || *o.rounds > 1)) {
    throw sluice::parameter_error("offline rounds have no model; use `sluice simulate " + o.scheme + " --rounds " +
                                  std::to_string(*o.rounds) + "`");
  }
  // Models speak of large filters: many blocks, so that rounding to whole ones does not show.
  const chosen_scheme c = choose(o, 1e9);
  const auto p = sluice::theory::predict(c.params, c.keys, {.paper_rule = o.paper_rule});
  ordered_json j;
  j["scheme"] = o.scheme;
  j["fpr"] = p.fpr_usual;
  j["fpr_exact"] = p.fpr_exact;
  j["accesses_insert"] = p.accesses_insert;
  j["accesses_hit"] = p.accesses_hit;
  j["accesses_miss"] = p.accesses_miss;
  j["overflow_fraction"] = p.overflow_fraction;
  j["k0"] = or_null(c.k0);
  j["subtables"] = c.subtables.empty() ? ordered_json(nullptr) : ordered_json(c.subtables);
  j.update(parameters_json(c.params));
  j["bits_per_key"] = c.bits_per_key / o.load;
  const double list =
      sluice::plan_detail::has_list(c.params) ? sluice::plan_detail::list_bits(p.overflow_fraction * c.keys) : 0;
  j["memory_bits_per_key"] = (sluice::plan_detail::filter_bits(c.params) + list) / c.keys;
  j["load_distribution"] = loads_json(p.loads);
  return j;
}

/// Bytes with an optional suffix: K, M, G (powers of 1000), Ki, Mi, Gi (of 1024).
double parse_memory(const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    throw sluice::parameter_error("--memory: '" + text + "' is not a number of bytes; examples: 500M, 1.5Gi");
  }
  const std::string suffix = text.substr(used);
  const auto scale = [&]() -> double {
    if (suffix.empty() || suffix == "B") return 1;
    if (suffix == "K") return 1e3;
    if (suffix == "M") return 1e6;
    if (suffix == "G") return 1e9;
    if (suffix == "Ki") return 1024.0;
    if (suffix == "Mi") return 1024.0 * 1024;
    if (suffix == "Gi") return 1024.0 * 1024 * 1024;
    throw sluice::parameter_error("--memory: the suffix '" + suffix + "' is none of K, M, G, Ki, Mi, Gi");
  }();
  return value * scale;
}

struct plan_options {
  sluice::plan_request request;
  std::string memory;
  std::optional<double> bits_per_key;
  bool json = false;
};

void add_plan_options(CLI::App& app, plan_options& o) {
  auto& q = o.request;
  app.add_option("--keys", q.keys, "number of keys; 1e8 is accepted");
  app.add_option("--fpr", q.fpr, "false positive rate that must hold");
  app.add_option("--memory", o.memory, "bytes; suffixes K, M, G, Ki, Mi, Gi");
  app.add_option("--bits-per-key", o.bits_per_key, "instead of --memory, with --keys");
  app.add_option("--hit-ratio", q.hit_ratio, "share of lookups whose key is stored")->capture_default_str();
  app.add_option("--max-blocks", q.max_blocks, "most blocks one lookup may read")->capture_default_str();
  app.add_option("--mean-cost", q.mean_cost_limit, "most a lookup may cost on average, in random block reads")
      ->capture_default_str();
  app.add_option("--accesses-hit", q.accesses_hit, "limit on mean blocks read by a hit");
  app.add_option("--accesses-miss", q.accesses_miss, "limit on mean blocks read by a miss");
  app.add_option("--second-line-cost", q.second_line_cost, "cost of a second line in the same page")
      ->capture_default_str();
  app.add_option("--block-bits", q.block_bits, "bits of a block")->capture_default_str();
  app.add_option("--overload", q.overload, "the rate must hold at so many times the keys")->capture_default_str();
  app.add_flag("--static", q.all_keys_known, "all keys are known beforehand: consider static builds, too");
  app.add_flag("--no-list", q.no_list, "no exact list beside the filter");
  app.add_flag("--mergeable", q.mergeable, "filters must unite by a plain OR");
  app.add_flag("--concurrent", q.concurrent, "several threads insert at once");
  app.add_flag("--json", o.json, "print JSON");
}

ordered_json candidate_json(const sluice::plan_candidate& c) {
  ordered_json j;
  j["scheme"] = std::string(sluice::scheme_name(c.params));
  j["fpr"] = c.predicted.fpr_usual;
  j["fpr_exact"] = c.predicted.fpr_exact;
  j["fpr_overfull"] = c.fpr_overfull;
  j["accesses_insert"] = c.predicted.accesses_insert;
  j["accesses_hit"] = c.predicted.accesses_hit;
  j["accesses_miss"] = c.predicted.accesses_miss;
  j["mean_cost"] = c.mean_cost;
  j["overflow_fraction"] = c.predicted.overflow_fraction;
  j["keys"] = c.keys;
  j.update(parameters_json(c.params));
  j["k0"] = j["p"].is_null() ? ordered_json(nullptr) : j["h"];  // the planner's thresholds are the optimum's
  j["subtables"] = subtables_json(c.params);
  j["load_distribution"] = loads_json(c.predicted.loads);
  j["bits_per_key"] = c.bits_per_key;
  j["memory_bits_per_key"] = c.memory_bits_per_key;
  j["memory_bytes"] = c.memory_bytes;
  j["admissible"] = c.broken_limit.empty();
  j["why"] = c.why;
  return j;
}

void run_plan(plan_options& o) {
  auto& q = o.request;
  if (!o.memory.empty()) q.memory_bits = 8 * parse_memory(o.memory);
  if (o.bits_per_key) {
    if (!q.keys || q.memory_bits) throw sluice::parameter_error("--bits-per-key goes with --keys and without --memory");
    q.memory_bits = *o.bits_per_key * *q.keys;
  }
  const auto candidates = sluice::plan(q);
  if (o.json) {
    ordered_json request;
    request["keys"] = or_null(q.keys);
    request["fpr"] = or_null(q.fpr);
    request["memory_bytes"] = q.memory_bits ? ordered_json(*q.memory_bits / 8) : ordered_json(nullptr);
    request["hit_ratio"] = q.hit_ratio;
    request["max_blocks"] = q.max_blocks;
    request["mean_cost"] = q.mean_cost_limit;
    request["accesses_hit"] = or_null(q.accesses_hit);
    request["accesses_miss"] = or_null(q.accesses_miss);
    request["second_line_cost"] = q.second_line_cost;
    request["block_bits"] = q.block_bits;
    request["overload"] = q.overload;
    request["static"] = q.all_keys_known;
    request["no_list"] = q.no_list;
    request["mergeable"] = q.mergeable;
    request["concurrent"] = q.concurrent;
    ordered_json list = ordered_json::array();
    for (const auto& c : candidates) list.push_back(candidate_json(c));
    fmt::print("{}\n", ordered_json{{"request", request}, {"candidates", list}}.dump(2));
    return;
  }
  fmt::print("{:<11} {:>8} {:>11} {:>10} {:>7} {:>7} {:>7} {:>7} {:>10}\n", "scheme", "bits/key", "memory", "FPR",
             "insert", "hit", "miss", "cost", "FPR 1.25n");
  for (const auto& c : candidates) {
    fmt::print("{:<11} {:>8.2f} {:>11.4g} {:>10.3g} {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f} {:>10.3g}\n",
               sluice::scheme_name(c.params), c.memory_bits_per_key, c.memory_bytes, c.predicted.fpr_exact,
               c.predicted.accesses_insert, c.predicted.accesses_hit, c.predicted.accesses_miss, c.mean_cost,
               c.fpr_overfull);
    std::string parameters;
    const ordered_json fields = parameters_json(c.params);
    for (const auto& [name, value] : fields.items()) {
      if (value.is_null()) continue;
      const std::string text = value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump();
      parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, text);
    }
    fmt::print("    {}\n    {}\n", parameters, c.why);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Access-efficient Bloom filters: what they will do, which one to take, what they really do."};
  app.require_subcommand(1);
  app.footer(
      "examples:\n  sluice plan --keys 1e8 --fpr 1e-6\n  sluice model gated --bits-per-key 24\n"
      "  sluice simulate mht --block-bits 256 --bits-per-key 40 --hashes 28 --keys 1e5");

  scheme_options model_options;
  CLI::App* model = app.add_subcommand("model", "what the theory says of a scheme");
  add_scheme_options(*model, model_options);
  model->footer(
      "examples:\n  sluice model mht --block-bits 256 --bits-per-key 40 --hashes 28\n"
      "  sluice model gated --bits-per-key 32 --load 1.25 --json\n"
      "  sluice model single --keys-per-block 2.5 --threshold 2 --acceptance 0.5 --hashes 12");

  scheme_options simulate_scheme;
  simulate_options simulate_how;
  CLI::App* simulation = app.add_subcommand("simulate", "build the real filter and measure it");
  add_scheme_options(*simulation, simulate_scheme);
  simulation->add_option("--trials", simulate_how.trials, "filters to build, with different seeds")
      ->capture_default_str();
  simulation->add_option("--negatives", simulate_how.negatives,
                         "absent keys to look up in all (default: enough for 1,000 false positives, at most 1e9)");
  simulation->footer(
      "examples:\n  sluice simulate gated --bits-per-key 16 --keys 1e6\n"
      "  sluice simulate choice --groups 2 --rounds 10 --hashes 14 --bits-per-key 16 --keys 1e4 --trials 20\n"
      "  sluice simulate gated --static --bits-per-key 24 --keys 1e6");

  plan_options planning;
  CLI::App* plan = app.add_subcommand("plan", "the best filter for a budget: give two of keys, rate and memory");
  add_plan_options(*plan, planning);
  plan->footer(
      "examples:\n  sluice plan --keys 1e8 --fpr 1e-6\n  sluice plan --keys 1e6 --memory 2Mi --hit-ratio 0.1\n"
      "  sluice plan --memory 1Gi --fpr 0.001 --json\n  sluice plan --keys 1e7 --fpr 1e-5 --static");

  reproduce_options reproduction;
  CLI::App* reproducing =
      app.add_subcommand("reproduce", "the papers' tables and figures: theory, simulation and paper side by side");
  reproducing->add_option("names", reproduction.names, "experiments, or all; experiments/README.md lists them")
      ->required();
  reproducing->add_option("--out", reproduction.out, "folder for the results")->capture_default_str();
  reproducing->add_flag("--quick", reproduction.quick, "fewer trials and smaller filters: seconds instead of minutes");
  reproducing->add_flag("--fresh", reproduction.fresh, "make anew what is there already");
  reproducing->add_option("--seed", reproduction.seed, "of all trials")->capture_default_str();
  reproducing->add_option("--threads", reproduction.threads, "0: as many as the machine has")->capture_default_str();
  reproducing->add_option("--trace", reproduction.traces, "a capture for kanizo-fig6; several may be given");
  reproducing->footer(
      "The folder gets NAME.csv, NAME.svg and NAME.json of every experiment, and index.html with all that is in it.\n"
      "Exit status: 0 if every finding agrees, 1 if one differs, 2 for errors. A run that was interrupted goes on "
      "where it stopped.\n"
      "examples:\n  sluice reproduce all --quick --out /tmp/papers\n  sluice reproduce lumetta-table1 krimer-fig2\n"
      "  SLUICE_DATA=/data/captures sluice reproduce kanizo-fig6");

  try {
    app.parse(argc, argv);
    if (*model) {
      const ordered_json result = run_model(model_options);
      model_options.json ? fmt::print("{}\n", result.dump(2)) : print_table(result);
    } else if (*simulation) {
      const ordered_json result = simulate(simulate_scheme, simulate_how);
      simulate_scheme.json ? fmt::print("{}\n", result.dump(2)) : print_table(result);
    } else if (*reproducing) {
      return reproduce(reproduction);
    } else {
      run_plan(planning);
    }
    if (std::fflush(stdout) != 0) throw sluice::error("the output could not be written");
    return 0;
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "sluice: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "sluice: {}\n", e.what());
    return 2;
  }
}
