// sluice: everything a user includes. The layers, in the order in which a key passes them:
//   hash.hpp -> placement/ -> block/ -> overflow/ -> filter.hpp; theory/ computes their parameters.
#pragma once

#include "sluice/chained_table.hpp"     // IWYU pragma: export
#include "sluice/choice_builder.hpp"    // IWYU pragma: export
#include "sluice/concurrent.hpp"        // IWYU pragma: export
#include "sluice/errors.hpp"            // IWYU pragma: export
#include "sluice/file.hpp"              // IWYU pragma: export
#include "sluice/filter.hpp"            // IWYU pragma: export
#include "sluice/hash.hpp"              // IWYU pragma: export
#include "sluice/parameters.hpp"        // IWYU pragma: export
#include "sluice/presets.hpp"           // IWYU pragma: export
#include "sluice/random_seed.hpp"       // IWYU pragma: export
#include "sluice/static_builder.hpp"    // IWYU pragma: export
#include "sluice/theory/subtables.hpp"  // IWYU pragma: export
#include "sluice/view.hpp"              // IWYU pragma: export
