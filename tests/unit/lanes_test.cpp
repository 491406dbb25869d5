// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The layout is fixed: every backend computes the same masks, and filters have the bytes that they always had.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sluice/detail/bulk/kernels.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

/// Every question and every change, by two backends, over the same random blocks.
template <class A, class B, std::uint32_t Quads, bool Gated>
void expect_equal_backends() {
  using block = std::array<std::byte, Quads * 16>;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    block start{};
    for (std::size_t byte = 0; byte < start.size(); ++byte) {
      // From nearly empty to nearly full.
      const std::uint64_t word = detail::full_mix(i * 1000 + byte) | (i % 3 == 0 ? detail::full_mix(i + 77 * byte) : 0);
      start[byte] = static_cast<std::byte>(i % 5 == 0 ? word & (word >> 8) : word);
    }
    const digest x = hasher(1)(i);
    const detail::lanes::masks<A, Quads, Gated> a(x);
    const detail::lanes::masks<B, Quads, Gated> b(x);
    for (const detail::position_slice slice :
         {detail::position_slice{.count = 1}, detail::position_slice{.count = 8}, detail::position_slice{.count = 13},
          detail::position_slice{.first = 3, .count = 17}, detail::position_slice{.first = 4, .count = 9},
          detail::position_slice{.first = 0, .count = 64}, detail::position_slice{.first = 33, .count = 5}}) {
      block by_a = start;
      block by_b = start;
      ASSERT_EQ(a.holds(by_a.data(), slice), b.holds(by_b.data(), slice));
      a.add(by_a.data(), slice);
      b.add(by_b.data(), slice);
      ASSERT_EQ(by_a, by_b);
      ASSERT_TRUE(b.holds(by_a.data(), slice));
      ASSERT_EQ((A::template count_ones<Gated, Quads>(by_a.data())),
                (B::template count_ones<Gated, Quads>(by_b.data())));
      // Words that several threads share give the same.
      alignas(8) block shared = start;
      a.add(reinterpret_cast<detail::shared_byte*>(shared.data()), slice);
      ASSERT_EQ(shared, by_a);
      ASSERT_TRUE(b.holds(reinterpret_cast<const detail::shared_byte*>(shared.data()), slice));
    }
    const bool whole = a.holds(start.data(), {.count = 22});
    ASSERT_EQ(a.holds_first(start.data(), detail::fixed<22>{}), whole);
    ASSERT_EQ(b.holds_first(start.data(), detail::fixed<22>{}), whole);
    ASSERT_EQ(b.holds_first(start.data(), detail::lanes::stepped<6>{22}), whole);
    if constexpr (Gated) {
      for (std::uint32_t trace = 0; trace <= 4; ++trace) {
        // Looped and unrolled.
        const detail::lanes::first_look by_a = a.look(start.data(), 11U, trace);
        for (const detail::lanes::first_look other :
             {b.look(start.data(), 11U, trace), b.look(start.data(), detail::fixed<11>{}, trace),
              a.look(start.data(), detail::lanes::stepped<3>{11}, trace)}) {
          ASSERT_EQ(by_a.found(), other.found());
          ASSERT_EQ(by_a.goes_on(false), other.goes_on(false));
          ASSERT_EQ(by_a.goes_on(true), other.goes_on(true));
        }
      }
      ASSERT_EQ(a.gate_closed(start.data()), b.gate_closed(start.data()));
      // Spilled keys that end in the last step, beyond it and before it, and those that leave part of a step behind.
      for (const detail::position_slice spilled :
           {detail::position_slice{.first = 4, .count = 7}, detail::position_slice{.first = 4, .count = 9},
            detail::position_slice{.first = 4, .count = 16}, detail::position_slice{.first = 4, .count = 2},
            detail::position_slice{.first = 3, .count = 8}, detail::position_slice{.first = 0, .count = 11}}) {
        block second = start;
        std::rotate(second.begin(), second.begin() + 5, second.end());
        for (const bool is_static : {false, true}) {
          const auto asked = [&](const auto& bits) { return bits.holds(second.data(), spilled); };
          const bool closed = a.gate_closed(start.data());
          const bool stayed = a.holds(start.data(), {.count = 11}) && !(is_static && closed);
          const bool trace = spilled.first == 0 || a.holds(start.data(), {.count = spilled.first});
          const detail::probe wanted = stayed || !closed || !trace ? detail::probe{stayed, 1}
                                                                   : detail::probe{a.holds(second.data(), spilled), 2};
          for (const detail::probe got :
               {a.look_up(start.data(), 11U, spilled.first, is_static, asked),
                b.look_up(start.data(), detail::fixed<11>{}, spilled.first, is_static, asked),
                b.look_up(start.data(), detail::lanes::stepped<3>{11}, spilled.first, is_static, asked)}) {
            ASSERT_EQ(got.found, wanted.found);
            ASSERT_EQ(got.accesses, wanted.accesses);
          }
        }
        block by_slice = second;
        block by_steps = second;
        a.add(by_slice.data(), spilled);
        b.first(detail::lanes::stepped<3>{11}).add_to(by_steps.data(), spilled);
        ASSERT_EQ(by_slice, by_steps);
      }
    }
  }
}

// Every position by itself, as it is defined.
TEST(layout, masks_are_the_positions) {
  const auto check = [](auto quads, auto gated) {
    for (std::uint64_t key = 0; key < 300; ++key) {
      const digest x = hasher(5)(key);
      const detail::lanes::masks<detail::simd::native, quads(), gated()> masks(x);
      for (std::uint32_t i = 0; i < detail::lanes::most_positions; ++i) {
        std::array<std::byte, quads() * 16> block{};
        masks.add(block.data(), {.first = i, .count = 1});
        ASSERT_EQ(detail::bits::count_ones(block.data(), block.size() * 8), 1U);
        ASSERT_TRUE(detail::bits::test_bit(block.data(), detail::lanes::position<gated()>(x, i, quads())))
            << key << ", " << i;
      }
    }
  };
  check(detail::fixed<4>{}, std::true_type{});
  check(detail::fixed<4>{}, std::false_type{});
  check(detail::fixed<2>{}, std::true_type{});
  check(detail::fixed<2>{}, std::false_type{});
}

TEST(backends, native_is_portable) {
  expect_equal_backends<detail::simd::portable, detail::simd::native, 4, true>();
  expect_equal_backends<detail::simd::portable, detail::simd::native, 4, false>();
  expect_equal_backends<detail::simd::portable, detail::simd::native, 2, true>();
  expect_equal_backends<detail::simd::portable, detail::simd::native, 2, false>();
}

// Of ledgers: which remainders of one or two bytes are equal, in every place, beside all others and beside none.
template <class Simd>
void expect_equal_numbers() {
  std::array<std::byte, 64> block{};
  for (std::uint64_t round = 0; round < 2000; ++round) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      // Few values, so that neighbours are often equal, and near to what is asked for.
      block[i] = static_cast<std::byte>(detail::full_mix(round * block.size() + i) % 3 - 1);
    }
    for (const std::uint8_t number : std::array<std::uint8_t, 4>{0, 1, 0xff, 0x80}) {
      std::uint64_t expected = 0;
      for (std::uint32_t i = 0; i < 48; ++i) {
        expected |= std::uint64_t{std::to_integer<std::uint8_t>(block[i]) == number} << i;
      }
      ASSERT_EQ(Simd::equal(block.data(), number), expected);
    }
    for (const std::uint16_t number : std::array<std::uint16_t, 6>{0, 1, 0x100, 0x101, 0xff00, 0xffff}) {
      std::uint64_t expected = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        expected |= std::uint64_t{detail::bits::read_field(block.data(), 16 * i, 16) == number} << i;
      }
      ASSERT_EQ(Simd::equal(block.data(), number), expected);
    }
  }
}

TEST(backends, find_equal_numbers) {
  expect_equal_numbers<detail::simd::portable>();
  expect_equal_numbers<detail::simd::native>();
}

// If one of these fails, filters that were written yesterday are lost today.
TEST(layout, is_fixed) {
  const auto fingerprint = [](const parameters& p) {
    filter f(p);
    for (std::uint64_t i = 0; i < 3000; ++i) f.insert(i * i);
    for (const char* text : {"", "a", "sluice", "a longer key that is hashed in several steps of sixteen bytes each"}) {
      f.insert(std::string_view(text));
    }
    return hasher()(f.bytes()).value;
  };
  EXPECT_EQ(fingerprint(gated_case(110, 7)), 6262177523628483498U);
  EXPECT_EQ(fingerprint(gated_parameters{.blocks = 260,
                                         .block_bits = 256,
                                         .hashes = 21,
                                         .trace = 3,
                                         .second_hashes = 18,
                                         .threshold = 73,
                                         .margin = 2,
                                         .seed = 1}),
            11557873132652130788U);
  EXPECT_EQ(fingerprint(blocked_parameters{.blocks = 99, .hashes = 10}), 13693587417605937170U);
  EXPECT_EQ(fingerprint(blocked_parameters{.blocks = 99, .block_bits = 256, .hashes = 33}), 9875708456835350711U);
  EXPECT_EQ(fingerprint(bloom_g_parameters{.blocks = 128, .hashes = 15, .positions = position_rule::lanes}),
            1883544286303748366U);
}

// The walk that does three tests in one ends where the walk in single steps does, also where a closed gate is a
// promise.
TEST(gated_walk, is_the_stepwise_walk) {
  for (const std::uint32_t trace : {0U, 2U, 3U, 4U, 13U, 14U}) {
    auto p = gated_case(128, 3);
    p.trace = trace % 10;
    const bool is_static = trace >= 10;
    static_builder builder(p);
    filter f(p);
    for (std::uint64_t i = 0; i < 5000; ++i) is_static ? builder.insert(i) : static_cast<void>(f.insert(i));
    if (is_static) f = builder.build();
    const auto recipe = detail::make_recipe(std::get<gated_parameters>(f.params()));
    const auto blocks = recipe.blocks(f.bytes().data());
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      const digest x = hasher(detail::seed_of(f.params()))(i);
      const detail::walk_result fast = walk(recipe.placement, blocks, x);
      const detail::walk_result slow = stepwise_walk(recipe.placement, blocks, x);
      ASSERT_EQ(fast.end, slow.end);
      ASSERT_EQ(fast.last, slow.last);
      ASSERT_EQ(fast.accesses, slow.accesses);
    }
  }
}

}  // namespace
