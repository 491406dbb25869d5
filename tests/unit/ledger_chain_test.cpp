// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Chains of ledgers: filters that grow and give keys back. A multiset of keys stands beside each.
#include "sluice/extend/ledger_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/sluice.hpp"

namespace sluice {
namespace {

growth erasable(double fpr = 0.02, std::uint64_t first_keys = 500, std::uint32_t factor = 2) {
  return {.fpr = fpr, .first_keys = first_keys, .factor = factor, .seed = 3, .erasable = true};
}

std::uint64_t blocks_of(const growing_filter::link& l) { return std::get<ledger_parameters>(l.filter.params()).blocks; }

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> all(count);
  for (std::uint64_t i = 0; i < count; ++i) all[i] = first + i;
  return all;
}

/// Keys come and go; in the end every key that is left is found and can be erased, and nothing is left then. A key
/// whose entry went with another's is missed here: with links in the other order, or not nested, dozens are.
void run_script(growing_filter& f, std::uint64_t most, std::uint64_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::uint64_t, std::uint64_t> twin;
  std::vector<std::uint64_t> live;
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (live.empty() || (live.size() < most && random() % 16 < 10)) {
      const std::uint64_t key = random() % (2 * most);
      ASSERT_TRUE(f.insert(key));
      ++twin[key];
      live.push_back(key);
    } else {
      std::uint64_t& gone = live[random() % live.size()];
      ASSERT_TRUE(f.erase(gone)) << "key " << gone << " at step " << step;
      --twin[gone];
      gone = live.back();
      live.pop_back();
    }
  }
  ASSERT_EQ(f.keys_inserted(), live.size());
  for (const auto& [key, copies] : twin) ASSERT_GE(f.count(key), copies) << "key " << key;
  for (const std::uint64_t key : live) ASSERT_TRUE(f.may_contain(key));
  for (const std::uint64_t key : live) ASSERT_TRUE(f.erase(key)) << "key " << key;
  EXPECT_EQ(f.keys_inserted(), 0U);
  for (const statistics& s : f.stats()) EXPECT_EQ(s.bits_set, 0U);
}

TEST(ledger_chain, links_are_nested_and_of_one_remainder) {
  for (const std::uint64_t first : {64U, 500U, 1000U, 3000U, 32'768U}) {
    for (const std::uint32_t factor : {2U, 8U}) {
      growing_filter f(erasable(0.01, first, factor));
      f.insert_bulk(numbers(0, 20 * first));
      ASSERT_GE(f.links(), 2U);
      for (std::size_t i = 1; i < f.links(); ++i) {
        EXPECT_TRUE(extend::are_nested(f.chain()[i - 1].filter.params(), f.chain()[i].filter.params()));
        EXPECT_EQ(blocks_of(f.chain()[i]), factor * blocks_of(f.chain()[i - 1]));
        EXPECT_EQ(f.chain()[i].capacity, factor * f.chain()[i - 1].capacity);
      }
      EXPECT_LT(f.fpr_bound(), 0.01);
    }
  }
}

TEST(ledger_chain, a_link_is_good_for_what_was_asked_and_keeps_its_rate) {
  for (const double fpr : {3.1e-3, 1e-4, 1e-6, 4e-8}) {
    for (const std::uint64_t keys : {1U, 39U, 40U, 1000U, 2534U, 2535U, 100'000U}) {
      const ledger_parameters p = extend::first_ledger(keys, fpr, 7);
      const std::uint64_t capacity = extend::capacity_of_ledger(p, fpr);
      EXPECT_GE(capacity, keys);
      EXPECT_LE(extend::rate_of_ledger(p, capacity), fpr * 1.0001);
      EXPECT_LT(static_cast<double>(capacity),
                0.91 * static_cast<double>(p.blocks * detail::ledger_layout(p.remainder_bits).slots));
      EXPECT_TRUE(extend::are_nested(p, extend::next_ledger(p, 1)) && extend::are_nested(p, extend::next_ledger(p, 8)));
    }
  }
}

TEST(ledger_chain, scripts_lose_no_key) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    growing_filter f(erasable());
    run_script(f, 60'000, 250'000, seed);
    EXPECT_EQ(f.links(), 7U);
  }
}

/// Two keys that look alike: one in the list of the first link, the other in a block of the second.
TEST(ledger_chain, a_listed_key_is_taken_from_the_list) {
  growing_filter f(erasable(0.2, 64, 2));
  const filter first = f.chain().front().filter;
  const auto p = std::get<ledger_parameters>(first.params());
  ASSERT_EQ(p.blocks, 2U);
  ASSERT_EQ(p.remainder_bits, 8U);
  const detail::ledger_layout layout(p.remainder_bits);
  const hasher hash(p.seed);
  const auto block_in = [&](std::uint64_t key, std::uint64_t blocks) { return detail::first_block(hash(key), blocks); };
  // Those of block 0 that have no second one: 44 fill it, the others are listed.
  std::vector<std::uint64_t> alone;
  for (std::uint64_t key = 0; alone.size() < f.chain().front().capacity; ++key) {
    const auto sum = detail::reduce(layout.word_of(layout.entry_of(hash(key))), p.blocks);
    if (block_in(key, p.blocks) == 0 && sum == 0) alone.push_back(key);
  }
  for (const std::uint64_t key : alone) f.insert(key);
  ASSERT_EQ(f.links(), 1U);
  const detail::sorted_list_view list(f.chain().front().filter.overflow());
  ASSERT_EQ(list.size(), alone.size() - layout.slots);
  std::vector<std::uint64_t> listed;
  for (const std::uint64_t key : alone) {
    if (list.may_contain(hash(key))) listed.push_back(key);
  }
  ASSERT_EQ(listed.size(), list.size());
  const auto alike = [&](std::uint64_t a, std::uint64_t b) {
    return block_in(a, 2 * p.blocks) == block_in(b, 2 * p.blocks) &&
           layout.entry_of(hash(a)) == layout.entry_of(hash(b));
  };
  int pairs = 0;
  for (std::uint64_t other = 1'000'000; pairs < 5; ++other) {
    const auto twin = std::find_if(listed.begin(), listed.end(), [&](std::uint64_t key) { return alike(key, other); });
    if (twin == listed.end()) continue;
    ++pairs;
    f.insert(other);
    ASSERT_EQ(f.links(), 2U);
    ASSERT_TRUE(f.erase(*twin));
    EXPECT_TRUE(f.may_contain(other));
    listed.erase(twin);
  }
}

TEST(ledger_chain, long_steps_and_small_links_lose_no_key) {
  for (const std::uint32_t factor : {2U, 4U, 8U, 64U}) {
    growing_filter f(erasable(0.2, 64, factor));
    run_script(f, 5000, 40'000, factor);
  }
}

TEST(ledger_chain, its_rate_is_the_promised_one) {
  const growing_filter f = [] {
    growing_filter made(erasable(0.02));
    made.insert_bulk(numbers(0, 500 * 255));  // eight links, all full
    return made;
  }();
  ASSERT_EQ(f.links(), 8U);
  constexpr std::uint64_t asked = 1'000'000;
  std::uint64_t found = 0;
  for (std::uint64_t key = 1U << 30; key < (1U << 30) + asked; ++key) found += f.may_contain(key) ? 1U : 0U;
  const double rate = static_cast<double>(found) / asked;
  EXPECT_LT(rate, 0.02);
  const double deviation = std::sqrt(f.fpr_from_fill() / asked);
  EXPECT_NEAR(rate, f.fpr_from_fill(), 5 * deviation);  // by chance once in a million
}

TEST(ledger_chain, room_that_was_given_back_is_used_before_it_grows) {
  growing_filter f(erasable());
  const auto keys = numbers(0, 3000);  // 500 + 1000, and half of 2000
  f.insert_bulk(keys);
  const std::size_t links = f.links();
  EXPECT_EQ(links, 3U);
  for (int round = 0; round < 100; ++round) {
    ASSERT_EQ(f.erase_bulk(keys), keys.size());
    ASSERT_EQ(f.keys_inserted(), 0U);
    ASSERT_EQ(f.insert_bulk(keys), keys.size());
  }
  EXPECT_EQ(f.links(), links);
  std::vector<std::uint8_t> found(keys.size());
  f.may_contain_bulk(keys, found);
  EXPECT_EQ(std::count(found.begin(), found.end(), 1), 3000);
}

TEST(ledger_chain, bulk_calls_are_single_calls) {
  growing_filter one(erasable());
  growing_filter many(erasable());
  const auto keys = numbers(0, 4000);
  for (const std::uint64_t key : keys) one.insert(key);
  std::vector<std::uint8_t> answers(keys.size());
  EXPECT_EQ(many.insert_bulk(keys, answers, 2), keys.size());
  EXPECT_EQ(std::count(answers.begin(), answers.end(), 1), 4000);
  for (const std::uint64_t key : numbers(1000, 700)) EXPECT_TRUE(one.erase(key));
  EXPECT_EQ(many.erase_bulk(numbers(1000, 700), answers), 700U);
  for (std::size_t i = 0; i < one.links(); ++i) EXPECT_EQ(one.chain()[i].filter, many.chain()[i].filter);
  std::vector<std::uint64_t> counts(keys.size());
  many.count_bulk(keys, counts);
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(counts[i], one.count(keys[i]));
}

TEST(ledger_chain, copies_of_a_key_end_with_an_error_and_none_is_lost) {
  growing_filter f(erasable());
  std::uint64_t taken = 0;
  try {
    for (; taken < 10'000; ++taken) f.insert("again");
    FAIL() << "copies without end";
  } catch (const full_error&) {
    EXPECT_GT(taken, 255U);
  }
  EXPECT_EQ(f.count("again"), taken);
  for (std::uint64_t i = 0; i < taken; ++i) ASSERT_TRUE(f.erase("again"));
  EXPECT_FALSE(f.erase("again"));
}

TEST(ledger_chain, has_a_usual_factor_of_its_own) {
  EXPECT_EQ(growing_filter(growth{.erasable = true}).params().factor, 4U);
  EXPECT_EQ(growing_filter(growth{}).params().factor, 2U);
}

TEST(ledger_chain, unions_have_the_keys_of_both) {
  growing_filter a(erasable());
  growing_filter b(erasable());
  a.insert_bulk(numbers(0, 3000));
  b.insert_bulk(numbers(2000, 9000));
  a.merge(b);
  EXPECT_EQ(a.keys_inserted(), 12'000U);
  EXPECT_EQ(a.erase_bulk(numbers(0, 3000)), 3000U);
  EXPECT_EQ(a.erase_bulk(numbers(2000, 9000)), 9000U);
  EXPECT_EQ(a.keys_inserted(), 0U);
  growing_filter plain({.fpr = 0.02, .first_keys = 500, .factor = 2, .seed = 3});
  EXPECT_THROW(a.merge(plain), merge_error);
}

/// At the planned fill two halves have room by number, but not always in every block: links that refuse stay apart.
TEST(ledger_chain, links_whose_blocks_are_full_stay_apart) {
  const growth how{.fpr = 4.1e-4, .first_keys = 103'000, .factor = 2, .seed = 3, .erasable = true};
  std::size_t apart = 0;
  for (std::uint64_t round = 0; round < 4; ++round) {
    growing_filter a(how);
    growing_filter b(how);
    a.insert_bulk(numbers(round << 32, 51'500));
    b.insert_bulk(numbers((round << 32) + 51'500, 51'500));
    a.merge(b);
    apart += a.links() - 1;
    ASSERT_EQ(a.keys_inserted(), 103'000U);
    ASSERT_EQ(a.erase_bulk(numbers(round << 32, 103'000)), 103'000U);
  }
  EXPECT_GT(apart, 0U);
  EXPECT_LT(apart, 4U);
}

TEST(ledger_chain, chains_that_would_not_be_nested_are_not_united) {
  const auto chain_of = [](std::uint64_t blocks) {
    const auto link_of = [](std::uint64_t m, std::uint64_t keys) {
      return growing_filter::link{filter(ledger_parameters{.blocks = m, .remainder_bits = 8, .seed = 3}), keys, 0.001};
    };
    return growing_filter(erasable(), {link_of(128, 500), link_of(blocks, 1000)});
  };
  growing_filter a = chain_of(256);
  growing_filter b = chain_of(384);
  a.insert(std::uint64_t{1});
  b.insert(std::uint64_t{2});
  EXPECT_THROW(a.merge(b), merge_error);
  EXPECT_EQ(a.keys_inserted(), 1U);
  EXPECT_EQ(a.links(), 2U);
  a.merge(chain_of(512));
  EXPECT_EQ(a.links(), 3U);
}

TEST(ledger_chain, files_whose_links_are_not_nested_are_refused) {
  growing_filter f(erasable());
  f.insert_bulk(numbers(0, 3000));
  ASSERT_EQ(f.links(), 3U);
  file_contents contents = extend::contents_of(f, key_kind::u64);
  EXPECT_NO_THROW(static_cast<void>(to_bytes(contents)));
  // Of 16, 32 and 64 blocks.
  for (const auto& [blocks, number] : {std::pair{24U, 1U}, std::pair{24U, 2U}, std::pair{320U, 1U}}) {
    const filter other(ledger_parameters{.blocks = blocks, .remainder_bits = 8, .seed = 3});
    file_contents wrong = contents;
    wrong.filters[number].params = other.params();
    wrong.filters[number].blocks = other.bytes();
    wrong.filters[number].overflowed = {};
    // Who writes a file sees whether it could be read.
    EXPECT_THROW(static_cast<void>(to_bytes(wrong)), error) << blocks << " blocks, " << number;
  }
}

TEST(ledger_chain, files_keep_it) {
  const std::string path = testing::TempDir() + "ledger_chain.sluice";
  growing_filter f(erasable());
  f.insert_bulk(numbers(0, 4000));
  f.insert(std::uint64_t{7});
  save(f, path, key_kind::u64);
  const filter_file mapped = filter_file::map(path);
  mapped.verify();
  EXPECT_TRUE(mapped.grows());
  EXPECT_TRUE(mapped.erases());
  EXPECT_EQ(mapped.count(std::uint64_t{7}), f.count(std::uint64_t{7}));
  std::vector<std::uint64_t> counts(2);
  mapped.count_bulk(numbers(7, 2), counts);
  EXPECT_EQ(counts[1], f.count(std::uint64_t{8}));
  filter_file::update(path, [](filter_file& loaded) {
    EXPECT_TRUE(loaded.erases());
    EXPECT_TRUE(loaded.erase(std::uint64_t{7}));
    EXPECT_EQ(loaded.erase_bulk(numbers(100, 3000)), 3000U);
    EXPECT_EQ(loaded.insert_bulk(numbers(10'000, 5000)), 5000U);
  });
  growing_filter again = growing_filter::load(path);
  EXPECT_EQ(again.params(), f.params());
  EXPECT_EQ(again.keys_inserted(), 6000U);
  EXPECT_EQ(again.erase_bulk(numbers(0, 100)), 100U);
  EXPECT_EQ(again.erase_bulk(numbers(10'000, 5000)), 5000U);
  std::remove(path.c_str());
}

TEST(ledger_chain, one_filter_in_place_of_it) {
  growing_filter f(erasable());
  f.insert_bulk(numbers(0, 4000));
  filter one = f.compact(numbers(0, 4000));
  EXPECT_EQ(scheme_of(one.params()), scheme::ledger);
  EXPECT_EQ(one.erase_bulk(numbers(0, 4000)), 4000U);
  EXPECT_THROW(static_cast<void>(f.compact(numbers(0, 1000))), parameter_error);
}

TEST(ledger_chain, tells_of_what_was_taken_before_it_refused) {
  growing_filter f(erasable(0.4, 20'000));
  const std::vector<std::uint64_t> copies(500, 7);  // more than two blocks and a list take
  std::vector<std::uint8_t> were_new(copies.size(), 2);
  EXPECT_THROW(f.insert_bulk(copies, were_new), error);
  const auto said = static_cast<std::uint64_t>(std::count(were_new.begin(), were_new.end(), std::uint8_t{1}));
  EXPECT_EQ(said, f.keys_inserted());
  EXPECT_LT(said, copies.size());
}

TEST(ledger_chain, no_link_is_planned_for_more_keys_than_it_takes) {
  const growth how = erasable(0.4, 64);
  const ledger_parameters p = extend::first_ledger(64, 0.05, how.seed);
  const std::uint64_t most = extend::most_keys_of_ledger(p);
  growing_filter f(how, {{filter(p), most, 0.05}});
  for (std::uint64_t key = 0; key < 2 * most; ++key) EXPECT_TRUE(f.insert(key));
  EXPECT_EQ(f.links(), 2U) << "it grows before a link refuses";
  EXPECT_THROW(growing_filter(how, {{filter(p), most + 1, 0.05}}), parameter_error);
}

TEST(ledger_chain, others_give_nothing_back) {
  growing_filter f({.fpr = 0.01, .first_keys = 100});
  f.insert("key");
  f.insert("key");
  EXPECT_EQ(f.count("key"), 1U);
  EXPECT_THROW(f.erase("key"), parameter_error);
  EXPECT_TRUE(f.may_contain("key"));
}

TEST(ledger_chain, what_cannot_have_grown_so_is_refused) {
  EXPECT_THROW(growing_filter(erasable(0.02, 500, 3)), parameter_error);
  EXPECT_THROW(growing_filter(erasable(1e-9)), parameter_error);
  EXPECT_THROW(growing_filter({.block_bits = 256, .erasable = true}), parameter_error);
  const auto link_of = [](std::uint64_t blocks, std::uint32_t rho, std::uint64_t keys) {
    return growing_filter::link{filter(ledger_parameters{.blocks = blocks, .remainder_bits = rho, .seed = 3}), keys,
                                0.001};
  };
  EXPECT_NO_THROW(growing_filter(erasable(), {link_of(128, 8, 500), link_of(384, 8, 1000)}));
  EXPECT_THROW(growing_filter(erasable(), {link_of(128, 8, 500), link_of(320, 8, 1000)}), parameter_error);
  EXPECT_THROW(growing_filter(erasable(), {link_of(128, 8, 500), link_of(256, 12, 1000)}), parameter_error);
  EXPECT_THROW(growing_filter(erasable(), {link_of(128, 8, 400)}), parameter_error);
  // A first link that is no whole page and has no next one: nothing is lost when it is full.
  growing_filter odd(erasable(), {link_of(33, 8, 1300)});
  std::uint64_t held = 0;
  EXPECT_THROW(for (; held < 10'000; ++held) odd.insert(held), parameter_error);
  EXPECT_GE(held, 1300U);
  for (std::uint64_t key = 0; key < held; ++key) ASSERT_TRUE(odd.may_contain(key)) << key;
  growth others = erasable();
  others.erasable = false;
  EXPECT_THROW(growing_filter(others, {link_of(128, 8, 500)}), parameter_error);
}

}  // namespace
}  // namespace sluice
