// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "one_key.hpp"

#include <cstring>

namespace sluice_python {
namespace {

template <class Unit>
void append_units(const char* text, std::size_t length, bool swapped, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + 4 * length);
  char* to = out.data() + before;
  const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
  for (std::size_t i = 0; i < length; ++i) {
    Unit unit{};
    std::memcpy(&unit, text + i * sizeof(Unit), sizeof(Unit));
    std::uint32_t c = unit;
    if (swapped) c = sizeof(Unit) == 4 ? __builtin_bswap32(c) : sizeof(Unit) == 2 ? __builtin_bswap16(unit) : c;
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xc0 | (c >> 6U));
      put(0x80 | (c & 0x3fU));
    } else if (c < 0x10000) {
      if (c >= 0xd800 && c < 0xe000) {
        out.resize(before);
        refuse_value("a str with a lone surrogate is no text and has no UTF-8; encode it yourself and give bytes");
      }
      put(0xe0 | (c >> 12U));
      put(0x80 | ((c >> 6U) & 0x3fU));
      put(0x80 | (c & 0x3fU));
    } else {
      if (c > 0x10ffff) {
        out.resize(before);
        refuse_value("an array of str has a number in it that is no character");
      }
      put(0xf0 | (c >> 18U));
      put(0x80 | ((c >> 12U) & 0x3fU));
      put(0x80 | ((c >> 6U) & 0x3fU));
      put(0x80 | (c & 0x3fU));
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

/// The bytes of a memoryview, or of anything else that is nothing but bytes.
one_key bytes_of_buffer(PyObject* object, std::string& scratch) {
  Py_buffer view{};
  if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) != 0) throw_python_error();
  const bool is_bytes =
      view.ndim == 1 && view.itemsize == 1 && (view.format == nullptr || std::strchr("Bbc", view.format[0]) != nullptr);
  if (is_bytes) {
    scratch.resize(static_cast<std::size_t>(view.len));
    if (PyBuffer_ToContiguous(scratch.data(), &view, view.len, 'C') != 0) {
      PyBuffer_Release(&view);
      throw_python_error();
    }
  }
  PyBuffer_Release(&view);
  if (!is_bytes) refuse_type("a memoryview is a key if it is one of bytes; for one of keys use contains or update");
  return {sluice::key_kind::bytes, 0, scratch};
}

bool is_numpy_bool(PyObject* object) {
  const char* const name = Py_TYPE(object)->tp_name;
  return std::strcmp(name, "numpy.bool_") == 0 || std::strcmp(name, "numpy.bool") == 0;
}

}  // namespace

void append_utf8(const void* text, std::size_t length, unsigned width, bool swapped, std::string& out) {
  const char* const bytes = static_cast<const char*>(text);
  if (width == 1) return append_units<std::uint8_t>(bytes, length, false, out);
  if (width == 2) return append_units<std::uint16_t>(bytes, length, swapped, out);
  append_units<std::uint32_t>(bytes, length, swapped, out);
}

std::uint64_t number_of(PyObject* integer) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
  if (overflow == 0) {
    if (number == -1 && PyErr_Occurred() != nullptr) throw_python_error();
    return static_cast<std::uint64_t>(number);
  }
  if (overflow > 0) {
    const unsigned long long large = PyLong_AsUnsignedLongLong(integer);
    if (PyErr_Occurred() == nullptr) return large;
    PyErr_Clear();
  }
  refuse_range("an integer key is from -2**63 to 2**64 - 1; give a larger one as bytes or str");
}

one_key other_key(PyObject* object, std::string& scratch) {
  using sluice::key_kind;
  if (PyUnicode_Check(object)) {
    if (PyUnicode_READY(object) != 0) throw_python_error();
    scratch.clear();
    append_utf8(PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
                static_cast<unsigned>(PyUnicode_KIND(object)), false, scratch);
    return {key_kind::bytes, 0, scratch};
  }
  if (PyByteArray_Check(object)) {  // which another thread may change as soon as the GIL is let go
    scratch.assign(PyByteArray_AS_STRING(object), static_cast<std::size_t>(PyByteArray_GET_SIZE(object)));
    return {key_kind::bytes, 0, scratch};
  }
  if (PyMemoryView_Check(object)) return bytes_of_buffer(object, scratch);
  if (PyIndex_Check(object) && !PyBool_Check(object) && !is_numpy_bool(object)) {
    const py::object integer = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (integer) return {key_kind::u64, number_of(integer.ptr()), {}};
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw_python_error();
    PyErr_Clear();  // an array of several: see below
  }
  refuse_type("a key is a str, bytes or an int, not " + type_name(object) +
              (PySequence_Check(object) != 0 ? "; for many keys use contains or update" : ""));
}

}  // namespace sluice_python
