// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// How keys stand in a file. One form each:
//
//   lines     a line ends at \n; one \r before it is dropped; empty lines are skipped and counted; a last line without
//             \n counts. With `fields`, the key is one field of the line, or several, joined
//   nul       the same with a zero byte in place of \n, and nothing dropped
//   decimal   lines of integers from -2^63 to 2^64 - 1; a negative one is its two's complement
//   hex       lines of integers in hexadecimal, with or without 0x
//   u64, u32  little-endian integers, one after the other; u64be: big-endian ones
//   fixed     N bytes each
//   csv       RFC 4180; one column, or several, joined; by name or by number from 1; with a header, or without
//             (csv.hpp)
//   tsv       the same with tabs, and nothing quoted
//   pcap      captures: the 5-tuple or the bytes of every packet (capture.hpp)
//   kmers     FASTA or FASTQ: every stretch of K letters (kmers.hpp)
//
// Keys of tables, and those that are fields of lines, may have a value each, in a column or field of its own: a whole
// number below 2^32. A key without one is an error.
//
// What stands in the input and has no key (a line with too few fields, a record whose key is empty, a packet without a
// 5-tuple) is in no filter: lookups print it with what is absent, so that everything is in one of the two. An empty
// line is nothing that stands there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/key_origin.hpp"

namespace sluice_keys {

inline constexpr std::size_t usual_longest = std::size_t{16} << 20;
inline constexpr std::size_t most_longest = std::size_t{1} << 40;

/// Fields and columns that make one key together are joined by it, whatever separated them in the input.
inline constexpr char joint = '\t';

struct input_format {
  using shape = sluice::key_form;
  sluice::key_origin made = {};            ///< how keys are made of what stands in the input
  bool records = false;                    ///< keep what stood in the input, to print it again
  bool blank_records = false;              ///< an empty line is a record without a key, if not an empty key
  bool unpack = true;                      ///< what is packed (unpacker.hpp)
  std::optional<std::string> values = {};  ///< where the value of each key stands: a column, or the number of a field
  std::size_t longest = usual_longest;     ///< bytes of a key, and of what it stands in; most_longest at most

  [[nodiscard]] sluice::key_kind kind() const noexcept { return made.kind(); }
  /// Bytes of every key, where all have the same number of them and nothing is in between; 0 otherwise.
  [[nodiscard]] std::size_t key_bytes() const noexcept;
};

/// What `--input` may say: the names above; fixed:N, csv:COLUMNS, tsv:COLUMNS, pcap:5tuple, pcap:packet, kmers:K.
/// Throws sluice::error with a sentence.
[[nodiscard]] sluice::key_origin parse_format(const std::string& text);

/// Numbers of fields from 1, with commas in between. Throws sluice::error with a sentence.
[[nodiscard]] std::vector<std::uint64_t> parse_fields(const std::string& text);

/// One byte, or `tab`, or `\t`. Throws sluice::error with a sentence.
[[nodiscard]] char parse_delimiter(const std::string& text);

/// Throws sluice::error if the format has something that another one has, or lacks what it needs.
void require_consistent(const input_format& format);

/// The number of the field that values stand in, from 1. Throws sluice::error with a sentence.
[[nodiscard]] std::uint64_t field_of_values(const std::string& values);

}  // namespace sluice_keys
