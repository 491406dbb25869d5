// sluice: access-efficient Bloom filters, for people with files of keys and for people with questions.
// Every error exits with status 2 and a sentence on the error output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include "command.hpp"
#include "common/version.hpp"
#include "sluice/errors.hpp"

int main(int argc, char** argv) {
  using namespace sluice_cli;  // NOLINT(google-build-using-namespace): this program's own names
  CLI::App app{"Access-efficient Bloom filters: made from files of keys, asked, and predicted."};
  app.name("sluice");
  app.require_subcommand(1);
  app.set_version_flag("--version", experiments::version());
  app.footer(
      "Exit status: 0, or 1 where a command says so, or 2 with a sentence on the error output. `sluice COMMAND --help` "
      "tells more.\n"
      "examples:\n"
      "  sluice build -o words.sluice /usr/share/dict/words\n"
      "  sluice query words.sluice candidates.txt\n"
      "  sluice info words.sluice\n"
      "  sluice plan --keys 1e8 --fpr 1e-6");
  const std::vector<command> commands = {
      plan_command(app),      build_command(app),      query_command(app), add_command(app),   merge_command(app),
      info_command(app),      verify_command(app),     bench_command(app), model_command(app), simulate_command(app),
      reproduce_command(app), completion_command(app), manual_command(app)};
  try {
    app.parse(argc, argv);
    int status = 0;
    for (const command& c : commands) {
      if (*c.app) status = c.run();
    }
    if (std::fflush(stdout) != 0) {
      throw sluice::error(fmt::format("the output could not be written: {}", std::strerror(errno)));
    }
    return status;
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sluice: there is not enough memory\n");
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "sluice: {}\n", e.what());
    return 2;
  }
}
