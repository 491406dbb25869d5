// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A line on a terminal that says how far some work is, how fast it goes and how long the rest will take, written over
// again and again; elsewhere nothing, and nothing for work that is done at once.
#pragma once

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frame/message.hpp"

namespace sluice_cli {

class progress_line {
public:
  progress_line() : start_(clock::now()), last_(start_), width_(width_of_terminal()) {}
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  progress_line(progress_line&&) = delete;
  progress_line& operator=(progress_line&&) = delete;
  ~progress_line() {
    if (told_) write("");
  }
  /// After the first second, at most twice a second. A negative share is not known. `done` things so far, if they are
  /// counted.
  void tell(const std::string& what, double share, std::uint64_t done = 0) {
    if (width_ == 0 || clock::now() - last_ < std::chrono::milliseconds(told_ ? 500 : 1000)) return;
    last_ = clock::now();
    told_ = true;
    const double passed = std::chrono::duration<double>(last_ - start_).count();
    std::string line = what + ":";
    if (done != 0)
      line += fmt::format(" {} keys, {:.2g} million a second", done, static_cast<double>(done) / passed / 1e6);
    if (share >= 0) line += fmt::format("{} {:.0f}%", done != 0 ? "," : "", 100 * share);
    if (share > 0.01) line += fmt::format(", {:.0f} s left", passed / share - passed);
    write(line);
  }

private:
  using clock = std::chrono::steady_clock;

  /// 0: nothing is shown.
  [[nodiscard]] static std::size_t width_of_terminal() {
    const char* const kind = std::getenv("TERM");
    if (::isatty(STDERR_FILENO) == 0 || (kind != nullptr && std::string_view(kind) == "dumb")) return 0;
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return std::min<std::size_t>(79, known ? size.ws_col : 80) - 1;
  }
  /// Over the whole of the line, and then nothing is left of it for what comes after.
  void write(std::string line) const {
    line.resize(width_, ' ');
    write_to_error_output("\r" + line + "\r");
  }

  clock::time_point start_;
  clock::time_point last_;
  std::size_t width_;
  bool told_ = false;
};

}  // namespace sluice_cli
