// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice-reproduce, which `sluice reproduce` runs: the papers' tables and figures, made again and judged.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "common/experiment.hpp"
#include "common/judge.hpp"
#include "common/report.hpp"
#include "common/store.hpp"
#include "frame/command.hpp"
#include "frame/program.hpp"
#include "frame/progress.hpp"
#include "sluice/builders.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/bulk.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {
namespace {

struct reproduce_options {
  std::vector<std::string> names;
  std::string out = "reproduction";
  bool quick = false;
  bool fresh = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  std::vector<std::string> traces;
  std::string manifest;
};

using experiments::experiment;
using experiments::record;
using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

std::vector<const experiment*> choose(const std::vector<std::string>& names) {
  std::vector<const experiment*> found;
  const auto& all = experiments::all_experiments();
  for (const std::string& name : names) {
    if (name == "all") {
      for (const experiment& e : all) found.push_back(&e);
      continue;
    }
    const auto it = std::ranges::find(all, name, &experiment::name);
    if (it == all.end()) {
      std::string known = "all";
      for (const experiment& e : all) known += ", " + e.name;
      throw sluice::parameter_error(fmt::format("there is no experiment '{}'; choose one of {}", name, known));
    }
    found.push_back(&*it);
  }
  return found;
}

/// The exit status: 0 if every finding agrees or is explained, 1 if one differs. Throws sluice::error where something
/// cannot be done.
int reproduce(const reproduce_options& o) {
  const std::vector<const experiment*> wanted = choose(o.names);
  const std::filesystem::path folder(o.out);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || !std::filesystem::is_directory(folder)) {
    throw sluice::error(
        fmt::format("{} cannot be made a folder: {}", o.out, failed ? failed.message() : "there is a file"));
  }
  const experiments::setting how{.quick = o.quick,
                                 .seed = o.seed,
                                 .threads = sluice::extend::threads_or_all(o.threads),
                                 .traces = o.traces,
                                 .manifest = o.manifest};
  int differing = 0;
  for (const experiment* e : wanted) {
    std::optional<record> r = o.fresh ? std::nullopt : experiments::load(folder, *e, how);
    const bool kept = r.has_value();
    if (!kept) {
      progress_line line;
      experiments::setting told = how;
      told.progress = [&](double share) { line.tell(e->name, share); };
      const auto start = clock::now();
      record made{.name = e->name,
                  .quick = o.quick,
                  .seed = o.seed,
                  .version = SLUICE_VERSION,
                  .traces = o.traces,
                  .manifest = o.manifest,
                  .seconds = 0,
                  .results = e->run(told)};
      made.seconds = seconds_since(start);
      experiments::save(folder, *e, made);
      r = std::move(made);
    }
    const auto& findings = r->results.findings;
    differing += std::ranges::count(findings, experiments::verdict::differs, &experiments::finding::is) > 0 ? 1 : 0;
    fmt::print("{:<16} {:>7.1f} s{}  {}\n", e->name, r->seconds, kept ? " (kept)" : "",
               experiments::result_of(findings));
    if (!r->results.title.empty()) fmt::print("    {}\n", r->results.title);
    fmt::print("    {}{}\n", o.quick ? "quick: " : "", r->results.sizes);
    for (const auto& f : findings) fmt::print("    {} {}\n", experiments::sign_of(f.is), f.sentence);
    std::fflush(stdout);
  }
  // The report has everything that is in the folder.
  std::vector<std::pair<const experiment*, record>> all;
  for (const experiment& e : experiments::all_experiments()) {
    if (auto r = experiments::load(folder, e, how)) all.emplace_back(&e, std::move(*r));
  }
  experiments::write_whole(folder / "index.html", experiments::page(all));
  fmt::print("{}\n", (folder / "index.html").string());
  return differing == 0 ? 0 : 1;
}

command reproduce_command(CLI::App& app) {
  CLI::App* const reproducing =
      app.add_subcommand("reproduce", "the papers' tables and figures: theory, simulation and paper side by side");
  const auto o = std::make_shared<reproduce_options>();
  reproducing->add_option("names", o->names, "experiments, or all; experiments/README.md lists them")->required();
  reproducing->add_option("--out", o->out, "folder for the results")->capture_default_str();
  reproducing->add_flag("--quick", o->quick, "fewer trials and smaller filters: seconds instead of minutes");
  reproducing->add_flag("--fresh", o->fresh, "make again what is there already");
  reproducing->add_option("--seed", o->seed, "of all trials")->capture_default_str();
  reproducing->add_option("--threads", o->threads, "0: as many as the machine has")->capture_default_str();
  reproducing->add_option("--trace", o->traces, "a capture for kanizo-fig6; several may be given");
  reproducing->add_option("--manifest", o->manifest,
                          "what is known about captures (JSON; default: traces.json beside them)");
  reproducing->footer(
      "The folder gets NAME.csv, NAME.svg and NAME.json of every experiment, and index.html with all that is in it.\n"
      "Findings agree (+), differ for a reason that was checked as well (~, explained), or differ (-); o is a remark.\n"
      "Exit status: 0 if every finding agrees or is explained, 1 if one differs, 2 for errors. A run that was "
      "interrupted goes on "
      "where it stopped.\n"
      "examples:\n  sluice reproduce all --quick --out /tmp/papers\n  sluice reproduce lumetta-table1 krimer-fig2\n"
      "  SLUICE_DATA=/data/captures sluice reproduce kanizo-fig6");
  return {reproducing, [o] { return reproduce(*o); }};
}

}  // namespace
}  // namespace sluice_cli

int main(int argc, char** argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + (argc > 0 ? 1 : 0), "reproduce");
  return sluice_cli::run_program(static_cast<int>(arguments.size()), arguments.data(), [](CLI::App& app) {
    return std::vector<sluice_cli::command>{sluice_cli::reproduce_command(app)};
  });
}
