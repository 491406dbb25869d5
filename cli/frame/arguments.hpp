// What a person typed, before and after the option parser sees it: mistakes that it would take for something else are
// refused here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice_cli {

/// In the order in which CLI11 wants them, which is from the last to the first; `--name=` is the option with an empty
/// value, and a file with brackets is one file. Throws sluice::error for a command that there is none of.
[[nodiscard]] std::vector<std::string> arguments_of(int argc, const char* const* argv, const CLI::App& app);

/// Whole numbers are decimal and fit, and so are real ones (number_reader.hpp); an empty value is none, but for --key.
void check_values(CLI::App& app);

}  // namespace sluice_cli
