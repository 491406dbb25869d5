// sluice plan: the best filter for a budget, before there is one.
#include "sluice/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
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

/// The exit status: 1 if nothing is recommended.
int run_plan(const plan_options& o, bool json, bool verbose) {
  const sluice::plan_request q = request_of(o);
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
    print_result(ordered_json{{"request", request}, {"candidates", list}}, true);
  } else if (!candidates.empty()) {
    print_candidates(candidates);
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
    bool json = false;
    bool verbose = false;
  };
  const auto o = std::make_shared<options>();
  add_plan_options(*plan, o->plan);
  plan->add_flag("--json", o->json, "print JSON");
  plan->add_flag("--verbose", o->verbose, "with --json: also the distributions of loads, some 60 kB");
  plan->footer(
      "examples:\n  sluice plan --keys 1e8 --fpr 1e-6\n  sluice plan --keys 1e6 --memory 2Mi --hit-ratio 0.1\n"
      "  sluice plan --memory 1Gi --fpr 0.001 --json\n  sluice plan --keys 1e7 --fpr 1e-5 --static\n"
      "  sluice plan --keys 1e5 --memory 200K --by lines\n  sluice plan --keys 4e6 --fpr 1e-5 --shards 16\n"
      "exit status: 1 if no filter keeps all limits; then a sentence says which one to loosen");
  return {plan, [o] { return run_plan(o->plan, o->json, o->verbose); }};
}

}  // namespace sluice_cli
