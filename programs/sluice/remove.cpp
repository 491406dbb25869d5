// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice remove: keys taken out of a ledger's file, which is changed as a whole. Writers of one file wait for each
// other, so that nothing is lost.
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
#include "sluice/file.hpp"

namespace sluice_cli {
namespace {

struct remove_options {
  std::string file;
  key_options keys;
  std::uint32_t threads = 0;
  bool json = false;
};

int run_remove(const remove_options& o) {
  // The lock comes first: what is read then is what will be replaced.
  output_file out(o.file, {.replace = true, .read = files_of(o.keys)});
  auto f = sluice::filter_file::load(out.path());
  if (!f.erases()) {
    throw sluice::parameter_error(o.file +
                                  " is not erasable: its keys share their bits. Build it again from the keys that "
                                  "stay, or build an erasable one from all (sluice build --erasable)");
  }
  sluice_keys::key_input input(keys_of(o.keys, f, o.file));
  std::uint64_t erased = 0;
  const std::uint64_t read =
      for_all_digests(input, o.threads, "removing", f.seed(),
                      [&](const std::vector<sluice::digest>& some) { erased += f.erase_bulk(some); });
  out.save(f.contents());
  tell_of_input(input);
  ordered_json j = report_of(f, o.file);
  j["keys_read"] = read;
  j["keys_removed"] = erased;
  print_result(j, o.json);
  if (erased == read) return 0;
  say("{} of {} keys were not in {}, and nothing like them", read - erased, read, o.file);
  return 1;
}

}  // namespace

command remove_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("remove", "take keys out of an erasable filter file");
  const auto o = std::make_shared<remove_options>();
  sub->add_option("FILTER", o->file, "the filter file, built with --erasable")->required();
  add_key_options(*sub, o->keys);
  add_threads(*sub, o->threads);
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "Remove only keys that were put in, and as often: the filter cannot tell a key from another that looks like it, "
      "and would take that one.\n"
      "The exit status is 1 if some keys were not in the filter. The file is replaced as a whole, as `sluice add` does "
      "it.\n"
      "examples:\n  sluice build --erasable -o sessions.sluice sessions.txt\n"
      "  sluice remove sessions.sluice ended.txt\n  sluice remove sessions.sluice --key sluice");
  return {sub, [o] { return run_remove(*o); }};
}

}  // namespace sluice_cli
