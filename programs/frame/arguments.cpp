// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "frame/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "frame/number_reader.hpp"
#include "frame/suggestion.hpp"
#include "sluice/errors.hpp"

namespace sluice_cli {
namespace {

/// What the parser reads afterwards is as plain as can be: it would take 010 for 8, and -1 for the largest number.
CLI::Validator whole_number_up_to(std::uint64_t most) {
  return {[most](std::string& text) {
            const auto number = whole_number(text, most);
            if (!number) {
              return fmt::format(
                  "'{}' is not a whole number from 0 to {}; examples of a million: 1000000, 1,000,000, 1e6, 1M", text,
                  most);
            }
            text = std::to_string(*number);
            return std::string();
          },
          ""};
}

std::string plain_real_number(std::string& text) {
  const auto number = real_number(text);
  if (!number) return fmt::format("'{}' is not a decimal number that can be held; examples: 16, 0.001, 1e-6", text);
  text = fmt::format("{}", *number);
  return {};
}

std::string plain_share(std::string& text) {
  const auto number = share(text);
  if (!number) return fmt::format("'{}' is not a decimal number or a percentage; examples: 0.001, 1e-6, 0.1%", text);
  text = fmt::format("{}", *number);
  return {};
}

/// The parser would take a file [a,b] for two, a and b. With its folder it is one.
void keep_brackets(std::vector<std::string>& arguments, const CLI::App& command) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const CLI::Option* const before = command.get_option_no_throw(arguments[i - 1]);
    const bool is_value = before != nullptr && !before->get_positional() && before->get_expected_max() != 0;
    if (!is_value && arguments[i].starts_with('[') && arguments[i].ends_with(']')) arguments[i].insert(0, "./");
  }
}

std::string sentence_if_empty(const std::string& text) { return text.empty() ? "the value is empty" : ""; }

}  // namespace

std::vector<std::string> arguments_of(int argc, const char* const* argv, const CLI::App& app) {
  std::vector<std::string> arguments;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    options = options && argument != "--";
    if (options && argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      arguments.push_back(argument.substr(0, argument.size() - 1));
      arguments.emplace_back();
    } else {
      arguments.push_back(argument);
    }
  }
  if (!arguments.empty()) {
    const std::string& first = arguments.front();
    const auto named = [&](const CLI::App* command) { return command->get_name() == first; };
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    const bool is_option = first == "-h" || first == "--help" || first == "--version";
    const auto command = std::find_if(commands.begin(), commands.end(), named);
    if (command != commands.end()) {
      keep_brackets(arguments, **command);
    } else if (!is_option) {
      std::vector<std::string> names;
      for (const CLI::App* known : commands) names.push_back(known->get_name());
      const auto meant = nearest_word(first, names);
      throw sluice::error(meant ? fmt::format("unknown command '{}'; did you mean '{}'?", first, *meant)
                                : fmt::format("unknown command '{}'; `sluice --help` lists them", first));
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

void check_values(CLI::App& app) {
  for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* const option : command->get_options()) {
      if (option->get_expected_max() == 0 || option->check_lname("key")) continue;  // a flag; a key may be empty
      const std::string type = option->get_type_name();
      if (type.starts_with("UINT") || type.starts_with(count_type)) {
        option->transform(whole_number_up_to(std::numeric_limits<std::uint64_t>::max()));
      }
      if (type.starts_with("INT")) option->transform(whole_number_up_to(std::numeric_limits<int>::max()));
      if (type.starts_with("FLOAT")) option->transform(CLI::Validator(plain_real_number, ""));
      if (type.starts_with(share_type)) option->transform(CLI::Validator(plain_share, ""));
      option->check(CLI::Validator(sentence_if_empty, ""));
    }
  }
}

}  // namespace sluice_cli
