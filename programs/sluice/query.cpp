// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice query: which keys may be in a filter? Prints what stands in the input for each of them, in the input's order;
// with --values, of a map, each with its value. What has no key is absent. The file is mapped: only what lookups touch
// is read.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "commands.hpp"
#include "key_options.hpp"
#include "key_pipeline.hpp"
#include "keys/csv_record.hpp"
#include "record_output.hpp"
#include "report.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/descriptor.hpp"
#include "sluice/extend/map.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/sealed_map.hpp"
#include "verification.hpp"

namespace sluice_cli {
namespace {

struct query_options {
  std::string file;
  key_options keys;
  verification verify;
  std::uint32_t threads = 0;
  bool values = false;
  bool absent = false;
  bool count = false;
  bool json = false;
};

/// A file that is read where it lies must not be changed there. sluice never does so, but others may.
class unchanged_file {
public:
  explicit unchanged_file(const std::string& path) : path_(path), file_(open_file(path)), before_(state()) {}
  void require() const {
    const struct stat now = state();
    if (now.st_size == before_.st_size && now.st_mtim.tv_sec == before_.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before_.st_mtim.tv_nsec) {
      return;
    }
    throw sluice::file_error(path_ + " was changed by another program while it was read; the answers may be wrong");
  }

private:
  [[nodiscard]] static int open_file(const std::string& path) {
    return sluice::extend::retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  }
  [[nodiscard]] struct stat state() const {
    struct stat about{};
    if (file_.get() < 0 || ::fstat(file_.get(), &about) != 0) sluice::extend::fail(path_, "read", errno);
    return about;
  }
  std::string path_;
  sluice::extend::descriptor file_;
  struct stat before_;
};

/// A filter, whose keys are present or not, or a map, which has values for them.
class asked_file {
public:
  asked_file(const std::string& path, bool values) : path_(path), file_(open_file(path, values)) {}

  void verify(const verification& o) const {
    std::visit([&](const auto& f) { verify_if_wanted(f, o); }, file_);
  }
  [[nodiscard]] known_keys keys() const {
    const auto* const m = std::get_if<sluice::sealed_map<>>(&file_);
    if (m != nullptr) return {.name = path_, .kind = *m->kind(), .origin = m->origin()};  // a file says the kind
    const auto& f = std::get<sluice::filter_file>(file_);
    return {.name = path_, .kind = f.kind(), .origin = f.origin()};
  }
  /// Answers, and of a map the values.
  void ask(worked_batch& batch) const {
    batch.answers.resize(batch.keys.size());
    const std::span<std::uint8_t> answers(batch.answers);
    batch.keys.make_digests(hash(), batch.digests);
    if (const auto* const m = std::get_if<sluice::sealed_map<>>(&file_)) {
      batch.values.resize(batch.keys.size());
      m->get_bulk(batch.digests, std::span<std::uint32_t>(batch.values), answers);
    } else {
      std::get<sluice::filter_file>(file_).may_contain_bulk(batch.digests, answers);
    }
  }

private:
  using any_file = std::variant<sluice::filter_file, sluice::sealed_map<>>;
  [[nodiscard]] static any_file open_file(const std::string& path, bool values) {
    if (values) return sluice::sealed_map<>::map(path);
    if (sluice::extend::has_sealed_map(path)) {
      throw sluice::parameter_error(path + ": this is a map of keys to values, not a filter; ask it with --values");
    }
    return sluice::filter_file::map(path);
  }
  [[nodiscard]] sluice::hasher hash() const {
    const auto* const m = std::get_if<sluice::sealed_map<>>(&file_);
    return sluice::hasher(m != nullptr ? m->params().seed : std::get<sluice::filter_file>(file_).seed());
  }

  std::string path_;
  any_file file_;
};

/// How keys are printed with their values: as the input has them, and one field more. Keys that were given themselves
/// may have delimiters inside, and get a tab.
class value_column {
public:
  /// Throws parameter_error where what stands in the input is no text.
  value_column(const sluice::key_origin& made, bool has_files)
      : delimiter_(!has_files                           ? '\t'
                   : made.what == sluice::key_form::csv ? made.delimiter.value_or(',')
                                                        : made.delimiter.value_or('\t')),
        quotes_(made.what == sluice::key_form::csv),
        ends_with_cr_(made.what != sluice::key_form::nul && !made.keep_cr) {
    if (made.is_capture() || made.what == sluice::key_form::fixed) {
      throw sluice::parameter_error("--values: " + sluice::extend::text_of(made) +
                                    " has no place for values; --json prints them");
    }
  }
  /// A table's header names the new column, too: `value`, or with a number if there is one.
  void name_in(std::string& preface) const {
    if (preface.empty()) return;
    std::vector<sluice_keys::field> fields;
    static_cast<void>(sluice_keys::parse_record(preface, {.delimiter = delimiter_, .quotes = quotes_}, true, fields));
    std::string name = "value";
    const auto is_name = [&](const sluice_keys::field& f) { return unescape(f) == name; };
    for (int number = 2; std::any_of(fields.begin(), fields.end(), is_name); ++number) {
      name = fmt::format("value{}", number);
    }
    preface.insert(preface.size() - sluice_keys::end_of_record(preface, ends_with_cr_),
                   std::string(1, delimiter_) + name);
  }
  void append(const worked_batch& batch, std::string& out) const {
    batch.keys.append_with_values(batch.answers, batch.values, delimiter_, ends_with_cr_, out);
  }

private:
  char delimiter_;
  bool quotes_;
  bool ends_with_cr_;
};

/// Keys as elements of a JSON array: integers as numbers, bytes as strings (escaped_bytes); those of a map with values.
class json_printer {
public:
  explicit json_printer(bool values) : values_(values) {}
  void take(const worked_batch& batch, bool wanted) {
    std::string text;
    const sluice_keys::key_batch& keys = batch.keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if ((batch.answers[i] != 0) != wanted) continue;
      text += first_ ? "\n    " : ",\n    ";
      first_ = false;
      keys.visit([&](const auto& all) {
        text +=
            values_ ? fmt::format("{{\"key\": {}, \"value\": {}}}", element(all[i]), batch.values[i]) : element(all[i]);
      });
    }
    write_out(text);
  }

private:
  [[nodiscard]] static std::string element(std::uint64_t n) { return json_text(n); }
  [[nodiscard]] static std::string element(std::string_view key) { return json_text(escaped_bytes(key)); }
  bool values_;
  bool first_ = true;
};

int run(const query_options& o) {
  const unchanged_file unchanged(o.file);
  const asked_file file(o.file, o.values);
  file.verify(o.verify);
  const bool wanted = !o.absent;
  sluice_keys::key_files keys = keys_of(o.keys, file.keys());
  const bool with_values = o.values && wanted;
  std::optional<value_column> column;
  if (with_values && !o.count && !o.json) column.emplace(keys.format.made, !keys.files.empty());
  // Integers in binary have no place for values, and are printed as lines.
  keys.format.records = !o.count && !o.json && !(with_values && keys.format.key_bytes() != 0);
  require_other_output(keys.files);
  require_other_output({&o.file, 1});
  sluice_keys::key_input input(keys);
  std::uint64_t asked = 0;
  std::uint64_t present = 0;
  preface_printer preface;
  json_printer elements(with_values);
  if (o.json) write_out(o.count ? "{\n" : wanted ? "{\n  \"keys\": [" : "{\n  \"absent_keys\": [");
  const bool prints_to_terminal = !o.count && ::isatty(STDOUT_FILENO) != 0;
  for_all_keys(
      input, o.threads, prints_to_terminal ? "" : "querying",
      [&](worked_batch& batch) {
        file.ask(batch);
        batch.output.clear();
        if (column) {
          column->name_in(batch.keys.preface);
          column->append(batch, batch.output);
        } else if (!o.count && !o.json) {
          batch.keys.append_records(batch.answers, wanted ? 1 : 0, batch.output);
        }
      },
      [&](const worked_batch& batch) {
        asked += batch.answers.size();
        for (const std::uint8_t answer : batch.answers) present += answer;
        if (o.count) return;
        if (o.json) return elements.take(batch, wanted);
        preface.take(batch.keys);  // also before nothing, so that it is a file of its format
        write_out(batch.output);   // at once: who feeds a pipe waits for answers
      });
  unchanged.require();
  const std::uint64_t keyless = input.summary().keyless();
  const std::uint64_t chosen = wanted ? present : asked - present + keyless;
  if (o.json) {
    write_out(fmt::format(
        "{}  \"file\": {},\n  \"asked\": {},\n  \"present\": {},\n  \"absent\": {},\n  \"without_key\": {},\n"
        "  \"empty_skipped\": {}\n}}\n",
        o.count ? "" : "\n  ],\n", json_text(o.file), asked, present, asked - present, keyless, input.summary().blank));
  } else if (o.count) {
    write_out(fmt::format("{}\n", chosen));
  }
  tell_of_input(input, keyless_are::absent);
  return chosen != 0 ? 0 : 1;
}

}  // namespace

command query_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("query", "print the keys that may be in a filter");
  const auto o = std::make_shared<query_options>();
  sub->add_option("FILTER", o->file, "the file of a filter; with --values, of a map")->required();
  add_key_options(*sub, o->keys);
  add_verification(*sub, o->verify);
  sub->add_flag("--values", o->values,
                "of a map (`sluice build --values`): print each key of it with its value, as a last field");
  sub->add_flag("--absent", o->absent, "print the others: keys that are certainly not in it");
  sub->add_flag("--count", o->count, "print their number alone");
  sub->add_flag("--json", o->json, "print JSON");
  add_threads(*sub, o->threads);
  sub->footer(
      "What is printed is what stands in the input: lines with their ends, integers in binary, records of a table "
      "after "
      "its header, packets as a capture; of sequences the k-mers, one on each line.\n"
      "What has no key (a line with too few fields, a record whose key is empty, a packet without a 5-tuple) is "
      "printed "
      "and counted with --absent, so that everything is in one of the two. Empty lines are skipped.\n"
      "With --values the value follows the delimiter of the input, or a tab where it has none; integers in binary are "
      "printed as decimal lines. A key of the map always has its value; another one has some value as seldom as --fpr "
      "of the map says.\n"
      "Exit status: 0 if something was printed or counted, 1 if nothing, 2 for errors.\n"
      "examples:\n"
      "  sluice query words.sluice candidates.txt > maybe.txt\n"
      "  sluice query words.sluice --absent --count candidates.txt\n"
      "  sluice query words.sluice --key sluice && echo perhaps\n"
      "  sluice query hosts.sluice --field 1 access.log.xz > from-known-hosts.log\n"
      "  sluice query pairs.sluice --input csv:src,dst flows.csv > known.csv\n"
      "  sluice query shards.sluice --values --key ada\n"
      "  sluice query shards.sluice --values --input csv:user today.csv > today-with-shards.csv\n"
      "  sluice query ids.sluice --input decimal --absent new-ids.txt\n"
      "  sluice query genome.sluice --input kmers:31 --canonical reads.fastq.gz | wc -l\n"
      "  sluice query flows.sluice --input pcap:5tuple --both-directions today.pcap.gz > known.pcap");
  return {sub, [o] { return run(*o); }};
}

}  // namespace sluice_cli
