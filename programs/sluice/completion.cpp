// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice completion: commands and options, for shells.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "frame/described.hpp"
#include "frame/output.hpp"

namespace sluice_cli {
namespace {

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  std::string values;
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    cases += fmt::format("    {}) words='{}' arguments='{}' ;;\n", command->get_name(), option_words(*command),
                         fmt::join(argument_values(*command), " "));
    for (const CLI::Option* option : command->get_options()) {
      const auto known = values_of(*option);
      if (known.empty()) continue;
      for (const std::string& name : names_of(*option)) {
        values += fmt::format("    '{} {}') arguments='{}' ;;\n", command->get_name(), name, fmt::join(known, " "));
      }
    }
  }
  return fmt::format(R"(# bash completion of sluice; made by `sluice completion bash`
_sluice() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words= arguments=
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}    *) ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ -n $arguments ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$arguments" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _sluice sluice
)",
                     fmt::join(names, " "), cases, values);
}

/// Inside single quotes, and free of what the shells' own syntax uses.
std::string quiet(std::string text) {
  std::erase_if(text, [](char c) { return c == '\'' || c == '[' || c == ']' || c == '`'; });
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string names;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), quiet(command->get_description()));
    // What may be completed: one of few values, or a file.
    const auto action = [](const std::vector<std::string>& values) {
      return values.empty() ? "_files" : fmt::format("({})", fmt::join(values, " "));
    };
    cases += fmt::format("    {}) _arguments '*:argument:{}'", command->get_name(), action(argument_values(*command)));
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : names_of(*option)) {
        cases += fmt::format(" \\\n      '{}[{}]{}'", name, quiet(option->get_description()),
                             is_flag(*option) ? "" : ":value:" + action(values_of(*option)));
      }
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef sluice
# zsh completion of sluice; made by `sluice completion zsh`
_sluice() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_sluice "$@"
)",
                     names, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion of sluice; made by `sluice completion fish`\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c sluice -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                        quiet(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      std::string names;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      if (names.empty()) continue;
      const auto values = values_of(*option);
      const std::string takes = is_flag(*option) ? ""
                                : values.empty() ? " -r"
                                                 : fmt::format(" -x -a '{}'", fmt::join(values, " "));
      text += fmt::format("complete -c sluice -n '__fish_seen_subcommand_from {}'{}{} -d '{}'\n", command->get_name(),
                          names, takes, quiet(option->get_description()));
    }
    if (const auto values = argument_values(*command); !values.empty()) {
      text += fmt::format("complete -c sluice -n '__fish_seen_subcommand_from {}' -f -a '{}'\n", command->get_name(),
                          fmt::join(values, " "));
    }
  }
  return text;
}

}  // namespace

command completion_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("completion", "completion of commands and options, for a shell");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer(
      "examples:\n  source <(sluice completion bash)\n  sluice completion zsh > ~/.zfunc/_sluice\n  sluice completion "
      "fish "
      "> ~/.config/fish/completions/sluice.fish");
  return {sub, [shell, &app] {
            print("{}", *shell == "bash"  ? bash_completion(app)
                        : *shell == "zsh" ? zsh_completion(app)
                                          : fish_completion(app));
            return 0;
          }};
}

}  // namespace sluice_cli
