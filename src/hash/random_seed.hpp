// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// hash/random_seed: how sluice::random_seed() is made of random bytes, whoever gives them.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include "sluice/errors.hpp"

namespace sluice::detail {

/// fill(bytes, size) returns 0, or sets errno: getentropy, or what a test has in its place.
template <class Fill>
[[nodiscard]] std::uint64_t random_seed_by(const Fill& fill) {
  std::uint64_t seed = 0;
  while (seed == 0) {  // which is what a seed is that nobody has chosen
    if (fill(&seed, sizeof seed) != 0) {
      throw random_error("there is no random seed: the system gives no random bytes: " +
                         std::generic_category().message(errno));
    }
  }
  return seed;
}

}  // namespace sluice::detail
