// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A program that includes xxHash itself, before sluice's headers or after them (SLUICE_FIRST), in each of the ways that
// xxHash knows (XXH_INLINE_ALL, XXH_STATIC_LINKING_ONLY, neither). It has what it asked for, and sluice what it needs.
#if SLUICE_FIRST
#include <sluice/filter.hpp>
#ifdef XXH_VERSION_NUMBER
#error "sluice's headers include xxHash"
#endif
#include <xxhash.h>
#else
#include <xxhash.h>
//
#include <sluice/filter.hpp>
#endif

int main() {
  sluice::filter f(sluice::blocked_parameters{.blocks = 10, .hashes = 8});
  f.insert("sluice");
#if defined(XXH_INLINE_ALL) || defined(XXH_STATIC_LINKING_ONLY)
  XXH3_state_t state;
  XXH3_64bits_reset_withSeed(&state, 7);
  XXH3_64bits_update(&state, "sluice", 6);
  const sluice::digest own{XXH3_64bits_digest(&state)};
#else
  const sluice::digest own{XXH3_64bits_withSeed("sluice", 6, 7)};
#endif
  return f.may_contain("sluice") && own == sluice::hasher(7)("sluice") ? 0 : 1;
}
