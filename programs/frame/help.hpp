// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// help, a command of every program: `sluice help` is `sluice --help`, `sluice help build` is `sluice build --help`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "frame/command.hpp"

namespace sluice_cli {

/// Knows the commands that the program has when this is called. `elsewhere` is asked first, with the command's name: it
/// does not return where another program has the help of it.
[[nodiscard]] command help_command(CLI::App& app, std::function<void(const std::string&)> elsewhere = {});

}  // namespace sluice_cli
