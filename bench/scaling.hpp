// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bench {

/// Filters of ten thousand keys, ten times as many, and so on, up to `most`: what building and looking up take, by one
/// thread and by two. Prints a line of JSON for each.
void scaling(std::uint64_t most, int repetitions);

}  // namespace bench
