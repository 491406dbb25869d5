// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/key_origin.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "sluice/errors.hpp"
#include "sluice/extend/key_letters.hpp"

namespace sluice {

namespace {

/// How the command names a form; what needs more ends with a colon.
constexpr std::array<std::string_view, 14> form_names = {
    "",      "lines",  "nul",  "decimal", "hex",         "u64",         "u32",
    "u64be", "fixed:", "csv:", "tsv:",    "pcap:5tuple", "pcap:packet", "kmers:"};
static_assert(form_names.size() == static_cast<std::size_t>(key_form::kmers) + 1);

/// As a CSV has it: in quotes where a comma or a quote is part of it.
std::string quote(const std::string& column) {
  if (column.find_first_of(",\"\r\n") == std::string::npos) return column;
  std::string text = "\"";
  for (const char c : column) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

/// In single quotes where a shell would take it apart.
std::string as_word(const std::string& text) {
  if (text.find_first_of(" \t\r\n\"'\\$&|;<>()*?#`~!") == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + '\'';
}

template <class All, class Text>
std::string join(const All& all, const Text& text_of_one) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ",") + text_of_one(one);
  return text;
}

void require_origin(bool holds, const std::string& reason) {
  if (!holds) throw parameter_error(reason);
}

bool is_ordinal(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number != 0;
}

/// Texts are of one form, wherever they stood.
bool is_any_text(const key_origin& o) { return o.is_table() || o.what == key_form::lines || o.what == key_form::nul; }

/// Fields and columns that make a key together; none: the whole line is the key, and may have any number of them.
std::optional<std::size_t> parts_of_key(const key_origin& o) {
  if (o.is_table()) return o.columns.size();
  return o.fields.empty() ? std::nullopt : std::optional(o.fields.size());
}

std::string kmer_for(const key_origin& o, std::string_view text) {
  std::string key(text);
  std::transform(key.begin(), key.end(), key.begin(), extend::letter);
  if (key.size() != o.width || key.find('\0') != std::string::npos) {
    throw key_error("'" + std::string(text.substr(0, detail::most_letters_of_kmer)) + "' is not a k-mer of " +
                    std::to_string(o.width) + " letters ACGT");
  }
  if (!o.canonical) return key;
  std::string other(key.rbegin(), key.rend());
  std::transform(other.begin(), other.end(), other.begin(), extend::complement);
  return std::min(key, other);
}

std::string flow_for(const key_origin& o, std::string_view bytes) {
  if (bytes.size() != extend::five_tuple_bytes && bytes.size() != extend::five_tuple_6_bytes) {
    throw key_error("a key of " + std::to_string(bytes.size()) +
                    " bytes is not a 5-tuple, which has 13, or 37 of IPv6");
  }
  return o.both_directions ? extend::either_direction(std::string(bytes)) : std::string(bytes);
}

}  // namespace

bool detail::is_usual(const key_origin& o) {
  if (o.what != key_form::lines && o.what != key_form::u64 && o.what != key_form::u32) return false;
  return o == key_origin{.what = o.what};
}

std::string detail::text_of(const key_origin& o) {
  std::string input(form_names[static_cast<std::size_t>(o.what)]);
  if (o.is_table()) {
    input += join(o.columns, [&](const std::string& column) { return (o.header ? "" : "#") + quote(column); });
  } else if (input.ends_with(':')) {
    input += std::to_string(o.width);
  }
  std::string text = "--input " + as_word(input);
  if (!o.fields.empty()) text += " --field " + join(o.fields, [](std::uint64_t n) { return std::to_string(n); });
  if (o.delimiter) text += " --delimiter " + (*o.delimiter == '\t' ? "tab" : as_word(std::string(1, *o.delimiter)));
  if (o.canonical) text += " --canonical";
  if (o.both_directions) text += " --both-directions";
  if (o.keep_cr) text += " --keep-cr";
  if (o.keep_empty) text += " --keep-empty";
  return text;
}

void detail::check(const key_origin& o) {
  require_origin(o.what >= key_form::lines && o.what <= key_form::kmers, "--input: there is no such form of keys");
  require_origin(o.fields.empty() || o.is_delimited(),
                 "--field is for lines, nul, decimal and hex; columns of a table are named: --input csv:#2");
  require_origin(o.fields.size() < 2 || o.kind() == key_kind::bytes,
                 "--field: several fields make a key of text, and no integer; give one");
  require_origin(std::find(o.fields.begin(), o.fields.end(), 0) == o.fields.end(),
                 "--field: fields are counted from 1");
  require_origin(!o.delimiter || !o.fields.empty() || o.what == key_form::csv,
                 "--delimiter is for --field and for --input csv");
  require_origin(o.delimiter != '\n' && o.delimiter != '\r', "--delimiter: lines end at \\n in any case");
  require_origin(o.delimiter != '\0', "--delimiter: fields are not separated by NUL; --input nul separates records");
  require_origin(o.what != key_form::csv || o.delimiter != '"',
                 "--delimiter: fields of a CSV stand in quotes, so that a quote cannot separate them");
  require_origin(!o.canonical || o.what == key_form::kmers, "--canonical is for --input kmers:K");
  require_origin(!o.both_directions || o.what == key_form::pcap_five_tuple,
                 "--both-directions is for --input pcap:5tuple");
  require_origin(o.is_table() != o.columns.empty(),
                 "--input csv and tsv name the columns that are the key, and no others do");
  for (const std::string& column : o.columns) {
    require_origin(!column.empty() && (o.header || is_ordinal(column)),
                   "--input: a column has a name, or a number from 1");
  }
  require_origin(o.header || o.is_table(), "--input csv and tsv may lack a header, and no others have one");
  const std::uint64_t most = o.what == key_form::fixed   ? std::numeric_limits<std::uint64_t>::max()
                             : o.what == key_form::kmers ? most_letters_of_kmer
                                                         : 0;
  require_origin(most == 0 ? o.width == 0 : o.width >= 1 && o.width <= most,
                 "--input: k-mers have from 1 to " + std::to_string(most_letters_of_kmer) +
                     " letters, keys of fixed width a byte or more, and others no width");
}

bool detail::have_same_keys(const key_origin& a, const key_origin& b) {
  if (are_integers(a.kind()) || are_integers(b.kind())) return are_integers(a.kind()) == are_integers(b.kind());
  if (is_any_text(a) && is_any_text(b)) {
    const auto of_a = parts_of_key(a);
    const auto of_b = parts_of_key(b);
    return !of_a || !of_b || *of_a == *of_b;
  }
  return a.what == b.what && a.width == b.width && a.canonical == b.canonical && a.both_directions == b.both_directions;
}

void detail::require_same_keys(const origin_of_keys& ours, const origin_of_keys& theirs) {
  if (!ours.said && !theirs.said) return;
  if (ours.said && theirs.said) {
    if (have_same_keys(*ours.said, *theirs.said)) return;
  } else {
    const bool has_rule = (ours.said ? *ours.said : *theirs.said).has_rule();
    if (!has_rule || !(ours.said ? theirs.any : ours.any)) return;
  }
  throw merge_error("keys of one were made by " + text_of(ours.said.value_or(key_origin{})) + ", of the other by " +
                    text_of(theirs.said.value_or(key_origin{})));
}

std::string detail::key_for(const key_origin& o, std::string_view text) {
  switch (o.what) {
    case key_form::kmers:
      return kmer_for(o, text);
    case key_form::pcap_five_tuple:
      return flow_for(o, text);
    case key_form::fixed:
      if (text.size() != o.width) {
        throw key_error("a key has " + std::to_string(text.size()) + " bytes, and every key of the filter has " +
                        std::to_string(o.width));
      }
      return std::string(text);
    default:
      return std::string(text);
  }
}

key_hasher::key_hasher(std::uint64_t seed, const std::optional<key_origin>& origin) : plain_(seed) {
  if (origin && origin->has_rule()) rule_ = std::make_shared<const key_origin>(*origin);
}

key_hasher::key_hasher(std::uint64_t seed, std::shared_ptr<const key_origin> origin) : plain_(seed) {
  if (origin != nullptr && origin->has_rule()) rule_ = std::move(origin);
}

digest key_hasher::by_rule(std::string_view text) const { return plain_(detail::key_for(*rule_, text)); }

}  // namespace sluice
