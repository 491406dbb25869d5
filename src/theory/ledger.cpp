// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/errors.hpp"
#include "sluice/theory.hpp"
#include "theory/built_sample.hpp"

namespace sluice::theory {

namespace {

constexpr std::uint64_t most_pages = 16;    // of a sample
constexpr std::uint64_t most_filters = 64;  // where they are smaller than a page

/// Filters that are filled, and their blocks.
struct ledger_sample {
  std::uint64_t filters;
  std::uint64_t blocks;
};

[[nodiscard]] ledger_sample sample_of(const ledger_parameters& p) {
  const detail::block_groups groups = detail::groups_of(p);
  const std::uint64_t pages = groups.blocks() / groups.group_blocks();
  if (pages > 1) return {1, std::min(pages, most_pages) * groups.group_blocks()};
  return {std::min(most_filters, most_pages * 64 / p.blocks), p.blocks};
}

/// Keys of a filter of the sample.
[[nodiscard]] std::uint64_t keys_of(const ledger_sample& sample, const ledger_parameters& p, double keys) {
  const double share = static_cast<double>(sample.blocks) / static_cast<double>(p.blocks);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(keys * share)));
}

/// One filter, filled and turned over, and looked at.
template <class Recipe>
[[nodiscard]] prediction look_at_ledger(const Recipe& recipe, std::uint64_t seed, std::uint64_t count,
                                        std::uint32_t turnovers) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(recipe.bytes()));
  detail::ledger_list list(recipe.overflow_how);
  std::vector<digest> keys = sample_keys(count, seed);
  std::uint64_t inserted_with = 0;  // accesses of the insertions that count
  for (const digest x : keys) inserted_with += recipe.insert(bytes.data(), list, x).accesses;
  const hasher others(~seed);
  std::uint64_t next = 0;
  for (std::uint32_t turn = 0; turn < turnovers; ++turn) {
    inserted_with = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      digest& x = keys[detail::reduce(detail::full_mix(next), count)];
      static_cast<void>(recipe.erase_listed(bytes.data(), list, x) || recipe.erase_entry(bytes.data(), x));
      x = others(next++);
      inserted_with += recipe.insert(bytes.data(), list, x).accesses;
    }
  }
  const auto blocks = recipe.blocks(bytes.data());
  std::uint64_t hit = 0;
  for (const digest x : keys) hit += recipe.placement.walk(blocks, x).accesses;
  const statistics s = statistics_of(recipe, bytes.data(), list.state(), count);
  const auto n = static_cast<double>(count);
  prediction seen;
  seen.accesses_miss = s.blocks_per_miss_from_fill;
  seen.accesses_hit = static_cast<double>(hit) / n;
  seen.accesses_insert = static_cast<double>(inserted_with) / n;
  seen.overflow_fraction = static_cast<double>(list.size()) / n;
  for (const std::uint64_t some : s.load_histogram) {
    seen.loads.push_back(static_cast<double>(some) / static_cast<double>(s.blocks));
  }
  return seen;
}

}  // namespace

double ledger_keys_inserted(const ledger_parameters& p, double keys, std::uint32_t turnovers) {
  const ledger_sample sample = sample_of(p);
  return static_cast<double>(sample.filters * keys_of(sample, p, keys)) * (1.0 + turnovers);
}

prediction predict_ledger(ledger_parameters p, double keys, std::uint32_t turnovers) {
  const detail::ledger_layout layout(p.remainder_bits);
  const std::uint64_t most = detail::most_ledger_keys(p.blocks, layout.slots);
  if (keys > static_cast<double>(most)) {
    throw parameter_error("a ledger of " + std::to_string(p.blocks) + " blocks is full with " + std::to_string(most) +
                          " keys");
  }
  const double entries =
      std::ldexp(static_cast<double>(p.blocks) * layout.quotients, static_cast<int>(layout.remainder_bits));
  const ledger_sample sample = sample_of(p);
  const std::uint64_t count = keys_of(sample, p, keys);
  p.blocks = sample.blocks;
  prediction mean = mean_of_built(sample.filters, [&](std::uint64_t seed) {
    return detail::with_ledger_recipe(
        p, [&](const auto& recipe) { return look_at_ledger(recipe, seed, count, turnovers); });
  });
  mean.fpr_usual = mean.fpr_exact = -std::expm1(keys * std::log1p(-1 / entries));
  return mean;
}

}  // namespace sluice::theory
