// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/theory: two models below those of theory.hpp, for experiments that look at them alone.
//
// The false positive rate of one block that holds i keys of k bits each in U usable bits.
//
//   usual   (1 - (1 - 1/U)^(k i))^k: what textbooks and the papers print; takes the number of ones as certain
//   exact   the expectation of (ones / U)^k over the number of ones; larger, and what real filters have
//
// The law of the ones is a Markov chain: a thrown bit hits one of x ones with probability x / U.
//
// The fraction of ones z of choice groups over time (Lumetta and Mitzenmacher, equation 3.2, any c):
//
//   dz/dt = E[min of c binomials (k, 1 - z)] / (m/n)
//
//   symbol here     the paper's letter
//   ones            z          fraction of ones
//   bits_per_key    m / n
//   groups          c
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sluice/theory.hpp"

namespace sluice::extend {

/// The law of the number of ones of U bits, one thrown bit after the other.
class thrown_ones {
public:
  explicit thrown_ones(std::uint64_t usable_bits) : share_(usable_bits + 1) { share_[0] = 1; }

  void throw_bit() {
    const auto u = static_cast<double>(share_.size() - 1);
    if (most_ + 1 < share_.size()) ++most_;
    for (std::uint64_t x = most_; x > least_; --x) {
      share_[x] = share_[x] * (static_cast<double>(x) / u) + share_[x - 1] * (1 - static_cast<double>(x - 1) / u);
    }
    share_[least_] *= static_cast<double>(least_) / u;
    while (least_ < most_ && share_[least_] < negligible) share_[least_++] = 0;
    while (most_ > least_ && share_[most_] < negligible) share_[most_--] = 0;
  }

  /// The expectation of value[ones].
  [[nodiscard]] double expect(const std::vector<double>& value) const {
    double sum = 0;
    for (std::uint64_t x = least_; x <= most_; ++x) sum += share_[x] * value[x];
    return sum;
  }

private:
  static constexpr double negligible = 1e-30;
  std::vector<double> share_;
  std::uint64_t least_ = 0;  // share_[least_ .. most_] are all that is not negligible
  std::uint64_t most_ = 0;
};

/// [x]: (x / U)^power.
[[nodiscard]] std::vector<double> fill_powers(std::uint64_t usable_bits, std::uint32_t power);

/// U usable bits, k bits a key.
struct local_filter {
  std::uint64_t usable_bits;
  std::uint32_t hashes;

  [[nodiscard]] double usual_fpr(double keys) const {
    const auto u = static_cast<double>(usable_bits);
    return std::pow(-std::expm1(hashes * keys * std::log1p(-1 / u)), hashes);
  }

  /// [i]: the exact rate with i keys, for i from 0 to most_keys.
  [[nodiscard]] std::vector<double> exact_fpr(std::uint64_t most_keys) const {
    const std::vector<double> value = fill_powers(usable_bits, hashes);
    thrown_ones ones(usable_bits);
    std::vector<double> fpr;
    fpr.reserve(most_keys + 1);
    for (std::uint64_t keys = 0;; ++keys) {
      fpr.push_back(ones.expect(value));
      if (keys == most_keys) return fpr;
      for (std::uint32_t bit = 0; bit < hashes; ++bit) ones.throw_bit();
    }
  }
};

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
[[nodiscard]] theory::prediction predict(const choice_scheme& s, double bits_per_key);

}  // namespace sluice::extend
