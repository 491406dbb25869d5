// growth: how a filter grows for people who do not know how many keys will come. growing_filter.hpp does the growing; a file remembers how.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/errors.hpp"

namespace sluice {

struct growth {
  double fpr = 0.001;                 ///< of the whole chain, whatever its length
  std::uint64_t first_keys = 32'768;  ///< that the first link holds
  std::uint32_t factor = 8;           ///< how many times more each link holds than the one before
  std::uint32_t block_bits = 512;
  std::uint64_t seed = 0;  ///< of the hash; 0 is known to everybody: random_seed() where strangers choose keys
  friend bool operator==(const growth&, const growth&) = default;
};

/// Throws parameter_error for a growth that makes no sense.
inline void check(const growth& how) {
  const auto demand = [](bool holds, const char* sentence) {
    if (!holds) throw parameter_error(std::string("growing filter: ") + sentence);
  };
  // Later links have ever smaller shares of it: the tenth, of 3.5e13 keys, a two-thousandth, which 64 bits a key reach.
  demand(how.fpr >= 1e-9 && how.fpr < 1, "the false positive rate of a chain is from 1e-9 to 1");
  demand(how.first_keys >= 64, "the first link holds at least 64 keys");
  demand(how.factor >= 2 && how.factor <= 64, "each link holds 2 to 64 times the keys of the one before");
  demand(how.block_bits >= 64 && how.block_bits <= 4096, "a block has 64 to 4096 bits");
}

}  // namespace sluice
