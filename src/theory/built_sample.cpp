// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/built_sample.hpp"

#include <cstdint>
#include <vector>

#include "sluice/hash.hpp"

namespace sluice::theory {

std::vector<digest> sample_keys(std::uint64_t keys, std::uint64_t seed) {
  std::vector<digest> digests;
  digests.reserve(keys);
  for (std::uint64_t i = 0; i < keys; ++i) digests.push_back(hasher(seed)(i));
  return digests;
}

}  // namespace sluice::theory
