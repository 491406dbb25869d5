// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Many keys at once, from whatever Python has them in: arrays of numpy, buffers, Arrow, lists. What can be read without
// Python (numbers, texts of fixed width, Arrow's) is read where it lies, by any thread and without the GIL; lists are
// hashed with the GIL, into digests.
//
// Invariants: all keys of one array are of one kind. An array holds what it points into. It is made and destroyed with
// the GIL; everything else needs none.
// Cost: numbers of 64 bits in one piece, and digests, are used where they lie; others are copied in small pieces.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "errors.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"

namespace sluice_python {

class key_array {
public:
  key_array() = default;
  key_array(const key_array&) = delete;
  key_array& operator=(const key_array&) = delete;
  key_array(key_array&&) = delete;
  key_array& operator=(key_array&&) = delete;
  virtual ~key_array() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// bytes or u64; of an empty array nothing follows from it.
  [[nodiscard]] sluice::key_kind kind() const noexcept { return kind_; }
  /// All keys as numbers, or as digests, if they lie in memory so; otherwise both are empty.
  [[nodiscard]] std::span<const std::uint64_t> numbers_in_place() const noexcept { return numbers_; }
  [[nodiscard]] std::span<const sluice::digest> digests_in_place() const noexcept { return digests_; }

  /// Of integers: as many as there is room for, from key `first` on.
  virtual void read_numbers(std::size_t first, std::span<std::uint64_t> out) const;
  /// Of bytes. Throws call_error for text that has no UTF-8.
  virtual void read_digests(std::size_t first, const sluice::key_hasher& hash, std::span<sluice::digest> out) const;

protected:
  std::size_t size_ = 0;
  sluice::key_kind kind_ = sluice::key_kind::bytes;
  std::span<const std::uint64_t> numbers_;
  std::span<const sluice::digest> digests_;
};

/// Objects that lie `stride` bytes apart, each a key. Needs the GIL, which other Python code may get in between: after
/// it, `where` is asked again where they lie, and throws if they are no longer there.
[[nodiscard]] std::unique_ptr<key_array> keys_of_objects(const std::function<const char*()>& where,
                                                         std::ptrdiff_t stride, std::size_t count,
                                                         const sluice::key_hasher& hash);

}  // namespace sluice_python
