// theory/fill_chain: the number of set bits of a block as a Markov chain, for schemes whose load is that number
// (1+alpha by set bits, gated). A kernel says how many new ones b bits make in a block with x ones.
//
//   plain block   b positions with replacement over U bits: a new one with probability 1 - x/U, x growing as they come
//   laned block   one lane after the other: the first L bits fall into different lanes and do not meet each other; only a
//                 second bit in the same lane can fall upon the first
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
      : width_(bits + 1) {
    chance_.assign(static_cast<std::size_t>(usable_bits + 1) * width_, 0.0);
    const double lane_bits = static_cast<double>(usable_bits) / lanes;
    for (std::uint32_t x = 0; x <= usable_bits; ++x) {
      double* row = chance_.data() + static_cast<std::size_t>(x) * width_;
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

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] double operator()(std::uint32_t x, std::uint32_t added) const noexcept {
    return chance_[static_cast<std::size_t>(x) * width_ + added];
  }

private:
  std::uint32_t width_;
  std::vector<double> chance_;
};

}  // namespace sluice::theory
