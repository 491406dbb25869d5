// Builds the library's real filter and measures it.
#pragma once

#include <cstdint>
#include <optional>

#include "report.hpp"
#include "scheme_options.hpp"

namespace sluice_cli {

struct simulate_options {
  std::uint32_t trials = 1;
  std::optional<double> negatives;  // lookups of absent keys in all; omitted: enough for 1,000 false positives
};

ordered_json simulate(const scheme_options& o, const simulate_options& how);

}  // namespace sluice_cli
