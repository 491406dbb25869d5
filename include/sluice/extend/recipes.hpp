// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/recipes: blocks, placements and recipes (docs/architecture.md), for programs that show what they do, or
// imitate them: the page's picture of a filter, the papers' tables of chains, the floor that filters are timed against.
// Cost: what is used, as in the library itself.
#pragma once

#include "sluice/detail/bulk/bulk.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/placement/alpha.hpp"
#include "sluice/detail/placement/blocked.hpp"
#include "sluice/detail/placement/candidates.hpp"
#include "sluice/detail/placement/threshold.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/detail/recipe/statistics.hpp"

namespace sluice::extend {

// Memory and digests.
namespace bits = detail::bits;
using detail::first_block;
using detail::owned_bytes;
using detail::reduce;
using detail::bulk::ring;

// Blocks.
namespace lanes = detail::lanes;
using detail::position_slice;
using detail::ungated_lanes;

// Placements.
using detail::alpha_placement;
using detail::blocked_placement;
using detail::most_candidates;
using detail::probe;
using detail::subtables;
using detail::threshold_placement;
using detail::threshold_rule;
using detail::walk;
using detail::walk_end;
using detail::walk_result;
using detail::whole_table;

// Recipes.
using detail::access_tally;
using detail::alpha_recipe;
using detail::blocked_recipe;
using detail::dynamic;
using detail::exact_list;
using detail::gated_recipe;
using detail::make_blocked_recipe;
using detail::make_recipe;
using detail::statistics_of;
using detail::threshold_recipe;
using detail::with_threshold_recipe;

}  // namespace sluice::extend
