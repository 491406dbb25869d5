#include "keys/key_reader.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "keys/capture.hpp"
#include "keys/csv.hpp"
#include "keys/piece_reader.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

/// Keys that end with a byte: lines, or strings that end with zero.
class delimited_reader : public key_reader {
public:
  delimited_reader(const std::string& file, const input_format& format)
      : format_(format),
        end_(format.what == input_format::shape::nul ? '\0' : '\n'),
        pieces_(file, format.unpack, format.longest) {}

  [[nodiscard]] bool next(key_batch& batch) override {
    while (batch.size() == 0) {
      if (pieces_.ended()) return false;
      std::size_t have = pieces_.begin(batch.memory);
      std::size_t searched = have;  // what was left over has no end in it
      do {
        if (pieces_.is_too_much(have)) pieces_.demand_short(have, 0, "a key");
        have = pieces_.more(batch.memory, have);
      } while (!pieces_.ended() && !has_end(batch.memory, std::exchange(searched, have), have));
      const std::string_view piece(batch.memory.data(), have);
      pieces_.end(piece, cut(piece, batch));
    }
    return true;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return pieces_.source().consumed(); }

private:
  [[nodiscard]] bool has_end(const std::vector<char>& memory, std::size_t from, std::size_t to) const {
    return std::memchr(memory.data() + from, end_, to - from) != nullptr;
  }

  /// Takes the keys of a piece; returns how much of it they are.
  [[nodiscard]] std::size_t cut(std::string_view piece, key_batch& batch) {
    std::size_t at = 0;
    while (at < piece.size()) {
      const void* const found = std::memchr(piece.data() + at, end_, piece.size() - at);
      if (found == nullptr) break;
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
      take(piece, at, end, batch);
      at = end + 1;
    }
    if (pieces_.ended() && at < piece.size()) {
      take(piece, at, piece.size(), batch);  // a last one without its end
      at = piece.size();
    }
    return at;
  }

  void take(std::string_view piece, std::size_t at, std::size_t end, key_batch& batch) {
    std::string_view key = piece.substr(at, end - at);
    if (end_ == '\n' && !format_.keep_cr && key.ends_with('\r')) key.remove_suffix(1);
    pieces_.demand_short(key.size(), at, "a key");
    if (key.empty() && !format_.keep_empty) {
      ++summary_.empty;
      return;
    }
    batch.texts.push_back(key);
    if (!format_.records) return;
    if (end < piece.size()) {
      batch.records.push_back(piece.substr(at, end + 1 - at));
    } else {  // give it an end
      std::string& whole = batch.unescaped.emplace_back(key);
      whole.push_back(end_);
      batch.records.push_back(whole);
    }
  }

  input_format format_;
  char end_;
  piece_reader pieces_;
};

template <class Number>
class integer_reader : public key_reader {
public:
  integer_reader(const std::string& file, bool unpack) : source_(file, unpack) {}

  [[nodiscard]] bool next(key_batch& batch) override {
    std::vector<Number>& out = numbers(batch);
    out.resize(batch_keys);
    char* const bytes = reinterpret_cast<char*>(out.data());
    std::size_t have = 0;
    do {
      const std::size_t some = source_.read(bytes + have, batch_keys * sizeof(Number) - have);
      if (some == 0 && have % sizeof(Number) != 0) {
        throw sluice::error(fmt::format("{}: byte {}: {} bytes are left over; every key has {}", source_.name(),
                                        done_ + have - have % sizeof(Number), have % sizeof(Number), sizeof(Number)));
      }
      have += some;
      if (some == 0) break;
    } while (have % sizeof(Number) != 0);
    out.resize(have / sizeof(Number));
    done_ += have;
    if constexpr (std::endian::native == std::endian::big) {
      for (Number& n : out) {
        n = static_cast<Number>(sluice::bits::detail::little_endian(n) >> (64 - 8 * sizeof(Number)));
      }
    }
    return !out.empty();
  }
  [[nodiscard]] std::uint64_t consumed() const override { return source_.consumed(); }

private:
  static constexpr std::size_t batch_keys = (std::size_t{1} << 20) / sizeof(Number);

  [[nodiscard]] static std::vector<Number>& numbers(key_batch& batch) {
    if constexpr (sizeof(Number) == 8) {
      return batch.u64;
    } else {
      return batch.u32;
    }
  }

  byte_source source_;
  std::uint64_t done_ = 0;
};

}  // namespace

input_format parse_format(const std::string& text) {
  using shape = input_format::shape;
  if (text == "lines") return {.what = shape::lines};
  if (text == "nul") return {.what = shape::nul};
  if (text == "u64") return {.what = shape::u64};
  if (text == "u32") return {.what = shape::u32};
  if (text == "pcap:5tuple") return {.what = shape::pcap_five_tuple};
  if (text == "pcap:packet") return {.what = shape::pcap_packet};
  if (text.starts_with("csv:") && text.size() > 4) return {.what = shape::csv, .column = text.substr(4)};
  throw sluice::error(
      fmt::format("--input: '{}' is none of lines, nul, u64, u32, pcap:5tuple, pcap:packet and csv:COLUMN", text));
}

std::unique_ptr<key_reader> open_keys(const std::string& file, const input_format& format) {
  using shape = input_format::shape;
  switch (format.what) {
    case shape::u64:
      return std::make_unique<integer_reader<std::uint64_t>>(file, format.unpack);
    case shape::u32:
      return std::make_unique<integer_reader<std::uint32_t>>(file, format.unpack);
    case shape::csv:
      return open_csv(file, format);
    case shape::pcap_five_tuple:
    case shape::pcap_packet:
      return open_capture(file, format);
    default:
      return std::make_unique<delimited_reader>(file, format);
  }
}

}  // namespace sluice_keys
