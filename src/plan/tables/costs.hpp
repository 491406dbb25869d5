// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice-tables costs: what lookups of each scheme take, measured on this machine: src/plan/costs.hpp.
#pragma once

namespace sluice_tables {

/// Prints the file, with new rows for this processor and the old ones of others. Takes some minutes on a core that it
/// has for itself, and 2 GB.
void print_costs();

}  // namespace sluice_tables
