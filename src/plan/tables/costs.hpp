// sluice-tables costs: what lookups of each scheme take, measured on this machine: src/plan/costs.hpp.
#pragma once

namespace sluice_tables {

/// Prints the table. Takes some minutes on a core that it has for itself, and 2 GB.
void print_costs();
/// The same of sealed filters: src/plan/sealed_costs.hpp.
void print_sealed_costs();

}  // namespace sluice_tables
