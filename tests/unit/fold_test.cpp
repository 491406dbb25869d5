// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filters that were folded: beside a twin that keeps the filter as it was and reads it by the rule of the document,
// key by key and bit by bit; and everything that may be done with them afterwards.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "sluice/builders.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/layouts.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/part.hpp"
#include "sluice/file.hpp"
#include "support/schemes.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using testing_support::elsewhere;
using testing_support::gated_case;

std::uint64_t high_product(std::uint64_t x, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<extend::uint128>(x) * n) >> 64);
}

/// The sentence of a parameter_error; empty: there is none.
template <class Call>
std::string fold_refusal(const Call& call) {
  try {
    call();
  } catch (const parameter_error& e) {
    return e.what();
  }
  return "";
}

/// The filter as it was, and how often it was folded since.
struct twin {
  std::vector<std::byte> bytes;
  std::uint64_t stride;    // bytes of a block; 0: an array of bits
  std::uint64_t elements;  // blocks, or bits

  explicit twin(const filter& f) : bytes(f.bytes().begin(), f.bytes().end()) {
    std::visit(
        [&](const auto& p) {
          if constexpr (requires { p.bits; }) {
            stride = 0;
            elements = p.bits;
          } else if constexpr (requires { p.folds; }) {
            stride = (p.block_bits + 63) / 64 * 8;
            elements = p.blocks;
          }
        },
        f.params());
  }

  [[nodiscard]] bool bit(std::uint64_t number) const {
    return (std::to_integer<unsigned>(bytes[number / 8]) >> (number % 8) & 1U) != 0;
  }
  /// Of the filter that it becomes: bit by bit.
  [[nodiscard]] std::vector<std::byte> folded(std::uint32_t folds) const {
    const std::uint64_t left = ((elements - 1) >> folds) + 1;
    std::vector<std::byte> to(stride == 0 ? (left + 63) / 64 * 8 : left * stride);
    for (std::uint64_t e = 0; e < elements; ++e) {
      if (stride == 0) {
        if (bit(e)) to[(e >> folds) / 8] |= static_cast<std::byte>(1U << ((e >> folds) % 8));
        continue;
      }
      for (std::uint64_t i = 0; i < stride; ++i) to[(e >> folds) * stride + i] |= bytes[e * stride + i];
    }
    return to;
  }
};

/// Where the rule says that a key lies: the numbers that are drawn, and then shifted.
struct drawn {
  std::uint64_t first;
  std::uint64_t second;
};
drawn blocks_of(digest x, std::uint64_t blocks, std::uint64_t group, std::uint32_t folds) {
  const std::uint64_t first = high_product(x.value, blocks);
  if (group == 1) return {first >> folds, first >> folds};
  const std::uint64_t base = first / group * group;
  std::uint64_t other = base + high_product(extend::derive(x, extend::use::candidate, 1), group - 1);
  if (other >= first) ++other;
  return {first >> folds, other >> folds};
}

/// What a lookup of a gated filter must answer.
bool twin_has(const gated_parameters& p, std::span<const std::byte> bytes, std::uint32_t folds, digest x) {
  namespace lanes = extend::lanes;
  const std::uint32_t quads = p.block_bits / 128;
  const std::uint64_t page = 4096 / (p.block_bits / 8);
  const std::uint64_t group = p.second == second_block::table || p.blocks <= page ? p.blocks : page;
  const drawn at = blocks_of(x, p.blocks, group, folds);
  const auto has = [&](std::uint64_t block, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const std::uint32_t position = lanes::position<true>(x, i, quads);
      if (!extend::bits::test_bit(bytes.data() + block * (p.block_bits / 8), position)) return false;
    }
    return true;
  };
  if (has(at.first, 0, p.hashes)) return true;
  const std::uint32_t gate = lanes::gate_bit(lanes::gate_of(lanes::start_of(x, quads)));
  if (!extend::bits::test_bit(bytes.data() + at.first * (p.block_bits / 8), gate)) return false;
  return has(at.first, 0, p.trace) && has(at.second, p.trace, p.second_hashes);
}

struct folded_shape {
  std::string name;
  std::uint32_t block_bits;
  parameters (*make)(std::uint64_t blocks);
};

/// Whatever can be folded, of so many blocks (of classic, words).
const std::vector<folded_shape>& folded_shapes() {
  static const std::vector<folded_shape> all = {
      {"blocked", 512, [](std::uint64_t m) -> parameters { return blocked_parameters{.blocks = m, .hashes = 9}; }},
      {"blocked_256", 256,
       [](std::uint64_t m) -> parameters {
         return blocked_parameters{.blocks = m, .block_bits = 256, .hashes = 9, .seed = 3};
       }},
      {"blocked_500", 500,
       [](std::uint64_t m) -> parameters { return blocked_parameters{.blocks = m, .block_bits = 500, .hashes = 9}; }},
      {"gated", 512, [](std::uint64_t m) -> parameters { return gated_case(m, 5); }},
      {"gated_table", 512,
       [](std::uint64_t m) -> parameters {
         auto p = gated_case(m, 6);
         p.second = second_block::table;
         return p;
       }},
      {"bloom_2", 512,
       [](std::uint64_t m) -> parameters {
         return bloom_g_parameters{.blocks = m + 1, .hashes = 12, .positions = position_rule::lanes};
       }},
      {"bloom_3_table", 256,
       [](std::uint64_t m) -> parameters {
         return bloom_g_parameters{
             .blocks = m + 2, .block_bits = 256, .hashes = 11, .spread = 3, .second = second_block::table};
       }},
      {"classic", 64,
       [](std::uint64_t m) -> parameters { return classic_parameters{.bits = 64 * m + 3, .hashes = 11, .seed = 8}; }},
  };
  return all;
}

filter filled(const parameters& p, std::uint64_t first, std::uint64_t keys) {
  filter f(p);
  f.insert_bulk(testing_support::numbers(first, keys));
  return f;
}

class folds : public testing::TestWithParam<folded_shape> {
protected:
  static constexpr std::uint64_t sizes[] = {1, 2, 3, 7, 33, 64, 65, 100, 129, 1000, 4097};
  [[nodiscard]] static std::uint64_t keys_for(std::uint64_t blocks) { return blocks * GetParam().block_bits / 20 + 1; }
};

TEST_P(folds, leave_the_or_of_neighbours_and_every_key) {
  for (const std::uint64_t blocks : sizes) {
    const std::uint64_t keys = keys_for(blocks);
    const filter whole = filled(GetParam().make(blocks), 0, keys);
    const twin before(whole);
    for (std::uint32_t times = 1; times <= 5 && times <= whole.most_folds(); ++times) {
      SCOPED_TRACE(std::to_string(blocks) + " blocks, " + std::to_string(times) + " folds");
      filter f = whole;
      f.fold(times);
      const std::vector<std::byte> expected = before.folded(times);
      ASSERT_TRUE(std::ranges::equal(f.bytes(), expected));
      EXPECT_EQ(f.keys_inserted(), whole.keys_inserted());
      for (const std::uint64_t key : testing_support::numbers(0, keys)) ASSERT_TRUE(f.may_contain(key));
      filter step_by_step = whole;
      for (std::uint32_t i = 0; i < times; ++i) step_by_step.fold();
      EXPECT_EQ(step_by_step, f);
    }
  }
}

TEST_P(folds, end_with_one_block) {
  for (const std::uint64_t blocks : {1U, 2U, 3U, 100U, 1000U}) {
    filter f = filled(GetParam().make(blocks), 0, 20);
    const std::uint32_t most = f.most_folds();
    f.fold(most);
    EXPECT_LT(f.bytes().size(), 2 * std::max<std::size_t>(GetParam().block_bits / 8 + 8, 16));
    for (const std::uint64_t key : testing_support::numbers(0, 20)) EXPECT_TRUE(f.may_contain(key));
    std::string why_not;
    EXPECT_EQ(f.most_folds(&why_not), 0U);
    EXPECT_EQ(why_not, "the filter has been folded as often as it can be: there is one block left of it");
    const filter before = f;
    EXPECT_NE(fold_refusal([&] { f.fold(); }).find("one block left"), std::string::npos);
    EXPECT_EQ(f, before);
  }
}

TEST_P(folds, take_keys_afterwards_one_by_one_and_in_bulk) {
  for (const std::uint64_t blocks : {3U, 65U, 1000U}) {
    for (const std::uint32_t times : {1U, 2U}) {
      filter f = filled(GetParam().make(blocks), 0, keys_for(blocks) / 4);
      if (times > f.most_folds()) continue;
      f.fold(times);
      filter single = f;
      filter counted = f;
      filter shared_out = f;
      const std::vector<std::uint64_t> more = testing_support::numbers(elsewhere, keys_for(blocks) / 8);
      f.insert_bulk(more);
      for (const std::uint64_t key : more) single.insert(key);
      for (const std::uint64_t key : more) counted.insert_and_count(key);
      shared_out.insert_bulk(more, 3U);
      EXPECT_EQ(single, f);
      EXPECT_EQ(counted, f);
      EXPECT_EQ(shared_out, f);
      std::vector<std::uint8_t> found(more.size());
      f.may_contain_bulk(more, found);
      for (std::size_t i = 0; i < more.size(); ++i) {
        ASSERT_TRUE(f.may_contain(more[i]));
        ASSERT_TRUE(f.probe(more[i]).found);
        ASSERT_EQ(found[i], 1);
      }
      const std::vector<std::uint64_t> absent = testing_support::numbers(2 * elsewhere, 5000);
      found.resize(absent.size());
      f.may_contain_bulk(absent, found);
      for (std::size_t i = 0; i < absent.size(); ++i) {
        ASSERT_EQ(found[i] != 0, f.may_contain(absent[i]));
        ASSERT_EQ(found[i] != 0, f.probe(absent[i]).found);
        ASSERT_EQ(found[i] != 0, f.view().may_contain(absent[i]));
      }
    }
  }
}

TEST_P(folds, of_a_union_are_the_union_of_folds) {
  for (const std::uint64_t blocks : {5U, 64U, 129U, 1000U}) {
    const std::uint64_t keys = keys_for(blocks) / 3;
    const filter a = filled(GetParam().make(blocks), 0, keys);
    const filter b = filled(GetParam().make(blocks), elsewhere, keys);
    for (const std::uint32_t times : {1U, 2U, 4U}) {
      if (times > a.most_folds()) continue;
      filter united = a;
      united.merge(b);
      united.fold(times);
      filter folded_a = a;
      folded_a.fold(times);
      filter folded_b = b;
      folded_b.fold(times);
      EXPECT_TRUE(times == 1 || !folded_a.can_merge(a));
      folded_a.merge(folded_b);
      EXPECT_TRUE(std::ranges::equal(united.bytes(), folded_a.bytes()));
      EXPECT_EQ(united.params(), folded_a.params());
      for (const std::uint64_t key : testing_support::numbers(elsewhere, keys)) ASSERT_TRUE(folded_a.may_contain(key));
    }
  }
}

TEST_P(folds, are_kept_in_files) {
  filter f = filled(GetParam().make(999), 0, keys_for(999));
  f.fold(3);
  const std::vector<std::byte> file = to_bytes(f, {.kind = key_kind::u64, .planned_keys = 7, .planned_fpr = 0.5});
  const filter_file read(file);
  read.verify();
  for (const std::uint64_t key : testing_support::numbers(0, keys_for(999))) ASSERT_TRUE(read.may_contain(key));
  std::uint64_t different = 0;
  for (const std::uint64_t key : testing_support::numbers(elsewhere, 5000)) {
    different += read.may_contain(key) == f.may_contain(key) ? 0U : 1U;
  }
  EXPECT_EQ(different, 0U);
  EXPECT_EQ(extend::filter_of(read.contents().filters.front(), nullptr), f);
}

TEST_P(folds, are_cut_into_parts) {
  for (const std::uint32_t times : {1U, 3U, 7U}) {
    filter f = filled(GetParam().make(64'064), 0, 50'000);
    f.fold(times);
    if (extend::page_cut::most_parts_of(f.params()) == 0) return;
    const auto parts =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(3, extend::page_cut::most_parts_of(f.params())));
    const extend::page_cut cut(f.params(), parts);
    std::vector<digest> digests;
    for (const std::uint64_t key : testing_support::numbers(0, 60'000))
      digests.push_back(hasher(detail::seed_of(f.params()))(key));
    std::vector<std::byte> bytes;
    std::uint64_t asked = 0;
    for (std::uint32_t number = 0; number < parts; ++number) {
      extend::filter_part part({.whole = f.params(), .number = number, .parts = parts, .planned_keys = 1});
      const std::uint64_t first = cut.begin(number) * cut.block_bytes();
      const std::span<const std::byte> ours = f.bytes().subspan(first, cut.bytes_of(number));
      std::ranges::copy(ours, extend::blocks_of(part.local()).begin());
      filter grown = f;
      for (const digest x : digests) {
        EXPECT_EQ(part.has(x), cut.part_of(x) == number);
        if (cut.part_of(x) != number) continue;
        ++asked;
        ASSERT_EQ(part.may_contain(x), grown.may_contain(x));
        if (asked % 5 == 0) {
          part.insert(x);
          grown.insert(x);
        }
      }
      EXPECT_TRUE(std::ranges::equal(part.local().bytes(), grown.bytes().subspan(first, cut.bytes_of(number))));
      EXPECT_EQ(part.description().whole, f.params());
      bytes.insert(bytes.end(), ours.begin(), ours.end());
    }
    EXPECT_TRUE(std::ranges::equal(bytes, f.bytes()));
    EXPECT_EQ(asked, digests.size());
  }
}

INSTANTIATE_TEST_SUITE_P(all, folds, testing::ValuesIn(folded_shapes()),
                         [](const auto& one) { return one.param.name; });

TEST(fold, of_gated_filters_answers_by_the_rule) {
  for (const second_block second : {second_block::page, second_block::table}) {
    for (const std::uint64_t blocks : {2U, 37U, 64U, 640U}) {
      for (const std::uint32_t times : {1U, 3U, 6U, 8U}) {
        gated_parameters p = gated_case(blocks, 11);
        p.second = second;
        const filter whole = filled(p, 0, blocks * 30);
        if (times > whole.most_folds()) continue;
        const std::vector<std::byte> bytes = twin(whole).folded(times);
        filter f = whole;
        f.fold(times);
        std::uint64_t found = 0;
        for (const std::uint64_t key : testing_support::numbers(elsewhere, 20'000)) {
          const bool expected = twin_has(p, bytes, times, hasher(p.seed)(key));
          ASSERT_EQ(f.may_contain(key), expected);
          found += expected ? 1U : 0U;
        }
        EXPECT_GT(found, 0U);
      }
    }
  }
}

TEST(fold, of_an_even_number_of_blocks_is_an_ordinary_filter) {
  for (const std::uint32_t times : {1U, 2U, 5U}) {
    for (const std::uint64_t blocks : {1U, 3U, 1000U}) {
      const std::uint64_t keys = blocks * 30;
      const blocked_parameters small{.blocks = blocks, .hashes = 9, .seed = 3};
      blocked_parameters large = small;
      large.blocks <<= times;
      filter f = filled(large, 0, keys);
      f.fold(times);
      EXPECT_EQ(f.params(), parameters(small));
      EXPECT_EQ(f, filled(small, 0, keys));

      const classic_parameters short_array{.bits = 64 * blocks + 1, .hashes = 9, .seed = 3};
      classic_parameters long_array = short_array;
      long_array.bits <<= times;
      filter g = filled(long_array, 0, keys);
      g.fold(times);
      EXPECT_EQ(g.params(), parameters(short_array));
      EXPECT_EQ(g, filled(short_array, 0, keys));
    }
  }
}

TEST(fold, of_a_file_that_needs_no_newer_version_has_none) {
  filter even = filled(blocked_parameters{.blocks = 12, .hashes = 9}, 0, 100);
  even.fold(2);
  EXPECT_EQ(std::to_integer<int>(to_bytes(even, {.kind = key_kind::u64})[8]), 1);
  filter odd = filled(blocked_parameters{.blocks = 13, .hashes = 9}, 0, 100);
  odd.fold(2);
  EXPECT_EQ(std::to_integer<int>(to_bytes(odd, {.kind = key_kind::u64})[8]), 2);
}

TEST(fold, takes_static_filters_over_to_the_online_rule) {
  const std::vector<std::uint64_t> keys = testing_support::numbers(0, 30'000);
  for (const double bits : {12.0, 20.0}) {
    const filter built = testing_support::built(testing_support::static_shape(keys.size(), bits), keys);
    ASSERT_TRUE(std::get<gated_parameters>(built.params()).is_static);
    for (std::uint32_t times = 1; times <= 5; ++times) {
      filter f = built;
      f.fold(times);
      EXPECT_FALSE(std::get<gated_parameters>(f.params()).is_static);
      for (const std::uint64_t key : keys) ASSERT_TRUE(f.may_contain(key));
      f.insert_bulk(testing_support::numbers(elsewhere, 1000));
      for (const std::uint64_t key : testing_support::numbers(elsewhere, 1000)) ASSERT_TRUE(f.may_contain(key));
    }
  }
}

TEST(fold, of_a_filter_that_threads_share_keeps_every_key) {
  concurrent_filter f(gated_case(1001, 4));
  f.insert_bulk(testing_support::numbers(0, 30'000), 4U);
  filter alone = f.snapshot();
  f.fold(2);
  alone.fold(2);
  const filter folded = f.snapshot();
  EXPECT_TRUE(std::ranges::equal(folded.bytes(), alone.bytes()));
  EXPECT_EQ(f.params(), alone.params());
  f.insert_bulk(testing_support::numbers(elsewhere, 3000), 4U);
  for (const std::uint64_t key : testing_support::numbers(0, 30'000)) ASSERT_TRUE(f.may_contain(key));
  for (const std::uint64_t key : testing_support::numbers(elsewhere, 3000)) ASSERT_TRUE(f.may_contain(key));
  EXPECT_EQ(f.fold_to(1e-9), 0U);
}

TEST(fold, goes_as_far_as_a_rate_allows) {
  for (const folded_shape& one : folded_shapes()) {
    SCOPED_TRACE(one.name);
    for (const std::uint64_t blocks : {std::uint64_t{2001}, std::uint64_t{200'000}}) {
      filter f = filled(one.make(blocks), 0, blocks * one.block_bits / 200);
      const std::uint32_t times = f.fold_to(0.01);
      EXPECT_GE(times, 2U);
      EXPECT_LE(f.stats().fpr_from_fill, 0.0102);
      filter further = f;
      further.fold();
      EXPECT_GT(further.stats().fpr_from_fill, 0.0098);
      EXPECT_EQ(f.fold_to(f.stats().fpr_from_fill), 0U);
    }
  }
  filter empty(blocked_parameters{.blocks = 1000, .hashes = 9});
  EXPECT_EQ(empty.fold_to(1e-9), 10U);
  EXPECT_EQ(empty.bytes().size(), 64U);
  for (const double none : {0.0, -1.0, 1.5, std::nan("")}) {
    EXPECT_NE(fold_refusal([&] { empty.fold_to(none); }).find("between 0 and 1"), std::string::npos);
  }
}

TEST(fold, says_why_others_cannot) {
  for (const parameters& p :
       {parameters(alpha_parameters{.blocks = 8, .hashes = 8}), parameters(choice_parameters{.bits = 800, .hashes = 8}),
        parameters(single_parameters{.blocks = 8, .hashes = 8, .threshold = 20}),
        parameters(ledger_parameters{.blocks = 8}),
        parameters(classic_parameters{.bits = 800, .hashes = 8, .form = hash_form::double_hashing})}) {
    filter f(p);
    f.insert(1);
    const filter before = f;
    EXPECT_NE(fold_refusal([&] { f.fold(); }).find("cannot be folded"), std::string::npos);
    EXPECT_NE(fold_refusal([&] { f.fold_to(0.5); }).find("cannot be folded"), std::string::npos);
    EXPECT_EQ(f, before);
  }
  filter f(blocked_parameters{.blocks = 5, .hashes = 8});
  EXPECT_EQ(fold_refusal([&] { f.fold(4); }), "the filter can be folded 3 times more, not 4");
  for (const parameters& p : {parameters(blocked_parameters{.blocks = 5, .hashes = 8, .folds = 41}),
                              parameters(classic_parameters{.bits = 200, .hashes = 8, .folds = 2})}) {
    EXPECT_THROW(filter{p}, parameter_error);
  }
  gated_parameters p = gated_case(5, 1);
  p.folds = 1;
  p.is_static = true;
  EXPECT_NE(fold_refusal([&] { static_cast<void>(filter_view(p, {})); }).find("static"), std::string::npos);
}

TEST(fold, stops_where_a_key_has_no_room) {
  filter f(classic_parameters{.bits = 256, .hashes = 100});
  f.insert(1);
  EXPECT_EQ(f.most_folds(), 1U);
  f.fold(f.most_folds());
  EXPECT_TRUE(f.may_contain(1));
  EXPECT_EQ(f.most_folds(), 0U);
  EXPECT_THROW(f.fold(), parameter_error);
  EXPECT_THROW(f.fold_to(1), parameter_error);
  const filter moved = std::move(f);
  EXPECT_NE(fold_refusal([&] { f.fold(); }).find("moved from"), std::string::npos);  // NOLINT(bugprone-use-after-move)
}

/// Gives so many bytes, and then none.
class little_memory final : public std::pmr::memory_resource {
public:
  explicit little_memory(std::size_t left) : left_(left) {}

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes > left_) throw std::bad_alloc();
    left_ -= bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  std::size_t left_;
};

TEST(fold, changes_nothing_where_there_is_no_memory) {
  little_memory memory(1000 * 64);
  filter f(blocked_parameters{.blocks = 1000, .hashes = 9}, &memory);
  f.insert_bulk(testing_support::numbers(0, 1000));
  const std::vector<std::byte> before(f.bytes().begin(), f.bytes().end());
  EXPECT_THROW(f.fold(), memory_error);
  EXPECT_TRUE(std::ranges::equal(f.bytes(), before));
  for (const std::uint64_t key : testing_support::numbers(0, 1000)) ASSERT_TRUE(f.may_contain(key));
}

TEST(fold, of_a_large_filter_gives_its_memory_back_and_keeps_its_keys) {
  filter f(blocked_parameters{.blocks = (std::uint64_t{1} << 21) + 1, .hashes = 9});  // 128 MiB and a block
  f.insert_bulk(testing_support::numbers(0, 1'000'000));
  f.fold(3);
  std::vector<std::uint8_t> found(1'000'000);
  f.may_contain_bulk(testing_support::numbers(0, 1'000'000), found);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::uint64_t{0}), 1'000'000U);
  EXPECT_EQ(f.bytes().size(), ((std::uint64_t{1} << 18) + 1) * 64);
}

}  // namespace
