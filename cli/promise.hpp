// What was promised of a filter file, and what its bits say.
#pragma once

#include <string>

#include "report.hpp"
#include "sluice/file.hpp"
#include "sluice/statistics.hpp"

namespace sluice_cli {

/// Of a filter, from its bits; of a large one whose blocks, or pages, are independent of each other, from the first 16
/// MiB of them, which are as good and take no time. The rate and the reads are those of the whole; counts are those of
/// the part.
[[nodiscard]] sluice::statistics quick_statistics(const sluice::stored_filter& f);

/// On the error output, if a file has more keys than it was made for, or more false positives. One filter differs from
/// the next: by a fifth at most, of those that are not tiny.
void warn_if_not_as_promised(const std::string& file, const sluice::filter_file& f, double fpr);

/// What is told of a file that was changed.
[[nodiscard]] ordered_json report_of(const sluice::filter_file& f, const std::string& file);

}  // namespace sluice_cli
