// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What a run leaves in its folder: NAME.csv, NAME.svg and NAME.json (how and when it was made), each written whole or
// not at all. A run that was interrupted is taken up where it stopped: what is there with the same settings is not made
// again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/experiment.hpp"

namespace experiments {

/// How a result was made.
struct record {
  std::string name;
  bool quick = false;
  std::uint64_t seed = 0;
  std::string version;
  std::vector<std::string> traces;
  std::string manifest;
  double seconds = 0;
  outcome results;
};

/// Throws sluice::error with the file and the reason.
void write_whole(const std::filesystem::path& file, const std::string& text);

/// The title and the panels of its figure.
[[nodiscard]] const std::string& title_of(const experiment& e, const record& r);
[[nodiscard]] const std::vector<axes>& panels_of(const experiment& e, const record& r);

void save(const std::filesystem::path& folder, const experiment& e, const record& r);
/// Nothing if it is not there, cannot be read or was made otherwise.
[[nodiscard]] std::optional<record> load(const std::filesystem::path& folder, const experiment& e, const setting& how);

[[nodiscard]] std::string csv_of(const std::vector<point>& points);

}  // namespace experiments
