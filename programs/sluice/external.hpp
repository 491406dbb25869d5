// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Commands that are programs of their own: `sluice WORD ...` runs the program sluice-WORD beside this one. So a part
// that needs more than the library (the experiments, a server's client) can be built and installed alone, and
// programs/sluice/ depends on the library alone.
#pragma once

#include <CLI/CLI.hpp>

namespace sluice_cli {

/// Becomes the program that the first argument names, if it is one of them; otherwise returns. Ends the program with
/// status 2 if it cannot be run.
void run_external(int argc, char** argv);

/// For --help, the manual page and completion: those that belong to the project.
void list_externals(CLI::App& app);

}  // namespace sluice_cli
