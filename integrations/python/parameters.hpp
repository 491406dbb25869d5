// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Parameters of filters as dictionaries, under the names that the library's structs have; and what is wanted of a plan,
// from keyword arguments.
#pragma once

#include <pybind11/pybind11.h>

#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice_python {

namespace py = pybind11;

/// {"scheme": "gated", "blocks": 64, ...}: what the scheme has, and nothing else.
[[nodiscard]] py::dict dict_of(const sluice::parameters& p);
/// Throws parameter_error for a scheme or a name that there is not.
[[nodiscard]] sluice::parameters parameters_of(const py::dict& d);

/// seed=: a number, or "random". Throws parameter_error.
[[nodiscard]] std::uint64_t seed_from(const py::handle& seed);
/// A number that an argument must be. Throws call_error, or what Python says.
[[nodiscard]] double number_from(const char* name, const py::handle& value);

/// Takes what a plan is asked for out of the arguments: positional ones are keys and fpr. Throws parameter_error;
/// call_error for what is no number. What is left in kwargs is none of its own.
[[nodiscard]] sluice::plan_request request_from(const py::args& args, const py::kwargs& kwargs);
/// Throws TypeError if anything is left.
void require_nothing_left(const char* function, const py::kwargs& kwargs);
/// Takes one argument out; None where it is not given.
[[nodiscard]] py::object take(const py::kwargs& kwargs, const char* name);

}  // namespace sluice_python
