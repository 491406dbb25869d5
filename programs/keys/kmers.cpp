// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/kmers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "keys/byte_source.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/key_letters.hpp"

namespace sluice_keys {
namespace {

using sluice::extend::complement;
using sluice::extend::letter;

class kmer_reader : public key_reader {
public:
  kmer_reader(const std::string& file, const input_format& format)
      : k_(format.made.width), canonical_(format.made.canonical), source_(file, format.unpack), bytes_(batch_bytes) {}

  [[nodiscard]] bool next(key_batch& batch) override {
    while (batch.is_empty() && !ended_) {
      begin(batch.memory);
      const std::size_t some = source_.read(bytes_.data(), bytes_.size());
      try {
        for (std::size_t i = 0; i < some; ++i) {
          take(bytes_[i], batch);
          ++at_;
        }
        if (some == 0) end();
      } catch (const sluice::error&) {
        make_canonical(batch);
        throw;
      }
      make_canonical(batch);
      last_.assign(batch.memory.data() + have_ - std::min(run_, k_ - 1), batch.memory.data() + have_);
    }
    return !batch.is_empty();
  }
  [[nodiscard]] std::uint64_t consumed() const override { return source_.consumed(); }

private:
  static constexpr std::size_t batch_bytes = std::size_t{1} << 18;
  enum class place : std::uint8_t { before, name, sequence, plus, quality };

  /// Letters are kept one after the other, so that a k-mer is a view of them; the last of a batch come again. Behind
  /// them is room for their complements.
  void begin(std::vector<char>& memory) {
    memory.resize(2 * (batch_bytes + k_));
    std::copy(last_.begin(), last_.end(), memory.begin());
    have_ = last_.size();
  }

  /// The first byte of a line may say what the line is; those of names are looked at no further.
  void take(char c, key_batch& batch) {
    if (c == '\n') {
      end_line();
    } else if (line_begins_) {
      if (c == '\r') return;
      line_begins_ = false;
      begin_line(c, batch);
    } else if (where_ == place::sequence) {
      take_letter(c, batch);
    } else if (where_ == place::quality) {
      take_quality(c);
    }
  }

  void begin_line(char c, key_batch& batch) {
    switch (where_) {
      case place::before:
        if (started_ && c != '@') fail("a record begins with @");
        if (c != '>' && c != '@') fail("a FASTA file begins with >, and a record of a FASTQ file with @");
        fastq_ = c == '@';
        started_ = true;
        where_ = place::name;
        break;
      case place::sequence:
        if (!fastq_ && c == '>') {
          end_sequence();
          where_ = place::name;
        } else {
          take_letter(c, batch);
        }
        break;
      case place::plus:
        if (c != '+') fail("a line with + comes after the sequence: a FASTQ record has four lines");
        break;
      case place::quality:
        take_quality(c);
        break;
      default:
        break;
    }
  }

  void end_line() {
    const bool blank = line_begins_;
    line_begins_ = true;
    after_cr_ = false;
    switch (where_) {
      case place::name:
        where_ = place::sequence;
        break;
      case place::sequence:
        if (fastq_) where_ = place::plus;
        break;
      case place::plus:
        if (blank) fail("a line with + comes after the sequence: a FASTQ record has four lines");
        where_ = place::quality;
        break;
      case place::quality:
        end_record();
        break;
      default:
        break;
    }
  }

  void take_letter(char c, key_batch& batch) {
    if (after_cr_) take_other_letter();
    after_cr_ = c == '\r';  // which is the end of the line, if nothing but that follows
    if (after_cr_) return;
    const char upper = letter(c);
    if (upper == '\0') return take_other_letter();
    ++length_;
    batch.memory[have_++] = upper;
    if (++run_ < k_) return;
    ++found_;
    batch.texts.emplace_back(batch.memory.data() + have_ - k_, k_);
  }

  void take_other_letter() {
    ++length_;
    run_ = 0;
  }

  void take_quality(char c) {
    if (c != '\r') ++qualities_;
  }

  /// Stretches that are no keys have other letters.
  void end_sequence() {
    if (length_ >= k_) summary_.other_letters += length_ - k_ + 1 - found_;
    length_ = 0;
    found_ = 0;
    run_ = 0;
  }

  void end_record() {
    if (qualities_ != length_) {
      fail(fmt::format("a record with {} letters has {} qualities before this place", length_, qualities_));
    }
    qualities_ = 0;
    end_sequence();
    where_ = place::before;
  }

  void end() {
    ended_ = true;
    if (fastq_ && where_ == place::quality && (!line_begins_ || length_ == 0))
      end_record();  // a last line without its end
    if (fastq_ && where_ != place::before) fail("the file ends in the middle of a record");
    end_sequence();
  }

  /// If that is wanted: in place of every k-mer, what comes first: itself, or what stands on the other strand.
  void make_canonical(key_batch& batch) const {
    if (!canonical_) return;
    char* const forward = batch.memory.data();
    char* const backward = forward + batch_bytes + k_;
    for (std::size_t i = 0; i < have_; ++i) backward[have_ - 1 - i] = complement(forward[i]);
    for (std::string_view& key : batch.texts) {
      const auto from = static_cast<std::size_t>(key.data() - forward);
      key = std::min(key, std::string_view(backward + have_ - from - k_, k_));
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw sluice::error(fmt::format("{}: byte {}: {}", source_.name(), at_, reason));
  }

  std::size_t k_;
  bool canonical_;
  byte_source source_;
  std::vector<char> bytes_;  // as they were read
  std::string last_;         // letters that k-mers of the next batch begin with
  std::size_t have_ = 0;     // letters in the batch's memory
  std::uint64_t at_ = 0;     // the byte that is looked at

  place where_ = place::before;
  bool started_ = false;  // before a record: it is not the first
  bool fastq_ = false;
  bool line_begins_ = true;
  bool after_cr_ = false;
  bool ended_ = false;
  std::size_t run_ = 0;          // letters ACGT up to here, in this sequence
  std::uint64_t length_ = 0;     // letters of the sequence
  std::uint64_t found_ = 0;      // k-mers of the sequence
  std::uint64_t qualities_ = 0;  // of the record
};

}  // namespace

std::unique_ptr<key_reader> open_kmers(const std::string& file, const input_format& format) {
  return std::make_unique<kmer_reader>(file, format);
}

}  // namespace sluice_keys
