// The subcommand `reproduce`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice_cli {

struct reproduce_options {
  std::vector<std::string> names;
  std::string out = "reproduction";
  bool quick = false;
  bool fresh = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  std::vector<std::string> traces;
};

/// The exit status: 0 if every finding agrees, 1 if one differs. Throws sluice::error where something cannot be done.
int reproduce(const reproduce_options& o);

}  // namespace sluice_cli
