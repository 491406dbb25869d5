// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block: how bits lie in bytes, and what each kind promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "sluice/detail/block/counted.hpp"
#include "sluice/detail/block/laned.hpp"
#include "sluice/detail/block/plain.hpp"
#include "sluice/detail/block/tallied.hpp"
#include "support/interval.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

struct one_block {
  std::vector<std::byte> bytes;
  std::uint64_t stride;

  explicit one_block(const auto& kind) : bytes(bytes_for(kind, 1)), stride(kind.stride_bytes()) {}
  detail::mutable_block handle() { return {bytes.data(), bytes.data() + stride}; }
};

TEST(words, bit_i_is_bit_i_mod_8_of_byte_i_div_8) {
  std::vector<std::byte> block(64);
  for (const std::uint64_t i : {0U, 7U, 8U, 63U, 64U, 65U, 500U, 511U}) {
    std::fill(block.begin(), block.end(), std::byte{0});
    detail::bits::set_bit(block.data(), i);
    for (std::uint64_t byte = 0; byte < block.size(); ++byte) {
      const auto expected = byte == i / 8 ? std::byte{1} << static_cast<int>(i % 8) : std::byte{0};
      EXPECT_EQ(block[byte], expected) << i;
    }
    EXPECT_TRUE(detail::bits::test_bit(block.data(), i));
    EXPECT_EQ(detail::bits::count_ones(block.data(), i), 0U);
    EXPECT_EQ(detail::bits::count_ones(block.data(), i + 1), 1U);
  }
}

TEST(words, fields_cross_word_borders_and_touch_nothing_else) {
  for (std::uint32_t first = 0; first < 128; ++first) {
    for (const std::uint32_t width : {1U, 4U, 13U, 33U, 63U, 64U}) {
      std::vector<std::byte> block(32, std::byte{0xa5});
      const auto before = block;
      const std::uint64_t value = 0x123456789abcdef7U & detail::bits::low_bits(width);
      detail::bits::write_field(block.data(), first, width, value);
      ASSERT_EQ(detail::bits::read_field(block.data(), first, width), value);
      for (std::uint64_t i = 0; i < 256; ++i) {
        if (i >= first && i < first + width) continue;
        ASSERT_EQ(detail::bits::test_bit(block.data(), i), detail::bits::test_bit(before.data(), i))
            << first << ' ' << width;
      }
      ASSERT_EQ(detail::bits::count_ones_in(block.data(), first, width), std::uint64_t(std::popcount(value)));
    }
  }
}

TEST(plain_block, strides_are_whole_words_and_lines) {
  EXPECT_EQ(detail::plain_block<>(64).stride_bytes(), 8U);
  EXPECT_EQ(detail::plain_block<>(65).stride_bytes(), 16U);
  EXPECT_EQ(detail::plain_block<>(256).stride_bytes(), 32U);
  EXPECT_EQ(detail::plain_block<>(500).stride_bytes(), 64U);
  EXPECT_EQ(detail::plain_block<>(512).stride_bytes(), 64U);
  EXPECT_EQ(detail::plain_block<>(4096).stride_bytes(), 512U);
}

// Positions are uniform over exactly the usable bits: every one is reached, none beyond, all equally often.
TEST(plain_block, positions_cover_all_bits_evenly_and_none_beyond) {
  for (const std::uint32_t size : {64U, 100U, 256U, 500U, 512U, 4096U}) {
    const detail::plain_block<> kind(size);
    std::vector<std::uint64_t> counts(size);
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      one_block block(kind);
      kind.set(block.handle(), hasher(1)(i), {.count = 1});
      ASSERT_EQ(kind.ones(block.handle()), 1U) << "a position fell outside the block";
      for (std::uint64_t word = 0; word < block.bytes.size() / 8; ++word) {
        if (const std::uint64_t w = detail::bits::load_word(block.bytes.data(), word); w != 0) {
          ++counts.at(word * 64 + static_cast<std::uint64_t>(std::countr_zero(w)));
        }
      }
    }
    EXPECT_LT(std::abs(testing_support::uniformity_deviation(counts)), testing_support::uniformity_limit) << size;
  }
}

TEST(plain_block, a_slice_is_part_of_the_whole) {
  const detail::plain_block<> kind(512);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const digest x = hasher()(i);
    one_block whole(kind);
    one_block parts(kind);
    kind.set(whole.handle(), x, {.count = 21});
    for (const detail::position_slice slice :
         {detail::position_slice{.count = 4}, {.first = 4, .count = 3}, {.first = 7, .count = 14}}) {
      kind.set(parts.handle(), x, slice);
      ASSERT_TRUE(kind.contains(whole.handle(), x, slice).found);
    }
    ASSERT_EQ(whole.bytes, parts.bytes);
    one_block other(kind);
    kind.set(other.handle(), x, {.group = 1, .count = 21});
    ASSERT_NE(whole.bytes, other.bytes);
  }
}

TEST(counted_block, counts_up_to_one_above_the_threshold_and_keeps_filter_bits_apart) {
  for (const std::uint32_t threshold : {1U, 2U, 6U, 7U, 38U, 62U, 63U, 1000U}) {
    for (const std::uint32_t size : {64U, 256U, 500U, 512U}) {
      const detail::counted_block kind(size, threshold);
      EXPECT_EQ(kind.bits(), size);
      EXPECT_EQ(kind.usable_bits(), size - static_cast<std::uint32_t>(std::ceil(std::log2(threshold + 2))));
      one_block block(kind);
      for (std::uint64_t keys = 0; keys < threshold + 5; ++keys) {
        ASSERT_EQ(kind.load(block.handle()), std::min<std::uint64_t>(keys, threshold + 1));
        ASSERT_EQ(kind.ones(block.handle()), 0U);
        kind.note_key(block.handle());
      }
      one_block full(kind);
      for (std::uint64_t i = 0; i < 2000; ++i) kind.set(full.handle(), hasher()(i), {.count = 20});
      EXPECT_EQ(kind.load(full.handle()), 0U) << "a position reached into the counter";
      EXPECT_EQ(kind.ones(full.handle()), kind.usable_bits());
    }
  }
}

TEST(counted_block, a_union_adds_loads_up_to_saturation) {
  const detail::counted_block kind(256, 5);
  one_block a(kind);
  one_block b(kind);
  for (int i = 0; i < 2; ++i) kind.note_key(a.handle());
  for (int i = 0; i < 3; ++i) kind.note_key(b.handle());
  kind.absorb(a.handle(), b.handle());
  EXPECT_EQ(kind.load(a.handle()), 5U);
  kind.absorb(a.handle(), b.handle());
  EXPECT_EQ(kind.load(a.handle()), 6U);
}

TEST(tallied_block, keeps_its_count_beside_the_blocks) {
  const detail::tallied_block<> kind(500);
  EXPECT_EQ(kind.usable_bits(), 500U);
  one_block block(kind);
  EXPECT_EQ(block.bytes.size(), 64U + 4U);
  for (int i = 0; i < 300; ++i) kind.note_key(block.handle());
  EXPECT_EQ(kind.load(block.handle()), 300U);
  EXPECT_EQ(kind.ones(block.handle()), 0U);
  one_block other(kind);
  std::fill(other.bytes.begin() + 64, other.bytes.end(), std::byte{0xff});
  kind.absorb(block.handle(), other.handle());
  EXPECT_EQ(kind.load(block.handle()), 0xffffffffU) << "tallies saturate";
}

class laned_shape : public testing::TestWithParam<std::uint32_t> {};

TEST_P(laned_shape, positions_go_quad_by_quad_and_never_touch_a_gate) {
  const std::uint32_t size = GetParam();
  const detail::laned_block<> kind(size);
  std::vector<std::uint64_t> starts(detail::lanes::starts(kind.quads()));
  one_block full(kind);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const digest x = hasher()(i);
    const detail::lanes::start start = detail::lanes::start_of(x, kind.quads());
    ++starts[start.quad * 4 + start.turn];
    for (const std::uint32_t number : {0U, 1U, 3U, 4U, 7U, 15U, 16U, 22U, 40U, 63U}) {
      one_block block(kind);
      kind.set(block.handle(), x, {.first = number, .count = 1});
      const std::uint32_t quad = (start.quad + number / 4) % kind.quads();
      const std::uint32_t lane = quad * 4 + (start.turn + number) % 4;
      ASSERT_EQ(lane, detail::lanes::lane_of(start, number, kind.quads()));
      ASSERT_EQ(detail::bits::count_ones_in(block.bytes.data(), std::uint64_t{lane} * 32, 32), 1U);
      ASSERT_EQ(detail::bits::count_ones(block.bytes.data(), size), 1U);
    }
    kind.set(full.handle(), x, {.count = 64});
  }
  EXPECT_LT(std::abs(testing_support::uniformity_deviation(starts)), testing_support::uniformity_limit);
  EXPECT_EQ(kind.ones(full.handle()), kind.usable_bits()) << "some filter bit is never used";
  EXPECT_EQ(detail::bits::count_ones(full.bytes.data(), size), kind.usable_bits()) << "a position is a gate";
  one_block plain(detail::laned_block<detail::dynamic, false>{size});
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    detail::laned_block<detail::dynamic, false>(size).set(plain.handle(), hasher()(i), {.count = 16});
  }
  EXPECT_EQ(detail::bits::count_ones(plain.bytes.data(), size), size) << "without gates every bit is a filter bit";
}

// A slice is the union of its positions, wherever it starts and however long it is.
TEST_P(laned_shape, slices_are_made_of_their_positions) {
  const detail::laned_block<> kind(GetParam());
  for (std::uint64_t i = 0; i < 50; ++i) {
    const digest x = hasher(4)(i);
    for (const std::uint32_t first : {0U, 1U, 3U, 4U, 5U, 11U, 30U}) {
      for (const std::uint32_t count : {1U, 2U, 4U, 7U, 13U, 20U, 34U}) {
        const detail::position_slice slice{.first = first, .count = count};
        one_block whole(kind);
        one_block parts(kind);
        kind.set(whole.handle(), x, slice);
        for (std::uint32_t n = 0; n < count; ++n) {
          ASSERT_EQ(kind.contains(parts.handle(), x, slice).found, parts.bytes == whole.bytes);
          kind.set(parts.handle(), x, {.first = first + n, .count = 1});
        }
        ASSERT_EQ(parts.bytes, whole.bytes) << first << " " << count;
        ASSERT_TRUE(kind.contains(parts.handle(), x, slice).found);
      }
    }
  }
}

TEST_P(laned_shape, gates_are_two_a_quad_and_do_not_count_as_load) {
  const std::uint32_t size = GetParam();
  const detail::laned_block<> kind(size);
  EXPECT_EQ(kind.gates(), size / 64);
  std::set<std::uint32_t> gates;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const digest x = hasher()(i);
    const detail::lanes::start mine = detail::lanes::start_of(x, kind.quads());
    one_block block(kind);
    kind.leave_trace(block.handle(), x, 0);
    ASSERT_TRUE(kind.gate_closed(block.handle(), x));
    for (std::uint32_t n = 0; n < detail::lanes::starts(kind.quads()); ++n) {
      const detail::lanes::start other = detail::lanes::nth_start(n);
      ASSERT_EQ(kind.gate_closed(block.handle(), other), other.quad == mine.quad && other.turn / 2 == mine.turn / 2);
    }
    ASSERT_EQ(kind.ones(block.handle()), 0U);
    ASSERT_EQ(detail::bits::count_ones(block.bytes.data(), size), 1U);
    gates.insert(detail::lanes::gate_of(mine));
  }
  EXPECT_EQ(gates.size(), kind.gates());
}

// One look at a first block says what the three separate questions say.
TEST_P(laned_shape, a_look_is_contents_gate_and_trace) {
  const detail::laned_block<> kind(GetParam());
  std::array<int, 3> seen{};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    one_block block(kind);
    for (std::uint64_t filler = 0; filler < i % 40; ++filler) {
      kind.set(block.handle(), hasher(i)(filler), {.count = 13});
      if (filler % 5 == 0) kind.leave_trace(block.handle(), hasher(i)(filler), 0);
    }
    const digest x = hasher(77)(i);
    for (std::uint32_t trace = 0; trace <= 4; ++trace) {
      for (const std::uint32_t hashes : {5U, 8U, 13U, 21U, 37U}) {
        if (i % 3 == 0) kind.set(block.handle(), x, {.count = trace + 1});
        const bool found = kind.contains(block.handle(), x, {.count = hashes}).found;
        const bool goes_on = !found && kind.gate_closed(block.handle(), x) &&
                             (trace == 0 || kind.contains(block.handle(), x, {.count = trace}).found);
        const detail::lanes::first_look look =
            kind.quads() == 4
                ? detail::lanes::masks<detail::simd::native, 4, true>(x).look(block.bytes.data(), hashes, trace)
                : detail::lanes::masks<detail::simd::native, 2, true>(x).look(block.bytes.data(), hashes, trace);
        ASSERT_EQ(look.found(), found);
        ASSERT_EQ(look.goes_on(false), goes_on);
        ++seen[found ? 0 : goes_on ? 1 : 2];
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST_P(laned_shape, the_match_probability_is_what_random_keys_find) {
  const std::uint32_t size = GetParam();
  const detail::laned_block<> kind(size);
  one_block block(kind);
  for (std::uint64_t i = 0; i < size / 8; ++i) kind.set(block.handle(), hasher(1)(i), {.count = 5});
  const detail::position_slice slice{.first = 2, .count = 3};
  const double expected = kind.match_probability(detail::const_block(block.handle()), slice);
  constexpr int trials = 200'000;
  int found = 0;
  for (std::uint64_t i = 0; i < trials; ++i) found += kind.contains(block.handle(), hasher(2)(i), slice).found ? 1 : 0;
  EXPECT_NEAR(found / double{trials}, expected, testing_support::share_tolerance(expected, trials));
}

INSTANTIATE_TEST_SUITE_P(shapes, laned_shape, testing::Values(512U, 256U));

TEST(block_array, addresses_beyond_32_bits) {
  const detail::plain_block<> kind(512);
  constexpr std::uint64_t count = std::uint64_t{5} << 32;
  EXPECT_EQ(bytes_for(kind, count), count * 64);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address to compute with
  auto* const base = reinterpret_cast<const std::byte*>(std::uintptr_t{0x1000});  // never read
  const detail::block_array<detail::plain_block<>, const std::byte> blocks(kind, count, base);
  EXPECT_EQ(blocks[count - 1].bits - base, std::int64_t{64} * static_cast<std::int64_t>(count - 1));
  EXPECT_THROW(static_cast<void>(bytes_for(kind, std::uint64_t{1} << 60)), parameter_error);
}

}  // namespace
