// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files and bytes as Python gives them: paths of any kind, and objects that have a buffer.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "errors.hpp"

namespace sluice_python {

namespace py = pybind11;

/// Throws what Python has to say of something that is no path.
[[nodiscard]] inline std::string path_from(const py::object& path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw_python_error();
  return py::reinterpret_steal<py::bytes>(bytes);
}

/// read(bytes) of an object's bytes, without the interpreter's lock.
template <class Read>
auto read_bytes_of(const py::object& object, const Read& read) {
  Py_buffer view{};
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) throw_python_error();
  struct release {
    Py_buffer& held;
    ~release() { PyBuffer_Release(&held); }
  } const end{view};
  const std::span<const std::byte> all(static_cast<const std::byte*>(view.buf), static_cast<std::size_t>(view.len));
  const py::gil_scoped_release no_gil;
  return read(all);
}

[[nodiscard]] inline py::bytes python_bytes(const std::vector<std::byte>& all) {
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

}  // namespace sluice_python
