#include "keys/key_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

/// A number in decimal, or in hexadecimal after 0x.
std::uint64_t parse_number(const std::string& text, std::uint64_t most) {
  const bool hexadecimal = text.starts_with("0x");
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, number, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end || number > most) {
    throw sluice::error(fmt::format("--key: '{}' is not a number from 0 to {}", text, most));
  }
  return number;
}

}  // namespace

key_input::key_input(key_files what) : what_(std::move(what)) {
  if (what_.format.kind() != sluice::key_kind::bytes) {
    const std::uint64_t most = what_.format.kind() == sluice::key_kind::u64 ? std::numeric_limits<std::uint64_t>::max()
                                                                            : std::numeric_limits<std::uint32_t>::max();
    for (const std::string& text : what_.literals) numbers_.push_back(parse_number(text, most));
  }
  using shape = input_format::shape;
  const shape form = what_.format.what;
  if (what_.format.records && !what_.literals.empty() && !what_.files.empty() &&
      (form == shape::csv || form == shape::pcap_five_tuple || form == shape::pcap_packet)) {
    throw sluice::error("--key: a literal key cannot be printed among records or packets; ask for it by itself");
  }
  if (std::count(what_.files.begin(), what_.files.end(), "-") > 1) {
    throw sluice::error("the standard input can be read once only");
  }
  for (const std::string& file : what_.files) {
    const file_size size = size_of(file);
    sizes_.push_back(size.bytes);
    sizes_known_ = sizes_known_ && size.can_be_read_again;
  }
}

bool key_input::next(key_batch& batch) {
  batch.clear();
  batch.kind = what_.format.kind();
  if (!literals_done_) {
    literals_done_ = true;
    if (!what_.literals.empty()) {
      take_literals(batch);
      return true;
    }
  }
  while (file_ < what_.files.size()) {
    if (!reader_) reader_ = open_keys(what_.files[file_], what_.format);
    batch.file = what_.files[file_];
    if (reader_->next(batch)) return true;
    batch.clear();
    close_file();
    ++file_;
  }
  return false;
}

void key_input::take_literals(key_batch& batch) const {
  if (batch.kind == sluice::key_kind::u64) batch.u64 = numbers_;
  if (batch.kind == sluice::key_kind::u32) batch.u32.assign(numbers_.begin(), numbers_.end());
  if (batch.kind == sluice::key_kind::bytes) batch.texts.assign(what_.literals.begin(), what_.literals.end());
  // Among the integers of a file they are printed as those are; by themselves as they were given.
  const bool binary = batch.kind != sluice::key_kind::bytes && !what_.files.empty();
  if (!what_.format.records || binary) return;
  const char end = what_.format.what == input_format::shape::nul ? '\0' : '\n';
  for (const std::string& text : what_.literals) batch.records.push_back(batch.unescaped.emplace_back(text + end));
}

void key_input::close_file() {
  done_bytes_ += reader_->consumed();
  const read_summary& s = reader_->summary();
  summary_.empty += s.empty;
  summary_.without_key += s.without_key;
  reader_.reset();
}

bool key_input::can_be_read_again() const { return sizes_known_; }

void key_input::rewind() {
  literals_done_ = false;
  file_ = 0;
  reader_.reset();
  done_bytes_ = 0;
  summary_ = {};
}

std::uint64_t key_input::count(const std::function<void(double)>& progress) {
  std::uint64_t keys = 0;
  const std::uint64_t width = what_.format.kind() == sluice::key_kind::u64 ? 8 : 4;
  const auto packed = [&](const std::string& file) { return byte_source(file, what_.format.unpack).is_packed(); };
  if (what_.format.kind() != sluice::key_kind::bytes && std::none_of(what_.files.begin(), what_.files.end(), packed)) {
    keys = what_.literals.size() + std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{0}) / width;
  } else {
    key_batch batch;
    while (next(batch)) {
      keys += batch.size();
      if (progress) progress(share_read());
    }
  }
  rewind();
  return keys;
}

double key_input::share_read() const {
  const auto all = static_cast<double>(std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{0}));
  if (!sizes_known_ || all == 0) return -1;
  return static_cast<double>(done_bytes_ + (reader_ ? reader_->consumed() : 0)) / all;
}

}  // namespace sluice_keys
