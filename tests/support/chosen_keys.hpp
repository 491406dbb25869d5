// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys as a party chooses them that knows the seed: full_mix is a bijection, so a digest with any derived word can be
// computed, and an integer with any digest. For tests of what such keys can do.
#pragma once

#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/hash.hpp"

namespace testing_support {

/// The x with full_mix(x) = y.
[[nodiscard]] constexpr std::uint64_t unmix(std::uint64_t y) {
  const auto unshift = [](std::uint64_t x, int by) {
    std::uint64_t out = x;
    for (int at = by; at < 64; at += by) out ^= x >> at;
    return out;
  };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;  // right in 3 bits; each round doubles them
    for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
    return x;
  };
  y = unshift(y, 31) * inverse(0x94d049bb133111ebU);
  y = unshift(y, 27) * inverse(0xbf58476d1ce4e5b9U);
  return unshift(y, 30);
}

/// The digest whose home in an exact list of any size is in the low bits of this word.
[[nodiscard]] constexpr sluice::digest digest_at_home(std::uint64_t word) {
  return sluice::digest{unmix(word) - (static_cast<std::uint64_t>(sluice::detail::use::overflow_slot) << 56) *
                                          sluice::detail::golden};
}

/// The integer key that has this digest under this seed.
[[nodiscard]] constexpr std::uint64_t integer_with(sluice::digest x, std::uint64_t seed = 0) {
  return unmix(x.value) ^ sluice::detail::full_mix(seed + sluice::detail::golden);
}

static_assert(sluice::detail::derive(digest_at_home(12345), sluice::detail::use::overflow_slot) == 12345);
static_assert(sluice::hasher(7)(integer_with(sluice::digest{99}, 7)).value == 99);

}  // namespace testing_support
