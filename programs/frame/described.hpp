// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the program knows of its own commands and their options: for completion and for the manual, which are made from
// them, so that they cannot fall behind.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice_cli {

/// Long and short names of an option, with their dashes.
[[nodiscard]] inline std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

[[nodiscard]] inline std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

[[nodiscard]] inline bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }
[[nodiscard]] inline bool takes_several(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

/// The values that an option may have, if they are few: its validator says them in braces.
[[nodiscard]] inline std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

/// Of the arguments without a name, if they are few; nothing where they are files.
[[nodiscard]] inline std::vector<std::string> argument_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty() && !values_of(*option).empty()) return values_of(*option);
  }
  return {};
}

/// What a person puts in the place of an option's value.
[[nodiscard]] inline std::string placeholder_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find_first_of(":{ "));
}

/// Every option of a command that has a name, joined.
[[nodiscard]] inline std::string option_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : names_of(*option)) words.push_back(name);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace sluice_cli
