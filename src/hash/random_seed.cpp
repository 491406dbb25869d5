// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// hash/random_seed: from the operating system.
#include "hash/random_seed.hpp"

#include <sys/random.h>

#include <cstddef>
#include <cstdint>

#include "sluice/hash.hpp"

namespace sluice {

std::uint64_t random_seed() {
  return detail::random_seed_by([](void* bytes, std::size_t size) { return ::getentropy(bytes, size); });
}

}  // namespace sluice
