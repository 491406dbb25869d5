// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "scheme_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <vector>

#include "frame/arguments.hpp"
#include "seed_option.hpp"
#include "sluice/extend/choose.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"

namespace sluice_cli {
namespace {

sluice::overflow_rule overflow_of(const scheme_options& o) {
  if (o.list == "random") return sluice::overflow_rule::random_candidate;
  return o.list == "no" ? sluice::overflow_rule::first_candidate : sluice::overflow_rule::exact_list;
}

std::optional<sluice::full_list_rule> when_full_of(const scheme_options& o) {
  if (!o.when_full) return std::nullopt;
  if (o.when_full == "first") return sluice::full_list_rule::first_candidate;
  return o.when_full == "random" ? sluice::full_list_rule::random_candidate : sluice::full_list_rule::refuse;
}

std::optional<sluice::position_rule> positions_of(const scheme_options& o) {
  if (!o.positions) return std::nullopt;
  return o.positions == "uniform" ? sluice::position_rule::uniform : sluice::position_rule::lanes;
}

}  // namespace

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const sluice::scheme_traits& one : sluice::extend::all_scheme_traits) names.emplace_back(one.name);
  return names;
}

void add_scheme_options(CLI::App& app, scheme_options& o) {
  const std::vector<std::string> names = scheme_names();
  app.add_option("scheme", o.scheme,
                 fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back()))
      ->required()
      ->check(CLI::IsMember(names));
  app.add_option("--block-bits", o.request.block_bits, "bits of a block, 64 to 4096")->capture_default_str();
  app.add_option("--bits-per-key", o.request.bits_per_key, "bits of the filter per planned key (default 16)");
  app.add_option("--keys-per-block", o.request.keys_per_block, "instead of --bits-per-key");
  app.add_option("--keys", o.request.keys, "planned number of keys; 1e8 and 100M are accepted")->type_name(count_type);
  app.add_option("--load", o.request.load,
                 "insert this multiple of the planned keys; parameters stay those of the plan");
  app.add_option("--shards", o.request.shards,
                 "the union of this many filters, each made from an equal part of the keys");
  app.add_option("--hashes", o.request.hashes, "k: bits a key sets");
  app.add_option("--fingerprint-bits", o.request.fingerprint_bits,
                 "r of a sealed filter: its rate is 2^-r (default: as many as the bits per key allow)");
  app.add_option("--remainder-bits", o.request.remainder_bits,
                 "rho of a ledger: 8, 12, 15, 16 or 24 (default: the longest that the bits per key allow)");
  app.add_option("--choices", o.request.choices, "d: candidate blocks (sequential, mht); g of bloom-g");
  app.add_option("--accesses", o.request.accesses,
                 "a: optimum for this mean of blocks read per insertion (default 1.2)");
  app.add_flag("--budget", o.request.budget, "sequential, mht: stop using blocks when a n accesses are spent");
  app.add_option("--overflow", o.request.overflow,
                 "gamma: share of keys in the list (default: the least that is optimal)")
      ->type_name(share_type);
  app.add_option("--alpha", o.request.alpha, "share of keys with two candidate blocks")->type_name(share_type);
  app.add_option("--groups", o.request.groups, "c: choice groups");
  app.add_flag("--double-hashing", o.double_hashing, "classic, choice: the positions of a key lie on a line");
  app.add_flag("--static", o.request.is_static, "gated: made from all keys at once");
  app.add_option("--rounds", o.rounds,
                 "choice: offline rounds, the first pass included; static: of the search (simulate only)");
  app.add_option("--threshold", o.request.threshold, "h: load at which a block is full (gated: in bits)");
  app.add_option("--acceptance", o.request.acceptance, "p: probability of accepting a key at load exactly h")
      ->type_name(share_type);
  app.add_flag("--paper-rule", o.paper_rule,
               "model: the paper's formulas as they stand (lookups go on at every load >= h; alpha: (3.4) and (3.5)); "
               "alpha: loads counted in keys");
  app.add_option("--trace", o.request.trace, "t: bits that a spilled key leaves behind");
  app.add_option("--second-hashes", o.request.second_hashes, "k2: bits of a spilled key in its second block");
  app.add_option("--margin", o.request.margin, "spill only to a block with more than this many bits fewer");
  app.add_option("--positions", o.positions,
                 "lanes (fast; the default of blocked, 256 or 512 bits) or uniform (as in the papers; of bloom-g)")
      ->check(CLI::IsMember({"lanes", "uniform"}));
  app.add_option("--second", o.second, "further blocks in the same page, or anywhere in the table")
      ->check(CLI::IsMember({"page", "table"}))
      ->capture_default_str();
  app.add_option("--list", o.list,
                 "where a key goes that no block accepts: an exact list; no: its first candidate; random: any of them, "
                 "as in the paper")
      ->check(CLI::IsMember({"yes", "no", "random"}))
      ->capture_default_str();
  app.add_option("--list-capacity", o.request.list_capacity,
                 "keys that the exact list holds at most (default: no limit)")
      ->type_name(count_type);
  app.add_option("--when-full", o.when_full,
                 "what happens to a key when the list is full: refuse (the default), or put it into its first "
                 "candidate, or a random one")
      ->check(CLI::IsMember({"refuse", "first", "random"}));
  add_seed(app, o.request.seed, "of the hash, or `random`; a model has none");
  app.add_flag("--json", o.json, "print JSON");
}

chosen_scheme choose(const scheme_options& o, double default_keys) {
  sluice::extend::scheme_request q = o.request;
  q.scheme = sluice::extend::scheme_from_name(o.scheme).value();
  if (o.double_hashing) q.form = sluice::hash_form::double_hashing;
  if (o.paper_rule) q.alpha_load = sluice::load_unit::keys;
  q.positions = positions_of(o);
  if (o.second == "table") q.second = sluice::second_block::table;
  q.list = overflow_of(o);
  q.when_full = when_full_of(o);
  return sluice::extend::choose(q, default_keys);
}

}  // namespace sluice_cli
