// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan_options.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "frame/arguments.hpp"
#include "frame/number_reader.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {

void add_plan_options(CLI::App& app, plan_options& o) {
  auto& q = o.request;
  app.add_option("--keys", q.keys, "number of keys: 100000000, 100,000,000, 1e8 or 100M")->type_name(count_type);
  app.add_option("--fpr", q.fpr, "false positive rate that must hold: 0.001, 1e-6 or 0.1%")->type_name(share_type);
  app.add_option("--memory", o.memory, "bytes; suffixes K, M, G, T (powers of 1000), Ki, Mi, Gi, Ti (of 1024)");
  app.add_option("--bits-per-key", o.bits_per_key, "instead of --memory, with --keys");
  app.add_option_function<std::string>(
         "--by",
         [&q](const std::string& word) {
           const auto& words = sluice::extend::plan_by_words;
           q.by = static_cast<sluice::plan_by>(std::find(words.begin(), words.end(), word) - words.begin());
         },
         "what the order goes by: balanced (rate or memory, and nothing that takes more than twice the time of "
         "blocked, sealed filters aside), lines (whatever the time), bits (rate or memory alone) or time")
      ->check(CLI::IsMember(
          std::vector<std::string>(sluice::extend::plan_by_words.begin(), sluice::extend::plan_by_words.end())))
      ->default_str("balanced");
  app.add_option("--hit-ratio", q.hit_ratio, "share of lookups whose key is stored")
      ->type_name(share_type)
      ->capture_default_str();
  app.add_option("--max-blocks", q.max_blocks, "most blocks one lookup may read")->capture_default_str();
  app.add_option("--mean-cost", q.mean_cost_limit, "most a lookup may cost on average, in random block reads")
      ->capture_default_str();
  app.add_option("--accesses-hit", q.accesses_hit, "limit on mean blocks read by a hit");
  app.add_option("--accesses-miss", q.accesses_miss, "limit on mean blocks read by a miss");
  app.add_option("--second-line-cost", q.second_line_cost, "cost of a second line in the same page")
      ->capture_default_str();
  app.add_option("--block-bits", q.block_bits, "bits of a block")->capture_default_str();
  app.add_option("--overload", q.overload, "the rate must hold at this multiple of the keys")->capture_default_str();
  app.add_flag("--static", q.all_keys_known, "all keys are known beforehand: consider sealed and static filters, too");
  app.add_flag("--erase,--erasable", q.erase,
               "keys are taken out again: a ledger, which keeps them as often as they come");
  app.add_flag("--no-list", q.no_list, "no exact list beside the filter");
  app.add_flag("--mergeable", q.mergeable, "filters must unite by a plain OR; without --shards, 16 of them");
  app.add_option(
      "--shards", q.shards,
      "the keys come in this many filters, which are merged: the rate is that of the union, --keys all keys");
  app.add_flag("--concurrent", q.concurrent, "several threads insert at once");
}

void add_keys_at_most(CLI::App& app, plan_options& o) {
  auto& q = o.request;
  app.add_option_function<double>(
         "--keys-at-most",
         [&q](double keys) {
           q.keys = keys;
           q.keys_at_most = true;
         },
         "in place of --keys: so many or fewer; the filter is folded to those that come")
      ->type_name(count_type)
      ->excludes("--keys");
}

sluice::plan_request request_of(const plan_options& o) {
  sluice::plan_request q = o.request;
  if (!o.memory.empty()) q.memory_bits = 8 * number_of_bytes("--memory", o.memory);
  if (o.bits_per_key) {
    if (!q.keys || q.memory_bits) throw sluice::parameter_error("--bits-per-key goes with --keys and without --memory");
    q.memory_bits = *o.bits_per_key * *q.keys;
  }
  return q;
}

}  // namespace sluice_cli
