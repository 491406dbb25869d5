// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Sealed filters: no false negatives for any r and any number of keys, the rate 2^-r, equal bytes whatever the order
// and the threads, equal answers of kernels, bulk, views and files, and clear refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <list>
#include <random>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "bulk/sealed_system.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/chosen_keys.hpp"
#include "support/interval.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"
#include "support/static_builds.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

filter sealed(const sealed_parameters& p, const std::vector<std::uint64_t>& keys, const build_options& how = {}) {
  sealed_builder b(p);
  b.insert_bulk(keys);
  return b.build(how);
}
bool equal_filters(const filter& a, const filter& b) {
  return std::ranges::equal(a.bytes(), b.bytes()) && std::ranges::equal(a.overflow().slots, b.overflow().slots);
}
template <class Visit>
void for_all_shapes(const Visit& visit) {
  for (const std::uint32_t block_bits : {512U, 256U}) {
    for (std::uint32_t r = 1; r <= 32; ++r) visit(sealed_parameters{.block_bits = block_bits, .fingerprint_bits = r});
  }
}
std::string why_not(const auto& call) {
  try {
    call();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(sealed_layout, every_bit_of_a_block_has_one_use) {
  for_all_shapes([](const sealed_parameters& p) {
    const detail::sealed_layout l(p.block_bits, p.fingerprint_bits);
    EXPECT_LE(l.columns, detail::sealed_layout::most_columns);
    EXPECT_LE(l.seed_at() + l.seed_bits, l.meta_bits());
    EXPECT_LE(l.gates, l.classes);
    EXPECT_LE(l.classes, 64U) << "a word is shifted by the class";
    EXPECT_LE(l.capacity(), l.columns);
    EXPECT_EQ(l.column_at(0), l.meta_bits());
    EXPECT_EQ(l.column_at(l.columns), l.block_bits);
    const detail::sealed_block kind(l);
    std::vector<std::byte> bytes(kind.stride_bytes());
    const detail::mutable_block block{bytes.data(), nullptr};
    std::mt19937_64 random(p.fingerprint_bits);
    std::vector<std::uint32_t> columns(l.columns);
    for (auto& c : columns) c = static_cast<std::uint32_t>(random() & detail::bits::low_bits(l.fingerprint_bits));
    kind.set_seed(block, l.seeds() - 1);
    for (std::uint32_t j = 0; j < l.columns; ++j) kind.set_column(block, j, columns[j]);
    for (std::uint32_t j = 0; j < l.columns; ++j) ASSERT_EQ(kind.column(block, j), columns[j]);
    EXPECT_EQ(l.seed_of(kind.meta(block)), l.seeds() - 1);
    EXPECT_EQ(l.gates_of(kind.meta(block)), 0U);
    EXPECT_FALSE(kind.is_bumped(block));
    kind.set_bumped(block);
    EXPECT_TRUE(kind.is_bumped(block));
    EXPECT_EQ(l.gates_of(kind.meta(block)), 0U);
  });
}

void expect_solutions(const detail::bulk::sealed_solver& solver, std::uint32_t least, std::uint32_t most, int rounds) {
  std::mt19937_64 random(1);
  detail::bulk::sealed_rows rows;
  detail::bulk::sealed_solution solved;
  detail::bulk::sealed_solution of_baseline;
  for (int round = 0; round < rounds; ++round) {
    const auto columns = static_cast<std::uint32_t>(least + random() % (most - least + 1));
    rows.words = detail::bulk::mask_words(columns);
    rows.count = static_cast<std::uint32_t>(random() % (columns + 1));
    rows.masks.fill(0);
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      const auto mask = rows.mask(i);
      for (int n = 0; n < 5; ++n) {
        const auto column = random() % columns;
        mask[column / 64] ^= std::uint64_t{1} << (column % 64);
      }
      if (i > 2 && random() % 16 == 0) {
        for (std::uint32_t w = 0; w < rows.words; ++w) mask[w] = rows.mask(0)[w] ^ rows.mask(1)[w];
      }
      rows.sums[i] = static_cast<std::uint32_t>(random());
    }
    solver.solve(rows, solved);
    const std::uint32_t dependent = solver.dependent(rows, rows.count + 1);
    std::uint32_t without_place = 0;
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      if (!solved.has_place(i)) {
        ++without_place;
        continue;
      }
      std::uint64_t sum = 0;
      for (std::uint32_t j = 0; j < columns; ++j)
        sum ^= ((rows.mask(i)[j / 64] >> (j % 64)) & 1U) != 0 ? solved.columns[j] : 0;
      ASSERT_EQ(sum, rows.sums[i]) << columns << " columns, " << rows.count << " rows";
    }
    EXPECT_EQ(without_place, dependent);
    EXPECT_EQ(solver.dependent(rows, 1), std::min(dependent, 1U));
    detail::bulk::baseline::sealed_system::solver().solve(rows, of_baseline);
    EXPECT_EQ(solved.columns, of_baseline.columns);
  }
}
TEST(sealed_system, solves_what_can_be_solved_with_every_instruction_set) {
  for (const detail::bulk::sealed_solver& solver :
       {detail::bulk::baseline::sealed_system::solver(), detail::bulk::best_sealed_solver()}) {
    expect_solutions(solver, 7, 64, 300);
    expect_solutions(solver, 65, 128, 100);
    expect_solutions(solver, 129, 256, 60);
    expect_solutions(solver, 257, detail::sealed_layout::most_columns, 30);
  }
}

TEST(sealed_groups, second_blocks_are_others_of_the_same_group) {
  for (const std::uint64_t blocks : {1U, 2U, 63U, 64U, 65U, 70U, 129U, 4000U, 100'000U}) {
    const detail::even_groups g(blocks, 64);
    EXPECT_GE(g.blocks(), blocks);
    EXPECT_LT(g.blocks() - blocks, g.groups());
    EXPECT_LE(g.group_blocks(), 64U);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const digest x = hasher(blocks)(i);
      const std::uint64_t first = g.first(x);
      const std::uint64_t second = g.second(x, first);
      ASSERT_EQ(first / g.group_blocks(), second / g.group_blocks());
      ASSERT_EQ(first / g.group_blocks() * g.group_blocks(), g.first_of_group(x));
      ASSERT_TRUE(first != second || g.group_blocks() == 1);
    }
  }
}

TEST(sealed_filter, has_every_key_and_all_forms_of_lookups_agree) {
  for_all_shapes([](const sealed_parameters& p) {
    for (const std::uint64_t n : {0U, 1U, 2U, 31U, 64U, 200U, 1000U, 2100U, 30'000U}) {
      const std::vector<std::uint64_t> keys = numbers(0, n);
      const filter f = sealed(p, keys);
      ASSERT_EQ(f.keys_inserted(), n);
      std::vector<std::uint64_t> asked = numbers(0, n);
      for (const std::uint64_t k : numbers(elsewhere, 3000)) asked.push_back(k);
      std::vector<std::uint8_t> answers(asked.size());
      f.may_contain_bulk(asked, answers);
      const filter_view view = f.view();
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const bool found = f.may_contain(asked[i]);
        ASSERT_TRUE(found || i >= n) << "false negative: r " << p.fingerprint_bits << ", " << n << " keys";
        ASSERT_EQ(found, answers[i] != 0);
        ASSERT_EQ(found, f.probe(asked[i]).found) << "the kernel and the walk differ";
        ASSERT_EQ(found, view.may_contain(asked[i]));
        ASSERT_FALSE(n == 0 && found && p.fingerprint_bits > 1) << "an empty set has no keys";
      }
    }
  });
}

// Chance of failing by accident: 5.5 standard errors for each of 26 rates.
TEST(sealed_filter, has_the_rate_of_its_fingerprints) {
  for (const std::uint32_t block_bits : {512U, 256U}) {
    for (std::uint32_t r = 1; r <= 13; ++r) {
      const filter f = sealed({.block_bits = block_bits, .fingerprint_bits = r}, numbers(0, 20'000));
      constexpr std::uint64_t absent = 1'000'000;
      double positives = 0;
      for (std::uint64_t i = 0; i < absent; ++i) positives += f.may_contain(elsewhere + i) ? 1 : 0;
      const double expected = std::ldexp(1.0, -static_cast<int>(r));
      EXPECT_NEAR(positives / absent, expected, share_tolerance(expected, absent)) << r;
      EXPECT_NEAR(f.stats().fpr_from_fill, expected, expected * 5e-3);
    }
  }
}

// The targets of the design: bits a key with the list, blocks read, lookups that ask the list.
TEST(sealed_filter, keeps_its_promises_of_memory_and_reads) {
  struct promise {
    std::uint32_t r;
    double bits;
    double asks;
  };
  constexpr std::uint64_t n = 200'000;
  for (const promise& wanted : {promise{1, 1.25, 0.02}, promise{4, 4.5, 0.02}, promise{7, 7.7, 0.02},
                                promise{8, 8.7, 0.02}, promise{12, 13.2, 0.01}, promise{16, 17.9, 0.005},
                                promise{20, 22.95, 0.005}, promise{24, 28.7, 0.002}, promise{32, 39.5, 0.002}}) {
    const filter f = sealed({.fingerprint_bits = wanted.r}, numbers(0, n));
    const statistics s = f.stats();
    EXPECT_LE(s.memory_bits_per_key, wanted.bits) << wanted.r;
    double hit = 0;
    for (std::uint64_t i = 0; i < n; ++i) hit += f.probe(i).accesses;
    EXPECT_LE(hit / n, 1.06) << wanted.r;
    EXPECT_LE(s.blocks_per_miss_from_fill, 1.06) << wanted.r;
    EXPECT_NEAR(s.keys_from_fill, n, 0.01 * n) << wanted.r;
    const auto recipe = detail::make_recipe(std::get<sealed_parameters>(f.params()));
    const auto blocks = recipe.blocks(f.bytes().data());
    double bumped = 0;
    for (std::uint64_t b = 0; b < blocks.size(); ++b) bumped += recipe.block.is_bumped(blocks[b]) ? 1 : 0;
    EXPECT_LE(bumped / static_cast<double>(blocks.size()), wanted.asks) << wanted.r;
  }
  // Small sets are not rounded up to pages.
  const filter one = sealed({.fingerprint_bits = 16}, numbers(0, 1));
  EXPECT_EQ(one.bytes().size(), 64U);
  EXPECT_LE(sealed({.fingerprint_bits = 16}, numbers(0, 2000)).stats().memory_bits_per_key, 18.2);
}

TEST(sealed_filter, bytes_depend_on_the_set_of_keys_alone) {
  const sealed_parameters p{.fingerprint_bits = 12};
  std::vector<std::uint64_t> keys = numbers(0, 60'000);
  const filter one = sealed(p, keys);
  EXPECT_GT(one.stats().overflow_keys, 0U) << "the list is tested, too";
  for (const std::uint32_t threads : {2U, 3U}) EXPECT_TRUE(equal_filters(sealed(p, keys, {.threads = threads}), one));
  keys.insert(keys.end(), keys.begin(), keys.begin() + 20'000);
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(3));
  const filter shuffled = sealed(p, keys);
  EXPECT_TRUE(equal_filters(shuffled, one));
  EXPECT_TRUE(shuffled == one);
  EXPECT_EQ(shuffled.keys_inserted(), 60'000U);
  const auto sized = std::get<sealed_parameters>(one.params());
  for (const std::uint64_t room : {10'000'000U, 100'000U}) {
    const auto source = [&](auto&& take) {
      for (const std::uint64_t k : keys) take(k);
    };
    EXPECT_TRUE(equal_filters(sealed_builder::build_from(sized, source, {}, room), one));
  }
  EXPECT_FALSE(equal_filters(sealed({.fingerprint_bits = 12, .seed = 1}, numbers(0, 60'000)), one));
}

TEST(sealed_filter, tells_how_far_it_is) {
  std::vector<double> told;
  static_cast<void>(sealed({}, numbers(0, 200'000), {.progress = [&](double share) { told.push_back(share); }}));
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 1);
}

TEST(sealed_filter, refuses_what_it_cannot_do_and_says_what_can) {
  filter f = sealed({}, numbers(0, 1000));
  const filter before = f;
  EXPECT_NE(why_not([&] { f.insert(1); }).find("takes no more keys"), std::string::npos);
  EXPECT_NE(why_not([&] { f.insert_bulk(numbers(0, 3)); }).find("takes no more keys"), std::string::npos);
  EXPECT_NE(why_not([&] { f.merge(before); }).find("cannot be merged"), std::string::npos);
  EXPECT_NE(why_not([&] { const filter g(f.params()); }).find("sealed_builder"), std::string::npos);
  EXPECT_NE(why_not([&] { const concurrent_filter g(f.params()); }), "");
  EXPECT_TRUE(f == before);
  EXPECT_NE(why_not([] { const sealed_builder b({.fingerprint_bits = 0}); }).find("1 to 32"), std::string::npos);
  EXPECT_NE(why_not([] { const sealed_builder b({.block_bits = 128}); }).find("256 or 512"), std::string::npos);
  const std::string too_few = why_not([] { static_cast<void>(sealed({.blocks = 10}, numbers(0, 10'000))); });
  EXPECT_NE(too_few.find("they may be too many"), std::string::npos) << too_few;
  EXPECT_NE(too_few.find("or they were chosen by a party that knows the seed"), std::string::npos) << too_few;
}

// Keys with chosen digests: all in one group, all in one block. The list must not take the memory.
TEST(sealed_filter, refuses_keys_that_were_chosen_to_meet) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 20'000; ++i) keys.push_back(integer_with(digest{i << 20}));
  EXPECT_NE(why_not([&] { static_cast<void>(sealed({}, keys)); }).find("random"), std::string::npos);
  const filter safe = sealed({.seed = 77}, keys);
  for (const std::uint64_t k : keys) ASSERT_TRUE(safe.may_contain(k));
}

// However many keys meet in one block, the search looks at a few of them: refusing them takes no longer than building a
// filter of as many honest ones. The blocks are those of the honest ones, as who estimates the number of keys has them.
TEST(sealed_filter, refuses_chosen_keys_in_the_time_of_honest_ones) {
  constexpr std::uint64_t count = 50'000;
  std::vector<std::uint64_t> keys = numbers(0, count);
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(integer_with(digest{i}));
  const auto seconds_for = [](const sealed_parameters& p, const std::vector<std::uint64_t>& some) {
    const std::clock_t begin = std::clock();  // of the processor: the machine may be busy
    const std::string refused = why_not([&] { static_cast<void>(sealed(p, some)); });
    return std::pair(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, refused);
  };
  const auto [honest, accepted] = seconds_for({}, numbers(0, 2 * count));
  const auto [seconds, refused] = seconds_for({.blocks = sealed_builder::blocks_for(count, {})}, keys);
  EXPECT_EQ(accepted, "");
  EXPECT_NE(refused.find("chosen by a party that knows the seed"), std::string::npos) << refused;
  EXPECT_LT(seconds, 5 * honest) << "honest keys take " << honest;
}

// Classes that all want to go to one block: what a step of the search looks at is bounded, too.
TEST(sealed_filter, refuses_keys_with_one_second_block_in_the_time_of_honest_ones) {
  const sealed_parameters p{.blocks = sealed_builder::blocks_for(20'000, {.fingerprint_bits = 8}),
                            .fingerprint_bits = 8};
  const detail::sealed_layout layout(p.block_bits, p.fingerprint_bits);
  const detail::even_groups groups(p.blocks, 64);
  std::mt19937_64 random(1);
  digest_store chosen;
  digest_store honest;
  for (std::vector<std::uint32_t> in_block(groups.group_blocks()); chosen.size() < 248 * in_block.size();) {
    const digest x{random() / groups.groups()};  // of the first group
    const std::uint64_t first = groups.first(x);
    if (first >= in_block.size() || in_block[first] == 248 || detail::sealed_key(x).class_of(layout.classes) >= 10)
      continue;
    if (groups.second(x, first) != (first == 0 ? 1 : 0)) continue;
    ++in_block[first];
    chosen.push_back(x);
  }
  while (honest.size() < chosen.size()) honest.push_back(digest{random()});
  const auto seconds_for = [&](digest_store some) {
    const std::clock_t begin = std::clock();  // of the processor: the machine may be busy
    const std::string refused = why_not([&] { static_cast<void>(sealed_builder(p, std::move(some)).build()); });
    return std::pair(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, refused);
  };
  const auto [usual, accepted] = seconds_for(std::move(honest));
  const auto [seconds, refused] = seconds_for(std::move(chosen));
  EXPECT_EQ(accepted, "");
  EXPECT_NE(refused.find("chosen by a party that knows the seed"), std::string::npos) << refused;
  EXPECT_LT(seconds, 10 * usual) << "honest keys take " << usual;
}

// Keys that come again do not make the list longer than it may be.
TEST(sealed_filter, refuses_too_many_keys_however_often_they_come) {
  std::vector<std::uint64_t> keys = numbers(0, 200);
  const sealed_parameters p{.blocks = 1, .fingerprint_bits = 8};
  EXPECT_NE(why_not([&] { static_cast<void>(sealed(p, keys)); }), "");
  for (int again = 0; again < 99; ++again) {
    const std::vector<std::uint64_t> same = numbers(0, 200);
    keys.insert(keys.end(), same.begin(), same.end());
  }
  EXPECT_NE(why_not([&] { static_cast<void>(sealed(p, keys)); }).find("of 200 keys"), std::string::npos);
}

// As many of them as the list may have: the others keep their places.
TEST(sealed_filter, holds_a_few_keys_that_were_chosen_to_meet) {
  const std::vector<std::uint64_t> honest = numbers(0, 300'000);
  std::vector<std::uint64_t> keys = honest;
  for (std::uint64_t i = 0; i < 4'000; ++i) keys.push_back(integer_with(digest{i}));
  const filter f = sealed({}, keys);
  for (const std::uint64_t k : keys) ASSERT_TRUE(f.may_contain(k)) << "false negative: key " << k;
  const filter of_honest = sealed({}, honest);
  const double more = static_cast<double>(f.overflow().keys - of_honest.overflow().keys);
  EXPECT_LE(more, 4'000);
}

TEST(sealed_filter, survives_a_file_and_damaged_ones_are_refused) {
  const filter f = sealed({.fingerprint_bits = 12}, numbers(0, 150'000));
  ASSERT_GT(f.stats().overflow_keys, 1U);
  std::vector<std::byte> file = to_bytes(f, {.kind = key_kind::u64});
  EXPECT_EQ(refusal(file), "");
  const filter_file there(file);
  for (std::uint64_t i = 0; i < 150'000; ++i) ASSERT_TRUE(there.may_contain(i));
  EXPECT_EQ(there.stats().front().overflow_keys, f.stats().overflow_keys);
  // The list in descending order, with checksums that are right.
  std::vector<std::byte> swapped = file;
  const std::size_t list = file.size() - f.overflow().slots.size();
  std::swap_ranges(swapped.begin() + static_cast<std::ptrdiff_t>(list),
                   swapped.begin() + static_cast<std::ptrdiff_t>(list) + 8,
                   swapped.begin() + static_cast<std::ptrdiff_t>(list) + 8);
  reseal(swapped);
  EXPECT_NE(refusal(swapped).find("not larger"), std::string::npos) << refusal(swapped);
  filter_file writable(f, {.kind = key_kind::u64});
  EXPECT_THROW(writable.insert(std::uint64_t{1}), error);
}

TEST(sealed_filter, any_bytes_are_searched_within_their_bounds) {
  std::mt19937_64 random(5);
  for_all_shapes([&](sealed_parameters p) {
    p.blocks = 70;
    p = std::get<sealed_parameters>(detail::normalised(p));
    std::vector<std::byte> bytes(bytes_for(p));
    for (auto& b : bytes) b = static_cast<std::byte>(random());
    std::vector<std::byte> list(8 * 40);
    for (auto& b : list) b = static_cast<std::byte>(random());
    const filter_view v(p, bytes, {.slots = list, .keys = 40});
    std::vector<std::uint8_t> answers(1000);
    v.may_contain_bulk(numbers(0, 1000), answers);
    for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(v.may_contain(i), answers[i] != 0);
  });
}

TEST(sealed_list, finds_its_members_whatever_they_are) {
  for (const std::uint64_t n : {0U, 1U, 2U, 9U, 1000U}) {
    for (const std::uint64_t spread : {std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0} / (n + 1)}) {
      std::vector<digest> members;
      for (std::uint64_t i = 0; i < n; ++i) members.push_back(digest{i * spread});
      const detail::sorted_list list{std::span<const digest>(members)};
      for (const digest x : members) ASSERT_TRUE(list.view().may_contain(x));
      ASSERT_FALSE(list.view().may_contain(digest{n * spread + 1}));
      if (spread > 1 && n > 0) {
        for (const digest x : members) ASSERT_FALSE(list.view().may_contain(digest{x.value + 1}));
      }
    }
  }
}

TEST(sealed_plan, chooses_r_and_keeps_the_memory_that_it_says) {
  const auto of = [](const plan_request& q) {
    plan_request sealed_alone = q;
    sealed_alone.by = plan_by::bits;
    sealed_alone.among = {scheme::sealed};
    const auto all = plan(sealed_alone);
    const auto found = std::ranges::find_if(all, [](const auto& c) { return detail::is_sealed(c.params); });
    EXPECT_NE(found, all.end());
    return *found;
  };
  const plan_candidate by_rate = of({.keys = 100'000, .fpr = 1e-4, .all_keys_known = true});
  const auto p = std::get<sealed_parameters>(by_rate.params);
  EXPECT_EQ(p.fingerprint_bits, 14U);
  const filter f = sealed(p, numbers(0, 100'000));
  const statistics s = f.stats();
  EXPECT_NEAR(by_rate.memory_bits_per_key, s.memory_bits_per_key, 0.02 * s.memory_bits_per_key);
  EXPECT_NEAR(by_rate.predicted.accesses_miss, s.blocks_per_miss_from_fill, 0.01);
  const plan_candidate by_memory = of({.keys = 100'000, .memory_bits = 18e5, .all_keys_known = true});
  EXPECT_EQ(std::get<sealed_parameters>(by_memory.params).fingerprint_bits, 16U);
  EXPECT_LE(8 * by_memory.memory_bytes, 18e5);
  const plan_candidate by_keys = of({.fpr = 1e-4, .memory_bits = 18e5, .all_keys_known = true});
  EXPECT_GT(by_keys.keys, 112'000);
  EXPECT_LE(8 * by_keys.memory_bytes, 18e5);
  for (const auto& c : plan({.keys = 1e5, .fpr = 1e-4}))
    EXPECT_FALSE(detail::is_sealed(c.params)) << "keys are not known";
}

TEST(sealed_plan, takes_the_fewest_bits_unless_time_is_asked_for) {
  const auto bits_of = [](double fpr, plan_by by) {
    const auto all = plan(
        {.keys = 10'000, .fpr = fpr, .by = by, .all_keys_known = true, .among = {scheme::sealed, scheme::blocked}});
    const auto found = std::ranges::find_if(all, [](const auto& c) { return detail::is_sealed(c.params); });
    EXPECT_NE(found, all.end());
    EXPECT_FALSE(found->too_slow) << found->design;
    return std::get<sealed_parameters>(found->params).fingerprint_bits;
  };
  EXPECT_EQ(bits_of(4e-5, plan_by::bits), 15U);
  EXPECT_EQ(bits_of(4e-5, plan_by::balanced), 15U);
  EXPECT_EQ(bits_of(4e-5, plan_by::time), 16U) << "columns of fifteen bits are no whole bytes";
  EXPECT_EQ(bits_of(2e-5, plan_by::balanced), 16U);
}

TEST(sealed_call, makes_of_any_range_what_the_plan_says) {
  const std::vector<std::uint64_t> keys = numbers(0, 20'000);
  const filter f = filter::sealed(keys, {.fpr = 1e-5, .seed = 7});
  const auto p = std::get<sealed_parameters>(f.params());
  EXPECT_LE(std::ldexp(1.0, -static_cast<int>(p.fingerprint_bits)), 1e-5);
  EXPECT_EQ(p.seed, 7U);
  EXPECT_TRUE(equal_filters(f, sealed(p, keys)));
  for (const std::uint64_t k : keys) ASSERT_TRUE(f.may_contain(k)) << "false negative: key " << k;
  EXPECT_EQ(f.planned_keys(), 20'000U);
  EXPECT_EQ(f.planned_fpr(), 1e-5);
  EXPECT_EQ(f.keys_inserted(), 20'000U);

  // Keys that come again count once, and neither order nor threads nor the kind of range matter.
  std::list<std::uint64_t> twice(keys.rbegin(), keys.rend());
  twice.insert(twice.end(), keys.begin(), keys.end());
  EXPECT_TRUE(equal_filters(f, filter::sealed(twice, {.fpr = 1e-5, .seed = 7}, 2)));
  auto read_once = std::views::iota(std::size_t{0}, keys.size()) |
                   std::views::filter([](std::size_t) { return true; }) |
                   std::views::transform([&](std::size_t i) { return keys[i]; });
  EXPECT_TRUE(equal_filters(f, filter::sealed(read_once, {.fpr = 1e-5, .seed = 7}, 0)));

  const std::array<const char*, 3> words = {"weir", "lock", "gate"};
  const filter of_words = filter::sealed(words);
  EXPECT_TRUE(of_words.may_contain("lock") && of_words.may_contain(std::string("gate")));
  EXPECT_EQ(of_words.planned_fpr(), plan_request::usual_fpr);
  EXPECT_FALSE(filter::sealed(std::vector<int>()).may_contain(1)) << "no keys make a filter that has none";
  const filter within = filter::sealed(keys, {.memory_bits = 20'000.0 * 20});
  EXPECT_LE(8 * (within.bytes().size() + within.overflow().slots.size()), 20'000U * 20);
  EXPECT_GE(std::get<sealed_parameters>(within.params()).fingerprint_bits, 16U);
}

TEST(sealed_call, refuses_what_no_sealed_filter_is) {
  const std::vector<std::uint64_t> keys = numbers(0, 100);
  EXPECT_NE(why_not([&] { static_cast<void>(filter::sealed(keys, {.fpr = 1e-11})); }).find("2^-32"), std::string::npos);
  EXPECT_NE(why_not([&] { static_cast<void>(filter::sealed(keys, {.keys = 100, .fpr = 0.1})); }).find("counted"),
            std::string::npos);
  EXPECT_NE(why_not([&] {
              static_cast<void>(filter::sealed(keys, {.fpr = 0.1, .among = {scheme::gated}}));
            }).find("sealed scheme alone"),
            std::string::npos);
  EXPECT_NE(why_not([&] { static_cast<void>(filter::sealed(keys, {.fpr = 0.1, .mergeable = true})); }).find("limit"),
            std::string::npos);
  EXPECT_THROW(static_cast<void>(filter::sealed(keys, {.fpr = 7})), parameter_error);
}

TEST(sealed_plan, one_call_makes_whatever_needs_all_keys) {
  const std::vector<std::uint64_t> keys = numbers(0, 3000);
  const auto digests = [&] {
    digest_store all;
    for (const std::uint64_t k : keys) all.push_back(hasher(7)(k));
    return all;
  };
  const sealed_parameters s{.fingerprint_bits = 10, .seed = 7};
  EXPECT_TRUE(filter::of_all_keys(s, digests(), {}) == sealed(s, keys));
  const gated_parameters g{.blocks = 128, .hashes = 12, .second_hashes = 9, .is_static = true, .seed = 7};
  static_builder builder(g);
  builder.insert_bulk(keys);
  EXPECT_TRUE(filter::of_all_keys(g, digests(), {}) == builder.build());
  gated_parameters online = g;
  online.is_static = false;
  EXPECT_NE(why_not([&] { static_cast<void>(filter::of_all_keys(online, digests(), {})); }).find("no builder"),
            std::string::npos);
}

}  // namespace
