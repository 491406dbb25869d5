// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What a program prints: written at once, and an error where that fails.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/errors.hpp"
#include "sluice/extend/descriptor.hpp"

namespace sluice_cli {

[[noreturn]] inline void refuse_output() {
  throw sluice::error(fmt::format("the output could not be written: {}", std::strerror(errno)));
}

/// Nothing that was printed by other means (help, by the parser) is kept back any longer.
inline void flush_out() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refuse_output();  // the latter, if it was noticed before
}

/// Writes to the standard output, and throws where that fails. Not through stdio, which forgets what it holds when a
/// signal interrupts it.
inline void write_out(std::string_view text) {
  flush_out();
  while (!text.empty()) {
    const ssize_t some = sluice::extend::retried([&] { return ::write(STDOUT_FILENO, text.data(), text.size()); });
    if (some < 0) refuse_output();
    text.remove_prefix(static_cast<std::size_t>(some));
  }
}

/// Throws where the standard output is one of these files, which are read ("-" is the standard input): it would be read
/// as it grows, or ruined.
inline void require_other_output(std::span<const std::string> files) {
  struct stat out{};
  if (::fstat(STDOUT_FILENO, &out) != 0 || !S_ISREG(out.st_mode)) return;
  for (const std::string& file : files) {
    struct stat in{};
    const int failed = file == "-" ? ::fstat(STDIN_FILENO, &in) : ::stat(file.c_str(), &in);
    if (failed != 0 || in.st_dev != out.st_dev || in.st_ino != out.st_ino) continue;
    throw sluice::file_error(fmt::format("the output goes into {}, which is read", file == "-" ? "the input" : file));
  }
}

template <class... Args>
void print(fmt::format_string<Args...> text, Args&&... args) {
  write_out(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace sluice_cli
