// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A filter cut into parts: every part has the bytes and the answers that the whole filter has there.
#include "sluice/extend/part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/errors.hpp"

namespace sluice {
namespace {

std::vector<digest> digests(std::uint64_t first, std::uint64_t count, std::uint64_t seed) {
  std::vector<digest> all;
  const hasher hash(seed);
  for (std::uint64_t i = first; i < first + count; ++i) all.push_back(hash(i));
  return all;
}

std::vector<parameters> cut_filters() {
  return {blocked_parameters{.blocks = 1000, .hashes = 8, .seed = 3},
          blocked_parameters{.blocks = 1001, .block_bits = 256, .hashes = 5, .seed = 3},
          blocked_parameters{.blocks = 640, .hashes = 7, .positions = position_rule::uniform},
          gated_parameters{
              .blocks = 1000, .hashes = 15, .trace = 4, .second_hashes = 12, .threshold = 177, .margin = 6, .seed = 9},
          bloom_g_parameters{.blocks = 900, .hashes = 8, .spread = 2, .seed = 5},
          bloom_g_parameters{.blocks = 900, .hashes = 8, .spread = 2, .positions = position_rule::lanes}};
}

std::vector<digest> of_part(const std::vector<digest>& all, const extend::page_cut& cut, std::uint32_t part) {
  std::vector<digest> mine;
  std::copy_if(all.begin(), all.end(), std::back_inserter(mine), [&](digest x) { return cut.part_of(x) == part; });
  return mine;
}

TEST(page_cut, covers_all_blocks_in_whole_pages) {
  for (const std::uint64_t blocks : {64U, 65U, 1000U, 4096U, 99'999U}) {
    const parameters p = blocked_parameters{.blocks = blocks, .hashes = 8};
    for (const std::uint32_t parts : {1U, 2U, 3U, 7U, 64U}) {
      if (parts > extend::page_cut::most_parts_of(p)) continue;
      const extend::page_cut cut(p, parts);
      EXPECT_EQ(cut.begin(0), 0U);
      EXPECT_EQ(cut.begin(parts), blocks);
      for (std::uint32_t i = 0; i < parts; ++i) {
        EXPECT_LT(cut.begin(i), cut.begin(i + 1));
        EXPECT_EQ(cut.begin(i) % 64, 0U);
      }
      for (const digest x : digests(0, 2000, 1)) {
        const std::uint32_t part = cut.part_of(x);
        ASSERT_LT(part, parts);
        EXPECT_GE(detail::first_block(x, blocks), cut.begin(part));
        EXPECT_LT(detail::first_block(x, blocks), cut.begin(part + 1));
      }
      EXPECT_EQ(cut.part_of(digest{0}), 0U);
      EXPECT_EQ(cut.part_of(digest{~std::uint64_t{0}}), parts - 1);
    }
  }
}

/// Filters of few and many groups, of whole pages and of fewer blocks, with full lists and with empty ones.
std::vector<filter> sealed_filters() {
  std::vector<filter> all;
  const auto build = [&](const sealed_parameters& p, std::uint64_t keys) {
    sealed_builder builder(p);
    for (const digest x : digests(0, keys, p.seed)) builder.insert(x);
    all.push_back(builder.build());
  };
  build({.fingerprint_bits = 10, .seed = 4}, 40'000);
  build({.block_bits = 256, .fingerprint_bits = 8, .seed = 5}, 30'000);
  build({.blocks = 7 * 37, .fingerprint_bits = 16, .seed = 6}, 7000);
  build({.blocks = 500, .fingerprint_bits = 24}, 8000);
  // So tight that one in a hundred keys finds no place.
  build({.blocks = 800, .fingerprint_bits = 8, .seed = 7}, 49'700);
  return all;
}

extend::part_description part_of_sealed(const filter& whole, const extend::page_cut& cut, std::uint32_t number) {
  return {.whole = whole.params(),
          .number = number,
          .parts = cut.parts(),
          .keys = 1000,
          .planned_keys = whole.keys_inserted(),
          .planned_fpr = 0.001,
          .overflowed = cut.list_of(number, whole.overflow())};
}

TEST(page_cut, cuts_sealed_filters_at_whole_groups) {
  for (const filter& whole : sealed_filters()) {
    const auto groups = detail::groups_of(std::get<sealed_parameters>(whole.params()));
    EXPECT_EQ(extend::page_cut::most_parts_of(whole.params()), groups.groups());
    for (const std::uint32_t parts : {1U, 3U, static_cast<std::uint32_t>(groups.groups())}) {
      const extend::page_cut cut(whole.params(), parts);
      EXPECT_EQ(cut.begin(parts), groups.blocks());
      for (std::uint32_t i = 0; i < parts; ++i) {
        EXPECT_LT(cut.begin(i), cut.begin(i + 1));
        EXPECT_EQ(cut.begin(i) % groups.group_blocks(), 0U);
      }
      for (const digest x : digests(0, 2000, 1)) {
        const std::uint32_t part = cut.part_of(x);
        ASSERT_LT(part, parts);
        for (const std::uint64_t block : {groups.first(x), groups.second(x, groups.first(x))}) {
          EXPECT_GE(block, cut.begin(part));
          EXPECT_LT(block, cut.begin(part + 1));
        }
      }
    }
    EXPECT_THROW(extend::page_cut(whole.params(), static_cast<std::uint32_t>(groups.groups()) + 1), parameter_error);
  }
}

TEST(page_cut, refuses_what_has_no_such_parts) {
  EXPECT_THROW(extend::page_cut(blocked_parameters{.blocks = 128, .hashes = 8}, 3), parameter_error);
  EXPECT_THROW(extend::page_cut(blocked_parameters{.blocks = 128, .hashes = 8}, 0), parameter_error);
  EXPECT_THROW(extend::page_cut(classic_parameters{.bits = 1 << 20, .hashes = 8}, 2), parameter_error);
  EXPECT_THROW(extend::page_cut(alpha_parameters{.blocks = 1024, .hashes = 8}, 2), parameter_error);
  EXPECT_THROW(extend::page_cut(bloom_g_parameters{.blocks = 1024, .hashes = 8, .second = second_block::table}, 2),
               parameter_error);
  EXPECT_THROW(extend::filter_part({.whole = blocked_parameters{.blocks = 128, .hashes = 8}, .number = 2, .parts = 2}),
               parameter_error);
}

TEST(filter_part, has_the_bytes_and_the_answers_of_the_whole) {
  for (const parameters& any : cut_filters()) {
    filter whole(any);
    const parameters p = whole.params();
    const std::vector<digest> keys = digests(0, 20'000, detail::seed_of(p));
    const std::vector<digest> others = digests(1'000'000, 20'000, detail::seed_of(p));
    const std::uint64_t fresh = whole.insert_bulk(keys);
    for (const std::uint32_t parts : {1U, 3U, 7U}) {
      const extend::page_cut cut(p, parts);
      std::uint64_t offset = 0;
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < parts; ++i) {
        extend::filter_part part(
            {.whole = p, .number = i, .parts = parts, .planned_keys = 20'000, .planned_fpr = 0.01});
        const std::vector<digest> mine = of_part(keys, cut, i);
        // Some in bulk, some one by one.
        const std::size_t half = mine.size() / 2;
        part.insert(std::span(mine).first(half));
        for (const digest x : std::span(mine).subspan(half)) part.insert(x);
        const auto bytes = part.local().bytes();
        ASSERT_EQ(bytes.size(), cut.bytes_of(i));
        EXPECT_TRUE(std::ranges::equal(bytes, whole.bytes().subspan(offset, bytes.size()))) << detail::scheme_name(p);
        offset += bytes.size();
        sum += part.local().keys_inserted();
        const std::vector<digest> asked = of_part(others, cut, i);
        std::vector<std::uint8_t> answers(asked.size());
        part.look_up(asked, answers);
        for (std::size_t n = 0; n < asked.size(); ++n) {
          ASSERT_TRUE(part.has(asked[n]));
          EXPECT_EQ(answers[n] != 0, whole.may_contain(asked[n]));
          EXPECT_EQ(part.may_contain(asked[n]), whole.may_contain(asked[n]));
        }
        for (const digest x : mine) EXPECT_TRUE(part.may_contain(x));
      }
      EXPECT_EQ(offset, whole.bytes().size());
      EXPECT_EQ(sum, fresh);
    }
  }
}

TEST(filter_part, of_a_sealed_filter_has_the_bytes_the_list_and_the_answers_of_the_whole) {
  std::uint64_t members = 0;
  for (const filter& whole : sealed_filters()) {
    const std::vector<digest> keys = digests(0, whole.keys_inserted(), detail::seed_of(whole.params()));
    const std::vector<digest> others = digests(1'000'000, 20'000, detail::seed_of(whole.params()));
    members += whole.overflow().keys;
    for (const std::uint32_t parts : {1U, 2U, 5U}) {
      const extend::page_cut cut(whole.params(), parts);
      std::uint64_t offset = 0;
      std::vector<std::byte> lists;
      for (std::uint32_t i = 0; i < parts; ++i) {
        extend::filter_part made(part_of_sealed(whole, cut, i));
        const auto mine = whole.bytes().subspan(offset, made.local().bytes().size());
        std::ranges::copy(mine, extend::blocks_of(made.local()).begin());
        offset += mine.size();
        const extend::filter_part part(made);  // a copy has a list of its own
        EXPECT_EQ(part.description().whole, whole.params());
        const overflow_state list = part.description().overflowed;
        lists.insert(lists.end(), list.slots.begin(), list.slots.end());
        for (const auto& asked : {of_part(keys, cut, i), of_part(others, cut, i)}) {
          std::vector<std::uint8_t> answers(asked.size());
          part.look_up(asked, answers);
          for (std::size_t n = 0; n < asked.size(); ++n) {
            ASSERT_TRUE(part.has(asked[n]));
            ASSERT_EQ(answers[n] != 0, whole.may_contain(asked[n]));
            ASSERT_EQ(part.may_contain(asked[n]), whole.may_contain(asked[n]));
          }
        }
        for (const digest x : of_part(keys, cut, i)) ASSERT_TRUE(part.may_contain(x));
      }
      EXPECT_EQ(offset, whole.bytes().size());
      EXPECT_TRUE(std::ranges::equal(lists, whole.overflow().slots));
    }
  }
  EXPECT_GT(members, 400U);
}

TEST(filter_part, of_a_sealed_filter_takes_no_keys_and_no_other_part) {
  const filter whole = sealed_filters().front();
  const extend::page_cut cut(whole.params(), 2);
  extend::filter_part part(part_of_sealed(whole, cut, 0));
  const digest mine = of_part(digests(0, 100, 4), cut, 0).front();
  EXPECT_THROW(part.insert(mine), parameter_error);
  EXPECT_EQ(part.local().keys_inserted(), 1000U);
  EXPECT_FALSE(part.can_merge(extend::filter_part(part)));
}

TEST(filter_part, refuses_a_list_that_is_none) {
  const filter whole = sealed_filters().back();
  const extend::page_cut cut(whole.params(), 3);
  const extend::part_description good = part_of_sealed(whole, cut, 1);
  ASSERT_GT(good.overflowed.keys, 10U);
  const auto refused = [&](std::vector<std::byte> slots, std::uint64_t keys) {
    extend::part_description d = good;
    d.overflowed = {.slots = slots, .keys = keys};
    EXPECT_THROW(extend::filter_part{d}, parameter_error);
  };
  const std::vector<std::byte> slots(good.overflowed.slots.begin(), good.overflowed.slots.end());
  const std::uint64_t count = good.overflowed.keys;
  refused(slots, count + 1);
  refused({slots.begin(), slots.end() - 1}, count - 1);
  std::vector<std::byte> twice = slots;
  std::copy_n(slots.begin(), 8, twice.begin() + 8);
  refused(twice, count);
  for (const std::uint32_t elsewhere : {0U, 2U}) {
    const overflow_state theirs = cut.list_of(elsewhere, whole.overflow());
    ASSERT_GT(theirs.keys, 0U);
    refused({theirs.slots.begin(), theirs.slots.end()}, theirs.keys);
    std::vector<std::byte> both(theirs.slots.begin(), theirs.slots.end());
    both.insert(elsewhere == 0 ? both.end() : both.begin(), slots.begin(), slots.end());
    refused(both, count + theirs.keys);
  }
  // More members than keys that such a filter can have: all digests of this part, one after the other.
  std::vector<std::byte> many(8 * 100'000);
  const std::uint64_t first = detail::bits::load_word(slots.data(), 0);
  for (std::uint64_t i = 0; i < many.size() / 8; ++i) detail::bits::store_word(many.data(), i, first + i);
  refused(many, many.size() / 8);
  extend::part_description gated{.whole = detail::normalised(cut_filters()[3]), .number = 0, .parts = 1};
  gated.overflowed = {.slots = slots, .keys = count};
  EXPECT_THROW(extend::filter_part{gated}, parameter_error);
}

TEST(filter_part, unites_copies_and_describes_itself) {
  const parameters p = detail::normalised(cut_filters()[3]);
  const extend::page_cut cut(p, 4);
  const std::vector<digest> keys = of_part(digests(0, 10'000, detail::seed_of(p)), cut, 2);
  const extend::part_description d{.whole = p, .number = 2, .parts = 4, .planned_keys = 10'000, .planned_fpr = 0.01};
  extend::filter_part a(d);
  extend::filter_part b(d);
  a.insert(std::span(keys).first(keys.size() / 2));
  b.insert(std::span(keys).subspan(keys.size() / 2));
  extend::filter_part copy(a);
  ASSERT_TRUE(copy.can_merge(b));
  copy.merge(b);
  for (const digest x : keys) EXPECT_TRUE(copy.may_contain(x));
  EXPECT_FALSE(std::ranges::equal(copy.local().bytes(), a.local().bytes()));
  extend::part_description other = d;
  other.number = 1;
  EXPECT_FALSE(copy.can_merge(extend::filter_part(other)));
  EXPECT_EQ(a.description().whole, p);
  EXPECT_EQ(a.description().keys, a.local().keys_inserted());
  EXPECT_EQ(a.description().planned_keys, 10'000U);
  EXPECT_EQ(a.local().planned_keys(), 2501U);
}

// In a static filter a key whose gate is closed lies in its second block alone; in a union it may lie in either.
TEST(filter_part, unites_parts_of_static_filters) {
  const gated_parameters p{.blocks = 640, .hashes = 15, .trace = 4, .second_hashes = 12, .seed = 9};
  const auto part_of = [&](std::uint64_t first_key) {
    static_builder builder(p);
    for (const digest x : digests(first_key, 14'000, p.seed)) builder.insert(x);
    const filter whole = builder.build();
    const extend::page_cut cut(whole.params(), 4);
    const extend::part_description d{
        .whole = whole.params(), .number = 2, .parts = 4, .keys = 3500, .planned_keys = 14'000};
    auto part = std::make_unique<extend::filter_part>(d);
    const auto from = static_cast<std::size_t>(cut.begin(2) * cut.block_bytes());
    std::ranges::copy(whole.bytes().subspan(from, part->local().bytes().size()),
                      extend::blocks_of(part->local()).begin());
    return part;
  };
  const auto both = part_of(0);
  const extend::page_cut cut(both->description().whole, 4);
  both->merge(*part_of(1'000'000));
  EXPECT_FALSE(detail::is_static(both->local().params()));
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1'000'000}}) {
    for (const digest x : of_part(digests(first, 14'000, p.seed), cut, 2)) ASSERT_TRUE(both->may_contain(x));
  }
}

}  // namespace
}  // namespace sluice
