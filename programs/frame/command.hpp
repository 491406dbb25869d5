// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A command of a program: what is known about it by its options, and what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace sluice_cli {

struct command {
  CLI::App* app;
  std::function<int()> run;  ///< returns the exit status; throws what it cannot do
};

}  // namespace sluice_cli
