// outcomes: what an operation did, and the blocks that it read.
#pragma once

#include <cstdint>

namespace sluice {

struct lookup_outcome {
  bool found;
  std::uint32_t accesses;
};

struct insert_outcome {
  bool was_new;
  std::uint32_t accesses;
};

}  // namespace sluice
