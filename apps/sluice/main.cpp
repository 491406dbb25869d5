// sluice: access-efficient Bloom filters, for people with files of keys and for people with questions.
// Every error exits with status 2 and a sentence on the error output.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"
#include "common/version.hpp"
#include "message.hpp"
#include "sluice/errors.hpp"

namespace {

/// A file that is opened must not get the number of a standard stream that is closed: what is printed would be written into it. Closed ones become
/// /dev/null, opened the wrong way round, so that using them fails as before.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == stream);
    }
  }
}

/// A mapped file was cut short by somebody else.
void on_bus_error(int /*number*/) {
  constexpr char sentence[] = "sluice: a file was cut short while it was read\n";
  static_cast<void>(::write(STDERR_FILENO, sentence, sizeof sentence - 1) > 0);
  ::_exit(2);
}

void demand_written() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {  // the latter, if it was noticed before
    throw sluice::error(fmt::format("the output could not be written: {}", std::strerror(errno)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sluice_cli;  // NOLINT(google-build-using-namespace): this program's own names
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is an error like others
  std::signal(SIGBUS, on_bus_error);
  try {
    CLI::App app{"Access-efficient Bloom filters: made from files of keys, asked, and predicted."};
    app.name("sluice");
    app.require_subcommand(1);
    app.set_version_flag("--version", experiments::version());
    app.footer(
        "Exit status: 0, or 1 where a command says so, or 2 with a sentence on the error output. `sluice COMMAND "
        "--help` tells more.\n"
        "examples:\n"
        "  sluice build -o words.sluice /usr/share/dict/words\n"
        "  sluice query words.sluice candidates.txt\n"
        "  sluice info words.sluice\n"
        "  sluice plan --keys 1e8 --fpr 1e-6");
    const std::vector<command> commands = {
        plan_command(app),      build_command(app),      query_command(app), add_command(app),   merge_command(app),
        info_command(app),      verify_command(app),     bench_command(app), model_command(app), simulate_command(app),
        reproduce_command(app), completion_command(app), manual_command(app)};
    check_values(app);
    int status = 0;
    try {
      app.parse(arguments_of(argc, argv, app));
      for (const command& c : commands) {
        if (*c.app) status = c.run();
      }
    } catch (const CLI::Success& help_or_version) {
      app.exit(help_or_version);
    }
    demand_written();
    return status;
  } catch (const std::bad_alloc&) {
    say("there is not enough memory");
  } catch (const std::exception& e) {
    say("{}", e.what());
  }
  return 2;
}
