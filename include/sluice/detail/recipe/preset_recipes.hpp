// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// recipe/preset_recipes: the recipes whose numbers may be known at compile time: blocked, 1+alpha (and two-choice) and
// gated filters. recipe/recipes.hpp has the table of all; programs with presets need no other, and take a sixth less
// to compile.
#pragma once

#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/block/plain.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/placement/alpha.hpp"
#include "sluice/detail/placement/blocked.hpp"
#include "sluice/detail/placement/gated.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

template <number Bits>
using ungated_lanes = laned_block<Bits, false>;
template <class Block, number Hashes, number Folds = dynamic>
using blocked_recipe = recipe<Block, blocked_placement<Hashes, Folds>, no_overflow>;
template <number Bits, number Hashes>
using alpha_recipe = recipe<plain_block<Bits>, alpha_placement<Hashes>, no_overflow>;
template <number Bits, number Hashes, number Trace, number SecondHashes, number StaticGates, number Folds = dynamic>
using gated_recipe =
    recipe<laned_block<Bits>, gated_placement<Hashes, Trace, SecondHashes, StaticGates, Folds>, no_overflow>;

// The builders. Precondition of each: the parameters are normalised.

template <number Bits = dynamic, number Hashes = dynamic>
[[nodiscard]] auto make_recipe(const alpha_parameters& p) {
  return alpha_recipe<Bits, Hashes>{plain_block<Bits>(number_of<Bits>(p.block_bits)),
                                    {p.blocks, number_of<Hashes>(p.hashes), p.alpha}};
}

template <number Bits = dynamic, number Hashes = dynamic, number Trace = dynamic, number SecondHashes = dynamic,
          number StaticGates = dynamic, number Folds = dynamic>
[[nodiscard]] auto make_recipe(const gated_parameters& p) {
  const block_groups groups = groups_of(p);
  return gated_recipe<Bits, Hashes, Trace, SecondHashes, StaticGates, Folds>{
      laned_block<Bits>(number_of<Bits>(p.block_bits)),
      {{groups.drawn_blocks(), groups.drawn_group(), number_of<Folds>(p.folds)},
       number_of<Hashes>(p.hashes),
       number_of<Trace>(p.trace),
       number_of<SecondHashes>(p.second_hashes),
       p.rule(),
       number_of<StaticGates>(p.is_static ? 1 : 0)}};
}

}  // namespace sluice::detail
