// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The commands of sluice. Each has a file of its name.
#pragma once

#include <CLI/CLI.hpp>

#include "frame/command.hpp"

namespace sluice_cli {

[[nodiscard]] command plan_command(CLI::App& app);
[[nodiscard]] command build_command(CLI::App& app);
[[nodiscard]] command query_command(CLI::App& app);
[[nodiscard]] command add_command(CLI::App& app);
[[nodiscard]] command remove_command(CLI::App& app);
[[nodiscard]] command merge_command(CLI::App& app);
[[nodiscard]] command compact_command(CLI::App& app);
[[nodiscard]] command fold_command(CLI::App& app);
[[nodiscard]] command dedup_command(CLI::App& app);
[[nodiscard]] command info_command(CLI::App& app);
[[nodiscard]] command verify_command(CLI::App& app);
[[nodiscard]] command bench_command(CLI::App& app);
[[nodiscard]] command model_command(CLI::App& app);
[[nodiscard]] command simulate_command(CLI::App& app);
[[nodiscard]] command bound_command(CLI::App& app);
/// Tells of the others, for shells.
[[nodiscard]] command completion_command(CLI::App& app);

}  // namespace sluice_cli
