// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// One Python object as a key: str (as UTF-8), bytes, bytearray and memoryview are bytes; int, and whatever else is an
// integer (numpy's), is an integer of 64 bits, negative ones as two's complement. Everything else is refused: a bool or
// a float is nearly always a mistake.
// Cost: no block is read, and nothing is copied but text that is not ASCII, and bytes that may change.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "errors.hpp"
#include "sluice/file.hpp"
#include "sluice/key_origin.hpp"

namespace sluice_python {

/// Appends text of code points (one, two or four bytes each) as UTF-8. Throws call_error for a surrogate, which stands
/// for no character. Needs no GIL.
void append_utf8(const void* text, std::size_t length, unsigned width, bool swapped, std::string& out);

struct one_key {
  sluice::key_kind kind = sluice::key_kind::bytes;  ///< bytes or u64
  std::uint64_t number = 0;
  std::string_view text;  ///< into the object, or into the scratch that was given

  [[nodiscard]] sluice::digest digest(const sluice::key_hasher& hash) const {
    return kind == sluice::key_kind::bytes ? hash(text) : hash(number);
  }
};

[[nodiscard]] std::uint64_t number_of(PyObject* integer);
/// What is neither a compact ASCII str, nor bytes, nor an int.
[[nodiscard]] one_key other_key(PyObject* object, std::string& scratch);

/// Throws call_error. The text lives as long as the object and the scratch do.
[[nodiscard]] inline one_key key_of(PyObject* object, std::string& scratch) {
  if (PyUnicode_Check(object)) {
    if (PyUnicode_IS_COMPACT_ASCII(object)) {
      return {sluice::key_kind::bytes,
              0,
              {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(object)),
               static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))}};
    }
    return other_key(object, scratch);
  }
  if (PyLong_CheckExact(object)) return {sluice::key_kind::u64, number_of(object), {}};
  if (PyBytes_Check(object)) {
    return {
        sluice::key_kind::bytes, 0, {PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object))}};
  }
  return other_key(object, scratch);
}

}  // namespace sluice_python
