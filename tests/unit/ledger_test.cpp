// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Ledgers: filters whose keys come and go. A multiset of keys stands beside each, and says what must be found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"

namespace sluice {
namespace {

ledger_parameters ledger_of(std::uint64_t blocks, std::uint32_t rho, std::uint64_t seed = 1) {
  return {.blocks = blocks, .remainder_bits = rho, .seed = seed};
}

constexpr std::uint32_t remainders[] = {8, 12, 15, 16, 24};

std::uint64_t most_keys(const ledger_parameters& p) {
  return detail::most_ledger_keys(detail::groups_of(p).blocks(), detail::ledger_layout(p.remainder_bits).slots);
}

/// What every block of a ledger must be: entries in order, nothing behind them; and every guest behind a closed gate,
/// every listed key behind a set bit.
void expect_sound(const filter& f, const auto& recipe) {
  const auto blocks = recipe.blocks(f.bytes().data());
  const detail::ledger_layout& layout = recipe.block.layout();
  std::uint64_t entries = 0;
  for (std::uint64_t b = 0; b < blocks.size(); ++b) {
    ASSERT_TRUE(recipe.block.is_well_formed(blocks[b])) << "block " << b;
    entries += recipe.block.load(blocks[b]);
    recipe.placement.for_each_entry(blocks, b, [&](std::uint64_t first, detail::ledger_entry e) {
      if (first == b) return;
      EXPECT_TRUE(recipe.block.gate_closed(blocks[first], layout.class_of(e)))
          << "a guest of block " << b << " is behind an open gate of block " << first;
    });
  }
  const detail::sorted_list_view list(f.overflow());
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    EXPECT_TRUE(recipe.block.lists_keys(blocks[recipe.placement.at(list[i], 0).block]));
  }
  EXPECT_EQ(entries + list.size(), f.keys_inserted());
}

void expect_sound(const filter& f) {
  detail::with_ledger_recipe(std::get<ledger_parameters>(f.params()),
                             [&](const auto& recipe) { expect_sound(f, recipe); });
}

/// So many of the low bits of a remainder that keys with few values of them can be found.
constexpr std::uint32_t low_part(std::uint32_t rho) { return (1U << std::min(rho, 12U)) - 1; }

class every_remainder : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(all, every_remainder, testing::ValuesIn(remainders),
                         [](const auto& p) { return "rho_" + std::to_string(p.param); });

TEST_P(every_remainder, layout_fills_the_block) {
  const detail::ledger_layout layout(GetParam());
  EXPECT_EQ(layout.gates_at() + layout.gates, layout.list_bit);
  EXPECT_GE(layout.quotients, 15U);
}

template <std::uint32_t Rho>
void keep_entries_in_order() {
  const detail::ledger_layout& layout = detail::ledger_layout_of<Rho>;
  const detail::ledger_block<Rho> kind;
  std::mt19937_64 random(Rho);
  for (int round = 0; round < 200; ++round) {
    std::byte bytes[64] = {};
    const detail::mutable_block block{bytes, nullptr};
    std::multimap<std::uint32_t, std::pair<std::uint32_t, bool>> twin;  // quotient: remainder, guest
    const auto few = round % 2 == 0 ? 3U : layout.quotients;            // equal entries, too
    for (int step = 0; step < 300; ++step) {
      const detail::ledger_entry e{static_cast<std::uint32_t>(random() % few),
                                   static_cast<std::uint32_t>(random() % 4) * ((1U << Rho) - 1) / 3};
      const bool guest = random() % 3 == 0;
      if (random() % 5 < 3 && kind.has_room(block)) {
        kind.add(block, e, guest);
        twin.insert({e.quotient, {e.remainder, guest}});
      } else if (kind.count(block, e, guest) != 0) {
        ASSERT_TRUE(kind.take(block, e, guest));
        const auto [first, last] = twin.equal_range(e.quotient);
        const auto it =
            std::find_if(first, last, [&](const auto& one) { return one.second == std::pair(e.remainder, guest); });
        ASSERT_NE(it, last);
        twin.erase(it);
      }
      ASSERT_TRUE(kind.is_well_formed(block));
      ASSERT_EQ(kind.load(block), twin.size());
    }
    std::multimap<std::uint32_t, std::pair<std::uint32_t, bool>> seen;
    for (std::uint32_t slot = 0; slot < kind.load(block); ++slot) {
      const detail::ledger_entry e = kind.entry_at(block, slot);
      seen.insert({e.quotient, {e.remainder, (kind.guests(block) >> slot & 1) != 0}});
    }
    std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, bool>>> ours(seen.begin(), seen.end());
    std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, bool>>> theirs(twin.begin(), twin.end());
    std::ranges::sort(ours);
    std::ranges::sort(theirs);
    EXPECT_EQ(ours, theirs);
  }
}

TEST(ledger_block, keeps_entries_in_order) {
  keep_entries_in_order<8>();
  keep_entries_in_order<12>();
  keep_entries_in_order<15>();
  keep_entries_in_order<16>();
  keep_entries_in_order<24>();
}

TEST(ledger_block, positions_of_ones_are_those_of_a_loop) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::uint64_t word = random();
    for (int i = round % 7; i > 0; --i) word &= random();
    if (round % 11 == 0) word = ~word;
    std::uint32_t k = 0;
    for (std::uint32_t position = 0; position < 64; ++position) {
      if ((word >> position & 1) == 0) continue;
      ASSERT_EQ(detail::position_of_one(word, k++), position);
    }
    EXPECT_EQ(detail::position_of_one(word, k), 64U);
  }
}

/// Random scripts beside a multiset.
struct churn {
  std::uint64_t blocks;
  std::uint32_t rho;
  double fill;                            // around which keys come and go
  std::vector<std::uint64_t> among = {};  // from which keys are drawn; empty: any
};

void run_script(const churn& c, std::uint64_t seed, std::uint64_t steps) {
  const ledger_parameters p = ledger_of(c.blocks, c.rho, seed);
  filter f(p);
  const auto most = static_cast<std::uint64_t>(c.fill / 0.95 * static_cast<double>(most_keys(p)));
  std::mt19937_64 random(seed);
  std::map<std::uint64_t, std::uint64_t> twin;
  std::vector<std::uint64_t> live;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const bool grow = live.empty() || (live.size() < most && random() % 16 < 9);
    if (grow && live.size() < most) {
      const std::uint64_t key = c.among.empty() ? random() : c.among[random() % c.among.size()];
      try {
        ASSERT_TRUE(f.insert(key));
      } catch (const full_error&) {
        ASSERT_GT(f.overflow().keys, 0U) << "it has room";
        continue;
      }
      ++twin[key];
      live.push_back(key);
    } else {
      const std::uint64_t at = random() % live.size();
      ASSERT_TRUE(f.erase(live[at])) << "key " << live[at] << " at step " << step;
      --twin[live[at]];
      live[at] = live.back();
      live.pop_back();
    }
    ASSERT_EQ(f.keys_inserted(), live.size());
  }
  for (const auto& [key, copies] : twin) {
    if (copies == 0) continue;
    ASSERT_TRUE(f.may_contain(key)) << "key " << key;
    ASSERT_GE(f.count(key), copies) << "key " << key;
  }
  expect_sound(f);
  for (const std::uint64_t key : live) ASSERT_TRUE(f.erase(key));
  EXPECT_EQ(f.keys_inserted(), 0U);
  EXPECT_EQ(f.stats().bits_set, 0U);
  EXPECT_EQ(f.overflow().keys, 0U);
}

TEST_P(every_remainder, scripts_lose_no_key) {
  std::uint64_t seed = 100 * GetParam();
  for (const std::uint64_t blocks : {1U, 2U, 3U, 7U, 63U, 64U, 128U, 320U}) {
    const detail::ledger_layout layout(GetParam());
    const std::uint64_t slots = layout.slots * detail::groups_of(ledger_of(blocks, GetParam())).blocks();
    for (const double fill : {0.6, 0.9, 0.95}) run_script({blocks, GetParam(), fill}, ++seed, 6 * slots);
    std::vector<std::uint64_t> few(slots / 4 + 1);  // which come again and again
    std::iota(few.begin(), few.end(), std::uint64_t{0});
    run_script({blocks, GetParam(), 0.9, few}, ++seed, 6 * slots);
  }
}

/// Different keys that look alike: of few entries, so that erasing one must leave the others.
TEST_P(every_remainder, keys_that_look_alike_stay_apart) {
  for (const std::uint64_t blocks : {1U, 2U, 3U, 5U, 128U}) {
    const std::uint64_t seed = 1000 * GetParam() + blocks;
    const detail::ledger_layout layout(GetParam());
    const hasher hash(seed);
    std::vector<std::uint64_t> alike;
    // Entries of one quotient, and few remainders where they are short.
    for (std::uint64_t key = 0; alike.size() < 400 && key < 40'000'000; ++key) {
      const detail::ledger_entry e = layout.entry_of(hash(key));
      if (e.quotient == 0 && (e.remainder & low_part(GetParam())) < 4) alike.push_back(key);
    }
    ASSERT_EQ(alike.size(), 400U);
    run_script({blocks, GetParam(), 0.9, alike}, seed, 4'000 + 20 * blocks * layout.slots);
  }
}

TEST_P(every_remainder, filters_are_emptied_and_filled_again) {
  const ledger_parameters p = ledger_of(5, GetParam());
  filter f(p);
  const std::uint64_t n = most_keys(p) * 9 / 10;
  for (std::uint64_t round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> keys(n);
    for (std::uint64_t i = 0; i < n; ++i) keys[i] = round << 32 | i;
    ASSERT_EQ(f.insert_bulk(keys), n);
    std::vector<std::uint8_t> answers(n);
    f.may_contain_bulk(keys, answers);
    ASSERT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(n));
    std::ranges::reverse(keys);
    ASSERT_EQ(f.erase_bulk(keys, answers), n);
    ASSERT_EQ(std::ranges::count(answers, 1), static_cast<std::ptrdiff_t>(n));
    ASSERT_EQ(f.keys_inserted(), 0U);
    ASSERT_EQ(f.stats().bits_set, 0U);
  }
}

TEST(ledger, equal_keys_are_kept_as_often_as_they_come) {
  filter f(ledger_of(3, 12));
  for (std::uint64_t i = 1; i <= 60; ++i) {
    ASSERT_TRUE(f.insert("again"));
    ASSERT_EQ(f.count("again"), i);
    ASSERT_EQ(f.keys_inserted(), i);
  }
  EXPECT_EQ(f.count("never"), 0U);
  for (std::uint64_t i = 60; i > 0; --i) {
    ASSERT_TRUE(f.may_contain("again"));
    ASSERT_TRUE(f.erase("again"));
    ASSERT_EQ(f.count("again"), i - 1);
  }
  EXPECT_FALSE(f.may_contain("again"));
  EXPECT_FALSE(f.erase("again"));
  EXPECT_TRUE(f.empty());
}

TEST(ledger, a_key_without_end_is_refused_and_nothing_is_lost) {
  filter f(ledger_of(640, 15));
  std::uint64_t copies = 0;
  EXPECT_THROW(
      for (;;) {
        f.insert("again");
        ++copies;
      },
      full_error);
  const detail::ledger_layout layout(15);
  EXPECT_EQ(copies, 2 * layout.slots + detail::ledger_list::most_copies);
  EXPECT_EQ(f.count("again"), copies);
  EXPECT_TRUE(f.insert("another"));
  expect_sound(f);
  for (; copies > 0; --copies) ASSERT_TRUE(f.erase("again"));
  EXPECT_FALSE(f.may_contain("again"));
  EXPECT_TRUE(f.may_contain("another"));
}

TEST(ledger, a_full_one_refuses_keys_and_keeps_what_it_has) {
  const ledger_parameters p = ledger_of(10, 16);
  const std::uint64_t most = most_keys(p);
  filter f(p);
  std::vector<std::uint64_t> keys(most + 100);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i;
  EXPECT_THROW(f.insert_bulk(keys), full_error);
  EXPECT_EQ(f.keys_inserted(), most);
  for (std::uint64_t i = 0; i < most; ++i) ASSERT_TRUE(f.may_contain(keys[i]));
  EXPECT_THROW(f.insert(keys[most]), full_error);
  EXPECT_EQ(f.keys_inserted(), most);
  EXPECT_TRUE(f.erase(keys[0]));
  EXPECT_TRUE(f.insert(keys[most]));
  expect_sound(f);
}

/// Of one block, and of two in a page, which have listed keys when it is made tidy.
TEST(ledger, keys_chosen_for_a_few_blocks_fill_them_and_the_list_and_are_refused) {
  for (const std::uint64_t other : {7U, 9U}) {
    const ledger_parameters p = ledger_of(640, 15);
    filter f(p);
    std::vector<std::uint64_t> taken;
    const hasher hash(p.seed);
    const auto expect_all = [&] {
      for (const std::uint64_t key : taken) ASSERT_TRUE(f.may_contain(key)) << taken.size() << " keys";
    };
    try {
      for (std::uint64_t key = 0; !HasFatalFailure(); ++key) {
        const std::uint64_t block = detail::first_block(hash(key), 640);
        if (block != 7 && block != other) continue;
        f.insert(key);
        taken.push_back(key);
        if (f.overflow().keys != 0) expect_all();
      }
    } catch (const full_error& e) {
      EXPECT_NE(std::string(e.what()).find("random one"), std::string::npos) << e.what();
    }
    EXPECT_GT(taken.size(), 1000U);  // its block, a page of second blocks, and the list
    expect_all();
    expect_sound(f);
    for (const std::uint64_t key : taken) ASSERT_TRUE(f.erase(key));
    EXPECT_TRUE(f.empty());
  }
}

TEST(ledger, the_same_calls_make_the_same_bytes) {
  const auto make = [] {
    filter f(ledger_of(130, 8, 9));
    std::mt19937_64 random(5);
    for (int i = 0; i < 20'000; ++i) {
      if (f.keys_inserted() < 5'000 || random() % 2 == 0) {
        if (f.keys_inserted() < 7'000) f.insert(random() % 100'000);
      } else {
        f.erase(random() % 100'000);
      }
    }
    return f;
  };
  const filter a = make();
  EXPECT_TRUE(a == make());
  EXPECT_TRUE(filter(a) == a);
}

TEST(ledger, merges_keep_every_copy_or_change_nothing) {
  for (const std::uint32_t rho : remainders) {
    const ledger_parameters p = ledger_of(100, rho);
    filter a(p);
    filter b(p);
    const std::uint64_t half = most_keys(p) * 45 / 100;
    for (std::uint64_t key = 0; key < half; ++key) {
      a.insert(key);
      b.insert(key + half / 2);  // some in both
    }
    filter c = a;
    c.merge(b);
    EXPECT_EQ(c.keys_inserted(), 2 * half);
    expect_sound(c);
    for (std::uint64_t key = 0; key < half + half / 2; ++key) {
      ASSERT_GE(c.count(key), key >= half / 2 && key < half ? 2U : 1U) << rho;
    }
    for (std::uint64_t key = 0; key < half; ++key) {
      ASSERT_TRUE(c.erase(key));
      ASSERT_TRUE(c.erase(key + half / 2));
    }
    EXPECT_TRUE(c.empty());
    for (std::uint64_t key = half; key < most_keys(p) * 8 / 10; ++key) a.insert(key);
    const filter before = a;
    EXPECT_THROW(a.merge(b), merge_error);
    EXPECT_TRUE(a == before);
  }
}

TEST(ledger, merges_keep_listed_keys_or_change_nothing) {
  for (const std::uint32_t rho : remainders) {
    const ledger_parameters p = ledger_of(100, rho);
    filter a(p);
    filter b(p);
    const std::uint64_t in_blocks = 2 * detail::ledger_layout(rho).slots;
    for (std::uint64_t i = 0; i < in_blocks + 150; ++i) b.insert("again");
    ASSERT_EQ(b.overflow().keys, 150U);
    a.merge(b);
    EXPECT_EQ(a.count("again"), in_blocks + 150);
    expect_sound(a);
    filter c = a;
    EXPECT_THROW(c.merge(a), merge_error) << "twice as many have no room";
    EXPECT_TRUE(c == a);
    for (std::uint64_t i = 0; i < in_blocks + 150; ++i) ASSERT_TRUE(a.erase("again"));
    EXPECT_TRUE(a.empty());
  }
}

TEST(ledger, other_filters_do_not_erase) {
  filter f(blocked_parameters{.blocks = 10, .hashes = 8});
  f.insert(1);
  EXPECT_THROW(f.erase(1), parameter_error);
  EXPECT_TRUE(f.may_contain(1));
  EXPECT_EQ(f.count(1), 1U);
  EXPECT_EQ(f.count(2), 0U);
}

TEST(ledger, counts_come_in_bulk) {
  filter f(ledger_of(100, 15));
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; key < 1500; ++key) {
    keys.push_back(key);
    for (std::uint64_t copies = key % 3; copies > 0; --copies) f.insert(key);
  }
  std::vector<std::uint64_t> counts(keys.size());
  f.count_bulk(keys, counts);
  for (std::uint64_t key = 0; key < keys.size(); ++key) ASSERT_EQ(counts[key], f.count(key));
  EXPECT_THROW(f.count_bulk(keys, std::span(counts).first(10)), parameter_error);
}

TEST(ledger, parameters_that_describe_none_are_refused) {
  EXPECT_THROW(filter(ledger_of(0, 15)), parameter_error);
  EXPECT_THROW(filter(ledger_of(10, 14)), parameter_error);
  EXPECT_THROW(filter(ledger_parameters{.blocks = 10, .block_bits = 256}), parameter_error);
  EXPECT_THROW(concurrent_filter(ledger_of(10, 15)), parameter_error);
  EXPECT_EQ(std::get<ledger_parameters>(filter(ledger_of(65, 15)).params()).blocks, 128U);
}

TEST(ledger, statistics_say_what_is_in_it) {
  filter f(ledger_of(640, 15));
  for (std::uint64_t key = 0; key < 16'000; ++key) f.insert(key);
  const statistics s = f.stats();
  ASSERT_TRUE(s.ledger.has_value());
  EXPECT_NEAR(s.ledger->fill, 16'000.0 / (640 * 28), 0.001);
  EXPECT_NEAR(s.keys_from_fill, 16'000, 0.5);
  EXPECT_GT(s.ledger->guests, 100U);
  EXPECT_GT(s.ledger->closed_gates, 0.01);
  EXPECT_EQ(s.blocks_per_miss_from_fill, 1 + s.ledger->closed_gates);
}

// --- files ---------------------------------------------------------------------------------------------------------

TEST_P(every_remainder, files_answer_erase_and_go_on) {
  const ledger_parameters p = ledger_of(70, GetParam());
  const std::uint64_t n = most_keys(p);
  filter f(p);
  for (std::uint64_t key = 0; key < n; ++key) f.insert(key);
  ASSERT_GT(f.overflow().keys + f.stats().ledger->guests, 0U);
  const std::vector<std::byte> bytes = to_bytes(f, {.kind = key_kind::u64});
  const filter_file mapped{std::span(bytes)};
  mapped.verify();
  EXPECT_TRUE(mapped.erases());
  for (std::uint64_t key = 0; key < n; ++key) ASSERT_TRUE(mapped.may_contain(key));
  filter_file loaded = filter_file::load(bytes);
  EXPECT_EQ(loaded.keys_inserted(), n);
  EXPECT_THROW(loaded.insert(n), full_error);
  std::vector<std::uint64_t> first(n / 2);
  std::iota(first.begin(), first.end(), std::uint64_t{0});
  EXPECT_EQ(loaded.erase_bulk(first), first.size());
  EXPECT_EQ(f.erase_bulk(first), first.size());
  for (std::uint64_t key = n; key < n + n / 4; ++key) {
    ASSERT_TRUE(loaded.insert(key));
    f.insert(key);
  }
  EXPECT_EQ(to_bytes(loaded.contents()), to_bytes(f, {.kind = key_kind::u64})) << "both do the same";
  for (std::uint64_t key = n / 2; key < n + n / 4; ++key) ASSERT_TRUE(loaded.may_contain(key));
  EXPECT_THROW(filter_file(std::span(bytes)).erase(std::uint64_t{1}), file_error) << "it is read-only";
  filter_file other(filter(blocked_parameters{.blocks = 3, .hashes = 5}), {.kind = key_kind::u64});
  EXPECT_THROW(other.erase(std::uint64_t{1}), parameter_error);
}

/// A list that somebody else wrote.
TEST(ledger_files, lists_out_of_order_are_refused) {
  const ledger_parameters p = ledger_of(64, 15);
  const auto with_list = [&](const std::vector<std::uint64_t>& digests) {
    std::vector<std::byte> slots(8 * digests.size());
    for (std::size_t i = 0; i < digests.size(); ++i) detail::bits::store_word(slots.data(), i, digests[i]);
    const filter f(p, [&](std::span<std::byte> /*zeros*/) { return std::uint64_t{digests.size()}; },
                   {.slots = slots, .keys = digests.size()});
    return to_bytes(f, {.kind = key_kind::u64});
  };
  const auto load = [](const std::vector<std::byte>& bytes) { return filter_file::load(bytes); };
  EXPECT_NO_THROW(load(with_list({3, 3, 5})));
  EXPECT_NO_THROW(load(with_list(std::vector<std::uint64_t>(255, 7))));
  EXPECT_THROW(load(with_list({5, 3})), error);
  EXPECT_THROW(load(with_list(std::vector<std::uint64_t>(256, 7))), error);
  std::vector<std::uint64_t> many(detail::ledger_list::capacity_beside(64 * 28) + 1);
  std::iota(many.begin(), many.end(), std::uint64_t{1});
  EXPECT_THROW(load(with_list(many)), error);
}

/// Blocks of untrusted bytes: whatever they answer, nothing beyond them is touched (under a sanitizer), and every
/// operation ends.
TEST_P(every_remainder, untrusted_blocks_are_survived) {
  std::mt19937_64 random(GetParam());
  for (const std::uint64_t blocks : {1U, 5U, 64U}) {
    for (int round = 0; round < 20; ++round) {
      filter f(ledger_of(blocks, GetParam()), [&](std::span<std::byte> bytes) {
        for (std::byte& b : bytes)
          b = static_cast<std::byte>(round % 4 == 0 ? 0xff : random() & (round % 2 ? 0x55 : 0xff));
        return std::uint64_t{0};
      });
      for (std::uint64_t step = 0; step < 500; ++step) {
        const std::uint64_t key = random() % 300;
        try {
          if (step % 2 == 0) f.insert(key);
        } catch (const full_error&) {
        }
        static_cast<void>(f.count(key));
        if (step % 3 == 0) f.erase(random() % 300);
      }
      static_cast<void>(f.stats());
      filter other(ledger_of(blocks, GetParam()));
      try {
        other.merge(f);
      } catch (const merge_error&) {
      }
    }
  }
}

}  // namespace
}  // namespace sluice
