// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Calls that must be fast: `key in f` and `f.add(key)` go straight from the interpreter to the filter. pybind11's own
// dispatch, which looks through overloads and casts arguments, takes 300 ns; this takes 30.
#pragma once

#include <pybind11/pybind11.h>

#include "errors.hpp"
#include "made.hpp"

namespace sluice_python {

/// The object inside. Precondition: Python has checked the type. Throws call_error if it was never made.
template <class Type>
[[nodiscard]] Type& inside(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  // A class with two bases of ours has two objects inside, and the first need not be the one.
  if (!instance->simple_layout) return py::cast<Type&>(py::handle(self));
  void* const value = instance->simple_value_holder[0];
  require_made(value);
  return *static_cast<Type*>(value);
}

template <class Type>
int contains_slot(PyObject* self, PyObject* key) noexcept {
  try {
    return inside<Type>(self).has(key) ? 1 : 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

template <class Type>
PyObject* add_method(PyObject* self, PyObject* key) noexcept {
  try {
    return PyBool_FromLong(inside<Type>(self).add(key) ? 1 : 0);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

/// For py::class_: sets the slot of `in`.
template <class Type>
[[nodiscard]] py::custom_type_setup contains_setup() {
  return py::custom_type_setup([](PyHeapTypeObject* type) { type->as_sequence.sq_contains = &contains_slot<Type>; });
}

/// Adds the method `add`.
template <class Type>
void define_add(py::handle type) {
  static PyMethodDef add = {"add", &add_method<Type>, METH_O,
                            "add($self, key, /)\n--\n\n"
                            "Adds one key; True if it was new: nothing in the filter answered for it before.\n\n"
                            ">>> import sluice\n>>> f = sluice.Filter(keys=100)\n>>> f.add('a'), f.add('a')\n"
                            "(True, False)\n"};
  PyObject* const method = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &add);
  if (method == nullptr) throw_python_error();
  type.attr("add") = py::reinterpret_steal<py::object>(method);
}

}  // namespace sluice_python
