// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A program with commands: what all of them do before, around and after their work. Every error ends with status 2 and
// a sentence on the error output.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

#include "frame/command.hpp"

namespace sluice_cli {

/// Adds the commands to the program, and says what it is.
using describer = std::function<std::vector<command>(CLI::App&)>;

/// Runs the command that the arguments name; returns the exit status.
[[nodiscard]] int run_program(int argc, const char* const* argv, const describer& describe);

}  // namespace sluice_cli
