// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/fixed_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "keys/byte_source.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

/// Byte by byte, which compilers turn into one instruction.
template <class Number>
Number number_at(const char* bytes, bool big) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[big ? i : sizeof number - 1 - i]);
    number = static_cast<Number>(static_cast<std::uint64_t>(number) << 8 | byte);
  }
  return number;
}

class fixed_width_reader : public key_reader {
  using shape = input_format::shape;

public:
  fixed_width_reader(const std::string& file, const input_format& format)
      : format_(format), width_(format.key_bytes()), source_(file, format.unpack) {}

  [[nodiscard]] bool next(key_batch& batch) override {
    const std::size_t bytes = read(batch.memory);
    const std::size_t keys = bytes / width_;
    const char* const first = batch.memory.data();
    switch (format_.made.what) {
      case shape::u32:
        batch.u32.resize(keys);
        for (std::size_t i = 0; i < keys; ++i) batch.u32[i] = number_at<std::uint32_t>(first + 4 * i, false);
        break;
      case shape::u64:
        batch.u64.resize(keys);
        for (std::size_t i = 0; i < keys; ++i) batch.u64[i] = number_at<std::uint64_t>(first + 8 * i, false);
        break;
      case shape::u64be:
        batch.u64.resize(keys);
        for (std::size_t i = 0; i < keys; ++i) batch.u64[i] = number_at<std::uint64_t>(first + 8 * i, true);
        break;
      default:
        for (std::size_t i = 0; i < keys; ++i) batch.texts.emplace_back(first + width_ * i, width_);
    }
    // Little-endian integers are printed as they stood without it.
    if (format_.records && (format_.made.what == shape::u64be || format_.made.what == shape::fixed)) {
      for (std::size_t i = 0; i < keys; ++i) batch.records.emplace_back(first + width_ * i, width_);
    }
    if (left_over_ != 0) throw sluice::error(broken());
    return bytes != 0;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return source_.consumed(); }

private:
  static constexpr std::size_t batch_bytes = std::size_t{1} << 20;

  /// Whole keys, as many as come at once; none at the end.
  [[nodiscard]] std::size_t read(std::vector<char>& memory) {
    const std::size_t room = std::max<std::size_t>(1, batch_bytes / width_) * width_;
    std::size_t have = 0;
    do {
      // A key may be long, and what comes short: memory is taken as it fills.
      if (memory.size() < std::min(room, have + batch_bytes)) memory.resize(std::min(room, 2 * have + batch_bytes));
      const std::size_t some = source_.read(memory.data() + have, std::min(room, memory.size()) - have);
      have += some;
      if (some == 0) {
        left_over_ = have % width_;
        break;
      }
    } while (have % width_ != 0);
    done_ += have - have % width_;
    return have - have % width_;
  }
  [[nodiscard]] std::string broken() const {
    return fmt::format("{}: byte {}: {} byte{} left over; every key has {}", source_.name(), done_, left_over_,
                       left_over_ == 1 ? " is" : "s are", width_);
  }

  input_format format_;
  std::size_t width_;
  byte_source source_;
  std::uint64_t done_ = 0;  // bytes of whole keys
  std::size_t left_over_ = 0;
};

}  // namespace

std::unique_ptr<key_reader> open_fixed_width(const std::string& file, const input_format& format) {
  return std::make_unique<fixed_width_reader>(file, format);
}

}  // namespace sluice_keys
