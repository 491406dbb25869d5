// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// manual: the manual page of a program with commands, made from the options themselves, so that it cannot fall behind.
// Every program prints it where its only argument is --manual.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sluice_cli {

/// For troff.
[[nodiscard]] std::string manual_of(const CLI::App& app);

}  // namespace sluice_cli
