// sluice build: a filter file from files of keys. Where the keys can be counted, they are, and the plan's first filter
// is made for as many; where they cannot (a pipe), the filter grows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "commands.hpp"
#include "file/layout.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "output_file.hpp"
#include "plan_options.hpp"
#include "promise.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "seed_option.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/digest_store.hpp"
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
  bool force = false;
  bool json = false;
};

struct built {
  sluice::filter_file filter;
  std::uint64_t keys_read = 0;
  std::optional<sluice::plan_candidate> plan = std::nullopt;  ///< unless it grows
};

/// Those that the planner has designs of.
std::vector<std::string> planned_schemes() {
  std::vector<std::string> names(std::begin(scheme_names), std::end(scheme_names));
  std::erase(names, "choice");
  return names;
}

/// The plan's first that keeps all limits; of the scheme that was asked for, if one was, and static, if that was.
sluice::plan_candidate best(sluice::plan_request q, const build_command_options& o) {
  if (!o.scheme && !q.all_keys_known) return sluice::best_plan(q);
  if (o.scheme) {  // who asks for a scheme takes what it reads, unless limits are given, too
    const sluice::plan_request usual;
    if (q.max_blocks == usual.max_blocks) q.max_blocks = std::numeric_limits<std::uint32_t>::max();
    if (q.mean_cost_limit == usual.mean_cost_limit) q.mean_cost_limit = std::numeric_limits<double>::infinity();
    if (q.by == usual.by) q.by = sluice::plan_by::bits;  // and the time it takes
  }
  const std::vector<sluice::plan_candidate> all = sluice::plan(q);
  const auto wanted = [&](const sluice::plan_candidate& c) {
    return o.scheme ? sluice::scheme_name(c.params) == *o.scheme && (is_static(c.params) || !q.all_keys_known)
                    : is_static(c.params);
  };
  const auto found = std::find_if(all.begin(), all.end(), wanted);
  if (found == all.end()) {
    if (!o.scheme) return sluice::best_plan(q);  // so few keys that there is nothing to search for
    throw sluice::parameter_error("the planner has no design of scheme " + *o.scheme + " for this request");
  }
  if (!found->broken_limit.empty()) {
    throw sluice::parameter_error(fmt::format("the {} filter that was asked for breaks a limit: {}",
                                              sluice::scheme_name(found->params), found->broken_limit));
  }
  return *found;
}

/// Plan options that a filter that grows cannot keep, because it does not know its keys.
bool has_limits(const sluice::plan_request& q) {
  const sluice::plan_request usual;
  return q.by != usual.by || q.hit_ratio != usual.hit_ratio || q.max_blocks != usual.max_blocks ||
         q.mean_cost_limit != usual.mean_cost_limit || q.accesses_hit || q.accesses_miss ||
         q.second_line_cost != usual.second_line_cost || q.overload != usual.overload || q.no_list || q.concurrent;
}

/// The request for this number of keys; memory that was given takes the place of the rate.
sluice::plan_request request_for(const build_command_options& o, std::optional<double> keys) {
  plan_options p = o.plan;
  if (keys && !p.request.keys) p.request.keys = std::max(1.0, *keys);
  const int given = (p.request.keys ? 1 : 0) + (p.request.fpr ? 1 : 0) + (p.bits_per_key || !p.memory.empty() ? 1 : 0);
  if (given < 2 && !p.request.fpr) p.request.fpr = sluice::usual_fpr;
  p.request.seed = o.seed;
  return request_of(p);
}

built from_plan(const sluice::plan_candidate& c, sluice_keys::key_input& input, const build_command_options& o,
                sluice::key_kind kind) {
  sluice::filter f(c.params);
  const std::uint64_t read = for_all_digests(input, o.threads, "building", o.seed,
                                             [&](const std::vector<sluice::digest>& some) { f.insert_bulk(some); });
  return {{std::move(f), saved_as_planned(c, kind)}, read, c};
}

/// All keys are known before the filter is: their digests are kept, and then counted.
built from_all_keys(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  sluice::digest_store digests;
  const std::uint64_t read =
      for_all_digests(input, o.threads, "reading", o.seed, [&](const std::vector<sluice::digest>& some) {
        for (const sluice::digest x : some) digests.push_back(x);
      });
  const sluice::plan_candidate c = best(request_for(o, static_cast<double>(read)), o);
  if (!is_static(c.params)) {
    sluice::filter f(c.params);
    f.insert_bulk(digests.all());
    return {{std::move(f), saved_as_planned(c, kind)}, read, c};
  }
  progress_line line;
  return {{sluice::static_builder(std::get<sluice::gated_parameters>(c.params), std::move(digests))
               .build({.threads = o.threads, .progress = [&](double share) { line.tell("building", share); }}),
           saved_as_planned(c, kind)},
          read,
          c};
}

/// Neither the number of keys nor the memory is known.
built growing(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  const double fpr = o.plan.request.fpr.value_or(sluice::usual_fpr);
  sluice::growing_filter f({.fpr = fpr, .block_bits = o.plan.request.block_bits, .seed = o.seed});
  const std::uint64_t read = for_all_digests(input, o.threads, "building", o.seed,
                                             [&](const std::vector<sluice::digest>& some) { f.insert_bulk(some); });
  return {{std::move(f), kind}, read};
}

built build(sluice_keys::key_input& input, const build_command_options& o, sluice::key_kind kind) {
  const sluice::plan_request& q = o.plan.request;
  const bool memory_given = !o.plan.memory.empty() || o.plan.bits_per_key;
  if ((q.shards > 1 || q.mergeable) && !q.keys) {
    throw sluice::parameter_error("--shards and --mergeable need --keys: the number of keys of all parts together");
  }
  if (q.all_keys_known && q.mergeable) {
    throw sluice::parameter_error("--static and --mergeable exclude each other: a union is read as an online filter");
  }
  if (q.all_keys_known) return from_all_keys(input, o, kind);
  if (q.keys || (memory_given && q.fpr && !o.plan.bits_per_key))
    return from_plan(best(request_for(o, {}), o), input, o, kind);
  if (input.can_be_read_again()) {
    progress_line line;
    const auto keys = static_cast<double>(input.count([&](double share) { line.tell("counting", share); }));
    return from_plan(best(request_for(o, keys), o), input, o, kind);
  }
  if (memory_given || o.scheme || has_limits(q)) {
    throw sluice::parameter_error(
        "the keys come from a pipe and cannot be counted, and a filter that grows is planned by --fpr, --block-bits "
        "and --seed alone: give --keys, or --memory together with --fpr");
  }
  return growing(input, o, kind);
}

ordered_json report_of_build(const built& b, const sluice::file_contents& contents, const std::string& file) {
  const std::uint64_t file_bytes = sluice::file::layout_of(contents).file_bytes;
  const std::uint64_t keys = b.filter.keys_inserted();
  ordered_json j;
  j["file"] = file;
  j["file_bytes"] = file_bytes;
  j["key_kind"] = std::string(name_of(contents.keys));
  j["keys_read"] = b.keys_read;
  j["keys_inserted"] = keys;
  j["planned_keys"] = or_null_if_zero(b.filter.planned_keys());
  j["scheme"] = std::string(sluice::scheme_name(contents.filters.back().params));
  j["filters"] = contents.filters.size();
  j["seed"] = b.filter.seed();
  std::vector<sluice::statistics> stats;
  double miss = 0;
  for (const sluice::stored_filter& f : contents.filters) {
    stats.push_back(quick_statistics(f));
    miss += stats.back().blocks_per_miss_from_fill;
  }
  j["fpr_promised"] = b.filter.planned_fpr();
  j["fpr_from_fill"] = sluice::fpr_of_any(stats);
  j["accesses_miss_promised"] = b.plan ? ordered_json(b.plan->predicted.accesses_miss) : ordered_json(nullptr);
  j["accesses_miss_from_fill"] = miss;
  j["accesses_hit_promised"] = b.plan ? ordered_json(b.plan->predicted.accesses_hit) : ordered_json(nullptr);
  const auto n = static_cast<double>(keys);
  j["file_bits_per_key"] = n == 0 ? ordered_json(nullptr) : ordered_json(8.0 * static_cast<double>(file_bytes) / n);
  return j;
}

int run(const build_command_options& o) {
  if (o.scheme && o.plan.request.all_keys_known && *o.scheme != "gated") {
    throw sluice::parameter_error("--static is for gated filters, not for " + *o.scheme);
  }
  const sluice_keys::key_files keys = keys_of(o.keys);
  sluice_keys::key_input input(keys);
  output_file out(o.out, {.replace = o.force, .read = keys.files});
  const built b = build(input, o, keys.format.kind());
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
  sub->add_option("--scheme", o->scheme, "the plan's design of this scheme, in place of its first")
      ->check(CLI::IsMember(planned_schemes()));
  add_seed(
      *sub, o->seed,
      "of the hash; filters to be merged need the same. 0 is known to everybody: `random` draws one that nobody else "
      "who choose keys do not know, and the report has it for other parts");
  add_threads(*sub, o->threads);
  sub->add_flag("--force", o->force, "replace a file that is there");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "The plan is that of `sluice plan`, for the keys that are counted, or --keys; --fpr is 0.001 unless it or "
      "--memory is given.\n"
      "It promises an expectation: fpr_from_fill, of this one filter, differs from it by chance.\n"
      "Keys from a pipe cannot be counted: without --keys the filter grows as they come.\n"
      "Another program that writes the same file is waited for. An interrupt leaves the file as it was.\n"
      "examples:\n"
      "  sluice build -o words.sluice /usr/share/dict/words\n"
      "  sluice build -o ids.sluice --input u64 --fpr 1e-5 --static ids.bin.zst\n"
      "  zcat log.gz | cut -d' ' -f1 | sluice build -o hosts.sluice\n"
      "  sluice build -o users.sluice --input csv:email --memory 64Mi users.csv\n"
      "  sluice build -o logins.sluice --seed random logins.txt\n"
      "  sluice build -o part1.sluice --keys 1e6 --shards 4 part1.txt   (and so on; then sluice merge)");
  return {sub, [o] { return run(*o); }};
}

}  // namespace sluice_cli
