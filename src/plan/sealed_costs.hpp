// plan/sealed_costs: what a lookup in a sealed filter takes, by the bits of its fingerprints, in times of blocked at 16
// bits a key asked in the same form and place, as in plan/costs.hpp. Measured by `./dev tables costs`; do not
// edit.
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
