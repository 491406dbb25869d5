// A filter file that is being written: whole or not at all, also when the user loses patience. While one of these lives, an interrupt removes what
// was written so far and ends the program.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>

#include "sluice/errors.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {

class output_file {
public:
  /// Waits for another writer of the file, and says so. Without `replace`, refuses a file that is there.
  output_file(const std::string& path, bool replace)
      : replace_(replace), file_(checked(path, replace), [&] {
          fmt::print(stderr, "sluice: waiting for another program that writes {}\n", path);
        }) {
    partial() = file_.partial().c_str();
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      before_[i] = std::signal(signals[i], on_signal);
      if (before_[i] == SIG_IGN) std::signal(signals[i], SIG_IGN);  // as nohup wants it
    }
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  output_file(output_file&&) = delete;
  output_file& operator=(output_file&&) = delete;
  ~output_file() {
    for (std::size_t i = 0; i < std::size(signals); ++i) std::signal(signals[i], before_[i]);
    partial() = nullptr;
  }

  void save(const sluice::file_contents& contents) {
    try {
      sluice::save(contents, file_, replace_ ? sluice::file::existing::replace : sluice::file::existing::refuse);
      partial() = nullptr;  // the name may be another writer's now
    } catch (const sluice::file_error&) {
      demand_absent(file_.path(), replace_);  // somebody else was faster: say what to do about it
      throw;
    }
  }

private:
  static constexpr int signals[3] = {SIGINT, SIGTERM, SIGHUP};

  static std::string checked(const std::string& path, bool replace) {
    demand_absent(path, replace);
    return path;
  }
  static void demand_absent(const std::string& path, bool replace) {
    std::error_code ignored;
    if (replace || !std::filesystem::exists(path, ignored)) return;
    throw sluice::file_error(path + " is there already; --force replaces it");
  }
  [[nodiscard]] static const char*& partial() {
    static const char* name = nullptr;
    return name;
  }
  static void on_signal(int number) {
    if (partial() != nullptr) ::unlink(partial());
    std::signal(number, SIG_DFL);
    std::raise(number);
  }

  bool replace_;
  sluice::file::replacement file_;
  void (*before_[3])(int) = {};  // what the signals did
};

}  // namespace sluice_cli
