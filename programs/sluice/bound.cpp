// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice bound: the papers' balancing problem: the best that any scheme can do with a mean of blocks read per insertion
// and a share of keys in a list, what a convex cost is there, and where it can be reached.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/output.hpp"
#include "report.hpp"
#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"

namespace sluice_cli {
namespace {

namespace theory = sluice::theory;
using sluice::parameter_error;

struct bound_options {
  double accesses = 1.2;
  double keys_per_block = 38.4;
  std::uint32_t choices = 3;
  std::optional<double> overflow;
  std::string cost = "variance";
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 9;
  double power = 2;
  bool region = false;
  double from = 1.02;
  double to = 1.5;
  std::uint32_t points = 13;
  bool json = false;
};

/// What a block of load i costs.
std::function<double(std::uint64_t)> cost_by_name(const bound_options& o, double mean) {
  if (o.cost == "variance") return theory::variance_cost(mean);
  if (o.cost == "power") {
    if (!(o.power >= 1)) throw parameter_error("--power is at least 1: below, the cost is not convex");
    return [power = o.power](std::uint64_t i) { return std::pow(static_cast<double>(i), power); };
  }
  const sluice::extend::local_filter block{o.block_bits, o.hashes};
  return [block](std::uint64_t i) { return block.usual_fpr(static_cast<double>(i)); };
}

ordered_json bound_of(const bound_options& o) {
  const double overflow = o.overflow.value_or(sluice::theory::least_overflow(o.accesses, o.choices));
  const theory::optimum best = theory::optimal_threshold(o.accesses, o.keys_per_block, overflow);
  const double mean = o.keys_per_block * (1 - overflow);
  ordered_json j;
  j["accesses"] = o.accesses;
  j["keys_per_block"] = o.keys_per_block;
  j["overflow_fraction"] = overflow;
  j["mean_load"] = mean;
  j["k0"] = best.loads.k0;
  j["greatest_load"] = best.loads.bound.size() - 1;
  j["share_at_k0"] = best.loads.bound[best.loads.k0];
  j["threshold"] = best.threshold;
  j["acceptance"] = best.acceptance;
  j["cost"] = o.cost;
  j["least_cost"] = theory::cost_of(best.loads.bound, cost_by_name(o, mean));
  j["load_distribution"] = best.loads.bound;
  return j;
}

ordered_json region_of(const bound_options& o) {
  if (o.from > o.to) throw sluice::parameter_error("--from is at most --to");
  ordered_json all = ordered_json::array();
  for (const theory::region_point& p : theory::optimality_region(o.from, o.to, o.points, o.choices, o.keys_per_block)) {
    all.push_back(
        {{"accesses", p.accesses}, {"overflow_sequential", p.overflow_sequential}, {"overflow_mht", p.overflow_mht}});
  }
  return all;
}

int run_bound(const bound_options& o) {
  if (!o.region) {
    print_result(bound_of(o), o.json);
    return 0;
  }
  const ordered_json all = region_of(o);
  if (o.json) {
    print("{}\n", json_text({{"keys_per_block", o.keys_per_block}, {"choices", o.choices}, {"region", all}}, 2));
    return 0;
  }
  print("{:>8} {:>12} {:>12}\n", "accesses", "SEQUENTIAL", "MHT");
  for (const ordered_json& p : all) {
    print("{:>8.4g} {:>12.5g} {:>12.5g}\n", p["accesses"].get<double>(), p["overflow_sequential"].get<double>(),
          p["overflow_mht"].get<double>());
  }
  return 0;
}

}  // namespace

command bound_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("bound", "the best that any scheme can do: the papers' lower bound");
  const auto o = std::make_shared<bound_options>();
  sub->add_option("--accesses", o->accesses, "a: mean of blocks read per insertion")->capture_default_str();
  sub->add_option("--keys-per-block", o->keys_per_block, "r: keys for each block")->capture_default_str();
  sub->add_option("--overflow", o->overflow,
                  "gamma: share of keys in the list (default: the least at which MHT reaches the bound)")
      ->type_name(share_type);
  sub->add_option("--choices", o->choices, "d: candidate blocks of SEQUENTIAL and MHT")->capture_default_str();
  sub->add_option("--cost", o->cost,
                  "of a block's load i: variance, power (i^P, --power), or fpr (of its local filter)")
      ->check(CLI::IsMember({"variance", "power", "fpr"}))
      ->capture_default_str();
  sub->add_option("--power", o->power, "P of --cost power")->capture_default_str();
  sub->add_option("--block-bits", o->block_bits, "of --cost fpr")
      ->capture_default_str()
      ->check(CLI::Range(64, 4096).description(""));
  sub->add_option("--hashes", o->hashes, "k of --cost fpr")
      ->capture_default_str()
      ->check(CLI::Range(1, 256).description(""));
  sub->add_flag("--region", o->region, "the optimality region in place of one bound: the overflow that it needs for a");
  sub->add_option("--from", o->from, "least a of the region")->capture_default_str();
  sub->add_option("--to", o->to, "greatest a of the region")->capture_default_str();
  sub->add_option("--points", o->points, "of the region")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000).description(""));
  sub->add_flag("--json", o->json, "print JSON; of a bound, with the whole distribution of loads");
  sub->footer(
      "No scheme with this mean of accesses and this overflow has a smaller cost, for any convex cost (Kanizo, Hay "
      "and\n"
      "Keslassy, theorem 1). threshold and acceptance are the h and p with which SINGLE, SEQUENTIAL and MHT reach it.\n"
      "The default a, d and r are those of MHT at 512 / 38.4 = 13.3 bits a key. Any other cost: theory::cost_of in "
      "C++,\n"
      "sluice.cost_of in Python.\n"
      "examples:\n  sluice bound --accesses 1.2 --keys-per-block 10 --overflow 1%\n"
      "  sluice bound --cost fpr --block-bits 256 --hashes 28 --keys-per-block 6.4\n"
      "  sluice bound --region --from 1.02 --to 1.2 --keys-per-block 10");
  return {sub, [o] { return run_bound(*o); }};
}

}  // namespace sluice_cli
