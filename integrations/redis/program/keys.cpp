// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice redis build, add and query: keys from files into a filter of a cluster, and questions to it. Keys are hashed
// here, and windows of half a million digests are sent at a time. What needs all keys at once (--static) is built here,
// and sent as it is.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "all_keys.hpp"
#include "common.hpp"
#include "frame/message.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "keys/distinct_keys.hpp"
#include "looser_limits.hpp"
#include "plan_options.hpp"
#include "record_output.hpp"
#include "report.hpp"
#include "seed_option.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {
namespace {

using sluice::redis::acknowledgement;
using sluice::redis::added_keys;
using sluice::redis::cluster;
using sluice::redis::spread_filter;

constexpr std::size_t most_batches = 64;  // of keys in a window that are looked up: long ones take memory

const std::vector<std::string> spread_schemes = {"blocked", "bloom-g", "gated", "sealed"};

struct key_command_options {
  server_options servers;
  wait_options wait;
  key_options keys;
  plan_options plan;
  std::optional<std::string> scheme;
  std::optional<std::uint32_t> parts;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  bool absent = false;
  bool count = false;
};

/// All keys of the input. Returns how many were read.
std::uint64_t add_all(spread_filter& f, sluice_keys::key_input& input, const key_command_options& o,
                      const cluster::wait_rule& rule, added_keys& sum) {
  std::vector<sluice::digest> window;
  window.reserve(spread_filter::window_keys);
  const auto send = [&] {
    const added_keys some = f.add(window, rule);
    sum.fresh += some.fresh;
    sum.kept.unacknowledged += some.kept.unacknowledged;
    sum.kept.replicated += some.kept.replicated;
    window.clear();
  };
  const std::uint64_t read =
      for_all_digests(input, o.threads, "adding", f.seed(), [&](const std::vector<sluice::digest>& some) {
        for (const sluice::digest x : some) {
          window.push_back(x);
          if (window.size() == spread_filter::window_keys) send();
        }
      });
  send();
  return read;
}

ordered_json report_of(const key_command_options& o, const spread_filter& f, const cluster& on) {
  ordered_json j;
  j["filter"] = o.servers.name;
  j["scheme"] = std::string(sluice::extend::scheme_name(f.header().part.whole));
  j["parts"] = f.cut().parts();
  j["nodes"] = on.primaries().size();
  j["bytes"] = f.cut().blocks() * f.cut().block_bytes();
  j["seed"] = f.seed();
  return j;
}

int report_added(const key_command_options& o, const spread_filter& f, const cluster& on, std::uint64_t read,
                 const added_keys& sum, const cluster::wait_rule& rule) {
  ordered_json j = report_of(o, f, on);
  j["keys_read"] = read;
  j["keys_new"] = sum.fresh;
  j["keys_unacknowledged"] = sum.kept.unacknowledged;
  j["keys_replicated"] = sum.kept.replicated;
  j["planned_keys"] = f.header().part.planned_keys;
  j["fpr_promised"] = f.header().part.planned_fpr;
  j["bytes_sent"] = on.moved().sent;
  j["bytes_received"] = on.moved().received;
  print_result(j, o.servers.json);
  return status_of("keys", read, sum.kept, rule);
}

sluice::plan_request request_for(const key_command_options& o) {
  sluice::plan_request q = request_of(o.plan);
  q.seed = o.seed;
  q.among = {sluice::scheme::gated, sluice::scheme::blocked};
  if (o.scheme) {
    if (const auto named = sluice::extend::scheme_from_name(*o.scheme)) q.among = {*named};
    take_any_cost(q);
  }
  return q;
}

/// The filter that `sluice build --static` makes, among those that can be spread.
int run_static_build(const key_command_options& o, const wanted_filter& wanted) {
  const sluice_keys::key_files keys = keys_of(o.keys);
  sluice_keys::key_input input(keys);
  const auto on = connect(o.servers);
  const cluster::wait_rule rule = rule_of(o.wait, *on);
  spread_filter::require_free(*on, o.servers.name);
  const filter_of_all_keys made = from_all_keys(input, wanted);
  tell_of_input(input);
  const sluice::file_contents contents =
      sluice::extend::contents_of(made.filter, sluice::saved_as::of_plan(made.plan, keys.format.kind()));
  progress_line line;
  acknowledgement kept;
  const spread_filter f =
      spread_filter::load(*on, o.servers.name, contents.filters.front(), {contents.kind, keys.format.made}, o.parts,
                          rule, kept, [&](double share) { line.tell("loading", share); });
  ordered_json j = report_of(o, f, *on);
  j["keys_read"] = made.read;
  j["keys_new"] = made.filter.keys_inserted();
  add_parts(j, kept);
  j["planned_keys"] = f.header().part.planned_keys;
  j["fpr_promised"] = f.header().part.planned_fpr;
  j["bytes_sent"] = on->moved().sent;
  j["bytes_received"] = on->moved().received;
  print_result(j, o.servers.json);
  return status_of_parts(f, kept, rule);
}

int run_build(const key_command_options& o) {
  if (o.plan.request.erase) throw sluice::parameter_error(sluice::redis::ledgers_stay_whole);
  const wanted_filter wanted{.plan = o.plan,
                             .scheme = o.scheme,
                             .seed = o.seed,
                             .threads = o.threads,
                             .among = {sluice::scheme::sealed, sluice::scheme::gated, sluice::scheme::blocked}};
  require_static_scheme(wanted);
  if (o.plan.request.all_keys_known) return run_static_build(o, wanted);
  const sluice_keys::key_files keys = keys_of(o.keys);
  sluice_keys::key_input input(keys);
  sluice::plan_request q = request_for(o);
  const bool memory_given = q.memory_bits.has_value();
  if (!q.fpr && !(q.keys && memory_given)) q.fpr = sluice::plan_request::usual_fpr;
  if (!q.keys && !(memory_given && o.plan.request.fpr)) {
    if (!input.can_be_read_again()) {
      throw sluice::parameter_error("keys that come from a pipe cannot be counted first: give --keys");
    }
    sluice_keys::distinct_keys distinct;
    for_all_digests(input, o.threads, "counting", o.seed, [&](const std::vector<sluice::digest>& some) {
      for (const sluice::digest x : some) distinct.add(x);
    });
    input.rewind();
    q.keys = std::max(1.0, distinct.with_margin());
    if (memory_given) q.fpr.reset();
  }
  const sluice::plan_candidate plan = best_plan_or_way_out(q);
  const sluice::parameters whole = sluice::extend::normalised(plan.params);
  const auto on = connect(o.servers);
  const cluster::wait_rule rule = rule_of(o.wait, *on);
  const sluice::redis::part_header header{
      .part = {.whole = whole,
               .parts = o.parts ? *o.parts : sluice::redis::usual_parts(whole),
               .planned_keys = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(plan.keys))),
               .planned_fpr = plan.predicted.fpr_exact},
      .kind = keys.format.kind(),
      .origin = keys.format.made};
  acknowledgement made;
  spread_filter f = spread_filter::create(*on, o.servers.name, header, rule, made);
  added_keys sum;
  const std::uint64_t read = add_all(f, input, o, rule, sum);
  tell_of_input(input);
  const int status = report_added(o, f, *on, read, sum, rule);
  return made.unacknowledged == 0 ? status : status_of_parts(f, made, rule);
}

known_keys keys_known_of(const spread_filter& f, const key_command_options& o) {
  return {.name = o.servers.name, .kind = f.header().kind, .origin = f.header().origin};
}

int run_add(const key_command_options& o) {
  const auto on = connect(o.servers);
  spread_filter f = spread_filter::open(*on, o.servers.name);
  f.require_takes_keys();
  sluice_keys::key_input input(keys_of(o.keys, keys_known_of(f, o)));
  const cluster::wait_rule rule = rule_of(o.wait, *on);
  added_keys sum;
  const std::uint64_t read = add_all(f, input, o, rule, sum);
  tell_of_input(input);
  return report_added(o, f, *on, read, sum, rule);
}

int run_query(const key_command_options& o) {
  const auto on = connect(o.servers);
  spread_filter f = spread_filter::open(*on, o.servers.name);
  const bool wanted = !o.absent;
  sluice_keys::key_files keys = keys_of(o.keys, keys_known_of(f, o));
  keys.format.records = !o.count && !o.servers.json;
  sluice_keys::key_input input(keys);
  const sluice::hasher hash(f.seed());
  std::uint64_t asked = 0;
  std::uint64_t present = 0;
  preface_printer preface;
  progress_line line;
  // Batches are gathered into a window, and answered together.
  std::deque<sluice_keys::key_batch> batches(1);  // they point into themselves, and must not be moved
  std::size_t used = 0;
  std::vector<sluice::digest> digests;
  std::vector<sluice::digest> some;
  std::vector<std::uint8_t> answers;
  std::string output;
  const auto ask = [&] {
    answers.resize(digests.size());
    f.look_up(digests, answers);
    std::size_t done = 0;
    for (std::size_t i = 0; i < used; ++i) {
      const auto mine = std::span<const std::uint8_t>(answers).subspan(done, batches[i].size());
      done += mine.size();
      asked += mine.size();
      for (const std::uint8_t answer : mine) present += answer;
      if (o.count || o.servers.json) continue;
      preface.take(batches[i]);
      output.clear();
      batches[i].append_records(mine, wanted ? 1 : 0, output);
      write_out(output);
    }
    digests.clear();
    used = 0;
    line.tell("querying", input.share_read(), asked);
  };
  const auto next = [&] {
    try {
      return input.next(batches[used]);
    } catch (const sluice::error&) {
      ask();  // what came before the mistake is answered
      throw;
    }
  };
  while (next()) {
    batches[used].make_digests(hash, some);
    digests.insert(digests.end(), some.begin(), some.end());
    if (++used == batches.size()) batches.emplace_back();
    const bool enough = digests.size() >= spread_filter::window_keys || used == most_batches;
    if (enough || !input.can_be_read_again()) ask();
  }
  ask();
  const std::uint64_t keyless = input.summary().keyless();
  const std::uint64_t chosen = wanted ? present : asked - present + keyless;
  if (o.servers.json) {
    ordered_json j;
    j["filter"] = o.servers.name;
    j["asked"] = asked;
    j["present"] = present;
    j["absent"] = asked - present;
    j["without_key"] = keyless;
    j["bytes_sent"] = on->moved().sent;
    j["bytes_received"] = on->moved().received;
    print_result(j, true);
  } else if (o.count) {
    write_out(fmt::format("{}\n", chosen));
  }
  tell_of_input(input, keyless_are::absent);
  return chosen != 0 ? 0 : 1;
}

constexpr const char* wait_footer =
    "Replication is asynchronous: keys are acknowledged when as many replicas as wanted have them. Those that were not "
    "are counted (keys_unacknowledged), and the exit status is 1. keys_replicated counts those that a replica was "
    "waited "
    "for, and has.\n";

}  // namespace

command build_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("build", "make a filter in the cluster from files of keys");
  const auto o = std::make_shared<key_command_options>();
  add_server_options(*sub, o->servers);
  add_key_options(*sub, o->keys);
  add_plan_options(*sub, o->plan);
  sub->add_option("--scheme", o->scheme, "the plan's design of this scheme, in place of its first")
      ->check(CLI::IsMember(spread_schemes));
  sub->add_option("--parts", o->parts,
                  "keys that the filter is cut into; without it 64, or more where they would be large");
  add_seed(*sub, o->seed, "of the hash; filters to be merged need the same. `random` draws one");
  add_wait_options(*sub, o->wait);
  add_threads(*sub, o->threads);
  sub->footer(
      fmt::format("{}With --static the filter is built here, as `sluice build --static` does, and sent as it is.\n"
                  "The filter is NAME, its parts are the keys NAME{{0}}, NAME{{1}} and so on.\n"
                  "examples:\n  sluice redis build --to localhost:7000 words /usr/share/dict/words\n"
                  "  zcat ids.gz | sluice redis build --to db1,db2 ids --keys 1e9 --fpr 1e-4 --input decimal\n"
                  "  sluice redis build --to localhost:7000 hosts --static --fpr 1e-5 hosts.txt",
                  wait_footer));
  return {sub, [o] { return run_build(*o); }};
}

command add_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("add", "add keys to a filter in the cluster");
  const auto o = std::make_shared<key_command_options>();
  add_server_options(*sub, o->servers);
  add_key_options(*sub, o->keys);
  add_wait_options(*sub, o->wait);
  add_threads(*sub, o->threads);
  sub->footer(
      fmt::format("{}examples:\n  sluice redis add --to localhost:7000 words more.txt\n"
                  "  sluice redis add --to localhost:7000 words --key sluice --wait 2",
                  wait_footer));
  return {sub, [o] { return run_add(*o); }};
}

command query_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("query", "print the keys that may be in a filter of the cluster");
  const auto o = std::make_shared<key_command_options>();
  add_server_options(*sub, o->servers);
  add_key_options(*sub, o->keys);
  sub->add_flag("--absent", o->absent, "print the others: keys that are certainly not in it");
  sub->add_flag("--count", o->count, "print their number alone");
  sub->footer(
      "What is printed is what stands in the input, as `sluice query` prints it; with --json, the numbers alone.\n"
      "Exit status: 0 if something was printed or counted, 1 if nothing, 2 for errors.\n"
      "examples:\n  sluice redis query --to localhost:7000 words candidates.txt > maybe.txt\n"
      "  sluice redis query --to localhost:7000 words --key sluice && echo perhaps");
  return {sub, [o] { return run_query(*o); }};
}

}  // namespace sluice_cli
