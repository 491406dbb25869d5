// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filters of a few words or blocks, where chance has few ways to go: the rate and the reads that statistics compute
// from the bits are those that are counted. Double hashing puts the positions of a key on a line, and SEQUENTIAL's
// candidates may coincide. Counted over 30 filters and 50,000 absent keys each, within 5.5 standard errors: 4e-8 for a
// comparison, below 1e-6 in all.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

void expect_exact(const parameters& p, std::uint64_t keys, const std::string& what) {
  constexpr std::uint64_t filters = 30;
  constexpr std::uint64_t asked = 50'000;
  constexpr std::uint64_t absent = std::uint64_t{1} << 40;
  double expected = 0;
  double counted = 0;
  double variance = 0;
  double expected_reads = 0;
  double reads = 0;
  for (std::uint64_t seed = 1; seed <= filters; ++seed) {
    filter f(detail::with_seed(p, seed));
    for (std::uint64_t key = 0; key < keys; ++key) f.insert(key);
    const statistics s = f.stats();
    expected += s.fpr_from_fill;
    expected_reads += s.blocks_per_miss_from_fill;
    variance += s.fpr_from_fill * (1 - s.fpr_from_fill) / asked;
    for (std::uint64_t i = 0; i < asked; ++i) {
      const lookup_outcome seen = f.probe(absent + i);
      counted += seen.found ? 1.0 / asked : 0;
      reads += static_cast<double>(seen.accesses) / asked;
    }
  }
  EXPECT_NEAR(expected, counted, testing_support::sigmas * std::sqrt(variance)) << what;
  // A lookup reads at most 16 blocks or positions here; its standard deviation is below 3.
  EXPECT_NEAR(expected_reads, reads, testing_support::sigmas * 3 * std::sqrt(1.0 * filters / asked)) << what;
}

TEST(tiny, double_hashing_in_short_arrays) {
  for (const std::uint64_t bits : {64U, 65U, 96U, 128U, 509U}) {
    expect_exact(classic_parameters{.bits = bits, .hashes = 8, .form = hash_form::double_hashing}, bits / 10,
                 "classic, " + std::to_string(bits) + " bits");
    expect_exact(choice_parameters{.bits = bits, .groups = 2, .hashes = 7, .form = hash_form::double_hashing},
                 bits / 10, "choice, " + std::to_string(bits) + " bits");
  }
}

// What an untrusted file may say: every bit set, and as many positions as bits. Position by position this would take
// minutes.
TEST(tiny, many_positions_take_no_longer) {
  for (int i = 0; i < 20; ++i) {
    const filter f(classic_parameters{.bits = 2048, .hashes = 2048, .form = hash_form::double_hashing},
                   [](std::span<std::byte> bytes) {
                     std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
                     return std::uint64_t{1};
                   });
    ASSERT_EQ(f.stats().fpr_from_fill, 1);
  }
}

// The model of lanes is an expansion in how unevenly they are filled, and blocks of a few keys are most uneven. It must
// not say more than chance allows: that one key's bits are found by another's, of three positions or more. What is
// counted there is below 1e-4.
TEST(tiny, the_model_of_a_nearly_empty_block_is_small) {
  for (const std::uint32_t hashes : {3U, 4U, 5U, 8U, 12U}) {
    for (const double keys : {1.0, 2.0, 4.0}) {
      const theory::prediction p = theory::predict(blocked_parameters{.blocks = 1, .hashes = hashes}, keys);
      EXPECT_LT(p.fpr_exact, 5e-4) << hashes << " positions, " << keys << " keys";
    }
  }
}

TEST(tiny, sequential_of_a_few_blocks) {
  for (const std::uint64_t blocks : {2U, 3U, 5U}) {
    for (const std::uint32_t choices : {1U, 2U, 3U}) {
      if (choices > blocks) continue;
      expect_exact(sequential_parameters{.blocks = blocks,
                                         .block_bits = 64,
                                         .hashes = 4,
                                         .choices = choices,
                                         .threshold = 6,
                                         .acceptance = 0.5,
                                         .overflow = overflow_rule::first_candidate},
                   10 * blocks, std::to_string(blocks) + " blocks, " + std::to_string(choices) + " candidates");
    }
  }
}

}  // namespace
