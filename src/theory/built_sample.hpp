// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/built_sample: predictions for filters whose builders search, static gated and sealed ones, and for ledgers.
// Local search has no formula that is worth having; it is fast, so it is done: filters of random keys are built and
// looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/hash.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

[[nodiscard]] std::vector<digest> sample_keys(std::uint64_t keys, std::uint64_t seed);

/// What a filter of these keys does. gate_closed(block, digest): is the gate of its class closed, so that a hit reads a
/// second block?
template <class Recipe, class GateClosed>
[[nodiscard]] prediction look_at_built(const Recipe& recipe, std::span<const std::byte> bytes,
                                       std::span<const digest> keys, std::uint64_t listed,
                                       const GateClosed& gate_closed) {
  const statistics s = statistics_of(recipe, bytes.data(), {.keys = listed}, keys.size());
  const auto n = static_cast<double>(keys.size());
  const auto blocks = recipe.blocks(bytes.data());
  const auto moved = std::count_if(keys.begin(), keys.end(),
                                   [&](digest x) { return gate_closed(blocks[recipe.placement.at(x, 0).block], x); });
  prediction seen;
  seen.fpr_usual = seen.fpr_exact = s.fpr_from_fill;
  seen.accesses_miss = s.blocks_per_miss_from_fill;
  seen.accesses_hit = seen.accesses_insert = 1 + static_cast<double>(moved) / n;
  seen.overflow_fraction = static_cast<double>(listed) / n;
  seen.unit = recipe.block.unit;
  if (seen.unit == load_unit::set_bits) return seen;  // no model tells loads in bits
  for (const std::uint64_t count : s.load_histogram) {
    seen.loads.push_back(static_cast<double>(count) / static_cast<double>(s.blocks));
  }
  return seen;
}

/// The mean over filters of seeds 0, 1 and so on. look(seed) builds one.
template <class Look>
[[nodiscard]] prediction mean_of_built(std::uint64_t filters, const Look& look) {
  prediction mean;
  const double share = 1.0 / static_cast<double>(filters);
  for (std::uint64_t seed = 0; seed < filters; ++seed) {
    const prediction one = look(seed);
    mean.unit = one.unit;
    mean.fpr_usual = mean.fpr_exact += share * one.fpr_exact;
    mean.accesses_miss += share * one.accesses_miss;
    mean.accesses_hit += share * one.accesses_hit;
    mean.accesses_insert += share * one.accesses_insert;
    mean.overflow_fraction += share * one.overflow_fraction;
    mean.loads.resize(std::max(mean.loads.size(), one.loads.size()));
    for (std::size_t load = 0; load < one.loads.size(); ++load) mean.loads[load] += share * one.loads[load];
  }
  return mean;
}

}  // namespace sluice::theory
