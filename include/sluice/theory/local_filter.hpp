// theory/local_filter: the false positive rate of one block that holds i keys of k bits each in U usable bits.
//
//   usual   (1 - (1 - 1/U)^(k i))^k: what textbooks and the papers print; takes the number of ones as certain
//   exact   the expectation of (ones / U)^k over the number of ones; larger, and what real filters have
//
// The law of the ones is a Markov chain: a thrown bit hits one of x ones with probability x / U.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace sluice::theory {

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
    const auto u = static_cast<double>(usable_bits);
    std::vector<double> power(usable_bits + 1);
    for (std::uint64_t x = 0; x <= usable_bits; ++x) power[x] = std::pow(static_cast<double>(x) / u, hashes);
    std::vector<double> ones(usable_bits + 1);
    ones[0] = 1;
    std::uint64_t least = 0;  // ones[least .. most] are all that is not negligible
    std::uint64_t most = 0;
    std::vector<double> fpr;
    fpr.reserve(most_keys + 1);
    for (std::uint64_t keys = 0;; ++keys) {
      double sum = 0;
      for (std::uint64_t x = least; x <= most; ++x) sum += ones[x] * power[x];
      fpr.push_back(sum);
      if (keys == most_keys) return fpr;
      for (std::uint32_t bit = 0; bit < hashes; ++bit) {
        if (most < usable_bits) ++most;
        for (std::uint64_t x = most; x > least; --x) {
          ones[x] = ones[x] * (static_cast<double>(x) / u) + ones[x - 1] * (1 - static_cast<double>(x - 1) / u);
        }
        ones[least] *= static_cast<double>(least) / u;
        while (least < most && ones[least] < 1e-30) ones[least++] = 0;
        while (most > least && ones[most] < 1e-30) ones[most--] = 0;
      }
    }
  }
};

}  // namespace sluice::theory
