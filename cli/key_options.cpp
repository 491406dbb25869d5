#include "key_options.hpp"

#include <fmt/format.h>

#include "frame/message.hpp"
#include "frame/number_reader.hpp"
#include "sluice/errors.hpp"

namespace sluice_cli {

namespace {

std::size_t longest_of(const std::string& text) {
  const double bytes = number_of_bytes("--longest-key", text);
  if (!(bytes >= 1 && bytes <= sluice_keys::most_longest)) {
    throw sluice::parameter_error(fmt::format("--longest-key: '{}' is not from 1 byte to 1Ti", text));
  }
  return static_cast<std::size_t>(bytes);
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
      "Captures: pcap:5tuple, pcap:packet. Sequences: kmers:K (FASTA, FASTQ). Default: lines; u64 or u32 where "
      "the filter has such keys");
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

sluice_keys::key_files keys_of(const key_options& o, std::optional<sluice::key_kind> known,
                               const std::string& filter_file, bool records) {
  using sluice::key_kind;
  const std::string usual = known == key_kind::u64 ? "u64" : known == key_kind::u32 ? "u32" : "lines";
  const std::string said = o.input.value_or(usual);
  sluice_keys::key_files keys{.literals = o.literals, .files = files_of(o), .format = sluice_keys::parse_format(said)};
  if (known && keys.format.kind() != *known) {
    throw sluice::key_error(fmt::format("{} has keys of kind {}, but --input {} reads keys of kind {}", filter_file,
                                        name_of(*known), said, name_of(keys.format.kind())));
  }
  keys.format.keep_cr = o.keep_cr;
  keys.format.keep_empty = o.keep_empty;
  keys.format.records = records;
  keys.format.unpack = !o.no_unpack;
  if (o.longest) keys.format.longest = longest_of(*o.longest);
  for (const std::string& text : o.fields) {
    const std::vector<std::size_t> some = sluice_keys::parse_fields(text);
    keys.format.fields.insert(keys.format.fields.end(), some.begin(), some.end());
  }
  if (o.delimiter) keys.format.delimiter = sluice_keys::parse_delimiter(*o.delimiter);
  keys.format.canonical = o.canonical;
  keys.format.both_directions = o.both_directions;
  return keys;
}

void tell_of_input(const sluice_keys::key_input& input, keyless_are what) {
  const sluice_keys::read_summary& s = input.summary();
  const auto tell = [](std::uint64_t count, const char* one, const char* several, const char* fate) {
    if (count != 0) say("{} {} {} {}", count, count == 1 ? one : several, count == 1 ? "was" : "were", fate);
  };
  const bool absent = what == keyless_are::absent;
  const char* const fate = absent ? "taken as absent" : "skipped";
  tell(s.blank, "empty key", "empty keys", "skipped (--keep-empty keeps them)");
  tell(s.empty, "record with an empty key", "records with an empty key",
       absent ? "taken as absent (--keep-empty looks them up)" : "skipped (--keep-empty keeps them)");
  if (input.format().is_capture()) {
    tell(s.without_key, "packet without a key", "packets without a key", fate);
  } else {
    tell(s.without_key, "line with too few fields", "lines with too few fields", fate);
  }
  tell(s.other_letters, "k-mer with other letters than ACGT", "k-mers with other letters than ACGT", "skipped");
}

}  // namespace sluice_cli
