// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// seeds: the seed of a new filter: the argument `seed`, or one that nobody can guess.
#pragma once

#include <cstdint>

#include "settings.hpp"
#include "sluice/hash.hpp"

namespace sluice::redis {

/// Throws random_error.
[[nodiscard]] inline std::uint64_t draw_seed() {
  const settings& s = current_settings();
  return s.seed ? *s.seed : random_seed();
}

}  // namespace sluice::redis
