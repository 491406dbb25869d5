// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys of real traffic, if there is any: captures named by the user, or those in the folder that the variable
// SLUICE_DATA names; otherwise a synthetic trace that says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace experiments {

struct trace {
  std::string name;
  std::string what;               ///< packets, flows, or that it is synthetic
  std::vector<std::string> keys;  ///< different ones, in the order of their first appearance
  std::string warning;            ///< if the file ended before its time
  std::string origin = {};        ///< source, date, licence and checksum, as far as they are known
  bool synthetic = false;
};

/// Throws sluice::error if a named file or the manifest cannot be read, and if a checksum is not what the manifest
/// says. `manifest` empty: traces.json beside each capture, if there is one; experiments/README.md says what is in it.
[[nodiscard]] std::vector<trace> find_traces(const std::vector<std::string>& named, const std::string& manifest,
                                             std::uint64_t seed);

}  // namespace experiments
