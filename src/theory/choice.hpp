// theory/choice: the fraction of ones of choice groups over time (Lumetta and Mitzenmacher, equation 3.2, any c).
//
//   dz/dt = E[min of c binomials (k, 1 - z)] / (m/n)
//
//   symbol here     the paper's letter
//   ones            z          fraction of ones
//   bits_per_key    m / n
//   groups          c
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/theory.hpp"

namespace sluice::theory {

struct choice_scheme {
  std::uint32_t groups = 1;
  std::uint32_t hashes = 1;
  /// Of an array with double hashing, where the positions of a key are a line: its length, on which the rate depends
  /// (the paper's footnote 1). 0: positions are independent.
  double lined_bits = 0;
};

/// The fraction of ones over time: [i] after i / steps of the keys.
[[nodiscard]] std::vector<double> ones_over_time(const choice_scheme& s, double bits_per_key, int steps = 160);

/// Accesses are probed positions, in order, stopping at the first 0.
[[nodiscard]] prediction predict(const choice_scheme& s, double bits_per_key);

}  // namespace sluice::theory
