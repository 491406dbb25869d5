// theory/scheme_of: the part of a filter's parameters that the models of Bloom-g, blocked and gated filters need.
#pragma once

#include <limits>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/parameters.hpp"
#include "theory/bloom_g.hpp"

namespace sluice::theory {

/// The part of the blocks among which a key's further blocks are drawn; a table of one group never varies.
template <class P>
[[nodiscard]] double group_of(const P& p) {
  const detail::block_groups groups = sluice::detail::groups_of(p);
  return groups.group_blocks() == groups.blocks() ? std::numeric_limits<double>::infinity()
                                                  : static_cast<double>(groups.group_blocks());
}

[[nodiscard]] inline spread_scheme spread_of(const blocked_parameters& p) {
  return {p.block_bits, p.hashes, 1, std::numeric_limits<double>::infinity(), p.positions == position_rule::lanes};
}
[[nodiscard]] inline spread_scheme spread_of(const bloom_g_parameters& p) {
  return {p.block_bits, p.hashes, p.spread, group_of(p), p.positions == position_rule::lanes};
}

}  // namespace sluice::theory
