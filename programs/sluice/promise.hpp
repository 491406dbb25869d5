// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What was promised of a filter file, and what its bits say.
#pragma once

#include <cstdint>
#include <string>

#include "report.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {

/// What the bits of a file say of its rate and its reads. Of a filter whose blocks, or pages, are independent of each
/// other, and of which there is more than that, the first 16 MiB are looked at: more than 16,000,000 bits tell the rate
/// to about 1%, and take no time.
struct quick_look {
  double fpr = 0;            ///< of the whole file
  double accesses_miss = 0;  ///< likewise
  std::uint64_t bytes = 0;   ///< of blocks that were looked at
};
[[nodiscard]] quick_look quick_look_at(const sluice::file_contents& contents);

/// On the error output, if a file has more false positives than was planned: because of more keys than it was made for,
/// or by so much that it is no chance. One filter differs from the next: by a fifth at most, of those that are not
/// tiny.
void warn_if_not_as_promised(const std::string& file, const sluice::filter_file& f, double fpr);

/// What is told of a file that was changed.
[[nodiscard]] ordered_json report_of(const sluice::filter_file& f, const std::string& file);

/// Adds the rate from the bits, and what was looked at, to a report.
void report_look(ordered_json& report, const quick_look& look);

}  // namespace sluice_cli
