// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Every use of a digest is independent of every other, pairwise: chi-square over 16 x 16 cells. The same measure is
// shown to catch filters that share bits between two uses, which no test of false negatives would notice.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace {

using sluice::digest;
using sluice::detail::derive;
using sluice::detail::use;
using testing_support::uniformity_deviation;
using testing_support::uniformity_limit;

constexpr std::uint64_t digests_seen = 200'000;
constexpr std::uint64_t buckets = 16;

struct feature {
  std::string name;
  std::function<std::uint64_t(digest)> bucket;  // in [0, buckets)
};

double joint_deviation(const feature& a, const feature& b) {
  const sluice::hasher hash(11);
  std::vector<std::uint64_t> counts(buckets * buckets);
  for (std::uint64_t i = 0; i < digests_seen; ++i) {
    const digest x = hash(i);
    ++counts[a.bucket(x) * buckets + b.bucket(x)];
  }
  return uniformity_deviation(counts);
}

// The high bits are what reduce() uses, the low ones what a mask would: both must be clean.
feature high(const std::string& name, std::function<std::uint64_t(digest)> word) {
  return {name + " (high bits)", [word = std::move(word)](digest x) { return word(x) >> 60; }};
}
feature low(const std::string& name, std::function<std::uint64_t(digest)> word) {
  return {name + " (low bits)", [word = std::move(word)](digest x) { return word(x) & 15; }};
}

TEST(hash_independence, all_uses_pairwise) {
  struct named_word {
    std::string name;
    std::function<std::uint64_t(digest)> word;
  };
  const auto of = [](sluice::detail::use purpose, std::uint64_t index) {
    return [=](digest x) { return sluice::detail::derive(x, purpose, index); };
  };
  const std::vector<named_word> words = {
      {"the digest itself", [](digest x) { return x.value; }},
      {"candidate 0", of(sluice::detail::use::candidate, 0)},
      {"candidate 1", of(sluice::detail::use::candidate, 1)},
      {"candidate 2", of(sluice::detail::use::candidate, 2)},
      {"second choice", of(sluice::detail::use::second_choice, 0)},
      {"coin 0", of(sluice::detail::use::coin, 0)},
      {"coin 1", of(sluice::detail::use::coin, 1)},
      {"position word 0", of(sluice::detail::use::positions, 0)},
      {"position word 1", of(sluice::detail::use::positions, 1)},
      {"position word 0 of group 1", of(sluice::detail::use::positions, std::uint64_t{1} << 31)},
      {"overflow slot", of(sluice::detail::use::overflow_slot, 0)},
      {"lane words 0 and 1", [](digest x) { return sluice::detail::lanes::word_pair(x, 0); }},
      {"lane words 2 and 3", [](digest x) { return sluice::detail::lanes::word_pair(x, 1); }},
      {"lane words 4 and 5", [](digest x) { return sluice::detail::lanes::word_pair(x, 2); }},
      {"lane words 14 and 15", [](digest x) { return sluice::detail::lanes::word_pair(x, 7); }},
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = i + 1; j < words.size(); ++j) {
      for (const feature& a : {high(words[i].name, words[i].word), low(words[i].name, words[i].word)}) {
        for (const feature& b : {high(words[j].name, words[j].word), low(words[j].name, words[j].word)}) {
          EXPECT_LT(std::abs(joint_deviation(a, b)), uniformity_limit) << a.name << " and " << b.name;
        }
      }
    }
  }
}

// What a sealed filter takes of a digest without a mix of its own (block/sealed_layout.hpp): the fingerprint and the
// class are bits of one product, and must be independent of the blocks, of each other, and of the columns under any
// seed.
TEST(hash_independence, uses_of_sealed_filters_pairwise) {
  const auto bits = [](const std::string& name, std::function<std::uint64_t(digest)> word, std::uint32_t from) {
    return feature{name, [word = std::move(word), from](digest x) { return (word(x) >> from) & 15; }};
  };
  const auto rest = [](digest x) { return sluice::detail::sealed_key(x).rest; };
  const auto fields = [](std::uint64_t seed) {
    return [seed](digest x) { return sluice::detail::sealed_key(x).word * (2 * seed + 1); };
  };
  const std::vector<feature> ours = {bits("fingerprint, lowest bits", rest, 32),
                                     bits("fingerprint, high bits", rest, 60), bits("class", rest, 28)};
  std::vector<feature> others = {
      high("first block", [](digest x) { return x.value; }),
      high("second block", [](digest x) { return sluice::detail::derive(x, sluice::detail::use::candidate, 1); }),
      {"place in a group of 64", [](digest x) { return sluice::detail::reduce(x.value, 64 * 1000) % 64 / 4; }}};
  for (const std::uint64_t seed : {0U, 1U, 31U}) {
    for (const std::uint32_t field : {0U, 1U, 2U, 3U, 4U}) {
      others.push_back(bits("column " + std::to_string(field) + " under seed " + std::to_string(seed), fields(seed),
                            4 + 12 * field + 8));
    }
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    for (std::size_t j = i + 1; j < ours.size(); ++j) {
      EXPECT_LT(std::abs(joint_deviation(ours[i], ours[j])), uniformity_limit)
          << ours[i].name << " and " << ours[j].name;
    }
    for (const feature& other : others) {
      EXPECT_LT(std::abs(joint_deviation(ours[i], other)), uniformity_limit) << ours[i].name << " and " << other.name;
    }
  }
}

// The same through the placements and blocks themselves: where a key goes, against which bits it has there.
std::uint64_t first_position(const sluice::detail::plain_block<>& kind, digest x, std::uint32_t first) {
  std::vector<std::byte> bytes(kind.stride_bytes());
  kind.set(sluice::detail::mutable_block{bytes.data(), nullptr}, x, {.first = first, .count = 1});
  for (std::uint64_t bit = 0; bit < kind.bits(); ++bit) {
    if (sluice::detail::bits::test_bit(bytes.data(), bit)) return bit;
  }
  return 0;
}

TEST(hash_independence, blocks_positions_lanes_and_coins_of_the_placements) {
  constexpr std::uint64_t m = 1024;
  constexpr std::uint64_t wide = m / buckets;
  const sluice::detail::plain_block<> block(512);
  const sluice::detail::blocked_placement<> blocked(m, 8);
  const sluice::detail::alpha_placement<> half(m, 8, 0.5);
  const sluice::detail::threshold_placement<sluice::detail::whole_table> sequential({m, 3}, 8, {4, 0.5});
  const sluice::detail::gated_placement<> gated({m, m}, 11, 4, 9, {200, 20});
  const sluice::detail::threshold_rule rule{4, 0.5};

  const feature first_block{"first block", [&](digest x) { return blocked.at(x, 0).block / wide; }};
  const feature position_0{"position 0", [&](digest x) { return first_position(block, x, 0) / 32; }};
  const feature position_1{"position 1", [&](digest x) { return first_position(block, x, 1) / 32; }};
  const feature position_2{"position 2", [&](digest x) { return first_position(block, x, 2) / 32; }};
  const feature number_2{"number 2 of a stream read from its start", [&](digest x) {
                           sluice::detail::position_numbers numbers(x, {.count = 3});
                           static_cast<void>(numbers.next());
                           static_cast<void>(numbers.next());
                           return std::uint64_t{numbers.next() >> 28};
                         }};
  const feature candidate_1{"candidate 1", [&](digest x) { return sequential.at(x, 1).block / wide; }};
  const feature candidate_2{"candidate 2", [&](digest x) { return sequential.at(x, 2).block / wide; }};
  // Where the second block lies relative to the first: uniform over the others.
  const feature second_distance{"distance to the second block", [&](digest x) {
                                  const std::uint64_t distance = (gated.at(x, 1).block - gated.at(x, 0).block) % m;
                                  return (distance - 1) * buckets / (m - 1);
                                }};
  const feature lane{"start quad and turn", [&](digest x) {
                       const sluice::detail::lanes::start s = sluice::detail::lanes::start_of(x, 4);
                       return std::uint64_t{4} * s.quad + s.turn;
                     }};
  const auto lane_position = [](std::uint32_t word, std::uint32_t of_quad) {
    return feature{"position in lane " + std::to_string(of_quad) + " of step " + std::to_string(word), [=](digest x) {
                     return (sluice::detail::lanes::word_pair(x, word / 2) >> (32 * (word % 2) + 8 * of_quad + 1)) & 15;
                   }};
  };
  // Coins are one bit each: four of them make 16 cells.
  const feature coins{"coins 0 to 3", [&](digest x) {
                        std::uint64_t cell = 0;
                        for (std::uint32_t j = 0; j < 4; ++j) cell = 2 * cell + (rule.accepts(4, x, j) ? 1 : 0);
                        return cell;
                      }};
  const feature phi_and_coins{"Phi and coins 0 to 2", [&](digest x) {
                                std::uint64_t cell = half.candidates(x) - 1;
                                for (std::uint32_t j = 0; j < 3; ++j) cell = 2 * cell + (rule.accepts(4, x, j) ? 1 : 0);
                                return cell;
                              }};
  std::vector<feature> features = {first_block, number_2,        position_0, position_1, position_2,   candidate_1,
                                   candidate_2, second_distance, lane,       coins,      phi_and_coins};
  for (const std::uint32_t word : {0U, 1U, 2U, 4U, 6U}) {
    for (std::uint32_t in_quad = 0; in_quad < 4; ++in_quad) features.push_back(lane_position(word, in_quad));
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = i + 1; j < features.size(); ++j) {
      // Three pairs are one use seen twice: coins with coins, number 2 with position 2, candidate 1 of two schemes.
      if (features[i].name == coins.name && features[j].name == phi_and_coins.name) continue;
      if (features[i].name == number_2.name && features[j].name == position_2.name) continue;
      if (features[i].name == candidate_1.name && features[j].name == second_distance.name) continue;
      EXPECT_LT(std::abs(joint_deviation(features[i], features[j])), uniformity_limit)
          << features[i].name << " and " << features[j].name;
    }
  }
}

TEST(hash_independence, the_measure_catches_shared_bits) {
  // Block index and position from one word: its high bits, and a product of the same word.
  const feature block =
      high("block index", [](digest x) { return sluice::detail::derive(x, sluice::detail::use::candidate, 0); });
  const feature shared_product{"position from the same word", [](digest x) {
                                 const std::uint64_t word =
                                     sluice::detail::derive(x, sluice::detail::use::candidate, 0);
                                 return (word * 3) >> 60;
                               }};
  EXPECT_GT(joint_deviation(block, shared_product), 100 * uniformity_limit);

  // Two neighbouring fields of one word that overlap by a single bit.
  const feature overlapping{"overlapping field", [](digest x) {
                              return (sluice::detail::derive(x, sluice::detail::use::candidate, 0) >> 57) & 15;
                            }};
  EXPECT_GT(joint_deviation(block, overlapping), 100 * uniformity_limit);

  // A mix that is too weak: consecutive indices of a bare multiplication.
  const feature weak_0{"weak 0", [](digest x) { return (x.value * 0x9e3779b97f4a7c15U) >> 60; }};
  const feature weak_1{"weak 1", [](digest x) { return ((x.value + 1) * 0x9e3779b97f4a7c15U) >> 60; }};
  EXPECT_GT(joint_deviation(weak_0, weak_1), 100 * uniformity_limit);
}

}  // namespace
