// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/choose: given parameters stay, the others are searched with the models or come from the planner's tables.
#include "sluice/extend/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "plan/descend.hpp"
#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "plan/ledger.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/theory.hpp"

namespace sluice::detail::planning {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The k with the fewest false positives at the planned load.
template <class P>
void choose_hashes(P& p, const std::optional<std::uint32_t>& given, double keys, double bits_per_key,
                   std::uint32_t least = 1) {
  if (given) {
    p.hashes = *given;
    return;
  }
  const auto start = std::max(least, static_cast<std::uint32_t>(std::lround(bits_per_key * 0.6)));
  int most = 256;
  if constexpr (requires { p.positions; }) {
    if (in_lanes(p)) most = lanes::most_positions;
  }
  const auto found = designs::descend({static_cast<int>(start)}, {2}, [&](const std::vector<int>& x) {
    if (x[0] < static_cast<int>(least) || x[0] > most) return infinite;
    P trial = p;
    trial.hashes = static_cast<std::uint32_t>(x[0]);
    return std::log(theory::predict(trial, keys).fpr_exact);
  });
  p.hashes = static_cast<std::uint32_t>(found[0]);
}

/// h and p: as given (then the dynamics say what they do), or the optimum for the accesses and the overflow.
template <class P>
void choose_threshold(P& p, const scheme_request& q, double accesses, double r, double gamma, chosen_scheme& result) {
  p.overflow = q.list;
  if (q.list_capacity) p.list_capacity = static_cast<std::uint64_t>(*q.list_capacity);
  p.when_full = q.when_full.value_or(full_list_rule::refuse);
  if (!q.threshold || !q.acceptance) {
    const theory::optimum best = theory::optimal_threshold(accesses, r, gamma);
    result.k0 = best.loads.k0;
    p.threshold = static_cast<std::uint32_t>(best.threshold);
    p.acceptance = best.acceptance;
  }
  if (q.threshold) p.threshold = *q.threshold;
  if (q.acceptance) p.acceptance = *q.acceptance;
}

parameters choose_gated(const scheme_request& q, std::uint64_t blocks, double keys, double bits_per_key) {
  gated_parameters p{.blocks = blocks, .block_bits = q.block_bits, .is_static = q.is_static};
  p.second = q.second;
  const double r = q.block_bits / bits_per_key;
  const theory::model_options united{.shards = q.shards};
  const auto which = q.is_static ? designs::family::static_gated : designs::family::gated;
  bool tabled = false;
  if (const auto known = designs::design(which, q.block_bits, bits_per_key, keys)) {
    const auto& best = std::get<gated_parameters>(*known);
    p.hashes = best.hashes, p.trace = best.trace, p.second_hashes = best.second_hashes;
    p.threshold = best.threshold, p.margin = best.margin;
    tabled = true;
  } else {
    p.trace = 4;
    p.hashes = std::max(p.trace + 1, static_cast<std::uint32_t>(std::lround(bits_per_key * 0.62)));
    p.margin = 8;
  }
  if (q.hashes) p.hashes = *q.hashes;
  if (q.hashes) p.trace = std::min(p.trace, std::max(p.hashes, 1U) - 1);  // smaller than k
  if (q.trace) p.trace = *q.trace;
  if (q.hashes || q.trace || !tabled) p.second_hashes = p.hashes > p.trace ? p.hashes - p.trace : p.hashes;
  if (q.second_hashes) p.second_hashes = *q.second_hashes;
  if (q.margin) p.margin = *q.margin;
  if (q.is_static && !q.threshold) p.threshold = std::max(1U, q.block_bits / 2);
  const bool free_shape = !q.is_static && (q.hashes || q.trace || q.second_hashes || !tabled);
  const auto usable = static_cast<int>(laned_block<>(q.block_bits).usable_bits());
  if (q.threshold) {
    p.threshold = *q.threshold;
  } else if (free_shape) {
    p.threshold = static_cast<std::uint32_t>(std::max(1.0, usable * -std::expm1(-0.92 * p.hashes * r / usable)));
  }
  if (free_shape && (!q.threshold || !q.margin)) {
    // Something of the table was overridden: the rest is fitted to it.
    const auto at = designs::descend({static_cast<int>(p.threshold), static_cast<int>(p.margin)},
                                     {q.threshold ? 0 : 8, q.margin ? 0 : 4}, [&](const std::vector<int>& x) {
                                       if (x[0] < 1 || x[0] > usable || x[1] < 0 || x[1] > usable) return infinite;
                                       auto trial = p;
                                       trial.threshold = static_cast<std::uint32_t>(x[0]);
                                       trial.margin = static_cast<std::uint32_t>(x[1]);
                                       return std::log(theory::predict(trial, keys, united).fpr_exact);
                                     });
    p.threshold = static_cast<std::uint32_t>(at[0]);
    p.margin = static_cast<std::uint32_t>(at[1]);
  } else if (tabled && !q.threshold && !q.margin) {
    double least = infinite;
    for (const auto& design : designs::for_shards(p, bits_per_key, q.shards)) {
      const double fpr = theory::predict(design, keys, united).fpr_exact;
      if (fpr < least) least = fpr, p = std::get<gated_parameters>(design);
    }
  }
  return p;
}

/// r as given, or the most whose filters of this many keys have no more than these bits a key.
parameters choose_sealed(const scheme_request& q, double keys, double bits_per_key) {
  sealed_parameters p{.blocks = 1,
                      .block_bits = q.block_bits,
                      .fingerprint_bits = q.fingerprint_bits.value_or(sealed_layout::least_fingerprint),
                      .seed = q.seed};
  p = std::get<sealed_parameters>(normalised(p));
  if (!q.fingerprint_bits) {
    const auto fits = [&](std::uint32_t r) {
      return 16.0 * q.block_bits / sealed_layout(q.block_bits, r).load_16ths() <= bits_per_key;
    };
    if (!fits(p.fingerprint_bits)) {
      throw parameter_error(
          "a sealed filter has at least " +
          std::to_string(16.0 * q.block_bits / sealed_layout(q.block_bits, p.fingerprint_bits).load_16ths()) +
          " bits a key with blocks of this size");
    }
    while (p.fingerprint_bits < sealed_layout::most_fingerprint && fits(p.fingerprint_bits + 1)) ++p.fingerprint_bits;
  }
  p.blocks = sealed_layout(p.block_bits, p.fingerprint_bits).blocks_for(static_cast<std::uint64_t>(keys));
  return p;
}

/// rho as given, or the longest whose slots are not fuller than the planner would have them.
parameters choose_ledger(const scheme_request& q, std::uint64_t blocks, double keys) {
  ledger_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
  if (q.remainder_bits) {
    p.remainder_bits = *q.remainder_bits;
    return p;
  }
  p = std::get<ledger_parameters>(normalised(p));
  const auto rho = longest_remainder(static_cast<double>(p.blocks), keys);
  if (!rho)
    throw parameter_error("a ledger needs at least 13 bits a key: with fewer it is full before all keys are in");
  p.remainder_bits = *rho;
  return p;
}

}  // namespace

chosen_scheme choose(const scheme_request& q, double default_keys) {
  if (q.bits_per_key && q.keys_per_block) {
    throw parameter_error("give either --bits-per-key or --keys-per-block, not both");
  }
  if (q.block_bits < 64 || q.block_bits > 4096) throw parameter_error("--block-bits is from 64 to 4096");
  chosen_scheme result;
  result.bits_per_key = q.keys_per_block ? q.block_bits / *q.keys_per_block : q.bits_per_key.value_or(16);
  if (!(result.bits_per_key > 0) || !(result.bits_per_key <= 4096)) {
    throw parameter_error("the number of bits per key must be positive, and 4096 at most");
  }
  const double beta = result.bits_per_key;
  result.planned_keys = q.keys.value_or(default_keys);
  if (!(result.planned_keys >= 1 && result.planned_keys <= 1e18)) throw parameter_error("--keys is from 1 to 1e18");
  if (q.is_static && q.scheme != scheme::gated)
    throw parameter_error("--static is for gated filters, made from all their keys");
  if (q.shards < 1 || q.shards > theory::most_shards) {
    throw parameter_error("--shards is from 1 to " + std::to_string(theory::most_shards));
  }
  if (q.shards > 1 && q.is_static) {
    throw parameter_error("static filters have no shards: build one filter of all keys");
  }
  if (q.form == hash_form::double_hashing && q.scheme != scheme::classic && q.scheme != scheme::choice) {
    throw parameter_error("--double-hashing is for classic filters and choice groups");
  }
  const scheme_traits& traits = traits_of(q.scheme);
  const bool may_be_full = traits.may_have_a_list && traits.takes_keys && !traits.erases_keys;
  if ((q.list_capacity || q.when_full) && (!may_be_full || q.list != overflow_rule::exact_list)) {
    throw parameter_error("--list-capacity and --when-full are for single, sequential and mht filters with a list");
  }
  if (q.when_full && !q.list_capacity)
    throw parameter_error("--when-full needs --list-capacity: without it a list is never full");
  if (q.list_capacity && !(*q.list_capacity >= 1 && *q.list_capacity <= 1e18)) {
    throw parameter_error("--list-capacity is from 1 to 1e18");
  }
  if (!(q.load > 0 && q.load <= 100)) throw parameter_error("--load is above 0 and 100 at most");
  const double n = result.planned_keys;
  result.keys = std::max(1.0, std::round(n * q.load));
  const std::uint64_t blocks = blocks_for(static_cast<std::uint64_t>(n), beta, q.block_bits);
  const double r = n / static_cast<double>(blocks);
  const double a = q.accesses.value_or(designs::accesses);

  if (!traits.has_blocks) {
    const auto bits = static_cast<std::uint64_t>(std::max(64.0, std::ceil(n * beta)));
    choice_parameters p{.bits = bits, .groups = q.scheme == scheme::classic ? 1 : q.groups.value_or(2), .seed = q.seed};
    p.form = q.form;
    choose_hashes(p, q.hashes, n, beta);
    if (q.scheme == scheme::classic) {
      result.params = classic_parameters{.bits = bits, .hashes = p.hashes, .form = p.form, .seed = q.seed};
    } else {
      result.params = p;
    }
  } else if (q.scheme == scheme::blocked) {
    blocked_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
    p.positions = q.positions.value_or(p.positions);
    choose_hashes(p, q.hashes, n, beta);
    result.params = p;
  } else if (q.scheme == scheme::alpha) {
    alpha_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
    p.alpha = q.alpha.value_or(designs::best_alpha(q.block_bits, beta).value_or(0.3));
    p.load = q.alpha_load;
    choose_hashes(p, q.hashes, n, beta);
    result.params = p;
  } else if (q.scheme == scheme::single) {
    single_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
    choose_threshold(p, q, 1, r, q.overflow.value_or(least_overflow(designs::accesses, designs::choices)), result);
    choose_hashes(p, q.hashes, n, beta);
    result.params = p;
  } else if (q.scheme == scheme::sequential) {
    sequential_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
    p.choices = q.choices.value_or(designs::choices);
    const bool explicit_rule = q.threshold && q.acceptance;
    const double gamma = q.overflow      ? *q.overflow
                         : explicit_rule ? 0
                                         : theory::least_overflow_sequential(a, p.choices, r);
    choose_threshold(p, q, a, r, gamma, result);
    if (q.budget) p.access_budget = static_cast<std::uint64_t>(std::llround(a * n));
    choose_hashes(p, q.hashes, n, beta);
    result.params = p;
  } else if (q.scheme == scheme::mht) {
    const std::uint32_t d = q.choices.value_or(designs::choices);
    const double gamma = q.overflow.value_or(least_overflow(a, d));
    result.subtables = subtable_fractions(a, gamma, d);
    mht_parameters p{.subtables = subtable_sizes(blocks, result.subtables), .block_bits = q.block_bits, .seed = q.seed};
    choose_threshold(p, q, a, r, gamma, result);
    if (q.budget) p.access_budget = static_cast<std::uint64_t>(std::llround(a * n));
    choose_hashes(p, q.hashes, n, beta);
    result.params = p;
  } else if (q.scheme == scheme::bloom_g) {
    bloom_g_parameters p{.blocks = blocks, .block_bits = q.block_bits, .seed = q.seed};
    p.positions = q.positions.value_or(p.positions);
    p.spread = q.choices.value_or(2);
    if (q.second == second_block::page && page_bytes % stride_for(q.block_bits) != 0) {
      throw parameter_error("blocks of " + std::to_string(q.block_bits) +
                            " bits do not divide a page of 4096 bytes; use a power of two, or --second table");
    }
    p.second = q.second;
    p.hashes = p.spread;
    choose_hashes(p, q.hashes, n, beta, p.spread);
    result.params = p;
  } else if (q.scheme == scheme::sealed) {
    if (n > 1e17) throw parameter_error("a sealed filter has at most 1e17 keys");
    result.params = choose_sealed(q, n, beta);
    result.bits_per_key = filter_bits(result.params) / n;
  } else if (q.scheme == scheme::ledger) {
    result.params = choose_ledger(q, blocks, n);
  } else {
    auto p = std::get<gated_parameters>(choose_gated(q, blocks, n, beta));
    p.seed = q.seed;
    result.params = p;
  }
  result.params = normalised(result.params);
  if (const std::string why_not = why_not_mergeable(result.params); q.shards > 1 && !why_not.empty()) {
    throw parameter_error("a " + std::string(name_of(q.scheme)) + " filter has no shards: " + why_not);
  }
  return result;
}

}  // namespace sluice::detail::planning
