// sluice: everything a user includes, in namespace sluice. What is in detail/ is in sluice::detail, and not for users.
// A key passes the layers in this order:
//   hash.hpp -> detail/placement/ -> detail/block/ -> detail/overflow/ -> filter.hpp
// theory.hpp says what will come of it, plan.hpp which filter is best, simulate.hpp what real ones do.
#pragma once

#include "sluice/builders.hpp"           // IWYU pragma: export
#include "sluice/detail/version.hpp"     // IWYU pragma: export
#include "sluice/errors.hpp"             // IWYU pragma: export
#include "sluice/file.hpp"               // IWYU pragma: export
#include "sluice/filter.hpp"             // IWYU pragma: export
#include "sluice/growing_filter.hpp"     // IWYU pragma: export
#include "sluice/hash.hpp"               // IWYU pragma: export
#include "sluice/parameters.hpp"         // IWYU pragma: export
#include "sluice/plan.hpp"               // IWYU pragma: export
#include "sluice/presets.hpp"            // IWYU pragma: export
#include "sluice/resealable_filter.hpp"  // IWYU pragma: export
#include "sluice/sealed_map.hpp"         // IWYU pragma: export
#include "sluice/simulate.hpp"           // IWYU pragma: export
#include "sluice/statistics.hpp"         // IWYU pragma: export
#include "sluice/theory.hpp"             // IWYU pragma: export
