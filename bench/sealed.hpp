// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Sealed filters against gated ones of the same memory, and what it takes to build them.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// Lookups, for each number of keys.
void sealed_lookups(const std::vector<std::uint64_t>& keys, int repetitions);
/// By one thread and by two, which are not to be pinned.
void sealed_builds(std::uint64_t keys, int repetitions);

}  // namespace bench
