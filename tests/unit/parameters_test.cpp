// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Bad parameters give a parameter_error with a sentence that names the cause; nothing asserts, crashes or allocates.
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

#include "sluice/detail/members.hpp"
#include "sluice/sluice.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_refused(const parameters& p, const std::string& cause) {
  try {
    const filter f(p);
    ADD_FAILURE() << "accepted; should have complained about: " << cause;
  } catch (const parameter_error& e) {
    EXPECT_NE(std::string(e.what()).find(cause), std::string::npos) << "the sentence was: " << e.what();
    EXPECT_NE(std::string(e.what()).find(detail::scheme_name(p)), std::string::npos)
        << "the sentence was: " << e.what();
  }
}

TEST(parameters, numbers_in_sentences_are_exact_and_the_same_everywhere) {
  const auto with = [](double alpha) { return alpha_parameters{.blocks = 10, .hashes = 8, .alpha = alpha}; };
  static_cast<void>(std::setlocale(LC_NUMERIC, "de_DE.UTF-8"));  // 1,5, on a machine that has it
  expect_refused(with(1.5), "alpha is a probability from 0 to 1, not 1.5");
  expect_refused(with(1.0000001), "not 1.0000001");
  expect_refused(with(-1e-300), "not -1e-300");
  expect_refused(with(nan), "not nan");
  std::setlocale(LC_NUMERIC, "C");
}

TEST(parameters, blocked) {
  const blocked_parameters good{.blocks = 10, .block_bits = 512, .hashes = 8};
  EXPECT_NO_THROW(filter{good});
  const auto with = [&](auto change) {
    auto p = good;
    change(p);
    return p;
  };
  expect_refused(with([](auto& p) { p.blocks = 0; }), "zero blocks");
  expect_refused(with([](auto& p) { p.hashes = 0; }), "k is zero");
  expect_refused(with([](auto& p) { p.hashes = 513; }), "only 512 usable bits");
  expect_refused(with([](auto& p) { p.block_bits = 63; }), "64 to 4096 bits, not 63");
  expect_refused(with([](auto& p) { p.block_bits = 4097; }), "64 to 4096 bits, not 4097");
  expect_refused(with([](auto& p) { p.block_bits = 0; }), "64 to 4096 bits, not 0");
  EXPECT_NO_THROW(filter{with([](auto& p) {
    p.hashes = 512;
    p.positions = position_rule::uniform;
  })});
}

TEST(parameters, sizes_that_do_not_fit_are_refused_before_anything_is_allocated) {
  EXPECT_THROW(filter(blocked_parameters{.blocks = huge, .hashes = 8}), parameter_error);
  EXPECT_THROW(filter(blocked_parameters{.blocks = huge / 64 + 1, .hashes = 8}), parameter_error);
  EXPECT_THROW(filter(alpha_parameters{.blocks = huge / 66, .hashes = 8, .load = load_unit::keys}), parameter_error);
  EXPECT_THROW(filter(gated_parameters{.blocks = huge, .hashes = 8, .second_hashes = 8, .threshold = 100}),
               parameter_error);
  EXPECT_THROW(filter(mht_parameters{.subtables = {huge, 2}, .hashes = 8, .threshold = 4}), parameter_error);
  // These fit in 64 bits, but no machine has so much.
  EXPECT_THROW(filter(blocked_parameters{.blocks = huge / 64, .hashes = 8}), memory_error);
  EXPECT_THROW(filter(blocked_parameters{.blocks = std::uint64_t{1} << 50, .hashes = 8}), memory_error);
}

TEST(parameters, alpha) {
  const alpha_parameters good{.blocks = 2, .hashes = 8, .alpha = 0.5};
  EXPECT_NO_THROW(filter{good});
  for (const double bad : {-0.01, 1.01, nan, std::numeric_limits<double>::infinity()}) {
    auto p = good;
    p.alpha = bad;
    expect_refused(p, "alpha is a probability");
  }
  auto p = good;
  p.blocks = 1;
  expect_refused(p, "at least two blocks");
  p.alpha = 0;
  EXPECT_NO_THROW(filter{p});
}

TEST(parameters, single_sequential_mht) {
  const sequential_parameters good{.blocks = 3, .hashes = 8, .choices = 3, .threshold = 4, .acceptance = 0.5};
  EXPECT_NO_THROW(filter{good});
  const auto with = [&](auto change) {
    auto p = good;
    change(p);
    return p;
  };
  expect_refused(with([](auto& p) { p.threshold = 0; }), "threshold h of zero");
  expect_refused(with([](auto& p) { p.acceptance = -0.1; }), "acceptance p is a probability");
  expect_refused(with([](auto& p) { p.acceptance = nan; }), "acceptance p is a probability");
  expect_refused(with([](auto& p) { p.choices = 0; }), "candidate blocks, not 0");
  expect_refused(with([](auto& p) { p.choices = 17; }), "candidate blocks, not 17");
  expect_refused(with([](auto& p) { p.choices = 4; }), "4 candidates need at least as many blocks");
  expect_refused(with([](auto& p) { p.hashes = 510; }), "only 509 usable bits");
  expect_refused(with([](auto& p) {
                   p.block_bits = 64;
                   p.threshold = std::numeric_limits<std::uint32_t>::max();
                   p.hashes = 40;
                 }),
                 "only 31 usable bits");
  expect_refused(single_parameters{.blocks = 0, .hashes = 8, .threshold = 4}, "zero blocks");
  expect_refused(mht_parameters{.subtables = {}, .hashes = 8, .threshold = 4}, "at least one subtable");
  expect_refused(mht_parameters{.subtables = {5, 0, 1}, .hashes = 8, .threshold = 4}, "subtable without blocks");
  expect_refused(mht_parameters{.subtables = std::vector<std::uint64_t>(17, 1), .hashes = 8, .threshold = 4},
                 "candidate blocks, not 17");
}

TEST(parameters, gated) {
  const gated_parameters good{
      .blocks = 10, .hashes = 11, .trace = 3, .second_hashes = 10, .threshold = 196, .margin = 19};
  EXPECT_NO_THROW(filter{good});
  const auto with = [&](auto change) {
    auto p = good;
    change(p);
    return p;
  };
  for (const std::uint32_t bits : {64U, 128U, 500U, 1024U}) {
    expect_refused(with([&](auto& p) { p.block_bits = bits; }), "256 or 512 bits, not " + std::to_string(bits));
  }
  expect_refused(with([](auto& p) { p.trace = 5; }), "4 bits are the most");
  expect_refused(with([](auto& p) { p.hashes = 65; }), "at most 64 positions");
  expect_refused(with([](auto& p) { p.second_hashes = 62; }), "t + k2 is 65");
  expect_refused(with([](auto& p) { p.hashes = 0; }), "k is zero");
  expect_refused(with([](auto& p) { p.second_hashes = 0; }), "k2 is zero");
  expect_refused(with([](auto& p) { p.second_hashes = 505; }), "only 504 usable bits");
  expect_refused(with([](auto& p) { p.trace = 11; }), "smaller than k");
  expect_refused(with([](auto& p) { p.threshold = 0; }), "threshold h of zero");
  expect_refused(with([](auto& p) { p.threshold = 505; }), "no block ever reaches");
  expect_refused(with([](auto& p) { p.margin = 505; }), "margin of 505");
}

TEST(parameters, blocks_that_can_have_no_lanes_are_uniform) {
  const auto rule = [](std::uint32_t bits) {
    const filter f(blocked_parameters{.blocks = 10, .block_bits = bits, .hashes = 8});
    return std::get<blocked_parameters>(f.params()).positions;
  };
  EXPECT_EQ(rule(512), position_rule::lanes);
  EXPECT_EQ(rule(256), position_rule::lanes);
  EXPECT_EQ(rule(128), position_rule::uniform);
  EXPECT_EQ(rule(500), position_rule::uniform);
  blocked_parameters many{.blocks = 10, .hashes = 65};
  expect_refused(many, "at most 64 positions");
  many.positions = position_rule::uniform;
  EXPECT_NO_THROW(filter{many});
}

TEST(parameters, gated_filters_grow_to_whole_pages) {
  const auto blocks = [](std::uint64_t asked, std::uint32_t bits, second_block second) {
    const filter f(gated_parameters{
        .blocks = asked, .block_bits = bits, .hashes = 11, .second_hashes = 8, .threshold = 90, .second = second});
    EXPECT_EQ(std::get<gated_parameters>(f.params()).blocks, f.stats().blocks);
    return f.stats().blocks;
  };
  EXPECT_EQ(blocks(1, 512, second_block::page), 1U);
  EXPECT_EQ(blocks(64, 512, second_block::page), 64U);
  EXPECT_EQ(blocks(65, 512, second_block::page), 128U);
  EXPECT_EQ(blocks(127, 256, second_block::page), 127U);
  EXPECT_EQ(blocks(129, 256, second_block::page), 256U);
  EXPECT_EQ(blocks(65, 512, second_block::table), 65U);
}

TEST(parameters, sizing) {
  EXPECT_EQ(blocks_for(32, 16), 1U);
  EXPECT_EQ(blocks_for(33, 16), 2U);
  EXPECT_EQ(blocks_for(1000, 12.5, 500), 25U);
  EXPECT_EQ(blocks_for(std::uint64_t{1} << 40, 32), std::uint64_t{1} << 36);
  EXPECT_THROW(static_cast<void>(blocks_for(0, 16)), parameter_error);
  EXPECT_THROW(static_cast<void>(blocks_for(10, 0)), parameter_error);
  EXPECT_THROW(static_cast<void>(blocks_for(10, -1)), parameter_error);
  EXPECT_THROW(static_cast<void>(blocks_for(10, nan)), parameter_error);
  EXPECT_THROW(static_cast<void>(blocks_for(10, 16, 0)), parameter_error);
  EXPECT_THROW(static_cast<void>(blocks_for(huge, 1e9)), parameter_error);
}

TEST(parameters, subtables) {
  EXPECT_NEAR(detail::least_overflow(1.2, 3), 0.00498, 0.000005);
  EXPECT_NEAR(detail::least_overflow(1, 3), 0, 1e-12);
  const auto fractions = detail::subtable_fractions(1.2, detail::least_overflow(1.2, 3), 3);
  ASSERT_EQ(fractions.size(), 3U);
  EXPECT_NEAR(fractions[0] + fractions[1] + fractions[2], 1, 1e-12);
  EXPECT_NEAR(fractions[1] / fractions[0], 1 - (1 - 0.00498) / 1.2, 1e-5);
  for (const std::uint64_t blocks : {3U, 4U, 10U, 1024U, 1'000'003U}) {
    const auto sizes = detail::subtable_sizes(blocks, fractions);
    EXPECT_EQ(sizes[0] + sizes[1] + sizes[2], blocks);
    EXPECT_GE(sizes[2], 1U);
  }
  EXPECT_THROW(static_cast<void>(detail::subtable_sizes(2, fractions)), parameter_error);
  EXPECT_THROW(static_cast<void>(detail::least_overflow(0.9, 3)), parameter_error);
  EXPECT_THROW(static_cast<void>(detail::least_overflow(3.1, 3)), parameter_error);
  EXPECT_THROW(static_cast<void>(detail::subtable_fractions(1.2, 1.0, 3)), parameter_error);
  EXPECT_THROW(static_cast<void>(detail::subtable_fractions(1.2, nan, 3)), parameter_error);
}

/// Every member has a name, in the order of the struct: there is no room between two of them for one that has none.
template <class Parameters>
void expect_all_members() {
  Parameters p;
  const auto* at = reinterpret_cast<const char*>(&p);
  const char* const end = at + sizeof p;
  std::string last;
  const auto follows = [&](const char* name, auto& member) {
    constexpr std::size_t alignment = alignof(std::remove_cvref_t<decltype(member)>);
    const auto past = reinterpret_cast<std::uintptr_t>(at);
    const char* const here = reinterpret_cast<const char*>(&member);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(here), (past + alignment - 1) / alignment * alignment)
        << name_of(Parameters::which) << ": between " << last << " and " << name;
    at = here + sizeof member;
    last = name;
  };
  sluice::detail::for_each_member(follows, p);
  EXPECT_EQ(last, "seed");
  EXPECT_EQ(at, end);
}

template <class... Some>
void expect_all_members_of(std::type_identity<std::variant<Some...>> /*all*/) {
  (expect_all_members<Some>(), ...);
}

TEST(parameters, every_member_has_its_name) { expect_all_members_of(std::type_identity<parameters>{}); }

TEST(parameters, are_shown_under_their_names) {
  const auto shown = [](const parameters& p) {
    std::map<std::string, std::string> all;
    sluice::detail::for_each_shown(p, [&](const char* name, const auto& value) {
      using kind = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_enum_v<kind>) {
        all[name] = sluice::detail::word_of(value);
      } else if constexpr (!std::is_null_pointer_v<kind>) {
        all[name] = std::to_string(value);
      }
    });
    return all;
  };
  using words = std::map<std::string, std::string>;
  EXPECT_EQ(
      shown(gated_parameters{
          .blocks = 1, .block_bits = 256, .hashes = 2, .trace = 3, .second_hashes = 4, .threshold = 5, .margin = 6}),
      (words{{"block_bits", "256"},
             {"hashes", "2"},
             {"trace", "3"},
             {"second_hashes", "4"},
             {"h", "5"},
             {"margin", "6"}}));
  EXPECT_EQ(shown(bloom_g_parameters{.blocks = 1, .hashes = 2, .spread = 3, .positions = position_rule::uniform}),
            (words{{"block_bits", "512"}, {"hashes", "2"}, {"spread", "3"}, {"positions", "uniform"}}));
  EXPECT_EQ(shown(sequential_parameters{.blocks = 1, .hashes = 2, .choices = 3, .threshold = 4, .acceptance = 0.5}),
            (words{{"block_bits", "512"}, {"hashes", "2"}, {"choices", "3"}, {"h", "4"}, {"p", "0.500000"}}));
}

}  // namespace
