// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/csv_record.hpp"

namespace sluice_keys {
namespace {

/// Where a quoted field ends, behind its quote, and what it is. Nothing if the text may go on. Throws broken_record.
std::optional<std::size_t> parse_quoted(std::string_view text, std::size_t at, bool is_all, field& out) {
  const std::size_t begin = at + 1;
  bool doubled = false;
  for (std::size_t i = begin;; ++i) {
    i = text.find('"', i);
    if (i == std::string_view::npos) {
      if (is_all) throw broken_record{at, "a quote is opened here and never closed"};
      return std::nullopt;
    }
    if (i + 1 == text.size() && !is_all) return std::nullopt;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      doubled = true;
      ++i;
      continue;
    }
    out = {text.substr(begin, i - begin), doubled};
    return i + 1;
  }
}

/// Where one field ends, and what it is. Nothing if the text may go on. Throws broken_record.
std::optional<std::size_t> parse_field(std::string_view text, const record_syntax& syntax, std::size_t at, bool is_all,
                                       field& out) {
  if (syntax.quotes && at < text.size() && text[at] == '"') return parse_quoted(text, at, is_all, out);
  const char ends[] = {syntax.delimiter, '\n', '"'};
  const std::size_t end = text.find_first_of(std::string_view(ends, syntax.quotes ? 3 : 2), at);
  if (end == std::string_view::npos) {
    if (!is_all) return std::nullopt;
    const std::size_t rest = text.size() - (text.size() > at && text.back() == '\r' ? 1 : 0);
    out = {text.substr(at, rest - at)};
    return rest;
  }
  if (syntax.quotes && text[end] == '"') {
    throw broken_record{end, "a quote within a field that does not begin with one"};
  }
  std::size_t length = end - at;
  if (text[end] == '\n' && length != 0 && text[end - 1] == '\r') --length;
  out = {text.substr(at, length)};
  return at + length;
}

}  // namespace

std::optional<std::size_t> parse_record(std::string_view text, const record_syntax& syntax, bool is_all,
                                        std::vector<field>& fields) {
  fields.clear();
  std::size_t at = 0;
  for (;;) {
    field f;
    const auto end = parse_field(text, syntax, at, is_all, f);
    if (!end) return std::nullopt;
    fields.push_back(f);
    at = *end;
    if (at == text.size()) return is_all ? std::optional(at) : std::nullopt;
    if (text[at] == syntax.delimiter) {
      ++at;
      continue;
    }
    if (text[at] == '\n') return at + 1;
    if (text[at] == '\r') {
      if (at + 1 == text.size()) return is_all ? std::optional(at + 1) : std::nullopt;
      if (text[at + 1] == '\n') return at + 2;
    }
    throw broken_record{at, "after a closing quote comes a delimiter or the end of the record"};
  }
}

std::string unescape(const field& f) {
  if (!f.has_quotes) return std::string(f.raw);
  std::string out;
  for (std::size_t i = 0; i < f.raw.size(); ++i) {
    out.push_back(f.raw[i]);
    if (f.raw[i] == '"') ++i;
  }
  return out;
}

}  // namespace sluice_keys
