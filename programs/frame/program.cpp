// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "frame/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string_view>

#include "frame/arguments.hpp"
#include "frame/manual.hpp"
#include "frame/message.hpp"
#include "frame/output.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {
namespace {

/// A file that is opened must not get the number of a standard stream that is closed: what is printed would be written
/// into it. Closed ones become /dev/null, opened the wrong way round, so that using them fails as before.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == stream);
    }
  }
}

/// A mapped file was cut short by another program.
void on_bus_error(int /*number*/) {
  constexpr char sentence[] = "sluice: a file was cut short while it was read\n";
  static_cast<void>(::write(STDERR_FILENO, sentence, sizeof sentence - 1) > 0);
  ::_exit(2);
}

}  // namespace

int run_program(int argc, const char* const* argv, const describer& describe) {
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is an error like others
  std::signal(SIGBUS, on_bus_error);
  try {
    CLI::App app;
    app.name("sluice");
    app.require_subcommand(1);
    app.set_version_flag("--version", SLUICE_VERSION);
    const std::vector<command> commands = describe(app);
    check_values(app);
    if (argc > 1 && argc <= 3 && std::string_view(argv[argc - 1]) == "--manual") {
      print("{}", manual_of(app));
      flush_out();
      return 0;
    }
    int status = 0;
    try {
      app.parse(arguments_of(argc, argv, app));
      for (const command& c : commands) {
        if (*c.app) status = c.run();
      }
    } catch (const CLI::Success& help_or_version) {
      app.exit(help_or_version);
    }
    flush_out();
    return status;
  } catch (const CLI::ConversionError& e) {  // its form was checked before (arguments.hpp)
    say("{}: the number is larger than this option takes", e.what());
  } catch (const std::bad_alloc&) {
    say("there is not enough memory");
  } catch (const std::exception& e) {
    say("{}", e.what());
  }
  return 2;
}

}  // namespace sluice_cli
