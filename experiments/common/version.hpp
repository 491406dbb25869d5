// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What was used: for the report, and so that results of another version are not taken for this one's.
#pragma once

#include <string>

namespace experiments {

[[nodiscard]] std::string compiler();
/// As the system names it; "unknown" where it does not.
[[nodiscard]] std::string processor();

}  // namespace experiments
