// Files of keys, one format each: read in batches, in their order.
//
//   lines     a line ends at \n; one \r before it is dropped; empty lines are skipped and counted; a last line without \n counts
//   nul       the same with a zero byte in place of \n, and nothing dropped
//   u64, u32  little-endian integers, one after the other
//   csv       RFC 4180 with a header; one column, by name or by number from 1
//   pcap      captures: the 5-tuple or the bytes of every packet (capture.hpp)
//
// Memory: a batch is a mebibyte, or one key if that is longer; no key, record of a CSV or packet is longer than the
// format's `longest`, because a few packed bytes can be any number of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "keys/byte_source.hpp"
#include "keys/key_batch.hpp"

namespace sluice_keys {

inline constexpr std::size_t usual_longest = std::size_t{16} << 20;
inline constexpr std::size_t most_longest = std::size_t{1} << 40;

struct input_format {
  enum class shape : std::uint8_t { lines, nul, u64, u32, csv, pcap_five_tuple, pcap_packet };
  shape what = shape::lines;
  std::string column = {};              ///< of a CSV
  bool keep_cr = false;                 ///< lines: \r before \n belongs to the key
  bool keep_empty = false;              ///< lines, nul, csv: an empty key is a key
  bool records = false;                 ///< keep what stood in the input, to print it again
  bool unpack = true;                   ///< what is zstd's or gzip's
  std::size_t longest = usual_longest;  ///< bytes of a key, and of what it stands in; most_longest at most

  [[nodiscard]] sluice::key_kind kind() const noexcept {
    return what == shape::u64   ? sluice::key_kind::u64
           : what == shape::u32 ? sluice::key_kind::u32
                                : sluice::key_kind::bytes;
  }
};

/// lines, nul, u64, u32, csv:COLUMN, pcap:5tuple or pcap:packet. Throws sluice::error with a sentence.
[[nodiscard]] input_format parse_format(const std::string& text);

/// What was met on the way and is not a key.
struct read_summary {
  std::uint64_t empty = 0;        ///< keys that were skipped because they are empty
  std::uint64_t without_key = 0;  ///< packets without a 5-tuple, or without a byte
};

class key_reader {
public:
  key_reader() = default;
  key_reader(const key_reader&) = delete;
  key_reader& operator=(const key_reader&) = delete;
  key_reader(key_reader&&) = delete;
  key_reader& operator=(key_reader&&) = delete;
  virtual ~key_reader() = default;
  /// Fills a batch that is clear; false if there are no more keys. Throws sluice::error with the file, the place and
  /// the reason.
  [[nodiscard]] virtual bool next(key_batch& batch) = 0;
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  [[nodiscard]] const read_summary& summary() const noexcept { return summary_; }

protected:
  read_summary summary_;
};

/// Opens a file, or "-". Throws sluice::error.
[[nodiscard]] std::unique_ptr<key_reader> open_keys(const std::string& file, const input_format& format);

}  // namespace sluice_keys
