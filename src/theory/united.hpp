// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/united: the number of ones of a block of a union, from the law of the same block in its shards. The shards are
// filled apart from each other, so their blocks are independent, and the union of blocks is a plain OR.
//
// Ones come from throws of bits: with T(x) throws a block has x ones on average, and throws add up. So the law of T is
// convolved, on a grid of one throw, and turned back into ones. What remains is the chance of bits to meet: given the
// throws, the variance of the ones follows from the chance that two given bits are both empty, and the law is smoothed
// by a normal one.
// Invariants: one shard is left as it is; shares that add up to less than 1 (those with an open gate) are multiplied.
// Cost: about a million multiplications.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::theory {

class united_blocks {
public:
  /// throws[x]: how many throws leave x ones, in any unit, ascending from 0. Of the union of this many equal shards.
  united_blocks(std::vector<double> throws, std::uint64_t shards)
      : throws_(std::move(throws)),
        usable_(static_cast<std::uint32_t>(throws_.size() - 1)),
        shards_(shards),
        unit_(throws_[1]) {
    throws_.front() = 0;  // a search for it may end a rounding above
  }

  /// [x]: the share of the blocks with x ones, of a shard; the same of the union.
  [[nodiscard]] std::vector<double> operator()(const std::vector<double>& shard) const {
    if (shards_ <= 1) return shard;
    law all{0, {1.0}};
    law power = put_on_grid(shard);
    for (std::uint64_t left = shards_;; power = together(power, power)) {
      if (left % 2 == 1) all = together(all, power);
      left /= 2;
      if (left == 0) break;
    }
    return ones_of(all);
  }

private:
  static constexpr double negligible = 1e-22;

  /// Shares of sums from `first` grid points on.
  struct law {
    std::size_t first;
    std::vector<double> share;
  };

  [[nodiscard]] law put_on_grid(const std::vector<double>& shard) const {
    law result{0, {}};
    for (std::size_t x = 0; x < shard.size(); ++x) {
      if (shard[x] <= negligible) continue;
      const double where = throws_[x] / unit_;
      const auto below = static_cast<std::size_t>(where);
      if (result.share.size() < below + 2) result.share.resize(below + 2);
      const double rest = where - static_cast<double>(below);
      result.share[below] += shard[x] * (1 - rest);
      result.share[below + 1] += shard[x] * rest;
    }
    return trim(std::move(result));
  }

  [[nodiscard]] static law trim(law l) {
    std::size_t begin = 0;
    while (begin + 1 < l.share.size() && l.share[begin] <= negligible) ++begin;
    while (l.share.size() > begin + 1 && l.share.back() <= negligible) l.share.pop_back();
    l.share.erase(l.share.begin(), l.share.begin() + static_cast<std::ptrdiff_t>(begin));
    l.first += begin;
    return l;
  }

  [[nodiscard]] static law together(const law& a, const law& b) {
    law sum{a.first + b.first, std::vector<double>(a.share.size() + b.share.size())};
    for (std::size_t i = 0; i < a.share.size(); ++i) {
      if (a.share[i] <= negligible) continue;
      for (std::size_t j = 0; j < b.share.size(); ++j) sum.share[i + j] += a.share[i] * b.share[j];
    }
    return trim(std::move(sum));
  }

  [[nodiscard]] std::vector<double> ones_of(const law& all) const {
    const double u = usable_;
    const auto n = static_cast<double>(shards_);
    std::vector<double> ones(usable_ + 1);
    for (std::size_t i = 0; i < all.share.size(); ++i) {
      const double thrown = static_cast<double>(all.first + i) * unit_;
      const auto above = std::upper_bound(throws_.begin(), throws_.end(), thrown);
      double mean = u;
      if (above != throws_.end()) {
        const auto x = static_cast<std::size_t>(above - throws_.begin()) - 1;
        mean = static_cast<double>(x) + (thrown - throws_[x]) / (throws_[x + 1] - throws_[x]);
      }
      const double empty = std::max(0.5 / u, 1 - mean / u);
      const double sum = -std::log(empty);
      // Two given bits are both empty a little less often than if they were independent; the shards are taken as equal.
      const double both = std::pow(std::max(0.0, 1 - std::expm1(sum / n) / (u - 1)), n) * empty * empty;
      const double variance = std::max(0.0, u * empty * (1 - empty) + u * (u - 1) * (both - empty * empty));
      spread(ones, all.share[i], mean, std::sqrt(variance));
    }
    return ones;
  }

  /// Puts a share upon the numbers around a mean, as a normal law of this deviation does.
  void spread(std::vector<double>& ones, double share, double mean, double deviation) const {
    if (deviation < 0.3) {  // between two numbers
      const double below = std::min(std::floor(mean), static_cast<double>(usable_) - 1);
      ones[static_cast<std::size_t>(below)] += share * (below + 1 - mean);
      ones[static_cast<std::size_t>(below) + 1] += share * (mean - below);
      return;
    }
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(mean - 8 * deviation)));
    const auto high = std::min<std::size_t>(usable_, static_cast<std::size_t>(std::ceil(mean + 8 * deviation)));
    const auto weight = [&](std::size_t x) {
      const double away = (static_cast<double>(x) - mean) / deviation;
      return std::exp(-away * away / 2);
    };
    double total = 0;
    for (std::size_t x = low; x <= high; ++x) total += weight(x);
    for (std::size_t x = low; x <= high; ++x) ones[x] += share * weight(x) / total;
  }

  std::vector<double> throws_;
  std::uint32_t usable_;
  std::uint64_t shards_;
  double unit_;
};

}  // namespace sluice::theory
