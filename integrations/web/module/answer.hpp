// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// answer: what the module says to the page: one value, as bytes that page/module.js reads. Numbers travel as they are,
// so that the page has the library's doubles and nothing is printed and read again.
//
//   value    n | t | f | d double | s text | D count double... | [ value... ] | { (text value)... }
//   text     count, as 4 bytes, and the bytes; everything is little-endian
//
// Invariant: after a call there is exactly one value; whoever opens a list or an object closes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sluice_web {

class answer {
public:
  void clear() { bytes_.clear(); }
  [[nodiscard]] std::span<const char> bytes() const noexcept { return bytes_; }

  answer& null() { return tag('n'); }
  answer& truth(bool value) { return tag(value ? 't' : 'f'); }
  answer& number(double value) { return tag('d').raw(&value, sizeof value); }
  answer& text(std::string_view value) { return tag('s').counted(value); }
  answer& numbers(std::span<const double> values) {
    const auto count = static_cast<std::uint32_t>(values.size());
    return tag('D').raw(&count, sizeof count).raw(values.data(), values.size_bytes());
  }
  answer& open(char bracket) { return tag(bracket); }
  answer& close(char bracket) { return tag(bracket); }
  /// Within an object: the name of the value that follows.
  answer& name(std::string_view value) { return counted(value); }

  answer& put(std::string_view field, double value) { return name(field).number(value); }
  answer& put(std::string_view field, std::string_view value) { return name(field).text(value); }
  answer& put_truth(std::string_view field, bool value) { return name(field).truth(value); }
  answer& put(std::string_view field, const std::optional<double>& value) {
    name(field);
    return value ? number(*value) : null();
  }

private:
  answer& tag(char which) {
    bytes_.push_back(which);
    return *this;
  }
  answer& raw(const void* from, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size != 0) std::memcpy(bytes_.data() + at, from, size);
    return *this;
  }
  answer& counted(std::string_view value) {
    const auto count = static_cast<std::uint32_t>(value.size());
    return raw(&count, sizeof count).raw(value.data(), value.size());
  }

  std::vector<char> bytes_;
};

}  // namespace sluice_web
