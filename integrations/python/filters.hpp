// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The types that Python sees: they differ in what makes them, and share everything else (keyed.hpp).
#pragma once

#include <pybind11/pybind11.h>

#include "keyed.hpp"

namespace sluice_python {

// One base that has members, nothing virtual: a pointer to one of them is a pointer to its base (slots.hpp relies on
// it).
class plain_filter : public keyed {
public:
  using keyed::keyed;
};
class growing : public keyed {
public:
  using keyed::keyed;
};
class opened_filter : public keyed {
public:
  using keyed::keyed;
};

void bind_filters(py::module_& m);
void bind_concurrent(py::module_& m);
void bind_resealable(py::module_& m);
void bind_maps(py::module_& m);
void bind_plans(py::module_& m);

}  // namespace sluice_python
