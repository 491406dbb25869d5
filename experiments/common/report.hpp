// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The report: one page that needs nothing else, with every figure, table, verdict, and how they were made.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/store.hpp"

namespace experiments {

[[nodiscard]] std::string page(const std::vector<std::pair<const experiment*, record>>& all);

}  // namespace experiments
