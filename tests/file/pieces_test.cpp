// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filters in pieces, as a database keeps them: the header alone, the exact list, and blocks that arrive later. Every
// flipped bit and every missing byte of a header is noticed, and headers of something else are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file/layout.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/single_header.hpp"
#include "sluice/sluice.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

/// Why it was refused; empty: it was not.
template <class Act>
[[nodiscard]] std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const file_error& e) {
    return e.what();
  }
  return "";
}

/// Counts what is taken of it.
class tallied_memory final : public std::pmr::memory_resource {
public:
  std::uint64_t taken = 0;

private:
  [[nodiscard]] void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    taken += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    taken -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

class pieces : public testing::TestWithParam<testing_support::scheme_case> {
protected:
  static constexpr std::uint64_t count = 1000;
  [[nodiscard]] static filter made() {
    filter f(GetParam().make(testing_support::blocks_for_case(GetParam(), count), 7));
    for (std::uint64_t i = 0; i < count; ++i) f.insert(i);
    return f;
  }
  [[nodiscard]] static stored_filter stored(const filter& f, key_kind keys = key_kind::bytes) {
    return extend::contents_of(f, {.kind = keys, .planned_keys = count, .planned_fpr = 0.001}).filters.front();
  }
};

TEST_P(pieces, a_filter_put_together_is_the_same_filter) {
  const filter f = made();
  const stored_filter whole = stored(f);
  extend::announced_filter said = extend::parse_single_header("it", extend::single_header_of(whole));
  EXPECT_EQ(said.blocks_bytes, whole.blocks.size());
  EXPECT_EQ(said.slots_bytes, whole.overflowed.slots.size());
  extend::take_list("it", said, whole.overflowed.slots);
  tallied_memory memory;
  {
    filter first = extend::filter_of(said.filter, &memory);
    EXPECT_EQ(memory.taken, whole.blocks.size());
    const std::span<std::byte> to = extend::blocks_of(first);
    const filter again = std::move(first);
    std::copy(whole.blocks.begin(), whole.blocks.end(), to.begin());  // they stay where they are
    EXPECT_EQ(again, f);
    EXPECT_EQ(again.keys_inserted(), f.keys_inserted());
    EXPECT_EQ(again.planned_keys(), count);
    EXPECT_EQ(again.planned_fpr(), 0.001);
    const filter copy = again;
    EXPECT_EQ(memory.taken, 2 * whole.blocks.size());
    EXPECT_EQ(copy, f);
  }
  EXPECT_EQ(memory.taken, 0U);
}

TEST_P(pieces, every_flipped_bit_and_every_missing_byte_of_a_header_is_noticed) {
  const filter f = made();
  std::vector<std::byte> header = extend::single_header_of(stored(f));
  for (std::size_t bit = 0; bit < 8 * header.size(); ++bit) {
    header[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_NE(refusal_of([&] { (void)extend::parse_single_header("it", header); }), "") << bit;
    header[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  for (std::size_t size = 0; size < header.size(); ++size) {
    EXPECT_NE(refusal_of([&] { (void)extend::parse_single_header("it", std::span(header).first(size)); }), "");
  }
  header.push_back(std::byte{0});
  EXPECT_NE(refusal_of([&] { (void)extend::parse_single_header("it", header); }), "");
}

TEST_P(pieces, another_list_is_refused) {
  const filter f = made();
  const stored_filter whole = stored(f);
  extend::announced_filter said = extend::parse_single_header("it", extend::single_header_of(whole));
  const std::vector<std::byte> longer(whole.overflowed.slots.size() + 8);
  EXPECT_NE(refusal_of([&] { extend::take_list("it", said, longer); }), "");
  if (whole.overflowed.slots.empty()) return;
  const std::vector<std::byte> empty(whole.overflowed.slots.size());
  EXPECT_NE(refusal_of([&] { extend::take_list("it", said, empty); }), "");
}

INSTANTIATE_TEST_SUITE_P(schemes, pieces, testing::ValuesIn(testing_support::all_schemes()),
                         [](const auto& scheme) { return scheme.param.name; });

TEST(single_headers, of_integers_and_of_chains_are_refused) {
  filter f(blocked_parameters{.blocks = 4, .hashes = 5});
  const file_contents integers = extend::contents_of(f, {.kind = key_kind::u64, .planned_keys = 9, .planned_fpr = 0.1});
  EXPECT_NE(refusal_of([&] {
              (void)extend::parse_single_header(
                  "it", detail::file::header_of(integers, detail::file::layout_of(integers), 0));
            }).find("not of kind bytes"),
            std::string::npos);
  const growing_filter grows({.first_keys = 64, .factor = 2});
  const file_contents chain = extend::contents_of(grows, key_kind::bytes);
  EXPECT_NE(refusal_of([&] {
              (void)extend::parse_single_header("it",
                                                detail::file::header_of(chain, detail::file::layout_of(chain), 0));
            }).find("chain"),
            std::string::npos);
  const file_contents bytes = extend::contents_of(f, {.kind = key_kind::bytes, .planned_keys = 9, .planned_fpr = 0.1});
  EXPECT_NE(refusal_of([&] {
              (void)extend::parse_single_header("it",
                                                detail::file::header_of(bytes, detail::file::layout_of(bytes), 5));
            }).find("checksums"),
            std::string::npos);
}

}  // namespace
