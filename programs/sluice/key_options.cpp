// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "key_options.hpp"

#include <fmt/format.h>

#include "frame/message.hpp"
#include "frame/number_reader.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {

namespace {

std::size_t longest_of(const std::string& text) {
  const double bytes = number_of_bytes("--longest-key", text);
  if (!(bytes >= 1 && bytes <= sluice_keys::most_longest)) {
    throw sluice::parameter_error(fmt::format("--longest-key: '{}' is not from 1 byte to 1Ti", text));
  }
  return static_cast<std::size_t>(bytes);
}

sluice::key_origin usual_of(sluice::key_kind kind) {
  using sluice::key_form;
  using sluice::key_kind;
  return {.what = kind == key_kind::u64 ? key_form::u64 : kind == key_kind::u32 ? key_form::u32 : key_form::lines};
}

/// How keys are to be made: what is not said is as the filter's keys were made.
sluice::key_origin origin_of(const key_options& o, const std::optional<known_keys>& known) {
  const sluice::key_origin usual = usual_of(known ? known->kind : sluice::key_kind::bytes);
  sluice::key_origin made = known ? known->origin.value_or(usual) : usual;
  if (o.input) {
    made = sluice_keys::parse_format(*o.input);
  } else if (!o.fields.empty() && !made.is_delimited()) {
    made = usual;  // the filter's keys stood in a table, these stand in lines
  }
  if (!o.fields.empty()) {
    made.fields.clear();
    made.delimiter.reset();
  }
  for (const std::string& text : o.fields) {
    const std::vector<std::uint64_t> some = sluice_keys::parse_fields(text);
    made.fields.insert(made.fields.end(), some.begin(), some.end());
  }
  if (o.delimiter) made.delimiter = sluice_keys::parse_delimiter(*o.delimiter);
  // Keys of one filter are canonical, or stand for both directions, all or none.
  const auto said = [&](bool here, bool sluice::key_origin::* what) {
    return here || (known && known->origin && known->origin->what == made.what && *known->origin.*what);
  };
  made.canonical = said(o.canonical, &sluice::key_origin::canonical);
  made.both_directions = said(o.both_directions, &sluice::key_origin::both_directions);
  made.keep_cr = made.keep_cr || o.keep_cr;
  made.keep_empty = made.keep_empty || o.keep_empty;
  return made;
}

/// Throws key_error where the filter's keys were made in another way than these.
void require_same_keys(const known_keys& known, const sluice::key_origin& made) {
  if (known.kind != made.kind()) {
    throw sluice::key_error(fmt::format("{} has keys of kind {}, but {} reads keys of kind {}", known.name,
                                        name_of(known.kind), sluice::extend::text_of(made), name_of(made.kind())));
  }
  if (known.origin && !sluice::extend::have_same_keys(*known.origin, made)) {
    throw sluice::key_error(
        fmt::format("the keys of {} were made by {}, and {} makes others: leave it out, and keys are "
                    "read as they were",
                    known.name, sluice::extend::text_of(*known.origin), sluice::extend::text_of(made)));
  }
}

}  // namespace

void add_key_options(CLI::App& app, key_options& o) {
  app.add_option("KEYS", o.files,
                 "files of keys; - or none is the standard input. zstd, gzip, xz, bzip2 and lz4 are unpacked");
  app.add_option(
         "--key", o.literals,
         "a key itself; may be given again. For filters of integers a decimal number from -2^63 to 2^64-1, or a "
         "hexadecimal one after 0x. Literal keys come before those of files")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  app.add_option(
      "--input", o.input,
      "what the files have. Text: lines, nul (keys end with a zero byte). Tables: csv:COLUMN, tsv:COLUMN (by "
      "name, or by number from 1; csv:#2 is the second of a table without a header; csv:A,B makes one key of "
      "two). Integers: decimal, hex (one on each line), u64, u32 (little-endian), u64be. Bytes: fixed:N. "
      "Captures: pcap:5tuple, pcap:packet. Sequences: kmers:K (FASTA, FASTQ). Default: as the keys of the filter were "
      "made, which its file says; lines for a new one");
  app.add_option("--field", o.fields,
                 "the key is this field of a line, from 1; 1,3 or --field again: those fields, joined by a tab")
      ->option_text("N")
      ->allow_extra_args(false);
  app.add_option("--delimiter", o.delimiter,
                 "the one byte between fields, or tab; also of a csv. Default: runs of spaces and tabs; a comma");
  app.add_flag("--canonical", o.canonical, "kmers: a k-mer and its reverse complement are one key");
  app.add_flag("--both-directions", o.both_directions, "pcap:5tuple: a flow and the one back are one key");
  app.add_flag("--keep-cr", o.keep_cr, "a carriage return before the end of a line belongs to the key");
  app.add_flag("--keep-empty", o.keep_empty, "an empty line, or field, is a key, too");
  app.add_flag("--no-unpack", o.no_unpack, "take compressed bytes and archives for keys as they are");
  app.add_option(
      "--longest-key", o.longest,
      "most bytes of a key, and of a line with fields, a table's record or a packet; suffixes as of --memory, default "
      "16Mi. What is longer is an error: a few compressed bytes can be any number of others");
}

std::vector<std::string> files_of(const key_options& o) {
  return o.files.empty() && o.literals.empty() ? std::vector<std::string>{"-"} : o.files;
}

sluice_keys::key_files keys_of(const key_options& o, const std::optional<known_keys>& known) {
  sluice_keys::key_files keys{.literals = o.literals, .files = files_of(o), .format = {.made = origin_of(o, known)}};
  sluice::extend::check(keys.format.made);
  if (known) require_same_keys(*known, keys.format.made);
  keys.format.unpack = !o.no_unpack;
  if (o.longest) keys.format.longest = longest_of(*o.longest);
  return keys;
}

sluice_keys::key_files keys_of(const key_options& o, const sluice::filter_file& f, const std::string& name) {
  return keys_of(o, known_keys{.name = name, .kind = f.kind(), .origin = f.origin()});
}

void tell_of_input(const sluice_keys::key_input& input, keyless_are what) {
  const sluice_keys::read_summary& s = input.summary();
  const auto tell = [](std::uint64_t count, const char* one, const char* several, const char* fate) {
    if (count != 0) say("{} {} {} {}", count, count == 1 ? one : several, count == 1 ? "was" : "were", fate);
  };
  struct fates {
    const char* without_key;
    const char* empty;
  };
  constexpr fates all[] = {{"skipped", "skipped (--keep-empty keeps them)"},
                           {"taken as absent", "taken as absent (--keep-empty looks them up)"},
                           {"printed every time", "printed every time (--keep-empty makes keys of them)"}};
  const char* const fate = all[static_cast<std::uint8_t>(what)].without_key;
  tell(s.blank, "empty key", "empty keys", "skipped (--keep-empty keeps them)");
  tell(s.empty, "record with an empty key", "records with an empty key", all[static_cast<std::uint8_t>(what)].empty);
  if (input.format().made.is_capture()) {
    tell(s.without_key, "packet without a key", "packets without a key", fate);
  } else {
    tell(s.without_key, "line with too few fields", "lines with too few fields", fate);
  }
  tell(s.other_letters, "k-mer with other letters than ACGT", "k-mers with other letters than ACGT", "skipped");
}

}  // namespace sluice_cli
