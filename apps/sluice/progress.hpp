// A line on a terminal that says how far some work is, how fast it goes and how long the rest will take, written over again and again; elsewhere
// nothing.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
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
    if (told_) fmt::print(stderr, "\r{:78}\r", "");
  }
  /// At most five times a second. A negative share is not known. `done` things so far, if they are counted.
  void tell(const std::string& what, double share, std::uint64_t done = 0) {
    if (!shown_ || clock::now() - last_ < std::chrono::milliseconds(200)) return;
    last_ = clock::now();
    told_ = true;
    const double passed = std::chrono::duration<double>(last_ - start_).count();
    std::string line = what + ":";
    if (done != 0)
      line += fmt::format(" {} keys, {:.2g} million a second", done, static_cast<double>(done) / passed / 1e6);
    if (share >= 0) line += fmt::format("{} {:.0f}%", done != 0 ? "," : "", 100 * share);
    if (share > 0.01) line += fmt::format(", {:.0f} s left", passed / share - passed);
    fmt::print(stderr, "\r{:<78}", line);
  }

private:
  using clock = std::chrono::steady_clock;
  clock::time_point start_;
  clock::time_point last_;
  bool shown_;
  bool told_ = false;
};

}  // namespace sluice_cli
