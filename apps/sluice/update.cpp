// sluice add and sluice merge: filter files that are changed as a whole. Writers of one file wait for each other, so that nothing is lost.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "output_file.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "sluice/keyed_filter.hpp"

namespace sluice_cli {
namespace {

ordered_json report_of(const sluice::keyed_filter& f, const std::string& file) {
  ordered_json j;
  j["file"] = file;
  j["keys_inserted"] = f.keys_inserted();
  j["planned_keys"] = or_null_if_zero(f.planned_keys());
  j["fpr_promised"] = or_null_if_zero(f.planned_fpr());
  j["fpr_from_fill"] = sluice::fpr_of_any(f.stats());
  return j;
}

struct add_options {
  std::string file;
  key_options keys;
  std::uint32_t threads = 0;
  bool json = false;
};

int run_add(const add_options& o) {
  // The lock comes first: what is read then is what will be replaced.
  output_file out(o.file, {.replace = true, .read = files_of(o.keys)});
  auto f = sluice::keyed_filter::load(out.path());
  sluice_keys::key_input input(keys_of(o.keys, f.keys(), o.file));
  const std::uint64_t before = f.keys_inserted();
  const std::uint64_t read = for_all_digests(input, o.threads, "adding", f.seed(),
                                             [&](const std::vector<sluice::digest>& some) { f.insert_bulk(some); });
  out.save(f.contents());
  tell_of_input(input);
  ordered_json j = report_of(f, o.file);
  warn_if_not_as_promised(o.file, f, j["fpr_from_fill"]);
  j["keys_read"] = read;
  j["keys_new"] = f.keys_inserted() - before;
  print_result(j, o.json);
  return 0;
}

struct merge_options {
  std::string out;
  std::vector<std::string> files;
  bool force = false;
  bool json = false;
};

int run_merge(const merge_options& o) {
  output_file out(o.out, {.replace = o.force, .read = o.files, .may_be_read = true});
  auto all = sluice::keyed_filter::load(o.files.front());
  for (std::size_t i = 1; i < o.files.size(); ++i) {
    const auto next = sluice::keyed_filter::load(o.files[i]);
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
      "examples:\n  sluice add words.sluice more.txt\n  sluice add words.sluice --key sluice --key weir");
  return {sub, [o] { return run_add(*o); }};
}

command merge_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("merge", "one filter file with the keys of several");
  const auto o = std::make_shared<merge_options>();
  sub->add_option("-o,--out", o->out, "the file to write")->required();
  sub->add_option("FILTERS", o->files, "filter files that were made with the same parameters and seed")->required();
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "To make parts that can be merged, build each with the --keys, --fpr, --scheme and --seed of the whole.\n"
      "examples:\n  sluice merge -o all.sluice monday.sluice tuesday.sluice\n"
      "  sluice build -o part1.sluice --keys 1e6 part1.txt");
  return {sub, [o] { return run_merge(*o); }};
}

}  // namespace sluice_cli
