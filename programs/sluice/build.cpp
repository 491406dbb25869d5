// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice build: a filter file from files of keys, or with --values a map (map_file.hpp). Distinct keys are counted
// first, and the plan's first filter is made for as many. Files are read twice. What comes from a pipe is held, 8 bytes
// a key, until it ends; if it does not fit into --buffer, the filter grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "all_keys.hpp"
#include "commands.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "keys/distinct_keys.hpp"
#include "map_file.hpp"
#include "output_file.hpp"
#include "plan_options.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "seed_option.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {
namespace {

struct build_command_options {
  std::string out;
  key_options keys;
  plan_options plan;
  std::optional<std::string> scheme;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  std::string buffer = "1Gi";
  bool grow = false;
  std::optional<std::uint64_t> first_keys;
  std::optional<std::uint32_t> growth;
  std::optional<std::string> values;
  bool force = false;
  bool json = false;
};

struct built {
  sluice::filter_file filter;
  std::uint64_t keys_read = 0;
  std::optional<std::uint32_t> folds = std::nullopt;          ///< where it might have been folded
  std::optional<sluice::plan_candidate> plan = std::nullopt;  ///< unless it grows
  std::optional<double> distinct = std::nullopt;              ///< keys, as far as they were counted
};

/// Those that the planner has designs of.
std::vector<std::string> planned_schemes() {
  std::vector<std::string> names = scheme_names();
  std::erase(names, "choice");
  return names;
}

/// Plan options that a filter that grows cannot keep, because it does not know its keys.
bool has_limits(const sluice::plan_request& q) {
  const sluice::plan_request usual;
  return q.by != usual.by || q.hit_ratio != usual.hit_ratio || q.max_blocks != usual.max_blocks ||
         q.mean_cost_limit != usual.mean_cost_limit || q.accesses_hit || q.accesses_miss ||
         q.second_line_cost != usual.second_line_cost || q.overload != usual.overload || q.no_list || q.concurrent;
}

wanted_filter wanted_by(const build_command_options& o) {
  return {.plan = o.plan, .scheme = o.scheme, .seed = o.seed, .threads = o.threads};
}

built from_plan(const sluice::plan_candidate& c, sluice_keys::key_input& input, const build_command_options& o,
                sluice::key_kind kind) {
  sluice::filter f(c.params);
  const std::uint64_t read = for_all_digests(input, o.threads, "building", o.seed,
                                             [&](const std::vector<sluice::digest>& some) { f.insert_bulk(some); });
  return {{std::move(f), sluice::saved_as::of_plan(c, kind)}, read, std::nullopt, c};
}

/// Keys go into the filter as they come; then it is folded to as many as they were.
built from_at_most(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  const sluice::plan_request q = request_for(wanted_by(o), {});
  const sluice::plan_candidate c = best_for(q, o.scheme);
  built b = from_plan(c, input, o, kind);
  const double keys = static_cast<double>(b.filter.keys_inserted());
  b.folds = 0;
  if (keys > c.keys) return b;  // so full that new keys seem to be in: they are not counted
  b.distinct = keys;
  b.folds = b.filter.fold_to(q.fpr.value_or(c.predicted.fpr_exact));
  return b;
}

/// What is built of keys that were held.
built from_all(filter_of_all_keys made, sluice::key_kind kind) {
  return {{std::move(made.filter), sluice::saved_as::of_plan(made.plan, kind)},
          made.read,
          std::nullopt,
          made.plan,
          made.distinct};
}

/// Files can be read again: first all keys are counted.
built from_counted(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  sluice_keys::distinct_keys distinct;
  const std::uint64_t read =
      for_all_digests(input, o.threads, "counting", o.seed, [&](const std::vector<sluice::digest>& some) {
        for (const sluice::digest x : some) distinct.add(x);
      });
  input.rewind();
  const double keys = keys_to_plan_for(wanted_by(o), distinct, read);
  built b = from_plan(best_for(request_for(wanted_by(o), keys), o.scheme), input, o, kind);
  b.distinct = distinct.count();
  return b;
}

/// How large the links of a filter that grows are.
sluice::growth steps_of(const build_command_options& o) {
  sluice::growth how;
  how.erasable = o.plan.request.erase;
  if (o.plan.request.keys_at_most) {
    how.first_keys = std::max<std::uint64_t>(64, static_cast<std::uint64_t>(o.plan.request.keys.value_or(0)));
  }
  if (o.first_keys) how.first_keys = *o.first_keys;
  how.factor = o.growth ? *o.growth : sluice::extend::with_factor(how).factor;
  return how;
}

/// Of a pipe nobody knows how many keys will come: they are held, and if they are too many, or if that is wanted, the
/// filter grows.
built from_pipe(sluice_keys::key_input& input, const build_command_options& o, double buffer, sluice::key_kind kind) {
  const sluice::plan_request& q = o.plan.request;
  const bool planned = !o.plan.memory.empty() || o.plan.bits_per_key || o.scheme || has_limits(q);
  if (o.grow && planned) {
    throw sluice::parameter_error(
        "a filter that grows is planned by --fpr, --block-bits, --seed, --erasable, --first-keys and --growth alone");
  }
  const double room = o.grow ? 0 : buffer / sizeof(sluice::digest);
  std::optional<sluice::growing_filter> grown;
  held_keys held;
  const auto grow = [&] {
    sluice::growth how = steps_of(o);
    how.fpr = q.fpr.value_or(sluice::plan_request::usual_fpr);
    how.block_bits = q.block_bits;
    how.seed = o.seed;
    grown.emplace(how);
    grown->insert_bulk(held.digests.all());
    held = {};
  };
  if (o.grow) grow();
  const auto take = [&](const std::vector<sluice::digest>& some) {
    if (!grown && static_cast<double>(held.digests.size() + some.size()) > room) {
      if (planned) {
        throw sluice::parameter_error("more keys come from the pipe than --buffer " + o.buffer +
                                      " holds, and a filter that grows keeps no limits: give --keys, or a larger "
                                      "--buffer");
      }
      say("more keys come from the pipe than --buffer {} holds: the filter grows", o.buffer);
      grow();
    }
    if (grown) {
      grown->insert_bulk(some);
    } else {
      held.add(some);
    }
  };
  const std::uint64_t read = for_all_digests(input, o.threads, "building", o.seed, take);
  if (!grown) return from_all(from_held(std::move(held), read, wanted_by(o)), kind);
  const std::uint32_t folds = grown->fold_last_link();
  return {{std::move(*grown), kind}, read, folds};
}

built build(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  const sluice::plan_request& q = o.plan.request;
  const bool memory_given = !o.plan.memory.empty() || o.plan.bits_per_key;
  // What makes no sense is refused, whether or not these keys come to it.
  const double buffer = number_of_bytes("--buffer", o.buffer);
  sluice::extend::check(steps_of(o));
  if ((q.shards > 1 || q.mergeable) && !q.keys) {
    throw sluice::parameter_error("--shards and --mergeable need --keys: the number of keys of all shards together");
  }
  if (o.grow && (q.all_keys_known || (q.keys && !q.keys_at_most))) {
    throw sluice::parameter_error(q.all_keys_known
                                      ? "--grow makes a filter that takes more keys, and --static one that takes none: "
                                        "give one of the two"
                                      : "--grow makes a filter of any number of keys, and --keys one of this number: "
                                        "give one of the two, or --keys-at-most with --grow");
  }
  if (q.all_keys_known) return from_all(from_all_keys(input, wanted_by(o)), kind);
  if (q.keys_at_most) return o.grow ? from_pipe(input, o, buffer, kind) : from_at_most(input, o, kind);
  if (q.keys || (memory_given && q.fpr && !o.plan.bits_per_key))
    return from_plan(best_for(request_for(wanted_by(o), {}), o.scheme), input, o, kind);
  if (input.can_be_read_again() && !o.grow) return from_counted(input, o, kind);
  return from_pipe(input, o, buffer, kind);
}

ordered_json report_of_build(const built& b, const sluice::file_contents& contents, const std::string& file) {
  const std::uint64_t file_bytes = sluice::extend::file_bytes(contents);
  const std::uint64_t keys = b.filter.keys_inserted();
  ordered_json j;
  j["file"] = file;
  j["file_bytes"] = file_bytes;
  j["key_kind"] = std::string(name_of(contents.kind));
  j["keys_read"] = b.keys_read;
  j["keys_distinct"] = b.distinct ? ordered_json(std::llround(*b.distinct)) : ordered_json(nullptr);
  j["keys_inserted"] = keys;
  j["planned_keys"] = or_null_if_zero(b.filter.planned_keys());
  j["folds"] = b.folds ? ordered_json(*b.folds) : ordered_json(nullptr);
  j["scheme"] = std::string(sluice::extend::scheme_name(contents.filters.back().params));
  j["filters"] = contents.filters.size();
  j["seed"] = b.filter.seed();
  const quick_look look = quick_look_at(contents);
  j["fpr_promised"] = b.filter.planned_fpr();
  report_look(j, look);
  j["accesses_miss_promised"] = b.plan ? ordered_json(b.plan->predicted.accesses_miss) : ordered_json(nullptr);
  j["accesses_miss_from_fill"] = look.accesses_miss;
  j["accesses_hit_promised"] = b.plan ? ordered_json(b.plan->predicted.accesses_hit) : ordered_json(nullptr);
  const auto n = static_cast<double>(keys);
  j["file_bits_per_key"] = n == 0 ? ordered_json(nullptr) : ordered_json(8.0 * static_cast<double>(file_bytes) / n);
  return j;
}

/// Everything else plans a filter.
constexpr std::string_view options_of_maps[] = {
    "--out",     "KEYS",         "--input",     "--field",        "--delimiter", "--canonical",  "--both-directions",
    "--keep-cr", "--keep-empty", "--no-unpack", "--longest-key",  "--fpr",       "--block-bits", "--seed",
    "--threads", "--force",      "--json",      "--json-strings", "--values",    "--help"};

void require_options_of_maps(const CLI::App& app) {
  for (const CLI::Option* const given : app.get_options()) {
    const auto is_given = [&](std::string_view name) { return given->check_name(std::string(name)); };
    if (given->count() == 0 || std::any_of(std::begin(options_of_maps), std::end(options_of_maps), is_given)) continue;
    throw sluice::parameter_error(given->get_name() + (given->check_name("--key")
                                                           ? ": a key that is given itself has no value: --values "
                                                             "takes both from files"
                                                           : " cannot be given with --values, which makes a map"));
  }
}

int run(const build_command_options& o) {
  if (o.values) {
    return build_map({.out = o.out,
                      .keys = o.keys,
                      .values = *o.values,
                      .fpr = o.plan.request.fpr,
                      .block_bits = o.plan.request.block_bits,
                      .seed = o.seed,
                      .threads = o.threads,
                      .force = o.force,
                      .json = o.json});
  }
  require_static_scheme(wanted_by(o));
  const sluice_keys::key_files keys = keys_of(o.keys);
  sluice_keys::key_input input(keys);
  output_file out(o.out, {.replace = o.force, .read = keys.files});
  built b = build(input, o, keys.format.kind());
  b.filter.set_origin(keys.format.made);
  const sluice::file_contents contents = b.filter.contents();
  out.save(contents);
  tell_of_input(input);
  const ordered_json report = report_of_build(b, contents, o.out);
  warn_if_not_as_promised(o.out, b.filter, report["fpr_from_fill"]);
  print_result(report, o.json);
  return 0;
}

}  // namespace

command build_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("build", "make a filter file from files of keys");
  const auto o = std::make_shared<build_command_options>();
  sub->add_option("-o,--out", o->out, "the file to write")->required();
  add_key_options(*sub, o->keys);
  add_plan_options(*sub, o->plan);
  add_keys_at_most(*sub, o->plan);
  sub->add_option("--scheme", o->scheme, "the plan's design of this scheme, in place of its first")
      ->check(CLI::IsMember(planned_schemes()));
  add_seed(*sub, o->seed,
           "of the hash; filters to be merged need the same. 0 is known to everybody: `random` draws one that those "
           "who choose keys do not know, and the report has it for other shards");
  add_threads(*sub, o->threads);
  sub->add_option("--buffer", o->buffer,
                  "memory for keys that come from a pipe, 8 bytes each; beyond, the filter grows (--static holds all)")
      ->capture_default_str();
  sub->add_flag("--grow", o->grow, "a filter that grows, at once: a chain, which more keys can be added to");
  sub->add_option("--first-keys", o->first_keys, "of a filter that grows: keys of its first link");
  sub->add_option("--growth", o->growth, "of a filter that grows: how many times the keys each further link holds");
  sub->add_option(
         "--values", o->values,
         "a map in place of a filter: every key has a number from 0 to 2^32-1, in this column of a table, or in this "
         "field of a line, from 1; `sluice query --values` prints it. --fpr is then how often an absent key gets some "
         "number")
      ->option_text("COLUMN");
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "The plan is that of `sluice plan`, for the distinct keys, which are counted (to 0.4%, and planned for with "
      "0.8%\n"
      "more), or for --keys; --fpr is 0.001 unless it or --memory is given.\n"
      "It promises an expectation: fpr_from_fill, of this one filter, differs from it by chance.\n"
      "Keys from a pipe are held until it ends. With --keys they need no memory, nor with --keys-at-most: they go\n"
      "into a filter for that many, which is folded to those that came. If more come, its rate is told; with --grow,\n"
      "the filter grows.\n"
      "Another program that writes the same file is waited for. An interrupt leaves the file as it was.\n"
      "examples:\n"
      "  sluice build -o words.sluice /usr/share/dict/words\n"
      "  sluice build -o ids.sluice --input u64 --fpr 1e-5 --static ids.bin.zst\n"
      "  sluice build -o hosts.sluice --field 1 access.log.gz\n"
      "  journalctl -o short | sluice build -o daemons.sluice --field 4,5\n"
      "  journalctl | sluice build -o seen.sluice --keys-at-most 10M\n"
      "  sluice build -o users.sluice --input csv:email --memory 64Mi users.csv\n"
      "  sluice build -o pairs.sluice --input 'tsv:#1,#4' flows.tsv.xz\n"
      "  sluice build -o genome.sluice --input kmers:31 --canonical genome.fa.gz\n"
      "  sluice build -o logins.sluice --seed random logins.txt\n"
      "  sluice build -o shards.sluice --input csv:user --values shard users.csv\n"
      "  sluice build -o shard1.sluice --keys 1e6 --shards 4 shard1.txt   (and so on; then sluice merge)");
  return {sub, [o, sub] {
            if (o->values) require_options_of_maps(*sub);
            return run(*o);
          }};
}

}  // namespace sluice_cli
