// A subcommand of sluice: what is known about it by its options, and what it does. Every file of this folder that is named after a command has one.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace sluice_cli {

struct command {
  CLI::App* app;
  std::function<int()> run;  ///< returns the exit status; throws what it cannot do
};

[[nodiscard]] command plan_command(CLI::App& app);
[[nodiscard]] command build_command(CLI::App& app);
[[nodiscard]] command query_command(CLI::App& app);
[[nodiscard]] command add_command(CLI::App& app);
[[nodiscard]] command merge_command(CLI::App& app);
[[nodiscard]] command info_command(CLI::App& app);
[[nodiscard]] command verify_command(CLI::App& app);
[[nodiscard]] command bench_command(CLI::App& app);
[[nodiscard]] command model_command(CLI::App& app);
[[nodiscard]] command simulate_command(CLI::App& app);
[[nodiscard]] command reproduce_command(CLI::App& app);
/// These two tell of the others: completion for shells, and the manual page.
[[nodiscard]] command completion_command(CLI::App& app);
[[nodiscard]] command manual_command(CLI::App& app);

}  // namespace sluice_cli
