// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice fold: a filter file made smaller, for whoever planned for more keys than came.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/message.hpp"
#include "output_file.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {
namespace {

struct fold_options {
  std::string file;
  std::string out;
  std::optional<double> fpr;
  std::optional<std::uint32_t> times;
  bool force = false;
  bool json = false;
};

int run_fold(const fold_options& o) {
  output_file out(o.out, {.replace = o.force, .read_first = {o.file}});
  auto f = sluice::filter_file::load(o.file);
  const std::uint64_t before = f.size_bytes();
  std::uint32_t folds = o.times.value_or(0);
  if (o.times) {
    f.fold(folds);
  } else {
    folds = f.fold_to(o.fpr);
  }
  out.save(f.contents());
  ordered_json j = report_of(f, o.out);
  const double rate = j["fpr_from_fill"];
  warn_if_not_as_promised(o.out, f, rate);
  if (o.fpr && rate > *o.fpr)
    warn("{} has a false positive rate of {:.2g} as it is: above {:.2g}", o.out, rate, *o.fpr);
  j["folds"] = folds;
  j["file_bytes_before"] = before;
  j["file_bytes"] = f.size_bytes();
  print_result(j, o.json);
  return 0;
}

}  // namespace

command fold_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("fold", "a filter file made smaller, where it has room for more keys");
  const auto o = std::make_shared<fold_options>();
  sub->add_option("FILTER", o->file, "a filter file, of the scheme blocked, gated, bloom-g or classic")->required();
  sub->add_option("-o,--out", o->out, "the file to write; it may be the same")->required();
  sub->add_option("--fpr", o->fpr,
                  "as often as the rate, by the bits, stays at most this; without it, that of its plan")
      ->type_name(share_type);
  sub->add_option("--times", o->times, "in place of --fpr: so often")->excludes("--fpr");
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "Each fold halves the filter. It keeps every key, and takes more; what it was planned for is halved, too.\n"
      "examples:\n  sluice fold large.sluice -o small.sluice\n"
      "  sluice fold hosts.sluice -o hosts.sluice --force --fpr 0.01");
  return {sub, [o] { return run_fold(*o); }};
}

}  // namespace sluice_cli
