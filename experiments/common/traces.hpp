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
};

/// Throws sluice::error if a named file cannot be read.
[[nodiscard]] std::vector<trace> find_traces(const std::vector<std::string>& named, std::uint64_t seed);

}  // namespace experiments
