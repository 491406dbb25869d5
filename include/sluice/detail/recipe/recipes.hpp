// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// recipe/recipes: which block, placement and overflow each scheme is made of. This table is the whole difference
// between the filters:
//
//   scheme            block            placement                        overflow
//   classic, choice   bit array        choice                           none                    (c = 1 is classic)
//   blocked           laned or plain   blocked                          none                    (plain: uniform)
//   alpha             plain, tallied   alpha                            none
//   single            counted          threshold over the whole table   exact list or forced    (1 candidate)
//   sequential        counted          threshold over the whole table   exact list or forced    (d candidates)
//   mht               counted          threshold over subtables         exact list or forced    (d candidates)
//   bloom-g           laned or plain   bloom_g                          none
//   gated             laned, gates     gated                            none
//   sealed            sealed           sealed                           sorted list             (a builder fills it)
//   ledger            ledger           ledger                           ledger list             (keys come and go)
//
// Run-time recipes keep their parameters as values. Those of recipe/preset_recipes.hpp may have compile-time numbers,
// too: presets include that file alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "sluice/detail/block/bit_array.hpp"
#include "sluice/detail/block/counted.hpp"
#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/block/ledger.hpp"
#include "sluice/detail/block/plain.hpp"
#include "sluice/detail/block/sealed.hpp"
#include "sluice/detail/block/tallied.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/overflow/exact_list.hpp"
#include "sluice/detail/overflow/forced.hpp"
#include "sluice/detail/overflow/ledger_list.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/detail/placement/alpha.hpp"
#include "sluice/detail/placement/blocked.hpp"
#include "sluice/detail/placement/bloom_g.hpp"
#include "sluice/detail/placement/choice.hpp"
#include "sluice/detail/placement/gated.hpp"
#include "sluice/detail/placement/ledger.hpp"
#include "sluice/detail/placement/sealed.hpp"
#include "sluice/detail/placement/threshold.hpp"
#include "sluice/detail/recipe/preset_recipes.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

using tallied_alpha_recipe = recipe<tallied_block<>, alpha_placement<>, no_overflow>;
template <hash_form Form>
using choice_recipe = recipe<bit_array<Form>, choice_placement, no_overflow>;
template <class Source, class Overflow>
using threshold_recipe = recipe<counted_block, threshold_placement<Source>, Overflow>;
template <class Block>
using bloom_g_recipe = recipe<Block, bloom_g_placement, no_overflow>;
using sealed_recipe = recipe<sealed_block, sealed_placement, sorted_list>;
template <std::uint32_t Rho>
using ledger_recipe = recipe<ledger_block<Rho>, ledger_placement<Rho>, ledger_list>;

/// Any recipe whose parameters are run-time values.
using any_recipe =
    std::variant<choice_recipe<hash_form::independent>, choice_recipe<hash_form::double_hashing>,
                 blocked_recipe<ungated_lanes<dynamic>, dynamic>, blocked_recipe<plain_block<>, dynamic>,
                 alpha_recipe<dynamic, dynamic>, tallied_alpha_recipe, threshold_recipe<whole_table, exact_list>,
                 threshold_recipe<whole_table, forced_overflow>, threshold_recipe<subtables, exact_list>,
                 threshold_recipe<subtables, forced_overflow>, bloom_g_recipe<ungated_lanes<dynamic>>,
                 bloom_g_recipe<plain_block<>>, gated_recipe<dynamic, dynamic, dynamic, dynamic, dynamic>,
                 sealed_recipe, ledger_recipe<8>, ledger_recipe<12>, ledger_recipe<15>, ledger_recipe<16>,
                 ledger_recipe<24>>;

// The builders. Precondition of each: the parameters are normalised.

/// Block is ungated_lanes or plain_block of run-time size, as the positions demand.
template <class Block>
[[nodiscard]] auto make_blocked_recipe(const blocked_parameters& p) {
  return blocked_recipe<Block, dynamic>{Block(p.block_bits), {p.blocks, p.hashes, p.folds}};
}
[[nodiscard]] inline any_recipe make_recipe(const blocked_parameters& p) {
  if (p.positions == position_rule::lanes) return make_blocked_recipe<ungated_lanes<dynamic>>(p);
  return make_blocked_recipe<plain_block<>>(p);
}

[[nodiscard]] inline auto make_tallied_recipe(const alpha_parameters& p) {
  return tallied_alpha_recipe{tallied_block<>(p.block_bits), {p.blocks, p.hashes, p.alpha}};
}

template <class P>
[[nodiscard]] any_recipe make_choice_recipe(const P& p, std::uint32_t groups) {
  const choice_placement placement(groups, p.hashes);
  if (p.form == hash_form::independent) {
    return choice_recipe<hash_form::independent>{bit_array<hash_form::independent>(p.bits, folds_in(p)), placement};
  }
  return choice_recipe<hash_form::double_hashing>{bit_array<hash_form::double_hashing>(p.bits), placement};
}
[[nodiscard]] inline any_recipe make_recipe(const choice_parameters& p) { return make_choice_recipe(p, p.groups); }
[[nodiscard]] inline any_recipe make_recipe(const classic_parameters& p) { return make_choice_recipe(p, 1); }

/// SINGLE, SEQUENTIAL and MHT: calls visit(recipe) with what they have of an overflow.
template <class Source, class P, class Visit>
[[nodiscard]] auto with_threshold_recipe(const P& p, const Source& source, const Visit& visit) {
  const counted_block block(p.block_bits, p.threshold);
  const threshold_placement<Source> placement(source, p.hashes, {p.threshold, p.acceptance});
  if (p.overflow != overflow_rule::exact_list) {
    return visit(threshold_recipe<Source, forced_overflow>{
        block, placement, {.random = p.overflow == overflow_rule::random_candidate}});
  }
  exact_list::options how{.capacity = p.list_capacity, .when_full = p.when_full};
  if constexpr (requires { p.access_budget; }) how.access_budget = p.access_budget;
  return visit(threshold_recipe<Source, exact_list>{block, placement, how});
}
template <class Source, class P>
[[nodiscard]] any_recipe make_threshold_recipe(const P& p, const Source& source) {
  return with_threshold_recipe(p, source, [](const auto& recipe) -> any_recipe { return recipe; });
}

[[nodiscard]] inline any_recipe make_recipe(const single_parameters& p) {
  return make_threshold_recipe(p, whole_table(p.blocks, 1));
}
[[nodiscard]] inline any_recipe make_recipe(const sequential_parameters& p) {
  return make_threshold_recipe(p, whole_table(p.blocks, p.choices));
}
[[nodiscard]] inline any_recipe make_recipe(const mht_parameters& p) {
  return make_threshold_recipe(p, subtables(p.subtables));
}
[[nodiscard]] inline any_recipe make_recipe(const bloom_g_parameters& p) {
  const bloom_g_placement placement(groups_of(p), p.hashes, p.spread);
  if (p.positions == position_rule::lanes) {
    return bloom_g_recipe<ungated_lanes<dynamic>>{ungated_lanes<dynamic>(p.block_bits), placement};
  }
  return bloom_g_recipe<plain_block<>>{plain_block<>(p.block_bits), placement};
}

[[nodiscard]] inline sealed_recipe make_recipe(const sealed_parameters& p) {
  return {sealed_block(sealed_layout(p.block_bits, p.fingerprint_bits)), sealed_placement(groups_of(p))};
}

template <std::uint32_t Rho>
[[nodiscard]] ledger_recipe<Rho> make_ledger_recipe(const ledger_parameters& p) {
  return {{},
          ledger_placement<Rho>(groups_of(p)),
          {.capacity = ledger_list::capacity_beside(p.blocks * ledger_layout_of<Rho>.slots)}};
}
/// Calls visit(recipe).
template <class Visit>
auto with_ledger_recipe(const ledger_parameters& p, const Visit& visit) {
  switch (p.remainder_bits) {
    case 8:
      return visit(make_ledger_recipe<8>(p));
    case 12:
      return visit(make_ledger_recipe<12>(p));
    case 16:
      return visit(make_ledger_recipe<16>(p));
    case 24:
      return visit(make_ledger_recipe<24>(p));
    default:
      return visit(make_ledger_recipe<15>(p));
  }
}
[[nodiscard]] inline any_recipe make_recipe(const ledger_parameters& p) {
  return with_ledger_recipe(p, [](const auto& recipe) -> any_recipe { return recipe; });
}

/// The run-time recipe of normalised parameters.
[[nodiscard]] inline any_recipe recipe_for(const parameters& p) {
  if (const auto* alpha = std::get_if<alpha_parameters>(&p); alpha != nullptr && alpha->load == load_unit::keys) {
    return make_tallied_recipe(*alpha);
  }
  return std::visit([](const auto& q) -> any_recipe { return make_recipe(q); }, p);
}

}  // namespace sluice::detail
