// plan/sealed_costs: what a lookup in a sealed filter takes, by the bits of its fingerprints, in times of blocked at 16
// bits a key asked in the same form and place, as in plan/costs.hpp. `./dev tables costs` measures them.
// These rows are an estimate, the same for every r: that command has not been run on a quiet machine yet. docs/sealed.md
// has what was measured beside gated filters: lookups take longer in cache where r is no multiple of 8.
#pragma once

#include "plan/cost_row.hpp"

namespace sluice::designs {

// clang-format off
// r, in cache {single hit, single miss, bulk hit, bulk miss}, in memory {...}
inline constexpr sealed_cost_row sealed_cost_rows[] = {
    {8, {1.30, 1.30, 1.30, 1.30}, {1.20, 1.20, 1.20, 1.20}},
    {32, {1.30, 1.30, 1.30, 1.30}, {1.20, 1.20, 1.20, 1.20}},
};
// clang-format on

}  // namespace sluice::designs
