// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/threshold: SINGLE, SEQUENTIAL and MHT at any time, with a list, bounded or not, a budget, or without a list.
//
// With a list everything is in closed form or one differential equation: every table fills up as SINGLE does with what
// it was offered (theorem 6 for MHT, whatever its subtable sizes; one equation for SEQUENTIAL). Without a list a
// rejected key makes a full block fuller, and the system A.1 or A.5 is integrated with that flow added:
//
//   a block with load below h takes what arrives; at load h a share p + (1 - p) E; above h a share E,
//
// where E is the chance that a key which this block rejects is forced into it: all its other candidates reject it too,
// and it is this one's turn (first candidate: always for H_1; random: one in d). A candidate that contains the key by
// chance ends the walk, so "rejects" means there: rejects and does not contain. Blocks grow full without a list, so
// that matters. A list of bounded size is both, one after the other: until it is full there is a list, then keys are
// forced, or refused, which leaves the blocks as they are.
//
//   symbol here   the papers' letter
//   h, p, d       h, p, d
//   reject        f_n (A.4)      chance that a table rejects a key
//   tables[j]     f_(i,j)        loads of subtable j
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"

namespace sluice::theory {

/// A threshold scheme and what it is used for. fractions: the subtables' shares of the blocks; empty for SEQUENTIAL
/// (and SINGLE, with one choice), whose candidates share one table.
struct threshold_scheme {
  std::uint32_t choices = 1;
  std::vector<double> fractions = {};
  std::uint64_t threshold = 0;
  double acceptance = 1;
  overflow_rule overflow = overflow_rule::exact_list;
  double list_capacity = 0;  ///< keys per block; 0: no limit
  full_list_rule when_full = full_list_rule::refuse;
  double access_budget = 0;  ///< per block; 0: none

  /// Where a key goes that no block takes, once there is no room in a list.
  [[nodiscard]] overflow_rule forced_into() const {
    if (overflow != overflow_rule::exact_list) return overflow;
    return when_full == full_list_rule::random_candidate ? overflow_rule::random_candidate
                                                         : overflow_rule::first_candidate;
  }
};

/// f = sum_j (prod_(i<j) F_i) E_j[phi] and E(P) = sum_j prod_(i<j) F_i, where F_i is the chance that a block rejects
/// the key and does not contain it. `paper_rule`: a lookup goes on at every load >= h, not only where the coin says so,
/// and neither E(P) nor the usual formula, E(P) E[phi], asks whether a block contains the key.
[[nodiscard]] prediction predict(const threshold_scheme& s, const extend::local_filter& local, double keys_per_block,
                                 bool paper_rule = false);

}  // namespace sluice::theory
