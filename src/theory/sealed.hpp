// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/sealed: what a sealed filter comes to: a few dozen groups of random keys are built and looked at
// (built_sample.hpp). The false positive rate needs no model: it is 2^-r, less in blocks with few keys.
#pragma once

#include <cstdint>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

inline constexpr std::uint64_t sealed_groups = 24;  // that are built

/// How many keys a prediction puts into filters.
[[nodiscard]] double sealed_keys_built(const sealed_parameters& p, double keys);

/// A filter of this many keys. Throws parameter_error where its blocks have no room for them.
[[nodiscard]] prediction predict_sealed(sealed_parameters p, double keys);

}  // namespace sluice::theory
