// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/key_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "keys/byte_source.hpp"
#include "keys/integers.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_keys {

key_input::key_input(key_files what) : what_(std::move(what)) {
  require_consistent(what_.format);
  read_literals();
  const bool in_records =
      what_.format.made.is_table() || what_.format.made.is_capture() || !what_.format.made.fields.empty();
  if (what_.format.records && !what_.literals.empty() && !what_.files.empty() && in_records) {
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

void key_input::read_literals() {
  const input_format& format = what_.format;
  for (const std::string& text : what_.literals) {
    if (format.kind() != sluice::key_kind::bytes) {
      numbers_.push_back(literal_integer(text, format.kind()));
    } else {
      try {
        texts_.push_back(sluice::extend::key_for(format.made, text));
      } catch (const sluice::key_error& e) {
        throw sluice::key_error(fmt::format("--key {}: {}", text, e.what()));
      }
    }
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
  if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
  while (file_ < what_.files.size()) {
    if (!reader_) reader_ = open_keys(what_.files[file_], what_.format);
    batch.file = what_.files[file_];
    try {
      if (reader_->next(batch)) return true;
    } catch (const sluice::error&) {
      if (batch.is_empty()) throw;
      trouble_ = std::current_exception();
      return true;
    }
    close_file();
    ++file_;
    if (!batch.preface.empty()) return true;  // of a file without records, perhaps: what it begins with is printed
    batch.clear();
  }
  return false;
}

void key_input::take_literals(key_batch& batch) const {
  using shape = input_format::shape;
  if (batch.kind == sluice::key_kind::u64) batch.u64 = numbers_;
  if (batch.kind == sluice::key_kind::u32) batch.u32.assign(numbers_.begin(), numbers_.end());
  if (batch.kind == sluice::key_kind::bytes) batch.texts.assign(texts_.begin(), texts_.end());
  // Among the keys of a file they are printed as those are; by themselves as they were given.
  const shape form = what_.format.made.what;
  if (!what_.format.records || form == shape::kmers) return;
  const bool as_in_file = !what_.files.empty();
  for (std::size_t i = 0; i < what_.literals.size(); ++i) {
    const std::string& text = what_.literals[i];
    const std::string end(form == shape::fixed && as_in_file ? 0 : 1, form == shape::nul ? '\0' : '\n');
    batch.records.push_back(batch.unescaped.emplace_back(
        !numbers_.empty() && as_in_file ? in_format(numbers_[i], text, form) : text + end));
  }
}

void key_input::close_file() {
  done_bytes_ += reader_->consumed();
  summary_ += reader_->summary();
  reader_.reset();
}

bool key_input::can_be_read_again() const { return sizes_known_; }

void key_input::rewind() {
  literals_done_ = false;
  file_ = 0;
  reader_.reset();
  trouble_ = nullptr;
  done_bytes_ = 0;
  summary_ = {};
}

double key_input::share_read() const {
  const auto all = static_cast<double>(std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{0}));
  if (!sizes_known_ || all == 0) return -1;
  return static_cast<double>(done_bytes_ + (reader_ ? reader_->consumed() : 0)) / all;
}

}  // namespace sluice_keys
