// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice redis info, save, load and drop: a whole filter of a cluster.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common.hpp"
#include "frame/message.hpp"
#include "frame/output.hpp"
#include "frame/progress.hpp"
#include "output_file.hpp"
#include "report.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {
namespace {

using sluice::redis::spread_filter;

struct whole_options {
  server_options servers;
  wait_options wait;
  std::string file;
  std::optional<std::uint32_t> parts;
  bool force = false;
};

ordered_json description_of(const std::string& name, const spread_filter& f) {
  ordered_json j;
  j["filter"] = name;
  j["scheme"] = std::string(sluice::extend::scheme_name(f.header().part.whole));
  j["key_kind"] = std::string(name_of(f.header().kind));
  j["parts"] = f.cut().parts();
  j["blocks"] = f.cut().blocks();
  j["bytes"] = f.cut().blocks() * f.cut().block_bytes();
  j["seed"] = f.seed();
  j["planned_keys"] = f.header().part.planned_keys;
  j["fpr_promised"] = f.header().part.planned_fpr;
  return j;
}

int run_info(const whole_options& o) {
  const auto on = connect(o.servers);
  spread_filter f = spread_filter::open(*on, o.servers.name);
  const sluice::redis::spread_statistics s = f.stats();
  ordered_json j = description_of(o.servers.name, f);
  j["keys"] = s.keys;
  j["fill"] = s.fill;
  j["fpr_now"] = s.fpr_now;
  ordered_json nodes = ordered_json::array();
  for (const auto& n : s.nodes) {
    nodes.push_back({{"node", text_of(n.at)}, {"parts", n.parts}, {"bytes", n.bytes}, {"keys", n.keys}});
  }
  if (o.servers.json) {
    j["nodes"] = nodes;
    print_result(j, true);
    return 0;
  }
  print_result(j, false);
  for (const auto& n : s.nodes) {
    print("{:<22} {} parts, {} bytes, {} keys\n", text_of(n.at), n.parts, n.bytes, n.keys);
  }
  return 0;
}

int run_save(const whole_options& o) {
  const auto on = connect(o.servers);
  spread_filter f = spread_filter::open(*on, o.servers.name);
  output_file out(o.file, {.replace = o.force});
  progress_line line;
  out.save([&](sluice::extend::replacement& into) { f.save(into, [&](double share) { line.tell("saving", share); }); });
  ordered_json j = description_of(o.servers.name, f);
  j["file"] = o.file;
  print_result(j, o.servers.json);
  return 0;
}

int run_load(const whole_options& o) {
  const auto on = connect(o.servers);
  const auto rule = rule_of(o.wait, *on);
  progress_line line;
  sluice::redis::acknowledgement kept;
  const spread_filter f = spread_filter::load(*on, o.servers.name, o.file, o.parts, rule, kept,
                                              [&](double share) { line.tell("loading", share); });
  ordered_json j = description_of(o.servers.name, f);
  j["file"] = o.file;
  add_parts(j, kept);
  print_result(j, o.servers.json);
  return status_of_parts(f, kept, rule);
}

int run_drop(const whole_options& o) {
  const auto on = connect(o.servers);
  spread_filter f = spread_filter::open(*on, o.servers.name);
  const std::vector<std::string> stay = f.drop();
  for (const std::string& key : stay) say("the key {} is no part of this filter, and stays", key);
  return stay.empty() ? 0 : 1;
}

}  // namespace

command info_command(CLI::App& app) {
  CLI::App* const sub =
      app.add_subcommand("info", "what a filter of the cluster is, and which node has how much of it");
  const auto o = std::make_shared<whole_options>();
  add_server_options(*sub, o->servers);
  sub->footer("examples:\n  sluice redis info --to localhost:7000 words");
  return {sub, [o] { return run_info(*o); }};
}

command save_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("save", "write a filter of the cluster into one file");
  const auto o = std::make_shared<whole_options>();
  add_server_options(*sub, o->servers);
  sub->add_option("-o,--out", o->file, "the file to write")->required();
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->footer(
      "The file is that of `sluice build`. Keys that are added meanwhile may be in it or not.\n"
      "examples:\n  sluice redis save --to localhost:7000 words -o words.sluice");
  return {sub, [o] { return run_save(*o); }};
}

command load_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("load", "make a filter in the cluster from a filter file");
  const auto o = std::make_shared<whole_options>();
  add_server_options(*sub, o->servers);
  sub->add_option("FILE", o->file, "the filter file: blocked, gated, sealed, or Bloom-g in a page")->required();
  sub->add_option("--parts", o->parts, "keys that it is cut into; without it 64, or more where they would be large");
  add_wait_options(*sub, o->wait);
  sub->footer("examples:\n  sluice redis load --to localhost:7000 words words.sluice");
  return {sub, [o] { return run_load(*o); }};
}

command drop_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("drop", "remove a filter from the cluster, with all its parts");
  const auto o = std::make_shared<whole_options>();
  add_server_options(*sub, o->servers);
  sub->footer(
      "Keys of its name that are no parts of it stay, and the exit status is 1.\n"
      "examples:\n  sluice redis drop --to localhost:7000 words");
  return {sub, [o] { return run_drop(*o); }};
}

}  // namespace sluice_cli
