// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Lookups by extend/layouts.hpp alone, over 64-bit words: in constant expressions, and compared with the library's own.
#include "sluice/extend/layouts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "sluice/extend/names.hpp"
#include "sluice/sluice.hpp"
#include "support/word_lookups.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)
namespace lanes = extend::lanes;

constexpr digest digest_of(std::uint64_t key) { return hasher(7)(key); }

// --- constant expressions --------------------------------------------------------------------------------------------

/// Two blocks of 512 bits, written bit by bit.
struct two_blocks {
  std::array<std::uint64_t, 16> words{};
  constexpr void set(std::uint64_t block, std::uint32_t bit) {
    words[block * 8 + bit / 64] |= extend::bits::little_endian(std::uint64_t{1} << (bit % 64));
  }
  template <bool Gated>
  constexpr void put(std::uint64_t block, digest x, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) set(block, lanes::position<Gated>(x, i, 4));
  }
};

constexpr bool blocked_is_constant() {
  constexpr blocked_words filter{.blocks = 2, .block_bits = 512, .hashes = 13};
  two_blocks all;
  for (std::uint64_t key = 0; key < 20; ++key) {
    all.put<false>(extend::first_block(digest_of(key), 2), digest_of(key), 0, 13);
  }
  std::uint64_t found = 0;
  for (std::uint64_t key = 0; key < 60; ++key) {
    if (filter.may_contain(all.words.data(), digest_of(key))) ++found;
  }
  return found == 20;
}
static_assert(blocked_is_constant());

constexpr bool gated_is_constant() {
  constexpr extend::block_groups groups(2, 2);
  constexpr gated_words filter{
      .groups = groups, .block_bits = 512, .hashes = 11, .trace = 4, .second_hashes = 9, .is_static = false};
  const digest x = digest_of(1);
  const std::uint64_t first = groups.first(x);
  two_blocks spilled;
  spilled.put<true>(groups.second(x), x, 4, 9);
  spilled.put<true>(first, x, 0, 4);
  const bool before = filter.may_contain(spilled.words.data(), x);
  spilled.set(first, lanes::gate_bit(lanes::gate_of(lanes::start_of(x, 4))));
  return !before && filter.may_contain(spilled.words.data(), x) &&
         !filter.may_contain(spilled.words.data(), digest_of(2));
}
static_assert(gated_is_constant());

constexpr bool sealed_is_constant() {
  constexpr extend::sealed_layout layout(512, 16);
  const sealed_words filter{.groups = {2, 64}, .layout = layout};
  const digest x = digest_of(1);
  const extend::sealed_key key(x);
  two_blocks all;
  const bool empty = filter.may_contain(all.words.data(), x);
  const std::uint32_t column = layout.numbers(key.word, 0)[0];  // the others are other ones, and 0
  for (std::uint32_t bit = 0; bit < 16; ++bit) {
    if (((key.fingerprint(16) >> bit) & 1U) != 0) all.set(filter.groups.first(x), layout.column_at(column) + bit);
  }
  return !empty && filter.may_contain(all.words.data(), x) && !filter.may_contain(all.words.data(), digest_of(2));
}
static_assert(sealed_is_constant());

// --- the library's own filters ---------------------------------------------------------------------------------------

constexpr std::uint64_t keys = 20'000;

std::vector<std::uint64_t> words_of(const filter& f) {
  std::vector<std::uint64_t> words(f.bytes().size() / 8);
  std::memcpy(words.data(), f.bytes().data(), words.size() * 8);
  return words;
}

/// Both answer alike for stored keys and for absent ones, some of which are false positives.
template <class Lookups>
void expect_equal_answers(const filter& f, const Lookups& lookups) {
  const std::vector<std::uint64_t> words = words_of(f);
  std::uint64_t found = 0;
  for (std::uint64_t key = 0; key < 10 * keys; ++key) {
    const bool by_words = lookups.may_contain(words.data(), digest_of(key));
    ASSERT_EQ(by_words, f.may_contain(digest_of(key))) << key;
    found += by_words ? 1 : 0;
  }
  EXPECT_GT(found, keys);
}

filter filled(const parameters& p) {
  filter f(p);
  for (std::uint64_t key = 0; key < keys; ++key) f.insert(digest_of(key));
  return f;
}

gated_words words_for(const gated_parameters& p) {
  return {extend::groups_of(p), p.block_bits, p.hashes, p.trace, p.second_hashes, p.is_static};
}

TEST(layouts, blocked_filters) {
  for (const std::uint32_t bits : {256U, 512U}) {
    const blocked_parameters p{.blocks = blocks_for(keys, 8, bits), .block_bits = bits, .hashes = 5, .seed = 7};
    expect_equal_answers(filled(p), blocked_words{p.blocks, bits, p.hashes});
  }
}

TEST(layouts, uniform_positions) {
  for (const std::uint32_t bits : {100U, 512U}) {
    const blocked_parameters p{.blocks = blocks_for(keys, 8, bits),
                               .block_bits = bits,
                               .hashes = 5,
                               .positions = position_rule::uniform,
                               .seed = 7};
    expect_equal_answers(filled(p), uniform_words{p.blocks, bits, p.hashes});
  }
}

TEST(layouts, gated_filters) {
  for (const second_block second : {second_block::page, second_block::table}) {
    const gated_parameters p{.blocks = blocks_for(keys, 12),
                             .hashes = 8,
                             .trace = 3,
                             .second_hashes = 7,
                             .threshold = 200,
                             .margin = 6,
                             .second = second,
                             .seed = 7};
    const filter f = filled(p);
    expect_equal_answers(f, words_for(std::get<gated_parameters>(f.params())));
  }
}

TEST(layouts, static_gated_filters) {
  static_builder builder(
      {.blocks = blocks_for(keys, 12, 256), .block_bits = 256, .hashes = 8, .trace = 3, .second_hashes = 7, .seed = 7});
  for (std::uint64_t key = 0; key < keys; ++key) builder.insert(digest_of(key));
  const filter f = builder.build({.rounds = 2});
  expect_equal_answers(f, words_for(std::get<gated_parameters>(f.params())));
}

TEST(layouts, sealed_filters) {
  for (const std::uint32_t r : {1U, 7U, 8U, 13U, 24U, 32U}) {
    sealed_builder builder({.block_bits = r == 7 ? 256U : 512U, .fingerprint_bits = r, .seed = 7});
    for (std::uint64_t key = 0; key < keys; ++key) builder.insert(digest_of(key));
    const filter f = builder.build();
    const auto& p = std::get<sealed_parameters>(f.params());
    const sealed_words lookups{extend::groups_of(p), extend::sealed_layout(p.block_bits, r)};
    const std::vector<std::uint64_t> words = words_of(f);
    for (std::uint64_t key = 0; key < 4 * keys; ++key) {
      const digest x = digest_of(key);
      const std::uint64_t* const first = words.data() + lookups.groups.first(x) * (p.block_bits / 64);
      const bool asks_the_list = lookups.layout.is_bumped(extend::bits::load_word(first, 0));
      ASSERT_EQ(lookups.may_contain(words.data(), x), f.may_contain(x) || asks_the_list) << key;
    }
  }
}

}  // namespace
