// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "promise.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "frame/message.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/filter.hpp"

namespace sluice_cli {

namespace {

sluice::statistics quick_statistics(const sluice::stored_filter& f) {
  constexpr std::uint64_t enough = std::uint64_t{16} << 20;
  sluice::parameters p = f.params;
  const bool in_parts = std::visit(
      [&](auto& q) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(q)>, sluice::blocked_parameters>) {
          q.blocks = std::min(q.blocks, enough * 8 / q.block_bits << q.folds);
          return q.block_bits % 64 == 0;
        } else if constexpr (requires { q.second; }) {
          q.blocks = std::min(q.blocks, enough * 8 / q.block_bits << q.folds);
          return q.second == sluice::second_block::page;
        } else {
          return false;
        }
      },
      p);
  if (!in_parts || f.blocks.size() <= enough) {
    return sluice::filter_view(f.params, f.blocks, f.overflowed).stats(f.keys);
  }
  const std::uint64_t part = sluice::bytes_for(p);
  return sluice::filter_view(p, f.blocks.first(part)).stats(f.keys);
}

}  // namespace

quick_look quick_look_at(const sluice::file_contents& contents) {
  quick_look all;
  std::vector<sluice::statistics> stats;
  for (const sluice::stored_filter& f : contents.filters) {
    stats.push_back(quick_statistics(f));
    all.accesses_miss += stats.back().blocks_per_miss_from_fill;
    all.bytes += stats.back().filter_bytes;
  }
  all.fpr = sluice::extend::fpr_of_any(stats);
  return all;
}

void report_look(ordered_json& report, const quick_look& look) {
  report["fpr_from_fill"] = look.fpr;
  report["fpr_looked_at_bytes"] = look.bytes;
}

void warn_if_not_as_promised(const std::string& file, const sluice::filter_file& f, double fpr) {
  constexpr double by_chance = 1.2;
  constexpr double estimated = 1.01;  // keys of a union are estimated from its bits
  if (f.planned_keys() != 0 && fpr > f.planned_fpr() &&
      static_cast<double>(f.keys_inserted()) > estimated * static_cast<double>(f.planned_keys())) {
    warn("{} was planned for {} keys and has {}; its false positive rate is {:.2g} now, {:.2g} was planned", file,
         f.planned_keys(), f.keys_inserted(), fpr, f.planned_fpr());
  } else if (f.planned_fpr() != 0 && fpr > by_chance * f.planned_fpr()) {
    warn("{} has a false positive rate of {:.2g}; {:.2g} was planned", file, fpr, f.planned_fpr());
  }
}

ordered_json report_of(const sluice::filter_file& f, const std::string& file) {
  ordered_json j;
  j["file"] = file;
  j["keys_inserted"] = f.keys_inserted();
  j["planned_keys"] = or_null_if_zero(f.planned_keys());
  j["fpr_promised"] = or_null_if_zero(f.planned_fpr());
  report_look(j, quick_look_at(f.contents()));
  return j;
}

}  // namespace sluice_cli
