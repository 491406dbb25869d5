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
  app.add_option("KEYS", o.files, "files of keys; - or none is the standard input. zstd and gzip are unpacked");
  app.add_option(
         "--key", o.literals,
         "a key itself, an integer in decimal or after 0x; may be given again. Literal keys come before those of "
         "files")
      ->allow_extra_args(false);
  app.add_option(
      "--input", o.input,
      "lines, nul (keys end with a zero byte), u64, u32 (little-endian), pcap:5tuple, pcap:packet, "
      "csv:COLUMN (by name, or by number from 1). Default: lines; u64 or u32 where the filter has such keys");
  app.add_flag("--keep-cr", o.keep_cr, "a carriage return before the end of a line belongs to the key");
  app.add_flag("--keep-empty", o.keep_empty, "an empty line, or field, is a key, too");
  app.add_flag("--no-unpack", o.no_unpack, "take zstd's and gzip's bytes for keys as they are");
  app.add_option(
      "--longest-key", o.longest,
      "most bytes of a key, and of a CSV's record or a packet; suffixes as of --memory, default 16Mi. What is "
      "longer is an error: a few packed bytes can be any number of others");
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
  return keys;
}

void tell_of_input(const sluice_keys::key_input& input) {
  const sluice_keys::read_summary& s = input.summary();
  const auto number = [](std::uint64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? " was" : "s were");
  };
  if (s.empty != 0) say("{} skipped (--keep-empty keeps them)", number(s.empty, "empty key"));
  if (s.without_key != 0) say("{} skipped", number(s.without_key, "packet without a key"));
}

}  // namespace sluice_cli
