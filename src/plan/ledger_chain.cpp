// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/ledger_chain.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "plan/ledger.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"
#include "sluice/parameters.hpp"

namespace sluice::extend {

ledger_parameters first_ledger(std::uint64_t keys, double fpr, std::uint64_t seed) {
  auto p = detail::planning::smallest_ledger(fpr, static_cast<double>(keys));
  if (!p) throw parameter_error("no ledger has a false positive rate of " + detail::number_text(fpr));
  p->seed = seed;
  constexpr std::uint64_t page = detail::page_bytes * 8 / detail::ledger_layout::block_bits;
  if (p->blocks < page) p->blocks = std::bit_ceil(p->blocks);
  return std::get<ledger_parameters>(detail::normalised(*p));
}

std::uint64_t capacity_of_ledger(const ledger_parameters& p, double fpr) {
  return detail::planning::planned_keys_of(p, fpr);
}

std::uint64_t most_keys_of_ledger(const ledger_parameters& p) {
  return detail::most_ledger_keys(p.blocks, detail::ledger_layout(p.remainder_bits).slots);
}

ledger_parameters next_ledger(const ledger_parameters& last, std::uint64_t factor) {
  ledger_parameters next = last;
  next.blocks = detail::checked_product(last.blocks, factor, "the blocks of the next link");
  next = std::get<ledger_parameters>(detail::normalised(next));
  if (!are_nested(last, next)) {  // whole pages after a link that has none: keys would be lost
    throw parameter_error("a ledger of " + std::to_string(last.blocks) +
                          " blocks has no next link that is nested in it");
  }
  return next;
}

bool are_nested(const parameters& first, const parameters& second) {
  const auto* const a = std::get_if<ledger_parameters>(&first);
  const auto* const b = std::get_if<ledger_parameters>(&second);
  return a != nullptr && b != nullptr && a->remainder_bits == b->remainder_bits && a->seed == b->seed &&
         a->blocks != 0 && b->blocks % a->blocks == 0;
}

double rate_of_ledger(const ledger_parameters& p, std::uint64_t keys) {
  return detail::ledger_layout(p.remainder_bits).rate_of(static_cast<double>(keys) / static_cast<double>(p.blocks));
}

}  // namespace sluice::extend
