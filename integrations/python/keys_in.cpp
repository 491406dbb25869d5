// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What kind of a thing holds keys.
#include "keys_in.hpp"

#include <string>

#include "arrow_keys.hpp"
#include "numpy_keys.hpp"
#include "one_key.hpp"

namespace sluice_python {
namespace {

/// Is this an array by its looks: does it have a dtype of numpy's, as a Series of pandas has?
bool has_numpy_type(py::handle keys) {
  if (!py::hasattr(keys, "dtype") || !py::hasattr(keys, "__array__")) return false;
  return py::isinstance(keys.attr("dtype"), py::module_::import("numpy").attr("dtype"));
}

py::object as_numpy(py::handle keys) {
  try {
    return py::module_::import("numpy").attr("asarray")(keys);
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_Exception)) throw;
    refuse_type("the keys cannot be read as an array: " + std::string(py::str(e.value())));
  }
}

}  // namespace

std::unique_ptr<key_array> keys_in(py::handle keys, const sluice::key_hasher& hash) {
  PyObject* const object = keys.ptr();
  if (PyList_Check(object) || PyTuple_Check(object)) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
    const auto where = [&] {
      if (PySequence_Fast_GET_SIZE(object) != count) {
        refuse_value("the list of keys changed its length while it was read");
      }
      return reinterpret_cast<const char*>(PySequence_Fast_ITEMS(object));
    };
    return keys_of_objects(where, sizeof(PyObject*), static_cast<std::size_t>(count), hash);
  }
  if (PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object)) {
    refuse_type("a " + type_name(keys) + " is one key, and many are wanted; put it into a list, or use add or in");
  }
  if (py::isinstance(keys, py::module_::import("numpy").attr("ndarray"))) return keys_in_numpy(keys, hash);
  if (has_numpy_type(keys)) return keys_in_numpy(as_numpy(keys), hash);
  if (auto array = keys_in_arrow(keys)) return array;
  if (py::hasattr(keys, "__array__") || PyObject_CheckBuffer(object) != 0) return keys_in_numpy(as_numpy(keys), hash);
  if (py::hasattr(keys, "__iter__") || PySequence_Check(object) != 0) return nullptr;
  refuse_type("keys are an array, a list or another iterable of str, bytes or int, not " + type_name(keys));
}

}  // namespace sluice_python
