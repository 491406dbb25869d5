// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice add: more keys in a filter file, which is changed as a whole. Writers of one file wait for each other, so that
// nothing is lost.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "output_file.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {
namespace {

struct add_options {
  std::string file;
  key_options keys;
  std::uint32_t threads = 0;
  bool json = false;
};

int run_add(const add_options& o) {
  // The lock comes first: what is read then is what will be replaced.
  output_file out(o.file, {.replace = true, .read = files_of(o.keys)});
  auto f = sluice::filter_file::load(out.path());
  if (sluice::extend::is_sealed(f.contents().filters.back().params)) {
    throw sluice::parameter_error(
        o.file +
        " is a sealed filter, which takes no more keys: build it again from all of them, or build another one "
        "of the later ones and query both. Built with --static --scheme gated, or without --static, it takes more");
  }
  sluice_keys::key_input input(keys_of(o.keys, f, o.file));
  const std::uint64_t before = f.keys_inserted();
  const std::uint64_t read =
      for_all_digests(input, o.threads, "adding", f.seed(), [&](const std::vector<sluice::digest>& some) {
        try {
          f.insert_bulk(some);
        } catch (const sluice::full_error& e) {
          throw sluice::full_error(o.file + ": " + e.what() + ". The file is as it was");
        }
      });
  constexpr double room = 0.25;  // files that are added to again and again should not have many small links
  static_cast<void>(f.fold_last_link(room));
  out.save(f.contents());
  tell_of_input(input);
  ordered_json j = report_of(f, o.file);
  warn_if_not_as_promised(o.file, f, j["fpr_from_fill"]);
  j["keys_read"] = read;
  j["keys_new"] = f.keys_inserted() - before;
  print_result(j, o.json);
  return 0;
}

}  // namespace

command add_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("add", "add keys to a filter file");
  const auto o = std::make_shared<add_options>();
  sub->add_option("FILTER", o->file, "the filter file")->required();
  add_key_options(*sub, o->keys);
  add_threads(*sub, o->threads);
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "The file is replaced as a whole when all keys are in it; until then, and after an interrupt, it is as it was. "
      "Programs that add to one\n"
      "file at the same time wait for each other.\n"
      "examples:\n  sluice add words.sluice more.txt\n  sluice add words.sluice --key sluice --key weir\n"
      "  sluice add hosts.sluice --field 1 today.log");
  return {sub, [o] { return run_add(*o); }};
}

}  // namespace sluice_cli
