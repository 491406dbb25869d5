// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice: what a user includes, in namespace sluice. Each header begins with what it is for, an example, what it
// promises (invariants, threads) and what it costs. Filters that are known at compile time (presets.hpp) take long to
// compile: who uses them includes that header, too.
//
//   which filter   plan.hpp (the best for a budget), parameters.hpp (of your own), theory.hpp and simulate.hpp (what
//                  comes of them: computed, and measured), statistics.hpp (what a filter has)
//   filters        filter.hpp (and its view, and the one that threads share), growing_filter.hpp (keys without number),
//                  builders.hpp and sealed_map.hpp (keys, or pairs, that are all known), resealable_filter.hpp (and
//                  some later)
//   around them    hash.hpp (keys), key_origin.hpp (what they were made of), file.hpp, errors.hpp
//
// A key passes hash.hpp -> detail/placement/ -> detail/block/ -> detail/overflow/. What is in detail/ is in
// sluice::detail, and not for users; extend/ is for programs that keep filters in places of their own, and may change
// with every version (docs/versions.md says what others promise).
#pragma once

#include "sluice/builders.hpp"           // IWYU pragma: export
#include "sluice/detail/version.hpp"     // IWYU pragma: export
#include "sluice/errors.hpp"             // IWYU pragma: export
#include "sluice/file.hpp"               // IWYU pragma: export
#include "sluice/filter.hpp"             // IWYU pragma: export
#include "sluice/growing_filter.hpp"     // IWYU pragma: export
#include "sluice/hash.hpp"               // IWYU pragma: export
#include "sluice/parameters.hpp"         // IWYU pragma: export
#include "sluice/plan.hpp"               // IWYU pragma: export
#include "sluice/resealable_filter.hpp"  // IWYU pragma: export
#include "sluice/sealed_map.hpp"         // IWYU pragma: export
#include "sluice/simulate.hpp"           // IWYU pragma: export
#include "sluice/statistics.hpp"         // IWYU pragma: export
#include "sluice/theory.hpp"             // IWYU pragma: export
