// plan/sealed_costs: what a lookup in a sealed filter takes, by the bits of its fingerprints, in times of
// blocked at 16 bits a key asked in the same form and place, as in plan/costs.hpp. Measured by
// `./dev tables costs`; do not edit.
// Made on ARM64 with 128-bit vectors.
#pragma once

#include "plan/cost_row.hpp"

namespace sluice::detail::designs {

// clang-format off
// r, in cache {single hit, single miss, bulk hit, bulk miss}, in memory {...}
inline constexpr sealed_cost_row sealed_cost_rows[] = {
    {8, {1.62, 1.68, 1.50, 1.52}, {1.52, 1.69, 1.12, 1.19}},
    {9, {2.03, 1.73, 2.05, 2.07}, {2.01, 1.83, 1.37, 1.42}},
    {12, {1.99, 1.70, 2.03, 2.02}, {2.01, 1.82, 1.39, 1.39}},
    {15, {2.55, 1.72, 2.63, 2.61}, {2.16, 1.78, 1.64, 1.65}},
    {16, {1.52, 1.61, 1.50, 1.49}, {1.43, 1.43, 1.11, 1.10}},
    {17, {1.99, 1.60, 1.99, 1.96}, {2.00, 1.44, 1.35, 1.34}},
    {20, {1.99, 1.61, 1.97, 1.95}, {1.99, 1.44, 1.33, 1.32}},
    {23, {2.56, 1.60, 2.46, 2.37}, {2.16, 1.39, 1.63, 1.56}},
    {24, {1.85, 1.82, 1.88, 1.80}, {1.98, 1.90, 1.26, 1.20}},
    {25, {2.22, 1.89, 2.45, 2.43}, {2.07, 1.98, 1.58, 1.58}},
    {28, {2.20, 1.85, 2.46, 2.35}, {2.07, 1.90, 1.56, 1.51}},
    {31, {2.82, 1.88, 2.89, 2.82}, {2.39, 1.94, 1.80, 1.78}},
    {32, {1.59, 1.57, 1.40, 1.34}, {1.46, 1.43, 1.15, 1.09}},
};
// clang-format on

}  // namespace sluice::detail::designs
