// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice merge: one filter file with the keys of several.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output_file.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {
namespace {

struct merge_options {
  std::string out;
  std::vector<std::string> files;
  bool force = false;
  bool json = false;
};

int run_merge(const merge_options& o) {
  output_file out(o.out, {.replace = o.force, .read_first = o.files});
  auto all = sluice::filter_file::load(o.files.front());
  for (std::size_t i = 1; i < o.files.size(); ++i) {
    const auto next = sluice::filter_file::load(o.files[i]);
    try {
      all.merge(next);
    } catch (const sluice::merge_error& e) {
      throw sluice::merge_error(fmt::format("{} and {} cannot be merged: {}", o.files.front(), o.files[i], e.what()));
    }
  }
  out.save(all.contents());
  const ordered_json report = report_of(all, o.out);
  warn_if_not_as_promised(o.out, all, report["fpr_from_fill"]);
  print_result(report, o.json);
  return 0;
}

}  // namespace

command merge_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("merge", "one filter file with the keys of several");
  const auto o = std::make_shared<merge_options>();
  sub->add_option("-o,--out", o->out, "the file to write")->required();
  sub->add_option("FILTERS", o->files, "filter files that were made with the same parameters and seed")->required();
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "To make shards, filters that can be merged, build each with the --keys and --fpr of the whole, the same\n"
      "--seed, and --shards N, the number of them: then the union keeps the rate. fpr_from_fill is that of the union,\n"
      "and keys are counted by its bits: keys that several shards have are counted once. Erasable ones keep every\n"
      "copy of all shards, and are merged where these have room in one.\n"
      "examples:\n  sluice merge -o all.sluice monday.sluice tuesday.sluice\n"
      "  sluice build -o shard1.sluice --keys 1e6 --shards 4 shard1.txt");
  return {sub, [o] { return run_merge(*o); }};
}

}  // namespace sluice_cli
