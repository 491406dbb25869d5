// sluice completion and sluice manual: what the program knows of its own commands, for shells and for man. Both are made from the options themselves, so
// that they cannot fall behind.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "common/version.hpp"
#include "report.hpp"

namespace sluice_cli {
namespace {

/// Long and short names of an option, with their dashes.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Every option of a command that has a name, joined.
std::string option_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : names_of(*option)) words.push_back(name);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(), option_words(*command));
  }
  return fmt::format(R"(# bash completion of sluice; made by `sluice completion bash`
_sluice() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _sluice sluice
)",
                     fmt::join(names, " "), cases);
}

/// Inside single quotes, and free of what the shells' own syntax uses.
std::string quiet(std::string text) {
  std::erase_if(text, [](char c) { return c == '\'' || c == '[' || c == ']' || c == '`'; });
  std::replace(text.begin(), text.end(), ':', ',');
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string names;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), quiet(command->get_description()));
    cases += fmt::format("    {}) _arguments '*:file:_files'", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : names_of(*option)) {
        cases += fmt::format(" \\\n      '{}[{}]{}'", name, quiet(option->get_description()),
                             option->get_type_size() == 0 ? "" : ":value:_files");
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
      text += fmt::format("complete -c sluice -n '__fish_seen_subcommand_from {}'{}{} -d '{}'\n", command->get_name(),
                          names, option->get_type_size() == 0 ? "" : " -r", quiet(option->get_description()));
    }
  }
  return text;
}

/// Text for troff: nothing in it is taken for a request.
std::string escaped(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

/// Every line on its own, as it stands.
std::string as_it_stands(const std::string& text) {
  return text.empty() ? "" : fmt::format(".nf\n{}\n.fi\n", escaped(text));
}

std::string usage_of(const CLI::App& command) {
  std::string text = fmt::format(".B sluice {}\n[\\fIoptions\\fR]", command.get_name());
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty()) {
      const std::string name = escaped(option->get_name(true));
      text += option->get_required() ? fmt::format(" \\fI{}\\fR", name) : fmt::format(" [\\fI{}\\fR]", name);
    }
  }
  return text + "\n";
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(".TH SLUICE 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\nsluice \\- {}\n.SH SYNOPSIS\n",
                                 escaped(experiments::version()), escaped(app.get_description()));
  for (const CLI::App* command : commands_of(app)) text += usage_of(*command) + ".br\n";
  text += ".SH DESCRIPTION\n" + as_it_stands(app.get_footer());
  for (const CLI::App* command : commands_of(app)) {
    std::string title = command->get_name();
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
    text += fmt::format(".SH {}\n{}.PP\n{}.\n", title, usage_of(*command), escaped(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const auto names = names_of(*option);
      const std::string name = names.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(names, ", "));
      text += fmt::format(".TP\n.B {}\n{}", escaped(name), escaped(option->get_description()));
      if (!option->get_default_str().empty()) text += fmt::format(" (default {})", escaped(option->get_default_str()));
      text += "\n";
    }
    text += ".PP\n" + as_it_stands(command->get_footer());
  }
  return text;
}

}  // namespace

command completion_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("completion", "completion of commands and options, for a shell");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer(
      "examples:\n  source <(sluice completion bash)\n  sluice completion fish > "
      "~/.config/fish/completions/sluice.fish");
  return {sub, [shell, &app] {
            fmt::print("{}", *shell == "bash"  ? bash_completion(app)
                             : *shell == "zsh" ? zsh_completion(app)
                                               : fish_completion(app));
            return 0;
          }};
}

command manual_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("manual", "the manual page, for man");
  sub->footer("examples:\n  sluice manual | man -l -");
  return {sub, [&app] {
            fmt::print("{}", manual(app));
            return 0;
          }};
}

}  // namespace sluice_cli
