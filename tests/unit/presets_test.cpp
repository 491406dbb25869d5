// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Compile-time presets wrap the same core: byte for byte what the run-time filter makes of the same parameters.
#include "sluice/presets.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <vector>

#include "sluice/filter.hpp"

namespace {

template <class Preset>
void expect_equal_bytes(Preset preset) {
  sluice::filter dynamic(preset.params());
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_EQ(preset.insert(i), dynamic.insert(i));
  EXPECT_TRUE(std::equal(preset.bytes().begin(), preset.bytes().end(), dynamic.bytes().begin(), dynamic.bytes().end()));
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(preset.may_contain(i));
  for (std::uint64_t i = 0; i < 50'000; ++i) ASSERT_EQ(preset.may_contain(i), dynamic.may_contain(i));
  const sluice::filter_view view(preset.params(), preset.bytes());
  for (std::uint64_t i = 0; i < 50'000; ++i) ASSERT_EQ(view.may_contain(i), dynamic.may_contain(i));
  EXPECT_EQ(preset.stats().fpr_from_fill, dynamic.stats().fpr_from_fill);
  // In bulk, with answers, and by threads.
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 6000; ++i) keys.push_back(i % 4 == 0 ? i / 2 : i + 3000);
  std::vector<std::uint8_t> were_new(keys.size());
  std::vector<std::uint8_t> also(keys.size());
  EXPECT_EQ(preset.insert_bulk(keys, were_new), dynamic.insert_bulk(keys, also));
  EXPECT_EQ(were_new, also);
  EXPECT_EQ(preset.keys_inserted(), dynamic.keys_inserted());
  preset.may_contain_bulk(keys, were_new, 2);
  EXPECT_EQ(were_new, std::vector<std::uint8_t>(keys.size(), 1));
}

TEST(presets, are_the_runtime_filters) {
  expect_equal_bytes(sluice::presets::blocked_512<9>(160, 5));
  expect_equal_bytes(sluice::presets::blocked_256<8>(320));
  expect_equal_bytes(sluice::presets::blocked<500, 11>(160));
  expect_equal_bytes(sluice::presets::two_choice_512<11>(160));
  expect_equal_bytes(sluice::presets::two_choice<256, 11>(320, 0.3, 9));
  expect_equal_bytes(sluice::presets::gated_512<11, 3, 10>(160, {.threshold = 196, .margin = 19}, 7));
  expect_equal_bytes(sluice::presets::gated_256<10, 3, 8>(320, {.threshold = 86, .margin = 5}));
  expect_equal_bytes(sluice::presets::gated_512<26, 0, 26>(160, {.threshold = 170}));
  expect_equal_bytes(sluice::presets::gated_512<15, 4, 12>(240, {.threshold = 177, .margin = 6}));
  expect_equal_bytes(sluice::presets::gated_512<20, 2, 9>(300, {.threshold = 160, .margin = 4}));
  // Fewer positions than a step has, and a spilled key with more of them.
  expect_equal_bytes(sluice::presets::blocked_512<3>(160));
  expect_equal_bytes(sluice::presets::gated_512<4, 3, 9>(160, {.threshold = 120, .margin = 5}));
}

TEST(presets, check_their_parameters_and_merge) {
  EXPECT_THROW(sluice::presets::blocked_512<9>(0), sluice::parameter_error);
  EXPECT_THROW((sluice::presets::gated_512<11>(10, {.threshold = 0})), sluice::parameter_error);
  sluice::presets::gated_512<11> a(100, {.threshold = 196});
  sluice::presets::gated_512<11> b(100, {.threshold = 196});
  for (std::uint64_t i = 0; i < 3000; ++i) a.insert(i);
  for (std::uint64_t i = 3000; i < 6000; ++i) b.insert(i);
  a.merge(b);
  for (std::uint64_t i = 0; i < 6000; ++i) ASSERT_TRUE(a.may_contain(i));
  EXPECT_THROW(a.merge(sluice::presets::gated_512<11>(100, {.threshold = 196}, 1)), sluice::merge_error);
}

// Where programs trap invalid operations, they would end.
TEST(presets, raise_no_flag_of_floating_point_numbers) {
  std::feclearexcept(FE_ALL_EXCEPT);
  sluice::presets::gated_512<15, 4, 12> preset(100, {.threshold = 177});
  sluice::filter dynamic(preset.params());
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {  // every position comes
    preset.insert(i);
    found += preset.may_contain(i) ? 1U : 0U;
    dynamic.insert_and_count(i);
    found += dynamic.probe(i).found ? 1U : 0U;
  }
  EXPECT_EQ(found, 6000U);
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), 0);
}

TEST(presets, hold_no_parameters_that_are_known_at_compile_time) {
  EXPECT_EQ(sizeof(sluice::detail::plain_block<sluice::detail::fixed<512>>), 1U);
  EXPECT_LE(sizeof(sluice::detail::blocked_placement<sluice::detail::fixed<9>, sluice::detail::fixed<0>>), 8U);
}

}  // namespace
