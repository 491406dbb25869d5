// sluice add and sluice merge: filter files that are changed as a whole. Writers of one file wait for each other, so that nothing is lost.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "command.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "output_file.hpp"
#include "report.hpp"
#include "sluice/growing_filter.hpp"

namespace sluice_cli {
namespace {

/// A filter or a chain, as a file has it, with what the file says of it.
struct loaded {
  std::variant<sluice::filter, sluice::growing_filter> form;
  sluice::key_kind kind;
  std::uint64_t planned_keys = 0;
  double planned_fpr = 0;

  void insert(const std::vector<sluice::digest>& some) {
    std::visit([&](auto& f) { f.insert_bulk(some); }, form);
  }
  [[nodiscard]] std::uint64_t keys() const {
    return std::visit([](const auto& f) { return f.keys_inserted(); }, form);
  }
  [[nodiscard]] std::uint64_t seed() const {
    const auto* const chain = std::get_if<sluice::growing_filter>(&form);
    return chain != nullptr ? chain->params().seed : sluice::seed_of(std::get<sluice::filter>(form).params());
  }
  [[nodiscard]] double fpr_from_fill() const {
    const auto* const chain = std::get_if<sluice::growing_filter>(&form);
    return chain != nullptr ? chain->fpr_from_fill() : std::get<sluice::filter>(form).stats().fpr_from_fill;
  }
  [[nodiscard]] sluice::file_contents contents() const {
    if (const auto* const chain = std::get_if<sluice::growing_filter>(&form)) return sluice::contents_of(*chain, kind);
    return sluice::contents_of(std::get<sluice::filter>(form), {kind, planned_keys, planned_fpr});
  }
};

/// Verified. Throws sluice::file_error.
loaded load(const std::string& file) {
  const sluice::view v = sluice::view::map(file);
  v.verify();
  const sluice::file_contents& contents = v.contents();
  if (contents.grows) return {sluice::growing_filter_of(contents), contents.keys, 0, contents.grows->fpr};
  const sluice::stored_filter& first = contents.filters.front();
  return {sluice::filter_of(first), contents.keys, first.planned_keys, first.planned_fpr};
}

ordered_json report_of(const loaded& f, const std::string& file) {
  ordered_json j;
  j["file"] = file;
  j["keys_inserted"] = f.keys();
  j["planned_keys"] = f.planned_keys == 0 ? ordered_json(nullptr) : ordered_json(f.planned_keys);
  j["fpr_promised"] = f.planned_fpr == 0 ? ordered_json(nullptr) : ordered_json(f.planned_fpr);
  j["fpr_from_fill"] = f.fpr_from_fill();
  return j;
}

struct add_options {
  std::string file;
  key_options keys;
  std::uint32_t threads = 0;
  bool json = false;
};

int run_add(const add_options& o) {
  output_file out(o.file, true);  // the lock comes first: what is read then is what will be replaced
  loaded f = load(o.file);
  sluice_keys::key_input input(keys_of(o.keys, f.kind, o.file));
  const std::uint64_t before = f.keys();
  const std::uint64_t read = for_all_digests(input, o.threads, "adding", f.seed(),
                                             [&](const std::vector<sluice::digest>& some) { f.insert(some); });
  out.save(f.contents());
  tell_of_input(input);
  ordered_json j = report_of(f, o.file);
  warn_if_overfull(o.file, f.planned_keys, f.keys(), j["fpr_from_fill"], f.planned_fpr);
  j["keys_read"] = read;
  j["keys_new"] = f.keys() - before;
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
  output_file out(o.out, o.force);
  loaded all = load(o.files.front());
  for (std::size_t i = 1; i < o.files.size(); ++i) {
    const loaded next = load(o.files[i]);
    const std::string both = fmt::format("{} and {} cannot be merged: ", o.files.front(), o.files[i]);
    if (next.kind != all.kind) {
      throw sluice::merge_error(
          fmt::format("{}one has keys of kind {}, the other {}", both, name_of(all.kind), name_of(next.kind)));
    }
    if (next.form.index() != all.form.index()) throw sluice::merge_error(both + "one grows, the other does not");
    try {
      std::visit([&](auto& f) { f.merge(std::get<std::remove_reference_t<decltype(f)>>(next.form)); }, all.form);
    } catch (const sluice::merge_error& e) {
      throw sluice::merge_error(both + e.what());
    }
  }
  out.save(all.contents());
  const ordered_json report = report_of(all, o.out);
  warn_if_overfull(o.out, all.planned_keys, all.keys(), report["fpr_from_fill"], all.planned_fpr);
  print_result(report, o.json);
  return 0;
}

}  // namespace

command add_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("add", "add keys to a filter file");
  const auto o = std::make_shared<add_options>();
  sub->add_option("FILTER", o->file, "the filter file")->required();
  add_key_options(*sub, o->keys);
  sub->add_option("--threads", o->threads, "0: as many as the machine has")->capture_default_str();
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
