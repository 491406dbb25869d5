// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Sentences on the error output, each one line, whatever the names in it. One that cannot be written is lost: an error
// output that is closed or full must not become an error of its own.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "frame/printable.hpp"

namespace sluice_cli {

inline void write_to_error_output(const std::string& text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr) == text.size());
}

template <class... Args>
void say(fmt::format_string<Args...> sentence, Args&&... args) noexcept {
  try {
    write_to_error_output("sluice: " + printable(fmt::format(sentence, std::forward<Args>(args)...)) + "\n");
  } catch (...) {
    write_to_error_output({});  // no memory for a sentence
  }
}

template <class... Args>
void warn(fmt::format_string<Args...> sentence, Args&&... args) noexcept {
  try {
    say("warning: {}", fmt::format(sentence, std::forward<Args>(args)...));
  } catch (...) {
    write_to_error_output({});
  }
}

}  // namespace sluice_cli
