// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/descriptor: a POSIX file descriptor that is closed by its owner, calls that a signal may interrupt, and the
// sentence for what the system refuses.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "sluice/errors.hpp"

namespace sluice::extend {

/// `what` is a participle: "read", "written"; `where` is the file in trouble, if it is another one. Throws file_error.
[[noreturn]] inline void fail(const std::string& path, const char* what, int reason, const std::string& where = {}) {
  throw file_error((path.empty() ? "a file without a name" : path) + " cannot be " + what + ": " +
                       (where.empty() ? "" : where + ": ") + std::generic_category().message(reason),
                   reason == ENOENT ? error_code::not_found : error_code::system);
}

/// A call of the system, again and again until no signal interrupts it: call() is -1 and errno says EINTR.
template <class Call>
[[nodiscard]] auto retried(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

class descriptor {
public:
  explicit descriptor(int number = -1) noexcept : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  descriptor(descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  /// Negative: there is none.
  [[nodiscard]] int get() const noexcept { return number_; }

private:
  int number_;
};

}  // namespace sluice::extend
