// plan/costs: what a lookup takes by scheme and number of steps (four positions in lanes, otherwise one), in times of
// blocked at 16 bits a key asked in the same form and place. Blocks of 512 bits; in cache: filters of 200 kB; in
// memory: filters of 64 MiB that take turns. Measured by `./dev tables costs`; do not edit.
// Made on x86-64 with AVX-512, 2.5 GHz. Ratios differ elsewhere: they tell what takes half as long again
// from what takes five times as long.
#pragma once

#include "plan/cost_row.hpp"

namespace sluice::detail::designs {

// clang-format off
// scheme, lanes, steps, in cache {single hit, single miss, bulk hit, bulk miss}, in memory {...}
inline constexpr cost_row rows_of_x86_64[] = {
    {family::classic, false, 6, {1.62, 1.63, 2.51, 3.32}, {2.22, 1.95, 8.28, 5.30}},
    {family::classic, false, 11, {2.32, 1.88, 3.76, 3.26}, {4.50, 1.89, 15.97, 5.25}},
    {family::classic, false, 17, {3.20, 1.88, 5.33, 3.29}, {7.19, 1.92, 20.85, 5.38}},
    {family::classic, false, 22, {3.94, 1.86, 6.64, 3.23}, {8.45, 1.91, 27.19, 5.97}},
    {family::classic, false, 44, {7.27, 1.86, 12.42, 3.26}, {16.28, 1.88, 53.87, 5.37}},
    {family::blocked, true, 2, {0.92, 0.92, 0.84, 0.84}, {0.67, 0.77, 0.98, 0.96}},
    {family::blocked, true, 3, {1.00, 1.00, 0.98, 0.98}, {1.00, 0.98, 1.00, 0.97}},
    {family::blocked, true, 4, {1.06, 1.06, 1.09, 1.08}, {1.03, 1.03, 1.01, 1.03}},
    {family::blocked, true, 5, {1.13, 1.13, 1.18, 1.19}, {1.07, 1.08, 1.05, 1.06}},
    {family::blocked, false, 5, {1.44, 1.51, 2.05, 2.39}, {1.65, 1.21, 1.41, 1.49}},
    {family::blocked, false, 10, {1.96, 1.72, 3.43, 2.40}, {2.22, 1.20, 2.44, 1.51}},
    {family::blocked, false, 13, {2.26, 1.59, 4.21, 2.17}, {2.28, 1.10, 2.54, 1.40}},
    {family::blocked, false, 14, {2.40, 1.44, 4.56, 1.90}, {2.35, 1.03, 2.77, 1.34}},
    {family::blocked, false, 20, {3.11, 1.23, 6.23, 1.54}, {2.58, 0.94, 3.67, 1.18}},
    {family::alpha, false, 11, {2.54, 2.48, 5.10, 4.55}, {2.59, 1.92, 4.87, 4.12}},
    {family::alpha, false, 16, {3.25, 2.70, 7.31, 5.37}, {2.92, 2.21, 5.77, 5.78}},
    {family::two_choice, false, 6, {2.28, 2.61, 4.70, 5.80}, {2.54, 2.57, 4.96, 7.21}},
    {family::two_choice, false, 11, {2.86, 2.87, 6.00, 5.69}, {3.10, 2.50, 6.20, 7.11}},
    {family::two_choice, false, 16, {3.43, 2.81, 7.67, 5.58}, {3.20, 2.46, 6.66, 7.04}},
    {family::two_choice, false, 21, {3.93, 2.81, 9.21, 5.62}, {3.37, 2.48, 7.50, 7.27}},
    {family::two_choice, false, 37, {5.66, 2.63, 14.11, 5.22}, {3.96, 2.35, 10.10, 6.57}},
    {family::single, false, 5, {1.61, 2.06, 2.45, 3.51}, {1.64, 1.94, 2.20, 2.83}},
    {family::single, false, 10, {2.01, 2.10, 3.61, 3.36}, {2.23, 1.90, 3.05, 2.72}},
    {family::single, false, 13, {2.26, 1.99, 4.28, 3.16}, {2.21, 1.75, 3.21, 2.50}},
    {family::single, false, 16, {2.56, 1.94, 5.01, 3.10}, {2.37, 1.73, 3.62, 2.59}},
    {family::single, false, 25, {3.74, 1.79, 7.92, 2.80}, {2.78, 1.53, 5.03, 2.12}},
    {family::sequential, false, 6, {2.14, 5.41, 4.01, 12.17}, {2.02, 6.00, 4.46, 21.44}},
    {family::sequential, false, 11, {2.52, 5.43, 4.70, 11.04}, {2.81, 4.72, 5.03, 15.80}},
    {family::sequential, false, 17, {2.98, 5.00, 6.15, 10.26}, {2.93, 4.51, 5.42, 14.26}},
    {family::sequential, false, 22, {3.44, 4.55, 7.27, 9.24}, {3.09, 4.16, 5.98, 13.04}},
    {family::sequential, false, 38, {5.05, 4.42, 10.95, 8.89}, {3.55, 3.60, 7.87, 10.61}},
    {family::mht, false, 5, {2.01, 4.46, 3.29, 8.48}, {2.05, 4.25, 3.36, 10.92}},
    {family::mht, false, 11, {2.61, 5.52, 5.01, 10.79}, {2.74, 4.92, 4.95, 13.67}},
    {family::mht, false, 16, {3.09, 4.94, 6.49, 9.39}, {2.84, 4.36, 5.21, 11.33}},
    {family::mht, false, 21, {3.57, 4.95, 7.78, 9.47}, {3.00, 4.34, 5.99, 10.92}},
    {family::mht, false, 38, {5.31, 4.27, 12.46, 8.13}, {3.60, 3.87, 8.39, 8.96}},
    {family::bloom_2, false, 6, {2.91, 2.47, 4.47, 4.22}, {3.36, 2.08, 7.00, 3.00}},
    {family::bloom_2, false, 10, {3.29, 2.46, 5.31, 3.57}, {3.97, 1.72, 7.47, 2.22}},
    {family::bloom_2, false, 15, {4.02, 2.44, 6.37, 3.56}, {4.23, 1.69, 8.59, 2.10}},
    {family::bloom_2, false, 18, {4.33, 2.32, 7.13, 3.31}, {4.47, 1.61, 9.38, 1.99}},
    {family::bloom_2, false, 30, {5.55, 2.15, 9.69, 2.97}, {4.85, 1.49, 11.03, 1.82}},
    {family::gated, true, 2, {1.26, 1.33, 1.00, 1.06}, {1.09, 1.08, 1.08, 1.07}},
    {family::gated, true, 3, {1.34, 1.23, 1.46, 1.24}, {1.24, 1.13, 1.18, 1.10}},
    {family::gated, true, 4, {1.54, 1.29, 1.87, 1.34}, {1.39, 1.17, 1.35, 1.11}},
    {family::gated, true, 5, {2.07, 1.50, 2.15, 1.66}, {1.61, 1.20, 1.49, 1.18}},
    {family::gated, true, 6, {2.10, 1.55, 2.27, 1.53}, {1.66, 1.21, 1.53, 1.36}},
    {family::gated, true, 7, {2.24, 1.67, 2.55, 1.77}, {1.76, 1.29, 1.70, 1.34}},
    {family::gated, true, 8, {2.41, 1.69, 2.79, 1.88}, {2.42, 1.87, 1.90, 1.60}},
    {family::gated, true, 9, {2.94, 2.27, 4.78, 3.79}, {2.80, 2.33, 3.10, 2.49}},
};

inline constexpr processor_costs costs[] = {
    {"x86_64", "AVX-512, 2.5 GHz, before lookups ended at the trace", rows_of_x86_64},
};
// clang-format on

}  // namespace sluice::detail::designs
