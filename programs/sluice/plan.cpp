// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice plan: the best filter for a budget, before there is one.
#include "sluice/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/message.hpp"
#include "frame/number_reader.hpp"
#include "frame/output.hpp"
#include "looser_limits.hpp"
#include "plan_options.hpp"
#include "report.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {
namespace {

/// What a filter is that was folded because fewer keys came.
struct folded_size {
  std::uint32_t folds;
  double keys;  ///< at most
  double bytes;
};

/// As many as the plan is good for: of gated filters two, of others ten. None, where nothing is folded.
std::vector<folded_size> folded_sizes(const sluice::plan_candidate& c, const sluice::plan_request& q) {
  std::vector<folded_size> sizes;
  if (!q.keys_at_most || !c.broken_limit.empty()) return sizes;
  const std::uint32_t most = sluice::scheme_of(c.params) == sluice::scheme::gated ? sluice::extend::planned_folds : 10;
  for (std::uint32_t folds = 0; folds <= most; ++folds) {
    const double share = std::ldexp(1.0, -static_cast<int>(folds));
    if (c.keys * share < 1) break;
    const sluice::parameters p = sluice::extend::folded_so_often(c.params, folds);
    sizes.push_back({folds, c.keys * share, static_cast<double>(sluice::bytes_for(p))});
  }
  return sizes;
}

ordered_json folded_json(const std::vector<folded_size>& sizes) {
  ordered_json list = ordered_json::array();
  for (const folded_size& s : sizes) {
    list.push_back({{"folds", s.folds}, {"keys_at_most", s.keys}, {"memory_bytes", s.bytes}});
  }
  return list;
}

ordered_json candidate_json(const sluice::plan_candidate& c, bool verbose) {
  ordered_json j;
  j["scheme"] = std::string(sluice::extend::scheme_name(c.params));
  j["design"] = c.design;
  j["fpr"] = c.predicted.fpr_exact;
  j["fpr_exact"] = c.predicted.fpr_exact;  // the same, by its name in C++
  j["fpr_textbook"] = c.predicted.fpr_usual;
  j["fpr_overfull"] = or_null(c.fpr_overfull);
  j["accesses_insert"] = c.predicted.accesses_insert;
  j["accesses_hit"] = c.predicted.accesses_hit;
  j["accesses_miss"] = c.predicted.accesses_miss;
  j["mean_cost"] = c.mean_cost;
  j["time"] = c.time;
  j["time_in_cache"] = c.time_in_cache;
  j["time_in_memory"] = c.time_in_memory;
  j["overflow_fraction"] = c.predicted.overflow_fraction;
  j["keys"] = c.keys;
  j.update(parameters_json(c.params));
  j["k0"] = j["p"].is_null() ? ordered_json(nullptr) : j["h"];  // the planner's thresholds are the optimum's
  j["subtables"] = subtables_json(c.params);
  if (verbose) j["load_distribution"] = loads_json(c.predicted.loads);
  j["bits_per_key"] = c.bits_per_key;
  j["memory_bits_per_key"] = c.memory_bits_per_key;
  j["memory_bytes"] = c.memory_bytes;
  j["admissible"] = c.broken_limit.empty();
  j["why"] = c.why;
  return j;
}

/// 1234567 as "1.235 MB": powers of 1000, as --memory reads them.
std::string bytes_text(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

void print_candidates(const std::vector<sluice::plan_candidate>& candidates) {
  print("{:<11} {:<12} {:>8} {:>9} {:>10} {:>7} {:>7} {:>7} {:>11} {:>11} {:>10}\n", "scheme", "design", "bits/key",
        "memory", "FPR", "insert", "hit", "miss", "lookup cost", "time", "FPR 1.25n");
  for (const auto& c : candidates) {
    print("{:<11} {:<12} {:>8.2f} {:>9} {:>10.3g} {:>7.3f} {:>7.3f} {:>7.3f} {:>11.3f} {:>11} {:>10}\n",
          sluice::extend::scheme_name(c.params), c.design, c.memory_bits_per_key, bytes_text(c.memory_bytes),
          c.predicted.fpr_exact, c.predicted.accesses_insert, c.predicted.accesses_hit, c.predicted.accesses_miss,
          c.mean_cost, fmt::format("{:.2f} {:.2f}", c.time_in_cache, c.time_in_memory),
          c.fpr_overfull ? fmt::format("{:.3g}", *c.fpr_overfull) : "-");
    std::string parameters;
    const ordered_json fields = parameters_json(c.params);
    for (const auto& [name, value] : fields.items()) {
      if (value.is_null()) continue;
      const std::string text = value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump();
      parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, text);
    }
    print("    {}\n    {}\n", parameters, c.why);
  }
  print(
      "\ninsert, hit, miss: blocks that each reads. lookup cost: the mean, in random block reads. time: of a lookup, "
      "in cache\nand in memory, in times of a blocked filter with the same bits a key, as measured once; "
      "`sluice bench` measures on this\nmachine. FPR 1.25n: with a quarter more keys than planned; - where it takes no "
      "more.\n");
}

void print_folded_sizes(const sluice::plan_candidate& first, const sluice::plan_request& q) {
  const std::vector<folded_size> sizes = folded_sizes(first, q);
  if (sizes.empty()) return;
  print("\nIf fewer keys come, the first is folded:\n");
  for (const folded_size& s : sizes) {
    print("  up to {:>12} keys  {:>9}\n", static_cast<std::uint64_t>(s.keys), bytes_text(s.bytes));
  }
  print("and further, as far as its rate allows.\n");
}

struct chain_options {
  bool wanted = false;
  std::optional<std::uint64_t> first_keys;
  std::optional<std::uint32_t> growth;
};

struct planned_chain {
  sluice::growth how;
  std::vector<sluice::extend::planned_link> links = {};
  sluice::extend::chain_cost cost = {};
};

planned_chain chain_of(const sluice::plan_request& q, const chain_options& o) {
  if (!q.keys || !q.fpr)
    throw sluice::parameter_error("--grow needs --keys and --fpr: how far it grows, at which rate");
  planned_chain c{.how = {.fpr = *q.fpr, .block_bits = q.block_bits, .seed = q.seed, .erasable = q.erase}};
  if (o.first_keys) c.how.first_keys = *o.first_keys;
  c.how.factor = o.growth ? *o.growth : sluice::extend::with_factor(c.how).factor;
  sluice::extend::plan_links(c.how, *q.keys, c.links);
  c.cost = sluice::extend::cost_of_chain(c.links, *q.keys);
  return c;
}

ordered_json chain_json(const planned_chain& c) {
  const auto range = [](const sluice::extend::chain_cost::range& r) {
    return ordered_json{{"best", r.best}, {"mean", r.mean}, {"worst", r.worst}, {"in_the_end", r.in_the_end}};
  };
  return {{"first_keys", c.how.first_keys},
          {"factor", c.how.factor},
          {"bits_per_key_in_memory", range(c.cost.bits_in_memory)},
          {"bits_per_key_in_file", range(c.cost.bits_in_file)},
          {"links", range(c.cost.links)}};
}

void print_chain(const planned_chain& c, double keys) {
  print("\nA chain (--grow) from {} keys on, each link for {} times the one before, up to {:.0f} keys:\n",
        c.how.first_keys, c.how.factor, keys);
  print("  {:<22} {:>7} {:>7} {:>7} {:>11}\n", "", "best", "mean", "worst", "in the end");
  const auto row = [](std::string_view name, const sluice::extend::chain_cost::range& r) {
    print("  {:<22} {:>7.1f} {:>7.1f} {:>7.1f} {:>11.1f}\n", name, r.best, r.mean, r.worst, r.in_the_end);
  };
  row("bits a key, in memory", c.cost.bits_in_memory);
  row("bits a key, in a file", c.cost.bits_in_file);
  row("links, lines of a miss", c.cost.links);
}

/// The exit status: 1 if nothing is recommended.
int run_plan(const plan_options& o, const chain_options& grow, bool json, bool verbose) {
  const sluice::plan_request q = request_of(o);
  std::optional<planned_chain> chain;
  if (grow.wanted) chain = chain_of(q, grow);
  std::vector<sluice::plan_candidate> candidates;
  std::string why_not;
  std::string loosen;
  try {
    candidates = sluice::plan(q);
    const sluice::plan_candidate& first = candidates.front();
    if (!first.broken_limit.empty()) {
      why_not = fmt::format("no filter keeps all limits: the nearest is {}, but {}",
                            sluice::extend::scheme_name(first.params), first.broken_limit);
      loosen = what_to_loosen(q, candidates);
    }
  } catch (const sluice::parameter_error& e) {
    why_not = e.what();
    loosen = what_to_loosen(q, {});
    if (loosen.empty()) throw;  // the request makes no sense
  }
  if (json) {
    ordered_json request;
    request["keys"] = or_null(q.keys);
    request["keys_at_most"] = q.keys_at_most;
    request["fpr"] = or_null(q.fpr);
    request["memory_bytes"] = q.memory_bits ? ordered_json(*q.memory_bits / 8) : ordered_json(nullptr);
    request["by"] = sluice::extend::plan_by_words.at(static_cast<std::size_t>(q.by));
    request["hit_ratio"] = q.hit_ratio;
    request["max_blocks"] = q.max_blocks;
    request["mean_cost"] = q.mean_cost_limit;
    request["accesses_hit"] = or_null(q.accesses_hit);
    request["accesses_miss"] = or_null(q.accesses_miss);
    request["second_line_cost"] = q.second_line_cost;
    request["block_bits"] = q.block_bits;
    request["overload"] = q.overload;
    request["static"] = q.all_keys_known;
    request["erase"] = q.erase;
    request["no_list"] = q.no_list;
    request["mergeable"] = q.mergeable;
    request["shards"] = sluice::extend::shards_of(q);
    request["concurrent"] = q.concurrent;
    ordered_json list = ordered_json::array();
    for (const auto& c : candidates) list.push_back(candidate_json(c, verbose));
    ordered_json all{{"request", request}, {"candidates", list}};
    if (q.keys_at_most && !candidates.empty()) all["folded"] = folded_json(folded_sizes(candidates.front(), q));
    if (chain) all["chain"] = chain_json(*chain);
    print_result(all, true);
  } else if (!candidates.empty()) {
    print_candidates(candidates);
    print_folded_sizes(candidates.front(), q);
    if (chain) print_chain(*chain, *q.keys);
  }
  if (why_not.empty()) return 0;
  say("nothing is recommended: {}{}{}", why_not, loosen.empty() ? "" : "; allow ", loosen);
  return 1;
}

}  // namespace

command plan_command(CLI::App& app) {
  CLI::App* const plan = app.add_subcommand("plan", "the best filter for a budget: give two of keys, rate and memory");
  struct options {
    plan_options plan;
    chain_options grow;
    bool json = false;
    bool verbose = false;
  };
  const auto o = std::make_shared<options>();
  add_plan_options(*plan, o->plan);
  add_keys_at_most(*plan, o->plan);
  plan->add_flag("--grow", o->grow.wanted, "also what a chain costs that grows to so many keys (sluice build --grow)");
  plan->add_option("--first-keys", o->grow.first_keys, "with --grow: keys of its first link")->needs("--grow");
  plan->add_option("--growth", o->grow.growth, "with --grow: how many times the keys each further link holds")
      ->needs("--grow");
  plan->add_flag("--json", o->json, "print JSON");
  plan->add_flag("--verbose", o->verbose, "with --json: also the distributions of loads, some 60 kB");
  plan->footer(
      "examples:\n  sluice plan --keys 1e8 --fpr 1e-6\n  sluice plan --keys 1e6 --memory 2Mi --hit-ratio 0.1\n"
      "  sluice plan --memory 1Gi --fpr 0.001 --json\n  sluice plan --keys 1e7 --fpr 1e-5 --static\n"
      "  sluice plan --keys-at-most 1e8 --fpr 0.001\n  sluice plan --keys 1e8 --fpr 0.001 --grow --growth 4\n"
      "  sluice plan --keys 1e5 --memory 200K --by lines\n  sluice plan --keys 4e6 --fpr 1e-5 --shards 16\n"
      "exit status: 1 if no filter keeps all limits; then a sentence says which one to loosen");
  return {plan, [o] { return run_plan(o->plan, o->grow, o->json, o->verbose); }};
}

}  // namespace sluice_cli
