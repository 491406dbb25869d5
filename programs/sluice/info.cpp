// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice info: what a file of a filter, or of a map, is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "frame/output.hpp"
#include "map_file.hpp"
#include "report.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/map.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/theory.hpp"
#include "verification.hpp"

namespace sluice_cli {
namespace {

ordered_json filter_json(const sluice::stored_filter& f, const sluice::statistics& s,
                         sluice::theory::model_allowance& models) {
  sluice::theory::model_allowance::answer at_capacity{.why_not = "the file does not say for how many keys it was made"};
  if (f.planned_keys != 0) at_capacity = models(f.params, static_cast<double>(f.planned_keys));
  ordered_json j;
  j["scheme"] = std::string(sluice::extend::scheme_name(f.params));
  j["blocks"] = s.blocks;
  j["bits"] = std::visit(
      [](const auto& p) {
        if constexpr (requires { p.bits; }) return ordered_json(p.bits);
        return ordered_json(nullptr);
      },
      f.params);
  j.update(parameters_json(f.params));
  j["subtables"] = subtables_json(f.params);
  j["seed"] = sluice::extend::seed_of(f.params);
  j["keys"] = f.keys;
  j["keys_from_fill"] = s.keys_from_fill;
  j["planned_keys"] = or_null_if_zero(f.planned_keys);
  j["fill"] = static_cast<double>(s.bits_set) / static_cast<double>(s.usable_bits);
  j["fpr_now"] = s.fpr_from_fill;
  j["fpr_at_capacity"] = at_capacity.predicted ? ordered_json(at_capacity.predicted->fpr_exact) : ordered_json(nullptr);
  j["fpr_at_capacity_reason"] = at_capacity.predicted ? ordered_json(nullptr) : ordered_json(at_capacity.why_not);
  j["fpr_promised"] = or_null_if_zero(f.planned_fpr);
  j["accesses_miss"] = s.blocks_per_miss_from_fill;
  if (s.ledger) {
    j["fill"] = s.ledger->fill;
    j["guests"] = s.ledger->guests;
    j["closed_gates"] = s.ledger->closed_gates;
  }
  j["overflow_keys"] = s.overflow_keys;
  std::visit(
      [&](const auto& p) {
        if constexpr (requires { p.list_capacity; }) {
          j["forced_keys"] = s.forced_keys;
          j["list_capacity"] = or_null_if_zero(p.list_capacity);
          if (p.list_capacity != 0) j["when_full"] = std::string(sluice::extend::word_of(p.when_full));
        }
      },
      f.params);
  j["filter_bytes"] = s.filter_bytes;
  j["overflow_bytes"] = s.overflow_bytes;
  j["bits_per_key"] = s.keys_inserted == 0 ? ordered_json(nullptr) : ordered_json(s.memory_bits_per_key);
  return j;
}

/// Loads in at most most_rows rows, each with a bar.
void print_histogram(const sluice::statistics& s) {
  constexpr std::size_t most_rows = 16;
  constexpr std::size_t width = 50;
  const auto& loads = s.load_histogram;
  if (loads.empty()) return;
  const auto first = static_cast<std::size_t>(
      std::find_if(loads.begin(), loads.end(), [](std::uint64_t n) { return n != 0; }) - loads.begin());
  const std::size_t step = (loads.size() - first - 1) / most_rows + 1;
  std::vector<std::uint64_t> rows;
  for (std::size_t i = first; i < loads.size(); i += step) {
    std::uint64_t sum = 0;
    for (std::size_t k = i; k < std::min(i + step, loads.size()); ++k) sum += loads[k];
    rows.push_back(sum);
  }
  const std::uint64_t most = *std::max_element(rows.begin(), rows.end());
  print("\nblocks by {}\n", s.histogram_unit == sluice::load_unit::keys ? "keys" : "bits set");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t from = first + i * step;
    const std::string range = step == 1 ? std::to_string(from) : fmt::format("{} to {}", from, from + step - 1);
    const auto length = static_cast<std::size_t>(
        std::ceil(static_cast<double>(width) * static_cast<double>(rows[i]) / static_cast<double>(most)));
    print("{:>12} {:<50} {}\n", range, std::string(length, '#'), rows[i]);
  }
}

struct info_options {
  std::string file;
  verification verify;
  bool json = false;
};

int run_info(const info_options& o) {
  if (sluice::extend::has_sealed_map(o.file)) {
    const auto m = sluice::sealed_map<>::map(o.file);
    verify_if_wanted(m, o.verify);
    print_result(map_json(m, o.file), o.json);
    return 0;
  }
  const sluice::filter_file v = sluice::filter_file::map(o.file);
  verify_if_wanted(v, o.verify);
  const auto stats = v.stats();
  const sluice::file_contents& contents = v.contents();
  sluice::theory::model_allowance models;  // for the whole file
  ordered_json j;
  j["file"] = o.file;
  j["format_version"] = sluice::extend::format_version(contents);
  j["file_bytes"] = v.size_bytes();
  j["key_kind"] = std::string(name_of(v.kind()));
  j["key_origin"] = v.origin() ? ordered_json(sluice::extend::text_of(*v.origin())) : ordered_json(nullptr);
  j["keys"] = v.keys_inserted();
  j["grows"] = contents.grows ? ordered_json{{"fpr", contents.grows->fpr},
                                             {"first_keys", contents.grows->first_keys},
                                             {"factor", contents.grows->factor},
                                             {"erasable", contents.grows->erasable}}
                              : ordered_json(nullptr);
  j["fpr_now"] = sluice::extend::fpr_of_any(stats);
  if (o.json) {
    ordered_json filters = ordered_json::array();
    for (std::size_t i = 0; i < stats.size(); ++i) {
      filters.push_back(filter_json(contents.filters[i], stats[i], models));
      filters.back()["histogram_unit"] = stats[i].histogram_unit == sluice::load_unit::keys ? "keys" : "set_bits";
      filters.back()["load_histogram"] = stats[i].load_histogram;
    }
    j["filters"] = filters;
    print_result(j, true);
    return 0;
  }
  if (!v.origin()) j.erase("key_origin");
  if (contents.grows) {
    j["grows"] = fmt::format("below a rate of {:.3g}, each filter {} times the one before", contents.grows->fpr,
                             contents.grows->factor);
    print_table(j);
  }
  for (std::size_t i = 0; i < stats.size(); ++i) {
    ordered_json one = filter_json(contents.filters[i], stats[i], models);
    if (contents.grows) {
      print("\nfilter {} of {}\n", i + 1, stats.size());
    } else {
      for (const char* name : {"keys", "grows", "fpr_now"}) j.erase(name);
      j.update(one);
      one = j;
    }
    print_table(one);
    print_histogram(stats[i]);
  }
  return 0;
}

}  // namespace

command info_command(CLI::App& app) {
  CLI::App* const sub =
      app.add_subcommand("info", "what a filter file is: parameters, keys, fill, false positive rate");
  const auto o = std::make_shared<info_options>();
  sub->add_option("FILTER", o->file, "the file of a filter or of a map")->required();
  add_verification(*sub, o->verify);
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "fpr_now is computed from the bits, fpr_at_capacity is the model's for the planned number of keys; where there "
      "is\n"
      "none, fpr_at_capacity_reason says why.\n"
      "examples:\n  sluice info words.sluice\n  sluice info words.sluice --json");
  return {sub, [o] { return run_info(*o); }};
}

}  // namespace sluice_cli
