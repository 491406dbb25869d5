// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice-redis, which `sluice redis` runs: filters in a Redis Cluster, or in one server, with the module sluice.so.
#include "common.hpp"
#include "frame/help.hpp"
#include "frame/program.hpp"
#include "report.hpp"

int main(int argc, char** argv) {
  return sluice_cli::run_program(argc, argv, [](CLI::App& app) {
    using namespace sluice_cli;  // NOLINT(google-build-using-namespace): this program's own names
    app.name("sluice redis");
    app.description("Filters spread over the nodes of a Redis Cluster, or in one server, with the module sluice.so.");
    app.footer(
        "Exit status: 0, or 1 where a command says so, or 2 with a sentence on the error output.\n"
        "examples:\n"
        "  sluice redis build --to localhost:7000 words /usr/share/dict/words\n"
        "  sluice redis query --to localhost:7000 words candidates.txt\n"
        "  sluice redis save --to localhost:7000 words -o words.sluice");
    std::vector<command> commands = {build_command(app), add_command(app),  query_command(app), info_command(app),
                                     save_command(app),  load_command(app), drop_command(app)};
    commands.push_back(help_command(app));
    for (const command& c : commands) add_json_strings(*c.app);
    return commands;
  });
}
