// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory: what a filter will do, before any memory is spent; and the papers' balancing problem behind the threshold
// schemes. The models are compiled in the library (src/theory/); docs/theory.md explains them.
//
//   sluice::theory::predict(sluice::gated_parameters{...}, 1'000'000).fpr_exact
//
//   symbol here     the papers' letter
//   accesses        a          mean blocks read per insertion
//   keys_per_block  r          n / m
//   overflow        gamma      share of the keys that no block takes
//   k0              k_0        the largest load that is not cut off
//   threshold       h          = k0 at the optimum
//   acceptance      p          probability of accepting a key at load exactly h
//   bound           P_LB       the best load distribution (theorem 1)
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/detail/subtables.hpp"
#include "sluice/errors.hpp"
#include "sluice/parameters.hpp"

namespace sluice::theory {

// How MHT divides its blocks among its candidates (detail/subtables.hpp): the least share of keys that overflow, the
// shares of the blocks, and whole blocks in these shares, for mht_parameters::subtables.
using detail::least_overflow;
using detail::subtable_fractions;
using detail::subtable_sizes;

/// [i]: the probability, or the share of the blocks, of load i.
using distribution = std::vector<double>;

/// What a model says about a filter: the same slots as sluice::statistics has.
struct prediction {
  double fpr_usual = 0;  ///< with the usual approximation of a local filter; schemes that have none: the same as exact
  double fpr_exact = 0;  ///< expectation over the number of set bits: what a real filter has
  double accesses_insert = 0;
  double accesses_hit = 0;
  double accesses_miss = 0;
  double overflow_fraction = 0;  ///< of the keys: in the list, or forced
  double refused_fraction = 0;   ///< of the keys that came: a bounded list had no room for them
  load_unit unit = load_unit::keys;
  distribution loads = {};  ///< share of the blocks with load i; empty for classic filters and choice groups
};

struct model_options {
  /// The papers' formulas as they stand. SINGLE, SEQUENTIAL, MHT: lookups go on at every load >= h; 1+alpha: f = (1 +
  /// alpha) q, which may exceed 1, and keys that a block contains by chance are stored all the same.
  bool paper_rule = false;
  /// The union of this many filters, each with an equal share of the keys. Where a key goes may depend on what is
  /// there, so a union may have more false positives than one filter with all keys.
  std::uint64_t shards = 1;
  /// Of a ledger: how often all its keys were erased and others inserted since it was filled, 16 at most. After eight
  /// nothing changes any more.
  std::uint32_t turnovers = 0;
};
inline constexpr std::uint64_t most_shards = 65'536;  ///< that a model of a union takes

/// The prediction for a filter of these parameters that holds `keys` distinct keys, at least one. Throws
/// parameter_error for parameters that describe no filter, and for those whose model would take more than a few seconds
/// or leaves the range of numbers: they may come from an untrusted file.
[[nodiscard]] SLUICE_API prediction predict(const parameters& p, double keys, const model_options& options = {});

/// Models of many filters within one bound of work. A file may have thousands of filters with untrusted parameters; who
/// prints what the models say of them has a second or two for all of them together.
class SLUICE_API model_allowance {
public:
  struct answer {
    std::optional<prediction> predicted = std::nullopt;
    std::string why_not = {};  ///< a sentence, where nothing is predicted
  };
  explicit model_allowance(double steps = 1.5e9) : left_(steps) {}  ///< of about a nanosecond each
  [[nodiscard]] answer operator()(const parameters& p, double keys);

private:
  double left_;
};

/// k0 of a distribution that is nowhere cut off.
inline constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();

struct lower_bound {
  std::uint64_t k0 = 0;
  distribution bound;
};

/// Theorems 1 and 2: no scheme does better, for ANY convex cost. X ~ Poisson(a r) is cut off at k0 so that the mean is
/// r (1 - gamma); what is cut off sits on k0 and k0 + 1. Throws parameter_error for what cannot be.
[[nodiscard]] SLUICE_API lower_bound best_loads(double accesses, double keys_per_block, double overflow);

/// What blocks of these loads cost on average: the sum of P(i) cost(i), for any cost of a load.
[[nodiscard]] SLUICE_API double cost_of(const distribution& loads, const std::function<double(std::uint64_t)>& cost);

/// Appendix C: the cost whose average is the variance of loads with this mean.
[[nodiscard]] SLUICE_API std::function<double(std::uint64_t)> variance_cost(double mean);

/// SINGLE in closed form: the loads after `offered` keys per block were offered to blocks that accept below h, and at h
/// with probability p (A.8). SEQUENTIAL's and every MHT subtable's loads are the same function of what they were
/// offered.
[[nodiscard]] SLUICE_API distribution threshold_loads(double offered, std::uint64_t threshold, double acceptance);

/// How a threshold scheme reaches the bound.
struct optimum {
  std::uint64_t threshold = 0;  ///< h
  double acceptance = 1;        ///< p
  double overflow = 0;          ///< gamma
  lower_bound loads = {};
};

/// Theorems 3 to 5: h = k0, and p solves f_h(p) = P_LB(k0). Throws parameter_error.
[[nodiscard]] SLUICE_API optimum optimal_threshold(double accesses, double keys_per_block, double overflow);

/// The least overflow at which SEQUENTIAL reaches the bound with a mean of `accesses`: the equations spend exactly that
/// mean, with h and p recomputed for every trial. Throws parameter_error.
[[nodiscard]] SLUICE_API double least_overflow_sequential(double accesses, std::uint32_t choices,
                                                          double keys_per_block);

/// One point of the optimality region: with `accesses`, the bound is reached from this overflow on.
struct region_point {
  double accesses;
  double overflow_sequential;
  double overflow_mht;
};

/// The whole (a, gamma) curve between two means, ends included. Throws parameter_error.
[[nodiscard]] SLUICE_API std::vector<region_point> optimality_region(double from, double to, std::uint32_t points,
                                                                     std::uint32_t choices, double keys_per_block);

}  // namespace sluice::theory
