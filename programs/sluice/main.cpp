// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice: access-efficient Bloom filters, for people with files of keys and for people with questions.
#include <array>
#include <string>

#include "commands.hpp"
#include "external.hpp"
#include "frame/help.hpp"
#include "frame/message.hpp"
#include "frame/program.hpp"
#include "report.hpp"

int main(int argc, char** argv) {
  using namespace sluice_cli;  // NOLINT(google-build-using-namespace): this program's own names
  run_external(argc, argv);    // does not return if the command is a program of its own
  return run_program(argc, argv, [](CLI::App& app) -> std::vector<command> {
    app.description("Access-efficient Bloom filters: built from files of keys, queried, and predicted.");
    app.footer(
        "Exit status: 0, or 1 where a command says so, or 2 with a sentence on the error output. `sluice help "
        "COMMAND` tells more.\n"
        "examples:\n"
        "  sluice build -o words.sluice /usr/share/dict/words\n"
        "  sluice query words.sluice candidates.txt\n"
        "  sluice dedup access.log > once.log\n"
        "  sluice info words.sluice\n"
        "  sluice plan --keys 1e8 --fpr 1e-6");
    std::vector<command> commands = {
        plan_command(app),   build_command(app),   query_command(app), add_command(app),      remove_command(app),
        merge_command(app),  compact_command(app), fold_command(app),  dedup_command(app),    info_command(app),
        verify_command(app), bench_command(app),   model_command(app), simulate_command(app), bound_command(app)};
    list_externals(app);
    commands.push_back(completion_command(app));
    commands.push_back(help_command(app, [](const std::string& name) {
      std::array<std::string, 3> words = {"sluice", name, "--help"};
      std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
      run_external(3, arguments.data());
    }));
    for (const command& c : commands) add_json_strings(*c.app);
    return commands;
  });
}
