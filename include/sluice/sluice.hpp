// sluice: everything a user includes. A key passes the layers in this order:
//   hash.hpp -> placement/ -> block/ -> overflow/ -> filter.hpp; theory.hpp says what will come of it, plan.hpp which filter is best.
#pragma once

#include "sluice/builders.hpp"        // IWYU pragma: export
#include "sluice/chained_table.hpp"   // IWYU pragma: export
#include "sluice/concurrent.hpp"      // IWYU pragma: export
#include "sluice/errors.hpp"          // IWYU pragma: export
#include "sluice/file.hpp"            // IWYU pragma: export
#include "sluice/filter.hpp"          // IWYU pragma: export
#include "sluice/filter/metered.hpp"  // IWYU pragma: export
#include "sluice/growing_filter.hpp"  // IWYU pragma: export
#include "sluice/hash.hpp"            // IWYU pragma: export
#include "sluice/keyed_filter.hpp"    // IWYU pragma: export
#include "sluice/parameters.hpp"      // IWYU pragma: export
#include "sluice/plan.hpp"            // IWYU pragma: export
#include "sluice/presets.hpp"         // IWYU pragma: export
#include "sluice/random_seed.hpp"     // IWYU pragma: export
#include "sluice/theory.hpp"          // IWYU pragma: export
#include "sluice/view.hpp"            // IWYU pragma: export
