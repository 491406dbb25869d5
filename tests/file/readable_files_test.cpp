// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Nothing is written that could not be read again, whatever keys, parameters and unions a filter had; and nothing
// untrusted makes a filter grow without bound.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "file/layout.hpp"
#include "sluice/detail/overflow/exact_list.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/file.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/sluice.hpp"
#include "support/chosen_keys.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using bytes_vector = std::vector<std::byte>;
using folder = testing_support::temporary_folder;
using testing_support::read_all;
using testing_support::refusal;

TEST(readable_files, what_no_reader_would_believe_is_not_written) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  save(f, here / "f", {key_kind::u64});
  file_contents contents = extend::contents_of(f, {key_kind::u64});
  contents.filters.front().planned_fpr = -0.0;
  EXPECT_THROW(static_cast<void>(to_bytes(contents)), parameter_error) << "minus zero";
  contents = extend::contents_of(f, {key_kind::u64});
  contents.filters.front().params = blocked_parameters{.blocks = 5, .hashes = 3};
  EXPECT_THROW(static_cast<void>(to_bytes(contents)), parameter_error) << "of another size";
  contents = {};
  EXPECT_THROW(static_cast<void>(to_bytes(contents)), parameter_error) << "without a filter";
  // A list that no insertions leave: its one run is in the wrong order, and then it has a member too few.
  detail::exact_list list;
  for (std::uint64_t i = 1; i < 4; ++i) list.add(testing_support::digest_at_home(i << 40));
  bytes_vector slots(list.state().slots.begin(), list.state().slots.end());
  contents = {.kind = key_kind::u64,
              .filters = {{.params = single_parameters{.blocks = 1, .hashes = 8, .threshold = 4},
                           .blocks = f.bytes().first(64),
                           .overflowed = list.state()}}};
  static_cast<void>(to_bytes(contents));
  contents.filters.front().overflowed.slots = slots;
  detail::bits::store_word(slots.data(), 1, 0);
  EXPECT_THROW(static_cast<void>(to_bytes(contents)), parameter_error);
  contents.filters.front().overflowed.keys = 2;
  EXPECT_THROW(static_cast<void>(to_bytes(contents)), parameter_error);
  EXPECT_THROW(save(f, here / "f", {key_kind::u64, 1, 2.0}), parameter_error);
  EXPECT_THROW(save(f, here / "f", {key_kind::u64, 1, std::nan("")}), parameter_error);
  EXPECT_THROW(save(f, here / "f", {static_cast<key_kind>(0)}), parameter_error);
  static_cast<void>(load(here / "f"));
}

// The two are one number, and a file has one form of it.
TEST(readable_files, minus_zero_is_zero) {
  const filter f(alpha_parameters{.blocks = 4, .hashes = 3, .alpha = -0.0});
  EXPECT_EQ(refusal(to_bytes(f, {key_kind::u64})), "");
  const filter g(single_parameters{.blocks = 4, .hashes = 3, .threshold = 4, .acceptance = -0.0});
  EXPECT_EQ(refusal(to_bytes(g, {key_kind::u64})), "");
}

// The same keys in both: the list of the union needs no more slots than either.
TEST(readable_files, a_union_of_equal_lists_can_be_read) {
  for (std::uint64_t keys = 3000; keys < 3100; ++keys) {
    const sequential_parameters p{.blocks = 40, .hashes = 6, .choices = 2, .threshold = 35, .acceptance = 0.5};
    filter a(p);
    for (std::uint64_t i = 0; i < keys; ++i) a.insert(i);
    filter b = a;
    b.merge(a);
    filter c(p);
    c.merge(a);
    c.merge(b);
    ASSERT_EQ(refusal(to_bytes(b, {key_kind::u64})), "") << keys;
    ASSERT_EQ(refusal(to_bytes(c, {key_kind::u64})), "") << keys;
    ASSERT_EQ(b.overflow().keys, a.overflow().keys);
  }
}

// Integers chosen so that their digests have one home in the list, offered to a filter that sends every key there.
TEST(readable_files, chosen_keys_are_an_error_and_the_old_file_stays) {
  const folder here;
  filter f(sequential_parameters{.blocks = 2, .hashes = 6, .choices = 2, .threshold = 1, .access_budget = 1});
  for (std::uint64_t i = 0; i < 20; ++i) f.insert(i);
  save(f, here / "f", {key_kind::u64});
  const bytes_vector before = read_all(here / "f");
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 1; i <= 400; ++i) {
    chosen.push_back(testing_support::integer_with(testing_support::digest_at_home(i << 40)));
  }
  filter bulk = f;
  EXPECT_THROW(bulk.insert_bulk(chosen), key_error);
  for (const std::uint64_t key : chosen) {
    try {
      f.insert(key);
      ASSERT_TRUE(f.may_contain(key));
    } catch (const key_error&) {
      ASSERT_FALSE(f.may_contain(key));
    }
  }
  EXPECT_EQ(read_all(here / "f"), before);
  for (const filter* written : {&f, &bulk}) {  // what was taken is a filter like others
    EXPECT_EQ(refusal(to_bytes(*written, {key_kind::u64})), "");
  }
}

// A link that says it holds a key for every bit: the next one, at 64 times the keys and 50 bits each, would be three
// thousand times as large.
TEST(readable_files, a_chain_does_not_grow_out_of_proportion) {
  growing_filter honest({.fpr = 1e-9, .first_keys = 2048, .factor = 64});
  bytes_vector bytes = to_bytes(extend::contents_of(honest, key_kind::u64));
  const std::uint64_t bits = 8 * honest.chain().front().filter.bytes().size();
  detail::bits::store_word(bytes.data() + detail::file::preamble_bytes + 72, 0, bits);  // keys that were inserted
  detail::bits::store_word(bytes.data() + detail::file::preamble_bytes + 80, 0, bits);  // and planned
  testing_support::reseal(bytes);
  ASSERT_EQ(refusal(bytes), "");
  const filter_file v{std::span<const std::byte>(bytes)};
  growing_filter hostile = extend::growing_filter_of(v.contents());
  EXPECT_THROW(hostile.insert(std::uint64_t{1}), parameter_error);
  EXPECT_EQ(hostile.links(), 1U);
  for (std::uint64_t i = 0; i < 2049; ++i) honest.insert(i);
  EXPECT_EQ(honest.links(), 2U);
}

}  // namespace
