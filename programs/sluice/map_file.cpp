// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "frame/message.hpp"
#include "frame/progress.hpp"
#include "key_pipeline.hpp"
#include "output_file.hpp"
#include "report.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/map.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {
namespace {

/// So many that an absent key gets a value as seldom as is wanted; where nothing is, as far as there is room.
std::uint32_t check_bits_for(const std::optional<double>& fpr, std::uint32_t value_bits) {
  const double rate = fpr.value_or(sluice::plan_request::usual_fpr);
  if (!(rate > 0 && rate <= 1))
    throw sluice::parameter_error(fmt::format("--fpr: {} is not above 0 and up to 1", rate));
  const double needed = std::ceil(-std::log2(rate));
  constexpr std::uint32_t most = sluice::extend::most_value_and_check_bits;
  const std::uint32_t room = most - value_bits;
  if (needed <= room) return static_cast<std::uint32_t>(needed);
  const double least = std::exp2(-static_cast<double>(room));
  if (fpr) {
    const double scale = std::pow(10, 2 - std::floor(std::log10(least)));  // three digits, rounded up
    throw sluice::parameter_error(
        fmt::format("--fpr {}: that takes {} check bits beside values of {} bits, and both together have at most {}; "
                    "--fpr {:.3g} can be had",
                    rate, needed, value_bits, most, std::min(1.0, std::ceil(least * scale) / scale)));
  }
  say("values of {} bits leave room for {} check bits: an absent key gets a value with probability {:.3g}", value_bits,
      room, least);
  return room;
}

}  // namespace

nlohmann::ordered_json map_json(const sluice::sealed_map<>& m, const std::string& file) {
  const sluice::sealed_map_parameters& p = m.params();
  const auto n = static_cast<double>(m.size());
  ordered_json j;
  j["file"] = file;
  j["format_version"] = sluice::extend::map_format_version;
  j["file_bytes"] = m.size_bytes();
  j["key_kind"] = m.kind() ? ordered_json(std::string(name_of(*m.kind()))) : ordered_json(nullptr);
  j["key_origin"] = m.origin() ? ordered_json(sluice::extend::text_of(*m.origin())) : ordered_json(nullptr);
  j["scheme"] = "sealed map";
  j["keys"] = m.size();
  j["value_bits"] = p.value_bits;
  j["check_bits"] = p.check_bits;
  j["fpr_promised"] = std::exp2(-static_cast<double>(p.check_bits));
  j["block_bits"] = p.block_bits;
  j["seed"] = p.seed;
  j["overflow_keys"] = m.listed();
  j["memory_bytes"] = m.memory_bytes();
  j["bits_per_key"] = n == 0 ? ordered_json(nullptr) : ordered_json(8.0 * static_cast<double>(m.memory_bytes()) / n);
  return j;
}

int build_map(const map_options& o) {
  sluice_keys::key_files keys = keys_of(o.keys);
  keys.format.values = o.values;
  sluice_keys::key_input input(keys);
  output_file out(o.out, {.replace = o.force, .read = keys.files});
  const sluice::hasher hash(o.seed);
  std::vector<sluice::digest> digests;
  std::vector<std::uint32_t> values;
  for_all_keys(
      input, o.threads, "reading", [&](worked_batch& batch) { batch.keys.make_digests(hash, batch.digests); },
      [&](const worked_batch& batch) {
        digests.insert(digests.end(), batch.digests.begin(), batch.digests.end());
        values.insert(values.end(), batch.keys.values.begin(), batch.keys.values.end());
      });
  const std::uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  const std::uint32_t value_bits = sluice::extend::value_bits_for(largest);
  progress_line line;
  auto m = sluice::sealed_map<>::build(
      digests, values,
      {.value_bits = value_bits,
       .check_bits = check_bits_for(o.fpr, value_bits),
       .block_bits = o.block_bits,
       .seed = o.seed},
      {.threads = o.threads, .progress = [&](double share) { line.tell("building", share); }});
  m.set_origin(keys.format.made);
  out.save(m.contents());
  tell_of_input(input);
  ordered_json report = map_json(m, o.out);
  report["keys_read"] = digests.size();
  print_result(report, o.json);
  return 0;
}

}  // namespace sluice_cli
