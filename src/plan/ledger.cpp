// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "plan/evaluate.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

constexpr double most_planned_keys = 1e17;

/// Keys that a block of a planned ledger has, at most.
[[nodiscard]] double planned_load(const ledger_layout& layout) {
  return (layout.remainder_bits == 24 ? 0.87 : 0.9) * layout.slots;
}

/// Keys of a block with which the rate is kept.
[[nodiscard]] double load_for(const ledger_layout& layout, double fpr) {
  return std::min(planned_load(layout), -std::log1p(-fpr) / layout.rate_of(1));
}

[[nodiscard]] ledger_parameters with_blocks(std::uint32_t rho, double blocks) {
  return {.blocks = static_cast<std::uint64_t>(std::max(1.0, blocks)), .remainder_bits = rho};
}

/// Whole blocks of a memory, and whole pages where there are several.
[[nodiscard]] double blocks_in(double memory_bits) {
  const double blocks = std::floor(memory_bits / ledger_layout::block_bits);
  const double page = page_bytes * 8.0 / ledger_layout::block_bits;
  return blocks <= page ? blocks : std::floor(blocks / page) * page;
}

struct ledger_of_keys {
  ledger_parameters params;
  double keys;
};

/// With the most keys at a rate.
[[nodiscard]] std::optional<ledger_of_keys> most_in(double blocks, double fpr) {
  std::optional<ledger_of_keys> best;
  for (const std::uint32_t rho : ledger_layout::all_remainders) {
    const double keys = std::floor(std::min(most_planned_keys, blocks * load_for(ledger_layout(rho), fpr)));
    if (keys >= 1 && (!best || keys > best->keys)) best = {with_blocks(rho, blocks), keys};
  }
  return best;
}

}  // namespace

std::optional<ledger_parameters> smallest_ledger(double fpr, double keys) {
  std::optional<ledger_parameters> best;
  for (const std::uint32_t rho : ledger_layout::all_remainders) {
    const double load = load_for(ledger_layout(rho), fpr);
    if (load < 1) continue;
    const ledger_parameters p = with_blocks(rho, std::ceil(keys / load));
    if (!best || p.blocks < best->blocks) best = p;
  }
  return best;
}

std::uint64_t planned_keys_of(const ledger_parameters& p, double fpr) {
  const double keys = static_cast<double>(p.blocks) * load_for(ledger_layout(p.remainder_bits), fpr);
  return static_cast<std::uint64_t>(std::min(most_planned_keys, keys));
}

std::optional<std::uint32_t> longest_remainder(double blocks, double keys) {
  std::optional<std::uint32_t> longest;
  for (const std::uint32_t rho : ledger_layout::all_remainders) {
    if (keys <= blocks * planned_load(ledger_layout(rho))) longest = rho;
  }
  return longest;
}

std::optional<plan_candidate> ledger_candidate(const plan_request& q, double keys) {
  if (q.block_bits != ledger_layout::block_bits || keys > most_planned_keys) return std::nullopt;
  if (q.keys && q.fpr) {
    const auto p = smallest_ledger(*q.fpr, keys);
    return p ? std::optional(evaluate(*p, keys, q)) : std::nullopt;
  }
  const double memory_bits = q.memory_bits.value_or(0);
  double blocks = blocks_in(memory_bits);
  for (int tries = 0; tries < 3 && blocks >= 1; ++tries) {
    std::optional<ledger_of_keys> held;
    if (!q.keys) {
      held = most_in(blocks, q.fpr.value_or(0));  // of keys, rate and memory two are given
    } else if (const auto rho = longest_remainder(blocks, keys)) {
      held = {with_blocks(*rho, blocks), keys};
    }
    if (!held) return std::nullopt;
    plan_candidate c = evaluate(held->params, held->keys, q);
    if (8 * c.memory_bytes <= memory_bits) return c;
    blocks = blocks_in(blocks * ledger_layout::block_bits - 1);  // the list needs a little
  }
  return std::nullopt;
}

}  // namespace sluice::detail::planning
