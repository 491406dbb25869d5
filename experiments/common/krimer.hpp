// The setting of Krimer and Erez: blocks of 500 bits, c bits per key, k = round(c ln 2), loads counted in keys.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "common/filters.hpp"
#include "sluice/parameters.hpp"

namespace experiments {

inline constexpr std::uint32_t krimer_block = 500;

[[nodiscard]] inline sluice::alpha_parameters krimer(double bits_per_key, double alpha, std::uint64_t keys) {
  return {.blocks = sluice::blocks_for(keys, bits_per_key, krimer_block),
          .block_bits = krimer_block,
          .hashes = static_cast<std::uint32_t>(std::max(1L, std::lround(bits_per_key * std::numbers::ln2))),
          .alpha = alpha,
          .load = sluice::load_unit::keys};
}

/// The shares alpha that the paper compares.
inline const std::vector<std::pair<std::string, double>> krimer_schemes = {
    {"blocked", 0.0}, {"1+alpha, alpha 0.3", 0.3}, {"two-choice", 1.0}};

/// By the equations of the paper, with the usual approximation of a local filter.
[[nodiscard]] inline double krimer_rate(double bits_per_key, double alpha) {
  constexpr std::uint64_t keys = 1'000'000'000;
  return predicted(krimer(bits_per_key, alpha, keys), double{keys}).fpr_usual;
}

/// The best alpha of the model, in hundredths.
[[nodiscard]] inline double best_alpha(double bits_per_key) {
  double best = 0;
  double least = krimer_rate(bits_per_key, 0);
  for (double step : {0.1, 0.02, 0.01}) {
    const double centre = best;
    for (double alpha = std::max(0.0, centre - 10 * step); alpha <= std::min(1.0, centre + 10 * step) + 1e-9;
         alpha += step) {
      const double f = krimer_rate(bits_per_key, std::min(1.0, alpha));
      if (f < least) {
        least = f;
        best = std::min(1.0, alpha);
      }
    }
  }
  return std::round(best * 100) / 100;
}

}  // namespace experiments
