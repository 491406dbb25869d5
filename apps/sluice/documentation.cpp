// sluice completion and sluice manual: what the program knows of its own commands, for shells and for man. Both are made from the options themselves, so
// that they cannot fall behind.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "common/version.hpp"

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

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }
bool takes_several(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

/// The values that an option may have, if they are few: its validator says them in braces.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

/// Of the arguments without a name, if they are few; nothing where they are files.
std::vector<std::string> argument_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty() && !values_of(*option).empty()) return values_of(*option);
  }
  return {};
}

/// What a person puts in the place of an option's value.
std::string placeholder_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find_first_of(":{ "));
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

/// What stands below a command's options: sentences, and then examples, every line of which is left as it is.
std::string notes_of(const std::string& footer) {
  const std::size_t examples = footer.find("examples:\n");
  std::string text = ".PP\n" + escaped(footer.substr(0, examples));
  if (examples != std::string::npos) {
    text += fmt::format("{}.PP\nExamples:\n.nf\n{}\n.fi\n", text.ends_with('\n') ? "" : "\n",
                        escaped(footer.substr(footer.find('\n', examples) + 1)));
  }
  return text;
}

std::string usage_of(const CLI::App& command) {
  std::string text = fmt::format(".B sluice {}\n[\\fIoptions\\fR]", command.get_name());
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty()) {
      const std::string name = escaped(option->get_name(true)) + (takes_several(*option) ? "..." : "");
      text += option->get_required() ? fmt::format(" \\fI{}\\fR", name) : fmt::format(" [\\fI{}\\fR]", name);
    }
  }
  return text + "\n";
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(".TH SLUICE 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\nsluice \\- {}\n.SH SYNOPSIS\n",
                                 escaped(experiments::version()), escaped(app.get_description()));
  for (const CLI::App* command : commands_of(app)) text += usage_of(*command) + ".br\n";
  text += ".SH DESCRIPTION\n" + escaped(app.get_description()) + "\n" + notes_of(app.get_footer());
  for (const CLI::App* command : commands_of(app)) {
    std::string title = command->get_name();
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
    text += fmt::format(".SH {}\n{}.PP\n{}.\n", title, usage_of(*command), escaped(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const auto names = names_of(*option);
      const std::string name = names.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(names, ", "));
      const std::string value = names.empty() || is_flag(*option) ? "" : " " + placeholder_of(*option);
      text += fmt::format(".TP\n.BI {} \"{}\"\n{}", fmt::format("\"{}\"", escaped(name)), value,
                          escaped(option->get_description()));
      if (!option->get_default_str().empty()) text += fmt::format(" (default {})", escaped(option->get_default_str()));
      text += "\n";
    }
    text += notes_of(command->get_footer());
  }
  return text +
         ".SH EXIT STATUS\n.TP\n0\nWhat was asked for was done; for query: there are such keys; for reproduce: all "
         "findings "
         "agree.\n"
         ".TP\n1\nquery: there are none; reproduce: a finding differs.\n"
         ".TP\n2\nAn error. A sentence on the error output says what and where.\n";
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
