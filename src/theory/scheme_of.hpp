// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/scheme_of: the part of a filter's parameters that the models of Bloom-g, blocked and gated filters need.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/parameters.hpp"
#include "theory/bloom_g.hpp"

namespace sluice::theory {

/// The part of the blocks among which a key's further blocks are drawn; a table of one group never varies.
template <class P>
[[nodiscard]] double group_of(const P& p) {
  const detail::block_groups groups = sluice::detail::groups_of(p);
  return groups.drawn_group() == groups.drawn_blocks() ? std::numeric_limits<double>::infinity()
                                                       : static_cast<double>(groups.drawn_group());
}

/// The blocks of a filter, or the bits of an array, that there are after all folds: the last may be less than one.
template <class P>
[[nodiscard]] double blocks_of(const P& p) {
  return std::ldexp(static_cast<double>(p.blocks), -static_cast<int>(detail::folds_in(p)));
}

[[nodiscard]] inline spread_scheme spread_of(const blocked_parameters& p) {
  return {p.block_bits, p.hashes, 1, std::numeric_limits<double>::infinity(), p.positions == position_rule::lanes};
}
[[nodiscard]] inline spread_scheme spread_of(const bloom_g_parameters& p) {
  const detail::block_groups groups = sluice::detail::groups_of(p);
  const auto others = static_cast<double>(groups.drawn_group() - 1);
  return {.block_bits = p.block_bits,
          .hashes = p.hashes,
          .spread = p.spread,
          .group_blocks = std::isfinite(group_of(p)) ? static_cast<double>(groups.group_blocks()) : group_of(p),
          .lanes = p.positions == position_rule::lanes,
          .coincide = p.folds == 0 ? 0 : std::min(1.0, (std::ldexp(1.0, static_cast<int>(p.folds)) - 1) / others)};
}

}  // namespace sluice::theory
