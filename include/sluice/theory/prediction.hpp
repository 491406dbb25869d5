// theory/prediction: what a model says about a filter, the same slots as sluice::statistics has.
#pragma once

#include <cstdint>

#include "sluice/block/block.hpp"
#include "sluice/theory/distribution.hpp"

namespace sluice::theory {

struct prediction {
  double fpr_usual = 0;  ///< with the usual approximation of a local filter; schemes that have none: the same as exact
  double fpr_exact = 0;  ///< expectation over the number of set bits: what a real filter has
  double accesses_insert = 0;
  double accesses_hit = 0;
  double accesses_miss = 0;
  double overflow_fraction = 0;  ///< of the keys: in the list, or forced
  load_unit unit = load_unit::keys;
  distribution loads = {};  ///< share of the blocks with load i; empty for classic filters and choice groups
};

}  // namespace sluice::theory
