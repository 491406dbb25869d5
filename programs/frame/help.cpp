// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "frame/help.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "frame/output.hpp"

namespace sluice_cli {

command help_command(CLI::App& app, std::function<void(const std::string&)> elsewhere) {
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(known->get_name());
  }
  names.emplace_back("help");
  CLI::App* const sub = app.add_subcommand("help", "what the program, or a command, does, and its options");
  const auto name = std::make_shared<std::string>();
  sub->add_option("COMMAND", *name, "the command")->check(CLI::IsMember(names));
  const std::string program = app.get_name();
  sub->footer("examples:\n  " + program + " help\n  " + program + " help " + names.front());
  return {sub, [&app, name, elsewhere = std::move(elsewhere), program] {
            if (!name->empty() && elsewhere) elsewhere(*name);
            // Without the selection that the parser has made, which is `help` itself.
            print("{}", name->empty() ? app.get_formatter()->make_help(&app, program, CLI::AppFormatMode::Normal)
                                      : app.get_subcommand(*name)->help(program));
            return 0;
          }};
}

}  // namespace sluice_cli
