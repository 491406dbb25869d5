// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice verify: whether files of filters and of maps are whole.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "frame/message.hpp"
#include "frame/output.hpp"
#include "frame/printable.hpp"
#include "sluice/extend/map.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/sealed_map.hpp"

namespace sluice_cli {
namespace {

struct verify_options {
  std::vector<std::string> files;
};

int run_verify(const verify_options& o) {
  int status = 0;
  for (const std::string& file : o.files) {
    try {
      if (sluice::extend::has_sealed_map(file)) {
        const auto m = sluice::sealed_map<>::map(file);
        m.verify();
        print("{}: good, {} bytes, a map of {} keys\n", printable(file), m.size_bytes(), m.size());
        continue;
      }
      const sluice::filter_file v = sluice::filter_file::map(file);
      v.verify();
      print("{}: good, {} bytes, {} keys\n", printable(file), v.size_bytes(), v.keys_inserted());
    } catch (const sluice::error& e) {
      say("{}", e.what());
      status = 2;
    }
  }
  return status;
}

}  // namespace

command verify_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("verify", "read filter files as a whole and compare every checksum");
  const auto o = std::make_shared<verify_options>();
  sub->add_option("FILTERS", o->files, "filter files")->required();
  sub->footer(
      "Exit status: 0 if all are good, 2 if one is not; a sentence on the error output says where.\n"
      "examples:\n  sluice verify words.sluice\n  sluice verify backup/*.sluice");
  return {sub, [o] { return run_verify(*o); }};
}

}  // namespace sluice_cli
