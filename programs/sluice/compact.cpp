// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice compact: one filter in place of a chain, when the keys are offered again. A chain reads a line of every link
// for a miss, and has more bits a key than one filter of the right size.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "frame/message.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "keys/distinct_keys.hpp"
#include "looser_limits.hpp"
#include "output_file.hpp"
#include "plan_options.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/file.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {
namespace {

struct compact_options {
  std::string file;
  std::string out;
  key_options keys;
  std::uint32_t threads = 0;
  bool all = false;
  bool force = false;
  bool json = false;
};

/// How many of a chain's keys, at most, were found by chance when they came, and not counted.
std::uint64_t found_by_chance(const sluice::filter_file& chain) {
  return sluice::extend::most_found_by_chance(*chain.contents().grows, chain.keys_inserted());
}

/// The filter for the keys of a chain: at its rate, with whatever reads that takes where the usual limits cannot keep
/// it, as its links do.
sluice::plan_candidate plan_for(const sluice::filter_file& chain) {
  const sluice::growth how = *chain.contents().grows;
  const std::uint64_t keys = chain.keys_inserted() + found_by_chance(chain);
  sluice::plan_request q{.keys = static_cast<double>(std::max<std::uint64_t>(keys, 1)),
                         .fpr = how.fpr,
                         .block_bits = how.block_bits,
                         .erase = how.erasable,
                         .seed = chain.seed()};
  if (auto best = recommend(q)) return *best;
  take_any_cost(q);
  return sluice::best_plan(q);
}

int run_compact(const compact_options& o) {
  output_file out(o.out, {.replace = o.force, .read = files_of(o.keys), .read_first = {o.file}});
  const auto chain = sluice::filter_file::load(o.file);
  if (!chain.grows()) throw sluice::parameter_error(o.file + " is one filter already");
  sluice_keys::key_input input(keys_of(o.keys, chain, o.file));
  const sluice::plan_candidate c = plan_for(chain);
  sluice::filter f(c.params);
  std::uint64_t others = 0;
  std::uint64_t offered = 0;  // that the chain knows
  sluice_keys::distinct_keys different;
  std::vector<std::uint8_t> there;
  const std::uint64_t read =
      for_all_digests(input, o.threads, "compacting", chain.seed(), [&](const std::vector<sluice::digest>& some) {
        there.resize(some.size());
        chain.may_contain_bulk(some, there);
        std::vector<sluice::digest> known;
        for (std::size_t i = 0; i < some.size(); ++i) {
          if (there[i] != 0) known.push_back(some[i]);
        }
        others += some.size() - known.size();
        offered += known.size();
        for (const sluice::digest x : known) different.add(x);
        // A ledger keeps every copy: a key that is offered twice would be in twice.
        if (chain.erases() && static_cast<double>(offered) > c.keys) {
          throw sluice::key_error(fmt::format(
              "more keys were offered than the {} of {}, which keeps a key as often as it comes: offer each "
              "as often as it is in. Nothing was written",
              chain.keys_inserted(), o.file));
        }
        f.insert_bulk(known);
      });
  // What was found by chance in the new filter was not counted either. Few keys are counted by themselves.
  const bool counted = !chain.erases() && different.exact();
  const auto came = counted ? static_cast<std::uint64_t>(different.count()) : f.keys_inserted();
  if (!o.all && came + (counted ? 0 : found_by_chance(chain)) < chain.keys_inserted()) {
    throw sluice::key_error(
        fmt::format("{} of the {} keys of {} were offered: the others would be lost. Nothing was written. (A file that "
                    "was merged may count keys twice: if these are all, --all says so)",
                    came, chain.keys_inserted(), o.file));
  }
  sluice::filter_file compacted(std::move(f), sluice::saved_as::of_plan(c, chain.kind()));
  compacted.set_origin(chain.origin());
  out.save(compacted.contents());
  tell_of_input(input);
  if (others != 0) say("{} keys that {} does not have were left out", others, o.file);
  ordered_json j = report_of(compacted, o.out);
  warn_if_not_as_promised(o.out, compacted, j["fpr_from_fill"]);
  j["keys_read"] = read;
  j["links_before"] = chain.contents().filters.size();
  print_result(j, o.json);
  return 0;
}

}  // namespace

command compact_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("compact", "one filter in place of one that has grown");
  const auto o = std::make_shared<compact_options>();
  sub->add_option("FILTER", o->file, "a filter file that grows")->required();
  sub->add_option("-o,--out", o->out, "the file to write; it may be the same")->required();
  add_key_options(*sub, o->keys);
  add_threads(*sub, o->threads);
  sub->add_flag("--all", o->all, "these are all keys: their number is not compared with that of the file");
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "All keys must be offered again: a filter cannot tell which ones it has. If fewer come than it holds, nothing\n"
      "is written; but keys that it found by chance when they came were not counted, and so many may be missing:\n"
      "of a million at a rate of 0.001, up to 1,210; fewer than 65,537 keys are counted exactly, so that only those\n"
      "may be missing that were not counted. A file that was merged may count keys twice: give --all then. Keys that\n"
      "it does not have are left out. To an erasable one, offer each key as often as it is in: there none may be\n"
      "missing.\n"
      "examples:\n  sluice compact grown.sluice -o hosts.sluice hosts.txt");
  return {sub, [o] { return run_compact(*o); }};
}

}  // namespace sluice_cli
