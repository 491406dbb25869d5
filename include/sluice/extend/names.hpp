// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/names: what the library knows of parameters, schemes, keys and numbers in sentences, and programs that extend
// it need as well, under a name that they may use. (As all of sluice/extend/, it may change with every version.)
#pragma once

#include "sluice/detail/check.hpp"
#include "sluice/detail/members.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/subtables.hpp"
#include "sluice/detail/version.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"
#include "sluice/key_origin.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/statistics.hpp"

namespace sluice::extend {

// Parameters of any scheme.
using detail::erases_keys;
using detail::folded_so_often;
using detail::groups_of;
using detail::is_sealed;
using detail::is_static;
using detail::ledger_layout;
using detail::normalised;  // as every filter has them: whole pages, and what follows from other members
using detail::page_bytes;
using detail::seed_of;
using detail::subtable_shares;
using detail::united;  // of a union of such filters
using detail::with_seed;

// Words.
using detail::all_scheme_traits;
using detail::for_each_member;
using detail::for_each_shown;
using detail::number_text;
using detail::plan_by_words;
using detail::scheme_from_name;
using detail::scheme_name;
using detail::text_of;
using detail::word_of;
using detail::words_of;

// Keys.
using detail::have_same_keys;
using detail::key_for;
using detail::most_letters_of_kmer;
using detail::require_kind;
using detail::require_same_keys;

using detail::check;       // of a growth, and of keys that are sequences
using detail::fpr_of_any;  // of several filters that are asked for a key
using detail::hash_bytes;  // of 64 bits, the same on every machine
using detail::uint128;
using detail::with_factor;  // of a growth

}  // namespace sluice::extend
