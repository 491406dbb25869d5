// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What a person typed, before and after the option parser sees it: mistakes that it would take for something else are
// refused here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice_cli {

/// What --help calls the values of an option, and by which they are read, beside the parser's own UINT, INT and FLOAT:
/// whole numbers in a double, and shares, which may be percentages. For Option::type_name.
inline constexpr const char* count_type = "COUNT";
inline constexpr const char* share_type = "SHARE";

/// In the order in which CLI11 wants them, which is from the last to the first; `--name=` is the option with an empty
/// value, and a file with brackets is one file. Throws sluice::error for an unknown command, with the one that may have
/// been meant.
[[nodiscard]] std::vector<std::string> arguments_of(int argc, const char* const* argv, const CLI::App& app);

/// Numbers are decimal and fit (number_reader.hpp); an empty value is none, but for --key.
void check_values(CLI::App& app);

}  // namespace sluice_cli
