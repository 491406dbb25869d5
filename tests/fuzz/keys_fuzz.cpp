// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Untrusted files of keys, in every format: the first two bytes say which, and with which options. Nothing but a
// sluice::error may come of them; lines and strings must be what a plain reading gives; and whatever the format, what
// is printed as absent when nothing is found is every line, record or packet, once.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/errors.hpp"

namespace {

using sluice_keys::input_format;
using shape = input_format::shape;

/// The keys of text that ends with `end`s, by the plainest of means.
std::vector<std::string> plainly(std::string_view text, char end) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    const std::size_t at = text.find(end);
    std::string_view key = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    if (end == '\n' && key.ends_with('\r')) key.remove_suffix(1);
    if (!key.empty()) keys.emplace_back(key);
  }
  return keys;
}

struct what_was_read {
  std::vector<std::string> keys;
  std::string absent;  ///< if nothing is found
};

what_was_read read(const std::string& file, const input_format& format) {
  sluice_keys::key_input input({.files = {file}, .format = format});
  what_was_read all;
  sluice_keys::key_batch batch;
  std::size_t keyless = 0;
  while (input.next(batch)) {
    if (batch.is_empty() && batch.preface.empty()) std::abort();
    if (!batch.records.empty() && batch.records.size() != batch.size()) std::abort();
    for (const std::string_view key : batch.texts) all.keys.emplace_back(key);
    const std::vector<std::uint8_t> none(batch.size(), 0);
    batch.append_records(none, 0, all.absent);
    keyless += batch.keyless.size();
  }
  if (format.records && keyless != input.summary().keyless()) std::abort();
  return all;
}

/// The lines that have something in them, each with its end.
std::string lines_of(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool ended = line.size() < text.size();
    if (!line.empty() && line != "\r") {
      lines += line;
      if (!ended && line.ends_with('\r')) lines.pop_back();
      lines += '\n';
    }
    text.remove_prefix(line.size() + (ended ? 1 : 0));
  }
  return lines;
}

/// Formats that have parameters get those that are good for short files.
input_format format_of(std::uint8_t first, std::uint8_t second) {
  constexpr unsigned shapes = static_cast<unsigned>(shape::kmers);
  input_format format{.made = {.what = static_cast<shape>(1 + first % shapes)}};
  sluice::key_origin& made = format.made;
  if (made.is_table()) made.columns = {"1"};
  format.records = (second & 1U) != 0;
  format.unpack = (second & 2U) == 0;
  made.header = !made.is_table() || (second & 4U) == 0;
  made.keep_empty = (second & 8U) != 0;
  const bool several = (second & 16U) != 0;
  if (made.is_table() && several) made.columns = {"2", "1"};
  if (made.what == shape::csv && (second & 32U) != 0) made.delimiter = ';';
  if (made.is_delimited() && (second & 64U) != 0) {
    made.fields = {2};
    if (several && made.kind() == sluice::key_kind::bytes) made.fields = {2, 1};
    if ((second & 32U) != 0) made.delimiter = ',';
  }
  made.width = made.what == shape::fixed || made.what == shape::kmers ? 3 : 0;
  made.canonical = made.what == shape::kmers && several;
  made.both_directions = made.what == shape::pcap_five_tuple && several;
  return format;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  static const int memory = ::memfd_create("keys", 0);
  if (::ftruncate(memory, 0) != 0) std::abort();
  if (::pwrite(memory, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
  const std::string file = "/proc/self/fd/" + std::to_string(memory);
  const input_format format = format_of(data[0], data[1]);
  const bool is_text = format.made.what == shape::lines || format.made.what == shape::nul;
  const bool plain = is_text && !format.unpack && !format.made.keep_empty;  // what is packed is something else
  try {
    const what_was_read all = read(file, format);
    if (!plain) return 0;
    if (format.made.fields.empty() && all.keys != plainly(text, format.made.what == shape::nul ? '\0' : '\n'))
      std::abort();
    if (format.records && format.made.what == shape::lines && all.absent != lines_of(text)) std::abort();
  } catch (const sluice::error&) {
    if (plain) std::abort();
  }
  return 0;
}
