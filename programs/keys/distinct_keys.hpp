// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// How many distinct keys there are among those that are read, from their digests: exactly up to 65,536, and beyond by a
// HyperLogLog sketch (Flajolet et al., with Ertl's estimator, which needs no table of corrections and is right at every
// number). The standard error is 0.41%: 1.04 divided by the root of the number of registers.
// Cost: a byte is raised for each key; 64 KiB of registers, and at most 1 MiB while the count is exact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "sluice/hash.hpp"

namespace sluice_keys {

class distinct_keys {
public:
  distinct_keys() : registers_(register_count) {}

  void add(sluice::digest x) {
    ++added_;
    // A key's register is named by its highest bits; the length of the run of zeros in the others is what is kept.
    std::uint8_t& longest = registers_[x.value >> (64 - register_bits)];
    const std::uint64_t rest = x.value << register_bits | std::uint64_t{1} << (register_bits - 1);
    longest = std::max(longest, static_cast<std::uint8_t>(std::countl_zero(rest) + 1));
    if (!exact_) return;
    seen_.push_back(x.value);
    if (seen_.size() == 2 * most_exact) forget_repeated();
  }

  /// Is the count exact?
  [[nodiscard]] bool exact() {
    forget_repeated();
    return exact_;
  }
  /// Keys that were chosen to mislead the sketch mislead it no further than to what is known.
  [[nodiscard]] double count() {
    if (exact()) return static_cast<double>(seen_.size());
    return std::clamp(estimate(), double{most_exact + 1}, static_cast<double>(added_));
  }
  /// Relative.
  [[nodiscard]] double standard_error() { return exact() ? 0 : 1.04 / std::sqrt(double{register_count}); }
  /// What a filter is sized for: two standard errors more than was counted.
  [[nodiscard]] double with_margin() { return std::ceil(count() * (1 + 2 * standard_error())); }

private:
  static constexpr int register_bits = 16;
  static constexpr std::size_t register_count = std::size_t{1} << register_bits;
  static constexpr int longest_run = 64 - register_bits + 1;
  static constexpr std::size_t most_exact = 65'536;

  void forget_repeated() {
    if (!exact_) return;
    std::sort(seen_.begin(), seen_.end());
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
    if (seen_.size() <= most_exact) return;
    exact_ = false;
    seen_ = {};
  }

  /// Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), the improved raw estimator.
  [[nodiscard]] double estimate() const {
    constexpr double m = register_count;
    std::array<double, longest_run + 1> with_run{};
    for (const std::uint8_t run : registers_) with_run[run] += 1;
    double sum = m * above(1 - with_run[longest_run] / m);
    for (int run = longest_run - 1; run >= 1; --run) sum = (sum + with_run[static_cast<std::size_t>(run)]) / 2;
    sum += m * below(with_run[0] / m);
    return m * m / (2 * std::numbers::ln2 * sum);
  }
  /// Registers that no key has raised, a share x.
  [[nodiscard]] static double below(double x) {
    if (x == 1) return std::numeric_limits<double>::infinity();
    double sum = x;
    double power = 1;
    for (double last = -1; sum != last;) {
      x *= x;
      last = sum;
      sum += x * power;
      power *= 2;
    }
    return sum;
  }
  /// Registers that are not as high as they can be, a share x.
  [[nodiscard]] static double above(double x) {
    if (x == 0 || x == 1) return 0;
    double sum = 1 - x;
    double power = 1;
    for (double last = -1; sum != last;) {
      x = std::sqrt(x);
      last = sum;
      power /= 2;
      sum -= (1 - x) * (1 - x) * power;
    }
    return sum / 3;
  }

  std::vector<std::uint8_t> registers_;
  std::vector<std::uint64_t> seen_;  // while exact: with repetitions, up to twice as many as are exact
  std::uint64_t added_ = 0;
  bool exact_ = true;
};

}  // namespace sluice_keys
