// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Records on the standard output, as they stood in the input: for commands that print some of them and not others.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "frame/output.hpp"
#include "keys/key_batch.hpp"
#include "sluice/errors.hpp"

namespace sluice_cli {

/// Files in one format are printed as one file, so that they must begin alike.
class preface_printer {
public:
  void take(const sluice_keys::key_batch& keys) {
    if (keys.preface.empty() || without_end(keys.preface) == without_end(printed_)) return;
    if (!printed_.empty()) {
      throw sluice::error(
          fmt::format("{} and {} have different headers, so that what is found in them cannot be one file; use "
                      "one file at a time",
                      file_, keys.file));
    }
    printed_ = keys.preface;
    file_ = keys.file;
    write_out(printed_);
  }

private:
  [[nodiscard]] static std::string_view without_end(std::string_view line) {
    return line.ends_with("\r\n") ? line.substr(0, line.size() - 2)
           : line.ends_with('\n') ? line.substr(0, line.size() - 1)
                                  : line;
  }

  std::string printed_;
  std::string file_;
};

}  // namespace sluice_cli
