// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The extension module sluice._core: everything that is compiled. The package around it, in sluice/, has what is better
// said in Python: the classes of errors, tables for notebooks, progress bars, type hints.
#include <pybind11/pybind11.h>

#include "errors.hpp"
#include "filters.hpp"
#include "sluice/extend/names.hpp"
#include "turns.hpp"

PYBIND11_MODULE(_core, m) {
  namespace py = pybind11;
  py::options options;
  options.disable_function_signatures();  // they would name types of C++; sluice/_core.pyi has them
  m.doc() = "The compiled part of sluice.";
  m.attr("version") = SLUICE_VERSION;
  sluice_python::turns::survive_forks();
  sluice_python::bind_errors();
  sluice_python::bind_filters(m);
  sluice_python::bind_concurrent(m);
  sluice_python::bind_resealable(m);
  sluice_python::bind_maps(m);
  sluice_python::bind_plans(m);
}
