// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Every composition that exists, as the conformance suite runs it, and the filters of golden files: so a new scheme is
// tested by adding a line to each. Parameters are good ones for about 16 bits a key; `blocks` is what the test asks
// for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"

namespace testing_support {

struct scheme_case {
  std::string name;
  std::uint32_t block_bits;
  std::uint64_t least_blocks;  // of a filter of this scheme
  std::function<sluice::parameters(std::uint64_t blocks, std::uint64_t seed)> make;
};

inline std::vector<std::uint64_t> three_subtables(std::uint64_t blocks) {
  return sluice::detail::subtable_sizes(
      blocks, sluice::detail::subtable_fractions(1.2, sluice::detail::least_overflow(1.2, 3), 3));
}

inline sluice::gated_parameters gated_case(std::uint64_t blocks, std::uint64_t seed) {
  return {.blocks = blocks, .hashes = 11, .trace = 4, .second_hashes = 9, .threshold = 200, .margin = 20, .seed = seed};
}

inline const std::vector<scheme_case>& all_schemes() {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  static const std::vector<scheme_case> cases = {
      // Arrays are sized in words of 64 bits.
      {"classic", 64, 1,
       [](auto m, auto seed) -> parameters { return classic_parameters{.bits = 64 * m, .hashes = 11, .seed = seed}; }},
      {"classic_double_hashing", 64, 1,
       [](auto m, auto seed) -> parameters {
         return classic_parameters{.bits = 64 * m, .hashes = 11, .form = hash_form::double_hashing, .seed = seed};
       }},
      {"choice_2", 64, 1,
       [](auto m, auto seed) -> parameters {
         return choice_parameters{.bits = 64 * m, .groups = 2, .hashes = 13, .seed = seed};
       }},
      {"choice_3_double_hashing", 64, 1,
       [](auto m, auto seed) -> parameters {
         return choice_parameters{
             .bits = 64 * m + 1, .groups = 3, .hashes = 13, .form = hash_form::double_hashing, .seed = seed};
       }},
      {"bloom_2", 512, 2,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{.blocks = m, .hashes = 12, .spread = 2, .seed = seed};
       }},
      {"bloom_3_uneven_256", 256, 3,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{.blocks = m, .block_bits = 256, .hashes = 11, .spread = 3, .seed = seed};
       }},
      {"bloom_2_table_500", 500, 2,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{
             .blocks = m, .block_bits = 500, .hashes = 11, .spread = 2, .second = second_block::table, .seed = seed};
       }},
      {"blocked_512", 512, 1,
       [](auto m, auto seed) -> parameters { return blocked_parameters{.blocks = m, .hashes = 9, .seed = seed}; }},
      {"blocked_256", 256, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = m, .block_bits = 256, .hashes = 9, .seed = seed};
       }},
      {"blocked_many_hashes", 512, 1,
       [](auto m, auto seed) -> parameters { return blocked_parameters{.blocks = m, .hashes = 39, .seed = seed}; }},
      {"blocked_uniform", 512, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = m, .hashes = 9, .positions = position_rule::uniform, .seed = seed};
       }},
      {"bloom_2_lanes", 512, 2,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{
             .blocks = m, .hashes = 12, .spread = 2, .positions = position_rule::lanes, .seed = seed};
       }},
      {"bloom_3_lanes_uneven_256", 256, 3,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{.blocks = m,
                                   .block_bits = 256,
                                   .hashes = 17,
                                   .spread = 3,
                                   .positions = position_rule::lanes,
                                   .seed = seed};
       }},
      {"blocked_64", 64, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = m, .block_bits = 64, .hashes = 8, .seed = seed};
       }},
      {"blocked_500", 500, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = m, .block_bits = 500, .hashes = 11, .seed = seed};
       }},
      {"blocked_4096", 4096, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = m, .block_bits = 4096, .hashes = 11, .seed = seed};
       }},
      {"alpha_30", 512, 2,
       [](auto m, auto seed) -> parameters {
         return alpha_parameters{.blocks = m, .hashes = 10, .alpha = 0.3, .seed = seed};
       }},
      {"two_choice", 256, 2,
       [](auto m, auto seed) -> parameters {
         return alpha_parameters{.blocks = m, .block_bits = 256, .hashes = 11, .alpha = 1, .seed = seed};
       }},
      {"two_choice_by_keys_500", 500, 2,
       [](auto m, auto seed) -> parameters {
         return alpha_parameters{
             .blocks = m, .block_bits = 500, .hashes = 11, .alpha = 1, .load = load_unit::keys, .seed = seed};
       }},
      {"single", 512, 1,
       [](auto m, auto seed) -> parameters {
         return single_parameters{.blocks = m, .hashes = 10, .threshold = 39, .acceptance = 0.027, .seed = seed};
       }},
      {"sequential", 512, 3,
       [](auto m, auto seed) -> parameters {
         return sequential_parameters{
             .blocks = m, .hashes = 11, .choices = 3, .threshold = 30, .acceptance = 0.161, .seed = seed};
       }},
      {"sequential_500", 500, 2,
       [](auto m, auto seed) -> parameters {
         return sequential_parameters{.blocks = m,
                                      .block_bits = 500,
                                      .hashes = 11,
                                      .choices = 2,
                                      .threshold = 31,
                                      .acceptance = 0.5,
                                      .seed = seed};
       }},
      {"mht", 512, 3,
       [](auto m, auto seed) -> parameters {
         return mht_parameters{
             .subtables = three_subtables(m), .hashes = 11, .threshold = 32, .acceptance = 0.0528, .seed = seed};
       }},
      {"single_forced", 512, 1,
       [](auto m, auto seed) -> parameters {
         return single_parameters{.blocks = m,
                                  .hashes = 10,
                                  .threshold = 34,
                                  .acceptance = 0.3,
                                  .overflow = overflow_rule::first_candidate,
                                  .seed = seed};
       }},
      {"sequential_forced_random", 512, 3,
       [](auto m, auto seed) -> parameters {
         return sequential_parameters{.blocks = m,
                                      .hashes = 11,
                                      .choices = 3,
                                      .threshold = 30,
                                      .acceptance = 0.161,
                                      .overflow = overflow_rule::random_candidate,
                                      .seed = seed};
       }},
      {"mht_forced", 512, 3,
       [](auto m, auto seed) -> parameters {
         return mht_parameters{.subtables = three_subtables(m),
                               .hashes = 11,
                               .threshold = 32,
                               .acceptance = 0.0528,
                               .overflow = overflow_rule::first_candidate,
                               .seed = seed};
       }},
      {"mht_forced_random_256", 256, 3,
       [](auto m, auto seed) -> parameters {
         return mht_parameters{.subtables = three_subtables(m),
                               .block_bits = 256,
                               .hashes = 11,
                               .threshold = 15,
                               .acceptance = 0.5,
                               .overflow = overflow_rule::random_candidate,
                               .seed = seed};
       }},
      // Budgets that are spent when about three quarters of the planned keys are in.
      {"sequential_budget", 512, 3,
       [](auto m, auto seed) -> parameters {
         return sequential_parameters{.blocks = m,
                                      .hashes = 11,
                                      .choices = 3,
                                      .threshold = 20,
                                      .acceptance = 0.5,
                                      .access_budget = 30 * m,
                                      .seed = seed};
       }},
      {"mht_budget", 512, 3,
       [](auto m, auto seed) -> parameters {
         return mht_parameters{.subtables = three_subtables(m),
                               .hashes = 11,
                               .threshold = 28,
                               .acceptance = 0.5,
                               .access_budget = 28 * m,
                               .seed = seed};
       }},
      {"gated_page", 512, 1, [](auto m, auto seed) -> parameters { return gated_case(m, seed); }},
      {"gated_table", 512, 1,
       [](auto m, auto seed) -> parameters {
         auto p = gated_case(m, seed);
         p.second = second_block::table;
         return p;
       }},
      {"gated_short_trace", 512, 1,
       [](auto m, auto seed) -> parameters {
         auto p = gated_case(m, seed);
         p.trace = 3;
         p.second_hashes = 10;
         return p;
       }},
      {"gated_no_trace", 512, 1,
       [](auto m, auto seed) -> parameters {
         auto p = gated_case(m, seed);
         p.trace = 0;
         p.second_hashes = 11;
         return p;
       }},
      {"gated_256", 256, 1,
       [](auto m, auto seed) -> parameters {
         return gated_parameters{.blocks = m,
                                 .block_bits = 256,
                                 .hashes = 10,
                                 .trace = 3,
                                 .second_hashes = 8,
                                 .threshold = 86,
                                 .margin = 5,
                                 .seed = seed};
       }},
      {"gated_many_hashes", 512, 1,
       [](auto m, auto seed) -> parameters {
         return gated_parameters{
             .blocks = m, .hashes = 26, .trace = 4, .second_hashes = 24, .threshold = 170, .margin = 1, .seed = seed};
       }},
      // Folded: of more blocks, or bits, of which so many are left, the last from fewer than the others where it may
      // be.
      {"classic_folded", 64, 1,
       [](auto m, auto seed) -> parameters {
         return classic_parameters{.bits = 512 * m - 5, .hashes = 11, .folds = 3, .seed = seed};
       }},
      {"blocked_folded", 512, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = 4 * m - 1, .hashes = 9, .folds = 2, .seed = seed};
       }},
      {"blocked_500_folded", 500, 1,
       [](auto m, auto seed) -> parameters {
         return blocked_parameters{.blocks = 2 * m - 1, .block_bits = 500, .hashes = 11, .folds = 1, .seed = seed};
       }},
      {"bloom_2_folded", 512, 1,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{.blocks = 8 * m, .hashes = 12, .spread = 2, .folds = 3, .seed = seed};
       }},
      {"bloom_3_table_lanes_folded", 512, 2,
       [](auto m, auto seed) -> parameters {
         return bloom_g_parameters{.blocks = 2 * m - 1,
                                   .hashes = 12,
                                   .spread = 3,
                                   .second = second_block::table,
                                   .positions = position_rule::lanes,
                                   .folds = 1,
                                   .seed = seed};
       }},
      {"gated_folded", 512, 1,
       [](auto m, auto seed) -> parameters {
         auto p = gated_case(4 * m, seed);
         p.folds = 2;
         return p;
       }},
      {"gated_table_folded", 512, 1,
       [](auto m, auto seed) -> parameters {
         auto p = gated_case(2 * m - 1, seed);
         p.second = second_block::table;
         p.folds = 1;
         return p;
       }},
      {"gated_256_folded_beyond_pages", 256, 1,
       [](auto m, auto seed) -> parameters {
         return gated_parameters{.blocks = 256 * m,
                                 .block_bits = 256,
                                 .hashes = 10,
                                 .trace = 3,
                                 .second_hashes = 8,
                                 .threshold = 86,
                                 .margin = 5,
                                 .folds = 8,
                                 .seed = seed};
       }},
  };
  return cases;
}

/// Blocks for `keys` keys at about 16 bits each, at least as many as the scheme needs.
inline std::uint64_t blocks_for_case(const scheme_case& scheme, std::uint64_t keys, double bits_per_key = 16) {
  return std::max(scheme.least_blocks, sluice::blocks_for(keys, bits_per_key, scheme.block_bits));
}

/// The filters that have a golden file, as they are when they are empty: at least one of every scheme.
struct golden_parameters {
  std::string name;
  sluice::key_kind kind;
  sluice::parameters params;
};

inline std::vector<golden_parameters> all_golden_parameters() {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  return {
      {"classic", key_kind::bytes, classic_parameters{.bits = 2000, .hashes = 8, .seed = 1}},
      {"classic-double-hashing", key_kind::u64,
       classic_parameters{.bits = 2001, .hashes = 8, .form = hash_form::double_hashing, .seed = 2}},
      {"choice", key_kind::bytes, choice_parameters{.bits = 2000, .groups = 3, .hashes = 9, .seed = 3}},
      {"blocked", key_kind::bytes, blocked_parameters{.blocks = 5, .hashes = 9, .seed = 4}},
      {"blocked-256-uniform", key_kind::u32,
       blocked_parameters{.blocks = 9, .block_bits = 256, .hashes = 8, .positions = position_rule::uniform, .seed = 5}},
      {"alpha", key_kind::bytes, alpha_parameters{.blocks = 5, .hashes = 9, .alpha = 0.5, .seed = 6}},
      {"alpha-by-keys", key_kind::u64,
       alpha_parameters{.blocks = 5, .block_bits = 500, .hashes = 9, .alpha = 1, .load = load_unit::keys, .seed = 7}},
      {"single", key_kind::bytes,
       single_parameters{.blocks = 5, .hashes = 9, .threshold = 30, .acceptance = 0.25, .seed = 8}},
      {"sequential-budget", key_kind::u64,
       sequential_parameters{.blocks = 5, .hashes = 9, .choices = 3, .threshold = 28, .access_budget = 140, .seed = 9}},
      {"sequential-forced", key_kind::bytes,
       sequential_parameters{.blocks = 5,
                             .hashes = 9,
                             .choices = 2,
                             .threshold = 20,
                             .overflow = overflow_rule::first_candidate,
                             .seed = 10}},
      {"mht", key_kind::bytes,
       mht_parameters{.subtables = {4, 2, 1}, .block_bits = 256, .hashes = 8, .threshold = 12, .seed = 11}},
      {"mht-bounded-list", key_kind::u64,
       mht_parameters{.subtables = {3, 2},
                      .hashes = 8,
                      .threshold = 20,
                      .list_capacity = 12,
                      .when_full = full_list_rule::random_candidate,
                      .seed = 21}},
      {"mht-forced-at-random", key_kind::u64,
       mht_parameters{
           .subtables = {3, 2}, .hashes = 8, .threshold = 20, .overflow = overflow_rule::random_candidate, .seed = 12}},
      {"bloom-2", key_kind::bytes, bloom_g_parameters{.blocks = 5, .hashes = 9, .seed = 13}},
      {"bloom-3-table", key_kind::u64,
       bloom_g_parameters{.blocks = 9,
                          .block_bits = 256,
                          .hashes = 10,
                          .spread = 3,
                          .second = second_block::table,
                          .positions = position_rule::lanes,
                          .seed = 14}},
      {"gated", key_kind::bytes,
       gated_parameters{
           .blocks = 5, .hashes = 10, .trace = 4, .second_hashes = 8, .threshold = 180, .margin = 10, .seed = 15}},
      {"gated-one-block", key_kind::bytes,
       gated_parameters{
           .blocks = 1, .hashes = 5, .trace = 0, .second_hashes = 4, .threshold = 200, .margin = 0, .seed = 20}},
      {"gated-256-table", key_kind::u64,
       gated_parameters{.blocks = 70,
                        .block_bits = 256,
                        .hashes = 20,
                        .trace = 3,
                        .second_hashes = 18,
                        .threshold = 60,
                        .margin = 5,
                        .second = second_block::table,
                        .seed = 16}},
      {"classic-folded", key_kind::bytes, classic_parameters{.bits = 8001, .hashes = 8, .folds = 2, .seed = 28}},
      {"blocked-folded", key_kind::bytes, blocked_parameters{.blocks = 19, .hashes = 9, .folds = 2, .seed = 29}},
      {"bloom-2-folded", key_kind::u64, bloom_g_parameters{.blocks = 10, .hashes = 9, .folds = 1, .seed = 30}},
      {"gated-folded", key_kind::bytes,
       gated_parameters{.blocks = 320,
                        .hashes = 10,
                        .trace = 4,
                        .second_hashes = 8,
                        .threshold = 180,
                        .margin = 10,
                        .folds = 6,
                        .seed = 31}},
      {"ledger", key_kind::bytes, ledger_parameters{.blocks = 5, .remainder_bits = 12, .seed = 24}},
      {"ledger-24-in-pages", key_kind::u64, ledger_parameters{.blocks = 65, .remainder_bits = 24, .seed = 25}},
  };
}

}  // namespace testing_support
