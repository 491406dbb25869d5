// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan/descend: minimises a function of a few small integers, one coordinate at a time, with shrinking steps: enough
// for costs with one valley, which is what the parameters of our schemes have once k is fixed.
#pragma once

#include <functional>
#include <vector>

namespace sluice::detail::designs {

/// Starts at `at`; a step of 0 keeps its coordinate. The cost of what is not allowed is infinite.
[[nodiscard]] std::vector<int> descend(std::vector<int> at, std::vector<int> steps,
                                       const std::function<double(const std::vector<int>&)>& cost);

}  // namespace sluice::detail::designs
