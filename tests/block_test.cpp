// block: how bits lie in bytes, and what each kind promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "sluice/block/counted.hpp"
#include "sluice/block/laned.hpp"
#include "sluice/block/plain.hpp"
#include "sluice/block/tallied.hpp"
#include "support/interval.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

struct one_block {
  std::vector<std::byte> bytes;
  std::uint64_t stride;

  explicit one_block(const auto& kind) : bytes(bytes_for(kind, 1)), stride(kind.stride_bytes()) {}
  mutable_block handle() { return {bytes.data(), bytes.data() + stride}; }
};

TEST(words, bit_i_is_bit_i_mod_8_of_byte_i_div_8) {
  std::vector<std::byte> block(64);
  for (const std::uint64_t i : {0U, 7U, 8U, 63U, 64U, 65U, 500U, 511U}) {
    std::fill(block.begin(), block.end(), std::byte{0});
    bits::set_bit(block.data(), i);
    for (std::uint64_t byte = 0; byte < block.size(); ++byte) {
      const auto expected = byte == i / 8 ? std::byte{1} << static_cast<int>(i % 8) : std::byte{0};
      EXPECT_EQ(block[byte], expected) << i;
    }
    EXPECT_TRUE(bits::test_bit(block.data(), i));
    EXPECT_EQ(bits::count_ones(block.data(), i), 0U);
    EXPECT_EQ(bits::count_ones(block.data(), i + 1), 1U);
  }
}

TEST(words, fields_cross_word_borders_and_touch_nothing_else) {
  for (std::uint32_t first = 0; first < 128; ++first) {
    for (const std::uint32_t width : {1U, 4U, 13U, 33U, 63U, 64U}) {
      std::vector<std::byte> block(32, std::byte{0xa5});
      const auto before = block;
      const std::uint64_t value = 0x123456789abcdef7U & bits::low_bits(width);
      bits::write_field(block.data(), first, width, value);
      ASSERT_EQ(bits::read_field(block.data(), first, width), value);
      for (std::uint64_t i = 0; i < 256; ++i) {
        if (i >= first && i < first + width) continue;
        ASSERT_EQ(bits::test_bit(block.data(), i), bits::test_bit(before.data(), i)) << first << ' ' << width;
      }
      ASSERT_EQ(bits::count_ones_in(block.data(), first, width), std::uint64_t(std::popcount(value)));
    }
  }
}

TEST(plain_block, strides_are_whole_words_and_lines) {
  EXPECT_EQ(plain_block<>(64).stride_bytes(), 8U);
  EXPECT_EQ(plain_block<>(65).stride_bytes(), 16U);
  EXPECT_EQ(plain_block<>(256).stride_bytes(), 32U);
  EXPECT_EQ(plain_block<>(500).stride_bytes(), 64U);
  EXPECT_EQ(plain_block<>(512).stride_bytes(), 64U);
  EXPECT_EQ(plain_block<>(4096).stride_bytes(), 512U);
}

// Positions are uniform over exactly the usable bits: every one is reached, none beyond, all equally often.
TEST(plain_block, positions_cover_all_bits_evenly_and_none_beyond) {
  for (const std::uint32_t size : {64U, 100U, 256U, 500U, 512U, 4096U}) {
    const plain_block<> kind(size);
    std::vector<std::uint64_t> counts(size);
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      one_block block(kind);
      kind.set(block.handle(), hasher(1)(i), {.count = 1});
      ASSERT_EQ(kind.ones(block.handle()), 1U) << "a position fell outside the block";
      for (std::uint64_t word = 0; word < block.bytes.size() / 8; ++word) {
        if (const std::uint64_t w = bits::load_word(block.bytes.data(), word); w != 0) {
          ++counts.at(word * 64 + static_cast<std::uint64_t>(std::countr_zero(w)));
        }
      }
    }
    EXPECT_LT(std::abs(testing_support::uniformity_deviation(counts)), testing_support::uniformity_limit) << size;
  }
}

TEST(plain_block, a_slice_is_part_of_the_whole) {
  const plain_block<> kind(512);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const digest x = hasher()(i);
    one_block whole(kind);
    one_block parts(kind);
    kind.set(whole.handle(), x, {.count = 21});
    for (const position_slice slice :
         {position_slice{.count = 4}, {.first = 4, .count = 3}, {.first = 7, .count = 14}}) {
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
      const counted_block kind(size, threshold);
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
  const counted_block kind(256, 5);
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
  const tallied_block<> kind(500);
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

class laned_shape : public testing::TestWithParam<std::pair<std::uint32_t, std::uint32_t>> {};

TEST_P(laned_shape, positions_go_lane_by_lane_and_never_touch_a_gate) {
  const auto [size, lanes] = GetParam();
  const laned_block<> kind(size, lanes);
  const std::uint32_t width = size / lanes;
  std::vector<std::uint64_t> starts(lanes);
  one_block full(kind);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const digest x = hasher()(i);
    ++starts[kind.start_lane(x)];
    for (const std::uint32_t number : {0U, 1U, lanes - 1, lanes, lanes + 2}) {
      one_block block(kind);
      kind.set(block.handle(), x, {.first = number, .count = 1});
      const std::uint32_t lane = (kind.start_lane(x) + number) % lanes;
      ASSERT_EQ(bits::count_ones_in(block.bytes.data(), std::uint64_t{lane} * width, width), 1U);
    }
    kind.set(full.handle(), x, {.count = lanes});
  }
  EXPECT_LT(std::abs(testing_support::uniformity_deviation(starts)), testing_support::uniformity_limit);
  EXPECT_EQ(kind.ones(full.handle()), kind.usable_bits()) << "some filter bit is never used";
  for (std::uint32_t c = 0; c < 8; ++c) EXPECT_FALSE(kind.gate_closed(full.handle(), c));
}

TEST_P(laned_shape, gates_are_one_per_class_and_do_not_count_as_load) {
  const auto [size, lanes] = GetParam();
  const laned_block<> kind(size, lanes);
  std::set<std::uint32_t> classes;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const digest x = hasher()(i);
    one_block block(kind);
    kind.close_gate(block.handle(), x);
    ASSERT_TRUE(kind.gate_closed(block.handle(), x));
    for (std::uint32_t s = 0; s < lanes; ++s) {
      ASSERT_EQ(kind.gate_closed(block.handle(), s), s % 8 == kind.start_lane(x) % 8);
    }
    ASSERT_EQ(kind.ones(block.handle()), 0U);
    ASSERT_EQ(bits::count_ones(block.bytes.data(), size), 1U);
    classes.insert(kind.start_lane(x) % 8);
  }
  EXPECT_EQ(classes.size(), 8U);
}

TEST_P(laned_shape, the_match_probability_is_what_random_keys_find) {
  const auto [size, lanes] = GetParam();
  const laned_block<> kind(size, lanes);
  one_block block(kind);
  for (std::uint64_t i = 0; i < size / 8; ++i) kind.set(block.handle(), hasher(1)(i), {.count = 5});
  const auto fill = kind.fill(block.handle());
  const position_slice slice{.first = 2, .count = 3};
  double expected = 0;
  for (std::uint32_t s = 0; s < lanes; ++s) expected += kind.match_probability(fill, s, slice) / lanes;
  constexpr int trials = 200'000;
  int found = 0;
  for (std::uint64_t i = 0; i < trials; ++i) found += kind.contains(block.handle(), hasher(2)(i), slice).found ? 1 : 0;
  EXPECT_NEAR(found / double{trials}, expected, testing_support::share_tolerance(expected, trials));
}

INSTANTIATE_TEST_SUITE_P(shapes, laned_shape,
                         testing::Values(std::pair{512U, 16U}, std::pair{512U, 8U}, std::pair{256U, 8U},
                                         std::pair{64U, 8U}, std::pair{4096U, 8U}, std::pair{512U, 64U}));

TEST(block_array, addresses_beyond_32_bits) {
  const plain_block<> kind(512);
  constexpr std::uint64_t count = std::uint64_t{5} << 32;
  EXPECT_EQ(bytes_for(kind, count), count * 64);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address to compute with
  auto* const base = reinterpret_cast<const std::byte*>(std::uintptr_t{0x1000});  // never read
  const block_array<plain_block<>, const std::byte> blocks(kind, count, base);
  EXPECT_EQ(blocks[count - 1].bits - base, std::int64_t{64} * static_cast<std::int64_t>(count - 1));
  EXPECT_THROW(static_cast<void>(bytes_for(kind, std::uint64_t{1} << 60)), parameter_error);
}

}  // namespace
