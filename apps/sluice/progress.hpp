// A line on a terminal that says how far some work is and how long the rest will take, written over again and again; elsewhere nothing.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace sluice_cli {

class progress_line {
public:
  progress_line() : start_(clock::now()), shown_(isatty(STDERR_FILENO) != 0) {}
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  progress_line(progress_line&&) = delete;
  progress_line& operator=(progress_line&&) = delete;
  ~progress_line() {
    if (shown_) fmt::print(stderr, "\r{:70}\r", "");
  }
  /// At most five times a second.
  void tell(const std::string& what, double share) {
    if (!shown_ || clock::now() - last_ < std::chrono::milliseconds(200)) return;
    last_ = clock::now();
    const double passed = std::chrono::duration<double>(last_ - start_).count();
    fmt::print(stderr, "\r{}: {:.0f}%, {:.0f} s left   ", what, 100 * share,
               share > 0.01 ? passed / share - passed : 0);
  }

private:
  using clock = std::chrono::steady_clock;
  clock::time_point start_;
  clock::time_point last_;
  bool shown_;
};

}  // namespace sluice_cli
