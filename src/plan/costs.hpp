// plan/costs: what a lookup takes by scheme and number of steps (four positions in lanes, otherwise one), in times of
// blocked at 16 bits a key asked in the same form and place. Blocks of 512 bits; in cache: filters of 200 kB; in memory:
// filters of 64 MiB that take turns. Measured by `./dev tables costs`; do not edit.
// Made on x86-64 with AVX-512, 2.5 GHz. Ratios differ elsewhere: they tell what takes half as long again
// from what takes five times as long.
#pragma once

#include "plan/cost_row.hpp"

namespace sluice::designs {

// clang-format off
// scheme, lanes, steps, in cache {single hit, single miss, bulk hit, bulk miss}, in memory {...}
inline constexpr cost_row cost_rows[] = {
    {scheme::classic, false, 6, {1.51, 2.11, 2.40, 3.37}, {2.09, 1.46, 8.95, 6.14}},
    {scheme::classic, false, 11, {2.21, 2.00, 3.87, 3.22}, {4.28, 1.46, 14.37, 5.56}},
    {scheme::classic, false, 17, {2.99, 2.10, 5.69, 3.32}, {4.97, 1.47, 24.44, 5.68}},
    {scheme::classic, false, 22, {3.84, 2.09, 7.06, 3.25}, {6.34, 1.46, 31.87, 5.53}},
    {scheme::classic, false, 44, {6.82, 2.09, 14.74, 3.19}, {14.24, 1.91, 54.83, 5.87}},
    {scheme::blocked, true, 2, {0.81, 0.84, 1.17, 1.16}, {0.68, 0.68, 1.08, 1.09}},
    {scheme::blocked, true, 3, {0.98, 1.00, 0.98, 0.97}, {1.00, 1.00, 1.00, 1.00}},
    {scheme::blocked, true, 4, {1.08, 1.08, 1.12, 1.13}, {1.03, 1.03, 1.02, 1.02}},
    {scheme::blocked, true, 5, {1.14, 1.15, 1.20, 1.20}, {1.09, 1.08, 1.05, 1.07}},
    {scheme::blocked, false, 5, {1.35, 1.72, 2.20, 2.60}, {1.17, 0.88, 1.45, 1.57}},
    {scheme::blocked, false, 10, {2.05, 1.71, 3.71, 2.63}, {1.81, 0.88, 2.25, 1.57}},
    {scheme::blocked, false, 13, {2.35, 1.59, 4.54, 2.45}, {1.41, 0.81, 3.75, 1.47}},
    {scheme::blocked, false, 14, {2.55, 1.41, 4.77, 2.12}, {1.49, 0.75, 4.18, 1.34}},
    {scheme::blocked, false, 20, {3.21, 1.14, 7.30, 1.61}, {2.43, 0.91, 3.77, 1.25}},
    {scheme::alpha, false, 11, {2.68, 2.53, 5.39, 4.63}, {2.16, 1.40, 3.94, 4.10}},
    {scheme::alpha, false, 16, {3.46, 2.94, 7.63, 5.50}, {1.95, 1.50, 6.95, 5.78}},
    {scheme::two_choice, false, 6, {2.61, 3.18, 4.79, 5.86}, {1.76, 1.68, 4.99, 7.33}},
    {scheme::two_choice, false, 11, {3.07, 2.97, 6.21, 5.75}, {2.56, 1.63, 5.85, 7.03}},
    {scheme::two_choice, false, 16, {3.65, 3.06, 8.03, 5.73}, {2.09, 1.60, 7.67, 6.89}},
    {scheme::two_choice, false, 21, {4.37, 3.09, 9.37, 5.75}, {2.29, 1.59, 9.07, 6.82}},
    {scheme::two_choice, false, 37, {6.18, 2.91, 16.11, 5.04}, {3.87, 2.29, 10.14, 7.12}},
    {scheme::single, false, 5, {1.56, 2.21, 2.48, 3.60}, {1.26, 1.41, 1.96, 2.85}},
    {scheme::single, false, 10, {2.09, 2.14, 3.55, 3.61}, {1.89, 1.38, 2.78, 2.70}},
    {scheme::single, false, 13, {2.34, 2.10, 4.12, 3.46}, {1.47, 1.34, 3.71, 2.45}},
    {scheme::single, false, 16, {2.74, 2.09, 4.73, 3.41}, {1.60, 1.32, 4.23, 2.37}},
    {scheme::single, false, 25, {3.55, 1.87, 7.65, 2.84}, {2.50, 1.58, 4.76, 2.34}},
    {scheme::sequential, false, 6, {2.25, 6.55, 3.90, 12.73}, {1.63, 4.19, 4.27, 19.92}},
    {scheme::sequential, false, 11, {2.64, 5.86, 4.66, 11.53}, {2.36, 3.29, 4.77, 14.29}},
    {scheme::sequential, false, 17, {3.13, 5.71, 5.84, 10.77}, {1.86, 2.95, 5.76, 12.65}},
    {scheme::sequential, false, 22, {3.74, 5.19, 6.85, 9.85}, {2.06, 2.77, 6.61, 11.91}},
    {scheme::sequential, false, 38, {5.33, 5.11, 10.84, 8.97}, {3.37, 3.58, 7.40, 9.44}},
    {scheme::mht, false, 5, {2.15, 5.15, 3.48, 8.96}, {1.52, 3.19, 3.43, 10.62}},
    {scheme::mht, false, 11, {2.80, 6.04, 5.33, 11.58}, {2.37, 3.75, 4.61, 13.22}},
    {scheme::mht, false, 16, {3.32, 5.68, 6.82, 10.29}, {1.88, 3.30, 6.26, 11.02}},
    {scheme::mht, false, 21, {4.00, 5.72, 8.05, 10.60}, {2.08, 3.17, 7.60, 10.39}},
    {scheme::mht, false, 38, {5.66, 5.01, 13.95, 8.37}, {3.39, 3.85, 8.61, 8.22}},
    {scheme::bloom_2, false, 6, {2.68, 2.51, 4.60, 4.19}, {2.16, 1.42, 6.95, 3.08}},
    {scheme::bloom_2, false, 10, {3.03, 2.20, 5.47, 3.67}, {3.15, 1.28, 7.48, 2.21}},
    {scheme::bloom_2, false, 15, {3.57, 2.28, 6.60, 3.78}, {2.44, 1.26, 8.43, 2.11}},
    {scheme::bloom_2, false, 18, {4.14, 2.14, 7.38, 3.57}, {2.61, 1.24, 9.03, 1.99}},
    {scheme::bloom_2, false, 30, {5.43, 1.94, 10.77, 2.98}, {4.35, 1.38, 10.69, 1.86}},
    {scheme::gated, true, 2, {1.12, 1.12, 1.62, 1.62}, {1.01, 1.01, 1.32, 1.36}},
    {scheme::gated, true, 3, {1.42, 1.28, 1.52, 1.26}, {1.28, 1.09, 1.20, 1.11}},
    {scheme::gated, true, 4, {1.66, 1.39, 1.97, 1.40}, {1.37, 1.21, 1.43, 1.13}},
    {scheme::gated, true, 5, {2.06, 1.51, 2.45, 1.57}, {1.58, 1.15, 1.54, 1.18}},
    {scheme::gated, true, 6, {2.22, 1.67, 2.41, 1.58}, {1.55, 1.20, 1.70, 1.24}},
    {scheme::gated, true, 7, {2.22, 1.70, 4.02, 3.14}, {1.75, 1.27, 2.54, 2.09}},
    {scheme::gated, true, 8, {3.56, 2.86, 4.58, 3.36}, {2.80, 2.34, 2.80, 2.25}},
    {scheme::gated, true, 9, {3.35, 2.96, 4.92, 3.34}, {2.80, 2.44, 3.08, 3.03}},
};
// clang-format on

}  // namespace sluice::designs
