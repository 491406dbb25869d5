// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What filters, predictions and simulations say of themselves, as dictionaries. sluice/_plans.py and sluice/_html.py
// show them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "sluice/file.hpp"
#include "sluice/plan.hpp"
#include "sluice/simulate.hpp"
#include "sluice/statistics.hpp"
#include "sluice/theory.hpp"

namespace sluice_python {

namespace py = pybind11;

/// What is asked for with the GIL let go: reading every block takes a while.
struct description {
  sluice::file_contents contents;
  std::vector<sluice::statistics> stats;
  std::uint64_t keys = 0;
  std::uint64_t planned_keys = 0;
  double planned_fpr = 0;
  std::uint64_t file_bytes = 0;
  bool writable = true;
};
[[nodiscard]] description describe(const sluice::filter_file& f);

[[nodiscard]] py::dict dict_of(const description& d);
[[nodiscard]] py::dict dict_of(const sluice::statistics& s);
[[nodiscard]] py::dict dict_of(const sluice::theory::prediction& p);
[[nodiscard]] py::dict dict_of(const sluice::plan_candidate& c);
[[nodiscard]] py::dict dict_of(const sluice::simulation& s);

}  // namespace sluice_python
