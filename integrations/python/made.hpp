// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Objects that were made, and those that were not: Filter.__new__(Filter) has no filter inside, nor has one whose
// __init__ has not come to its end, or has failed. pybind11 gives methods of such objects memory that nobody has
// written to. All arguments of types that derive from `bound`, self among them, come through the caster below, which
// refuses them instead; slots.hpp, which goes past casters, asks the same function.
#pragma once

#include <pybind11/pybind11.h>

#include <concepts>
#include <type_traits>

#include "errors.hpp"

namespace sluice_python {

/// What Python has objects of. The caster must be known wherever one of them is bound, taken or given back.
struct bound {};

/// Throws call_error, a TypeError, where there is nothing.
inline void require_made(const void* value) {
  if (value != nullptr) return;
  throw call_error("TypeError", "this object was never made: __init__ was not called, or has not ended",
                   sluice::error_code::bad_parameter);
}

/// __reduce__ of what has a state (py::pickle): what protocols from 2 on make of it. Without it, protocols 0 and 1 call
/// pybind11's own base class, which ends the interpreter.
template <class Type>
[[nodiscard]] py::tuple reduced(const py::object& self) {
  static_cast<void>(py::cast<Type&>(self));  // which refuses what was never made
  return py::make_tuple(py::module_::import("copyreg").attr("__newobj__"), py::make_tuple(py::type::of(self)),
                        self.attr("__getstate__")());
}

}  // namespace sluice_python

namespace pybind11::detail {

template <class Type>
class type_caster<Type, std::enable_if_t<std::derived_from<Type, sluice_python::bound>>>
    : public type_caster_base<Type> {
public:
  /// None is no filter, though pybind11 takes it for a null pointer to one.
  bool load(handle source, bool convert) {
    return !source.is_none() && this->template load_impl<type_caster>(source, convert);
  }
  /// Called by load_impl.
  void load_value(value_and_holder&& found) {
    this->value = found.value_ptr();
    sluice_python::require_made(this->value);
  }
};

}  // namespace pybind11::detail
