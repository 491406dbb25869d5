// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/alpha: the loads of 1+alpha filters over time (Krimer and Erez, equation 3.5), with load counted in keys as
// the paper does, or in set bits as our filters do by default.
//
//   symbol here    the paper's letter
//   share[x]       D(x)          share of the blocks with load x
//   chosen[x]      P_choose(x)   chance that the less loaded of two blocks has load x: D(x)^2 + 2 D(x) sum_(j>x) D(j)
//   match[x]       q(x)          chance that a block of load x contains a random key
//   alpha          alpha
//
// The equation by set bits is the same, with the number of new ones in place of "one key more". What the paper leaves
// out matters to an overfull filter: a key that the other block contains by chance is not stored again, hence D(j) (1 -
// q(j)) for that block, and a lookup that is wrong in both blocks is wrong once: f = E q + alpha E q (1 - E q). The
// paper's own formulas, as they stand, are an option: every key is stored, and f = (1 + alpha) E q (3.1, 3.4), which
// exceeds 1 where blocks are overfull.
#pragma once

#include <cstdint>

#include "sluice/theory.hpp"

namespace sluice::theory {

struct alpha_scheme {
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 1;
  double alpha = 1;
  load_unit load = load_unit::set_bits;
};

/// Of the union of `shards` filters that were filled apart, each with this many keys per block. Loads in keys, which no
/// filter counts, are those of one shard. `paper_rule`: (3.4) and (3.5) as they stand.
[[nodiscard]] prediction predict(const alpha_scheme& s, double keys_per_block, std::uint64_t shards = 1,
                                 bool paper_rule = false);

}  // namespace sluice::theory
