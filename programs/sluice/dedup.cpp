// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice dedup: every record the first time that its key is seen, in one pass and bounded memory. A filter remembers
// the keys, so that a new key is dropped wrongly with the chance of its false positive rate; a repeated one is never
// printed again while it is remembered.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/message.hpp"
#include "frame/number_reader.hpp"
#include "interrupt_watch.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "looser_limits.hpp"
#include "output_file.hpp"
#include "record_output.hpp"
#include "seed_option.hpp"
#include "seen_keys.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/plan.hpp"

namespace sluice_cli {
namespace {

struct dedup_options {
  key_options keys;
  std::optional<double> fpr;
  std::optional<double> expected_keys;
  std::string memory;
  std::optional<std::uint64_t> window;
  std::optional<std::string> window_time;
  std::string out;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  bool force = false;
  bool quiet = false;

  [[nodiscard]] double rate() const { return fpr.value_or(sluice::plan_request::usual_fpr); }
};

/// What is told in the end.
struct counts {
  std::uint64_t read = 0;
  std::uint64_t printed = 0;
  bool empty_keys = false;  ///< there were some
};

/// Finds out which keys of a batch were seen before, in their order: the second of two in one batch was. `seen` has 1
/// for those.
template <class Seen>
std::uint64_t mark_seen(Seen& memory, const std::vector<sluice::digest>& keys, std::vector<std::uint8_t>& seen) {
  constexpr std::size_t ahead = 16;
  std::uint64_t first_ones = 0;
  seen.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) memory.prefetch(keys[i + ahead]);
    const bool first = memory.first_time(keys[i]);
    seen[i] = first ? 0 : 1;
    first_ones += first ? 1 : 0;
  }
  return first_ones;
}

/// Reads everything and prints what is new. `finish` comes afterwards, once, also after an interrupt; one that comes
/// meanwhile waits for it.
template <class Seen>
void print_new_ones(sluice_keys::key_input& input, const dedup_options& o, Seen& memory, counts& total,
                    const std::function<void()>& finish) {
  bool finished = false;
  const auto finish_once = [&] {
    if (!std::exchange(finished, true)) finish();
  };
  interrupt_watch watch(finish_once);
  const sluice::hasher hash(o.seed);
  preface_printer preface;
  const bool prints_to_terminal = ::isatty(STDOUT_FILENO) != 0;
  for_all_keys(
      input, o.threads, prints_to_terminal ? "" : "reading",
      [&](worked_batch& batch) { batch.keys.make_digests(hash, batch.digests); },
      [&](worked_batch& batch) {
        const auto undivided = watch.work();
        if constexpr (requires { memory.at(window_of_time::clock::now()); }) memory.at(window_of_time::clock::now());
        const std::uint64_t first_ones = mark_seen(memory, batch.digests, batch.answers);
        batch.output.clear();
        batch.keys.append_records(batch.answers, 0, batch.output);
        preface.take(batch.keys);  // also before nothing, so that it is a file of its format
        write_out(batch.output);   // at once: what is in the filter is printed
        total.read += batch.digests.size();
        total.printed += first_ones;
        const auto is_empty = [](std::string_view key) { return key.empty(); };
        total.empty_keys = total.empty_keys || std::any_of(batch.keys.texts.begin(), batch.keys.texts.end(), is_empty);
      });
  const auto undivided = watch.work();
  finish_once();
}

/// On the error output: what was done, and how much of it is wrong in expectation. `rate` was never exceeded.
void tell(const dedup_options& o, const counts& total, double rate) {
  if (o.quiet) return;
  const std::uint64_t dropped = total.read - total.printed;
  const double wrong =
      std::min(static_cast<double>(dropped), expected_wrongly_dropped(static_cast<double>(total.printed), rate));
  say("{} keys read, {} printed, {} dropped; expected to be dropped wrongly: {} at most (rate {:.2g})", total.read,
      total.printed, dropped, wrong < 10 ? fmt::format("{:.2g}", wrong) : fmt::format("{:.0f}", wrong), rate);
}

/// Everything is remembered, and may be left as a file, which says how keys were made. `made_file` makes one of the
/// filter.
template <class Filter>
void remember_all(sluice_keys::key_input& input, const dedup_options& o, const sluice::key_origin& made,
                  output_file* out, Filter empty, const std::function<sluice::filter_file(Filter)>& made_file) {
  all_keys<Filter> memory(std::move(empty));
  counts total;
  print_new_ones(input, o, memory, total, [&] {
    sluice::filter_file f = made_file(std::move(memory.filter()));
    sluice::key_origin origin = made;
    origin.keep_empty = origin.keep_empty || total.empty_keys;
    f.set_origin(origin);
    const double rate = sluice::extend::fpr_of_any(f.stats());  // of the filter that was asked
    if (out != nullptr) {
      static_cast<void>(f.fold_last_link());
      out->save(f.contents());
    }
    tell(o, total, rate);
    if (f.planned_keys() != 0 && f.keys_inserted() > f.planned_keys()) {
      warn("{} distinct keys came, and the filter was planned for {}: its rate is {:.2g} now, {:.2g} was planned",
           f.keys_inserted(), f.planned_keys(), rate, f.planned_fpr());
    }
  });
}

template <class Window>
void remember_some(sluice_keys::key_input& input, const dedup_options& o, Window memory) {
  counts total;
  print_new_ones(input, o, memory, total, [&] { tell(o, total, o.rate()); });
}

/// What a refused plan may name: the other options of a plan are not dedup's.
const std::vector<std::string_view> limits = {"--fpr", "--memory"};

/// The filter for a number of keys, for a memory, or for both.
sluice::plan_candidate plan_filter(const dedup_options& o) {
  sluice::plan_request q{.keys = o.expected_keys, .fpr = o.fpr, .seed = o.seed};
  if (!o.memory.empty()) q.memory_bits = 8 * number_of_bytes("--memory", o.memory);
  if (!q.fpr && !(q.keys && q.memory_bits)) q.fpr = sluice::plan_request::usual_fpr;
  return best_plan_or_way_out(q, {.options = limits});
}

void require_that_options_agree(const dedup_options& o) {
  const bool window = o.window || o.window_time;
  if (o.window && o.window_time) throw sluice::parameter_error("give --window or --window-time, not both");
  if (window && !o.out.empty()) {
    throw sluice::parameter_error("-o leaves a filter of all keys, and a window forgets some: give one of the two");
  }
  if (window && (o.expected_keys || !o.memory.empty())) {
    throw sluice::parameter_error("a window is planned by itself: leave --keys and --memory out");
  }
  if (o.window == 0) throw sluice::parameter_error("--window is at least 1");
  if (!(o.rate() > 0 && o.rate() < 1)) throw sluice::parameter_error("--fpr lies between 0 and 1");
}

void run(const dedup_options& o) {
  require_that_options_agree(o);
  sluice_keys::key_files keys = keys_of(o.keys);
  keys.format.records = true;
  const sluice::key_origin made = keys.format.made;  // as was said
  using shape = sluice::key_form;
  // An empty line is a line like others: a key, or where fields are keys, a record without one.
  const bool are_lines = made.what == shape::lines || made.what == shape::nul;
  if (are_lines && made.fields.empty()) keys.format.made.keep_empty = true;
  if (are_lines) keys.format.blank_records = true;
  const sluice::key_kind kind = keys.format.kind();
  require_other_output(keys.files);
  sluice_keys::key_input input(keys);
  std::optional<output_file> out;
  if (!o.out.empty()) out.emplace(o.out, output_rules{.replace = o.force, .read = keys.files});
  output_file* const file = out ? &*out : nullptr;
  // Both generations of a window are asked, so that each has half the rate.
  const double half = o.rate() / 2;
  if (o.window) {
    const auto c = best_plan_or_way_out({.keys = static_cast<double>(*o.window), .fpr = half, .seed = o.seed},
                                        {.options = limits, .rates = 2});
    remember_some(input, o, window_of_keys(*o.window, [c] { return sluice::filter(c.params); }));
  } else if (o.window_time) {
    using clock = window_of_time::clock;
    const std::chrono::duration<double> span(number_of_seconds("--window-time", *o.window_time));
    const sluice::growing_filter empty({.fpr = half, .seed = o.seed});
    const auto least = std::max(std::chrono::duration_cast<clock::duration>(span), clock::duration(1));
    remember_some(input, o, window_of_time(least, clock::now(), [empty] { return empty; }));
  } else if (o.expected_keys || !o.memory.empty()) {
    const sluice::plan_candidate c = plan_filter(o);
    remember_all<sluice::filter>(input, o, made, file, sluice::filter(c.params), [&](sluice::filter f) {
      return sluice::filter_file(std::move(f), sluice::saved_as::of_plan(c, kind));
    });
  } else {
    remember_all<sluice::growing_filter>(
        input, o, made, file, sluice::growing_filter({.fpr = o.rate(), .seed = o.seed}),
        [&](sluice::growing_filter f) { return sluice::filter_file(std::move(f), kind); });
  }
  if (!o.quiet) tell_of_input(input, keyless_are::printed);
}

}  // namespace

command dedup_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("dedup", "print every line or record the first time that its key is seen");
  const auto o = std::make_shared<dedup_options>();
  add_key_options(*sub, o->keys);
  sub->add_option("--fpr", o->fpr, "share of new keys that may be dropped wrongly (default 0.001)")
      ->type_name(share_type);
  sub->add_option("--keys", o->expected_keys, "distinct keys that are expected: one filter is planned for them")
      ->type_name(count_type);
  sub->add_option("--memory", o->memory, "bytes of one filter; suffixes as of `sluice plan`");
  sub->add_option("--window", o->window,
                  "remember the last keys only: this many distinct ones at least, twice at most");
  sub->add_option("--window-time", o->window_time, "remember the keys of the last while only: 90s, 10m, 1.5h, 7d");
  sub->add_option("-o,--out", o->out, "leave the filter of all keys as a file");
  sub->add_flag("--force", o->force, "replace a file that is there");
  add_seed(*sub, o->seed, "of the hash, or `random`, where untrusted people choose the keys");
  add_threads(*sub, o->threads);
  sub->add_flag("--quiet", o->quiet, "no summary on the error output");
  sub->footer(
      "A repeated key is always dropped while it is remembered. A new one is dropped wrongly with the chance --fpr at "
      "most,\nunless more keys come than --keys or --memory were planned for; then a warning says so. Without these "
      "the filter\ngrows with the keys.\n"
      "--window N remembers at least the last N distinct keys and at most 2N, in two filters of N keys each; "
      "--window-time T\nwhat was seen within T at least, and nothing that was last seen before 2T, by the clock on the "
      "wall. Both can run for ever.\n"
      "An interrupt ends it as the end of the input does: all that was seen is printed, and the file is written.\n"
      "examples:\n"
      "  sluice dedup access.log > once.log\n"
      "  sluice dedup --input csv:email --keys 10M --fpr 1e-6 users.csv > unique.csv\n"
      "  tail -f alarms.log | sluice dedup --window-time 10m\n"
      "  sluice dedup -o seen.sluice urls.txt > unique.txt && sluice query seen.sluice more.txt");
  return {sub, [o] {
            run(*o);
            return 0;
          }};
}

}  // namespace sluice_cli
