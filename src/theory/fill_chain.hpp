// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/fill_chain: the number of set bits of a block as a Markov chain, for schemes whose load is that number
// (1+alpha by set bits, gated). A kernel says how many new ones b bits make in a block with x ones.
//
//   plain block   b positions with replacement over U bits: a new one with probability 1 - x/U, x growing as they come
//   laned block   one lane after the other: the first L bits fall into different lanes and do not meet each other; only
//                 a second bit in the same lane can fall upon the first
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::theory {

class fill_kernel {
public:
  /// b bits over U usable bits in L lanes (1: a plain block); set[x] is the chance that a random position is one of x
  /// ones.
  fill_kernel(std::uint32_t usable_bits, std::uint32_t lanes, std::uint32_t bits, const std::vector<double>& set)
      : stride_(std::size_t{bits + 4} / 4 * 4) {
    chance_.assign((usable_bits + 1) * stride_, 0.0);
    const double lane_bits = static_cast<double>(usable_bits) / lanes;
    for (std::uint32_t x = 0; x <= usable_bits; ++x) {
      double* row = chance_.data() + x * stride_;
      row[0] = 1;
      // The chance that bit number `bit` is a new one after `added` were: neither one of the x nor one of its own. It
      // is the key's (bit / lanes)-th return to its lane, and each earlier visit left a new one with probability added
      // / bit.
      const auto fresh = [&](std::uint32_t bit, std::uint32_t added) {
        const std::uint32_t visits = bit / lanes;
        const double own = bit == 0 ? 0 : static_cast<double>(visits) * added / bit / lane_bits;
        return std::max(0.0, 1 - set[x] - own);
      };
      for (std::uint32_t bit = 0; bit < bits; ++bit) {
        for (std::uint32_t added = bit + 1; added > 0; --added) {
          const double stays = added <= bit ? row[added] * (1 - fresh(bit, added)) : 0;
          row[added] = stays + row[added - 1] * fresh(bit, added - 1);
        }
        row[0] *= 1 - fresh(bit, 0);
      }
    }
  }

  /// What add() writes to lies this far behind x at most.
  [[nodiscard]] std::size_t reach() const noexcept { return stride_; }
  /// Of blocks with x ones, `one` and `other` receive the bits: adds what follows to two laws of the ones. Fours of
  /// numbers, which compilers do at once: most of a model's time is spent here.
  void add(std::size_t x, double one, double* to_one, double other, double* to_other) const noexcept {
    const double* const row = chance_.data() + x * stride_;
    for (std::size_t i = 0; i < stride_; i += 4) {
      for (std::size_t j = i; j < i + 4; ++j) {
        to_one[x + j] += one * row[j];
        to_other[x + j] += other * row[j];
      }
    }
  }
  void add(std::size_t x, double one, double* to_one) const noexcept {
    const double* const row = chance_.data() + x * stride_;
    for (std::size_t i = 0; i < stride_; i += 4) {
      for (std::size_t j = i; j < i + 4; ++j) to_one[x + j] += one * row[j];
    }
  }

private:
  std::size_t stride_;  // of the rows, which have bits + 1 chances; zeros fill them up
  std::vector<double> chance_;
};

}  // namespace sluice::theory
