// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The face: what a program meets that includes sluice.hpp and nothing else. Keys of every kind, filters that are
// compared, merged, moved and overfilled, files of every form, errors with their codes.
#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sluice/presets.hpp"
#include "sluice/sluice.hpp"
#include "support/temporary_folder.hpp"

namespace town {

struct house {
  std::string street;
  int number;
};
sluice::digest sluice_digest(const sluice::hasher& hash, const house& h) {
  return hash(h.street + '\0' + std::to_string(h.number));
}

enum class gate { upper, lower };
sluice::digest sluice_digest(const sluice::hasher& hash, gate g) { return hash(static_cast<int>(g)); }

struct unknown {};

}  // namespace town

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace): the library's own tests
using folder = testing_support::temporary_folder;

template <class K>
concept can_be_inserted = requires(filter& f, const K& k) { f.insert(k); };
template <class Keys>
concept can_be_inserted_in_bulk = requires(filter& f, const Keys& keys) { f.insert_bulk(keys); };

// What is no key does not compile.
static_assert(!can_be_inserted<std::nullptr_t> && !can_be_inserted<bool> && !can_be_inserted<double> &&
              !can_be_inserted<char> && !can_be_inserted<town::unknown> && !can_be_inserted<std::vector<int>>);
static_assert(can_be_inserted<town::house> && can_be_inserted<town::gate> &&
              can_be_inserted<std::vector<unsigned char>>);
// An array of bytes is one key, not many.
static_assert(!can_be_inserted_in_bulk<std::vector<std::uint8_t>> && !can_be_inserted_in_bulk<std::string>);
static_assert(can_be_inserted_in_bulk<std::vector<std::uint16_t>> &&
              can_be_inserted_in_bulk<std::array<std::string, 3>> && can_be_inserted_in_bulk<std::vector<town::house>>);

filter small(std::uint64_t seed = 0) { return filter(blocked_parameters{.blocks = 50, .hashes = 8, .seed = seed}); }

TEST(face, bytes_of_every_type_are_the_same_key) {
  const hasher hash(7);
  const digest wanted = hash("ab\xff");
  EXPECT_EQ(hash(std::vector<std::uint8_t>{'a', 'b', 0xff}), wanted);
  EXPECT_EQ(hash(std::vector<char>{'a', 'b', '\xff'}), wanted);
  EXPECT_EQ(hash(std::array<unsigned char, 3>{'a', 'b', 0xff}), wanted);
  EXPECT_EQ(hash(std::array{std::byte{'a'}, std::byte{'b'}, std::byte{0xff}}), wanted);
  const unsigned char plain[] = {'a', 'b', 0xff};
  EXPECT_EQ(hash(plain), wanted);
  EXPECT_EQ(hash(std::span<const std::uint8_t>(plain)), wanted);
  EXPECT_EQ(hash(u8"abc"), hash("abc")) << "a literal ends before its zero";
  EXPECT_EQ(hash(std::u8string(u8"abc")), hash("abc"));
  EXPECT_NE(hash(std::array<unsigned char, 4>{'a', 'b', 0xff, 0}), wanted) << "but an array has all its bytes";
}

TEST(face, types_of_ones_own_are_keys) {
  auto f = filter::for_keys(1000);
  f.insert(town::house{"Mill Lane", 7});
  f.insert(town::gate::lower);
  const std::vector<town::house> more = {{"Weir", 1}, {"Weir", 2}};
  EXPECT_EQ(f.insert_bulk(more), 2U);
  EXPECT_TRUE(f.may_contain(town::house{"Mill Lane", 7}) && f.may_contain(town::house{"Weir", 2}));
  EXPECT_TRUE(f.may_contain(1)) << "as its digest says";
  EXPECT_FALSE(f.may_contain(town::house{"Mill Lane", 8}) && f.may_contain(town::house{"Mill Lane", 9}));
}

// Text by a pointer may be no text at all, which is known when the program runs. Nothing else that is looked up can
// throw, nor pays for the question.
TEST(face, a_null_pointer_is_no_text) {
  const char* const none = nullptr;
  char* const none_to_write = nullptr;
  const char8_t* const none_of_utf8 = nullptr;
  const auto refused = [](const auto& call) {
    try {
      call();
    } catch (const parameter_error& e) {
      return std::string(e.what()).find("null pointer") != std::string::npos;
    }
    return false;
  };
  filter f = small();
  EXPECT_TRUE(refused([&] { f.insert(none); }));
  EXPECT_TRUE(refused([&] { f.insert(none_to_write); }));
  EXPECT_TRUE(refused([&] { f.insert(none_of_utf8); }));
  EXPECT_TRUE(refused([&] { static_cast<void>(f.may_contain(none)); }));
  EXPECT_TRUE(refused([&] { static_cast<void>(f.probe(none)); }));
  EXPECT_TRUE(refused([&] { f.prefetch(none); }));
  EXPECT_TRUE(refused([&] { static_cast<void>(f.view().may_contain(none)); }));
  EXPECT_EQ(f, small()) << "and nothing was inserted";
  std::array<std::uint8_t, 2> answers{};
  EXPECT_TRUE(refused([&] { f.may_contain_bulk(std::array{"key", none}, answers); }));
  presets::blocked_512<8> preset(10);
  EXPECT_TRUE(refused([&] { preset.insert(none); }) && refused([&] { static_cast<void>(preset.may_contain(none)); }));
  concurrent_filter shared{blocked_parameters{.blocks = 10, .hashes = 8}};
  EXPECT_TRUE(refused([&] { shared.insert(none); }) && refused([&] { static_cast<void>(shared.may_contain(none)); }));
  growing_filter grows;
  EXPECT_TRUE(refused([&] { grows.insert(none); }) && refused([&] { static_cast<void>(grows.may_contain(none)); }));
  filter_file file(small(), {key_kind::bytes});
  EXPECT_TRUE(refused([&] { file.insert(none); }) && refused([&] { static_cast<void>(file.may_contain(none)); }));

  const char* const some = "key";
  EXPECT_TRUE(f.insert(some) && f.may_contain("key") && f.may_contain(std::string("key")));
  EXPECT_TRUE(f.insert("") && f.may_contain(std::string_view())) << "an empty text is a key";
  static_assert(noexcept(f.may_contain(std::string())) && noexcept(f.may_contain(std::string_view())) &&
                noexcept(f.may_contain("key")) && noexcept(f.may_contain(7)) && noexcept(shared.insert("key")));
  static_assert(!noexcept(f.may_contain(some)) && !noexcept(f.may_contain(town::house{})));
}

// What belongs to a filter that ends with the expression comes out of it as a value; views are refused
// (tests/consumer/refused.sh).
TEST(face, what_is_taken_from_a_temporary_outlives_it) {
  static_assert(std::same_as<decltype(small().params()), parameters>);
  const auto& p = small(9).params();
  EXPECT_EQ(detail::seed_of(p), 9U);
  const auto& growth_of = growing_filter({.seed = 8}).params();
  EXPECT_EQ(growth_of.seed, 8U);
  const auto made = [] {
    growing_filter f;
    f.insert("key");
    return f;
  };
  const auto& chain = made().chain();
  ASSERT_EQ(chain.size(), 1U);
  EXPECT_TRUE(chain[0].filter.may_contain("key"));
  const std::vector<int> keys = {1, 2, 3};
  const auto& base = resealable_filter(keys).base();
  EXPECT_TRUE(base.may_contain(3));
}

TEST(face, a_filter_that_was_moved_from_is_empty) {
  filter f = small();
  f.insert(1);
  const filter g = std::move(f);
  EXPECT_TRUE(g.may_contain(1));
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  EXPECT_FALSE(f.may_contain(1));
  EXPECT_TRUE(f.empty() && f.bytes().empty());
  EXPECT_THROW(f.insert(2), parameter_error);
  f.prefetch(1);
  f.clear();
  std::string why_not;
  EXPECT_EQ(f.most_folds(&why_not), 0U);
  EXPECT_EQ(why_not, "a filter that was moved from cannot be folded");
  std::array<std::uint8_t, 1> answer = {9};
  f.may_contain_bulk(std::array{1}, std::span<std::uint8_t>(answer));
  EXPECT_EQ(answer[0], 0);
  EXPECT_FALSE(filter_file(std::move(f), {.kind = key_kind::bytes, .planned_keys = 5}).may_contain("key"));
  f = g;
  EXPECT_TRUE(f.may_contain(1)) << "and can be assigned to";
  // NOLINTEND(bugprone-use-after-move)
}

TEST(face, a_view_is_a_copy_of_what_it_was_made_of) {
  filter f = small();
  f.insert(1);
  auto first = std::make_unique<filter_view>(f.view());
  filter_view moved(std::move(*first));
  const filter_view& old = *first;
  EXPECT_EQ(old, moved);
  EXPECT_TRUE(old.may_contain(1));
  moved = f.view();
  EXPECT_TRUE(old.may_contain(1)) << "on its own";
}

TEST(face, a_view_takes_no_list_that_cannot_be_its) {
  const mht_parameters with_list{.subtables = {20, 10}, .hashes = 6, .threshold = 4};
  const filter listed(with_list);
  const std::array<std::byte, 32> slots{};
  const auto state = [&](std::size_t bytes) { return overflow_state{.slots = std::span(slots).first(bytes)}; };
  EXPECT_EQ(filter_view(listed.params(), listed.bytes(), state(16)),
            filter_view(listed.params(), listed.bytes(), state(16)));
  EXPECT_THROW(filter_view(listed.params(), listed.bytes(), state(24)), layout_error) << "no power of two of slots";
  EXPECT_THROW(filter_view(listed.params(), listed.bytes(), state(15)), layout_error) << "half a slot";
  const filter f = small();
  EXPECT_THROW(filter_view(f.params(), f.bytes(), state(8)), layout_error) << "has no list";
}

TEST(face, equal_filters_are_equal_in_whatever_order_keys_came) {
  const mht_parameters p{.subtables = {20, 10}, .hashes = 6, .threshold = 4};  // with a list
  filter a(p);
  filter b(p);
  EXPECT_EQ(a, b);
  for (std::uint64_t i = 0; i < 200; ++i) a.insert(i);
  EXPECT_NE(a, b);
  for (std::uint64_t i = 0; i < 200; ++i) b.insert(i);
  EXPECT_EQ(a, b);
  filter c = a;
  EXPECT_EQ(a, c);
  c.insert(12345);
  EXPECT_NE(a, c);
  EXPECT_NE(small(1), small(2)) << "of other seeds";
  filter x = small();
  filter y = small();
  x.insert(1);
  x.insert(2);
  y.insert(2);
  y.insert(1);
  EXPECT_EQ(x, y);
}

TEST(face, whether_filters_can_be_merged_is_said_before) {
  std::string why;
  EXPECT_TRUE(small().can_merge(small(), &why));
  EXPECT_TRUE(why.empty());
  EXPECT_FALSE(small(1).can_merge(small(2), &why));
  EXPECT_NE(why.find("seed"), std::string::npos) << why;
  EXPECT_FALSE(small().can_merge(filter::for_keys(1000, {.fpr = 1e-5})));
  EXPECT_THROW(small(1).merge(small(2)), merge_error);
}

TEST(face, a_planned_filter_knows_its_plan_and_so_does_its_file) {
  const folder here;
  auto f = filter::for_keys(100, {.fpr = 0.01});
  EXPECT_EQ(f.planned_keys(), 100U);
  EXPECT_EQ(f.planned_fpr(), 0.01);
  for (int i = 0; i < 90; ++i) f.insert(i);
  EXPECT_FALSE(f.overfull() || f.empty());
  save(f, here / "f", {.kind = key_kind::u64});
  const filter again = load(here / "f");
  EXPECT_EQ(again.planned_keys(), 100U);
  EXPECT_EQ(again, f);
  EXPECT_EQ(filter_file::map(here / "f").planned_fpr(), 0.01);
  for (int i = 90; i < 200; ++i) f.insert(i);
  EXPECT_TRUE(f.overfull());
  EXPECT_FALSE(small().overfull()) << "nothing was planned";
}

TEST(face, a_static_design_makes_no_online_filter_in_silence) {
  const auto sealed = best_plan({.keys = 1e5, .fpr = 1e-5, .all_keys_known = true});
  ASSERT_TRUE(detail::is_sealed(sealed.params));
  EXPECT_THROW(filter{sealed.params}, parameter_error);
  const auto best = best_plan({.keys = 1e5, .fpr = 1e-5, .all_keys_known = true, .among = {scheme::gated}});
  const auto* const gated = std::get_if<gated_parameters>(&best.params);
  ASSERT_TRUE(gated != nullptr && gated->is_static);
  EXPECT_THROW(filter{best.params}, parameter_error);
  static_builder builder(*gated);
  for (int i = 0; i < 1000; ++i) builder.insert(i);
  EXPECT_TRUE(builder.build().may_contain(999));
}

TEST(face, shared_filters_are_planned_merged_loaded_and_cleared) {
  auto f = concurrent_filter::for_keys(10'000, {.fpr = 1e-3});
  filter part(f.params());
  for (int i = 0; i < 5000; ++i) part.insert(i);
  {
    std::jthread other([&] {
      for (int i = 5000; i < 10'000; ++i) f.insert(i);
    });
    f.merge(part);
  }
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(f.may_contain(i));
  EXPECT_THROW(f.merge(small()), merge_error);
  const concurrent_filter copy(part);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(copy.may_contain(i));
  const filter again = copy.snapshot();
  EXPECT_EQ(again.bytes().size(), part.bytes().size());
  f.clear();
  int found = 0;
  for (int i = 0; i < 10'000; ++i) found += f.may_contain(i) ? 1 : 0;
  EXPECT_EQ(found, 0);
}

TEST(face, answers_are_bytes_or_bits_everywhere) {
  const folder here;
  growing_filter chain({.fpr = 0.01, .first_keys = 64, .factor = 2});
  std::vector<std::uint64_t> keys(1000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = 3 * i;
  chain.insert_bulk(keys);
  ASSERT_GT(chain.links(), 2U);
  save(chain, here / "chain", key_kind::u64);
  std::vector<std::uint64_t> asked(1000);
  for (std::uint64_t i = 0; i < asked.size(); ++i) asked[i] = i;
  const auto compare = [&](const auto& f) {
    std::vector<std::uint8_t> bytes(asked.size());
    std::vector<std::uint64_t> bits(16);
    std::array<bool, 1000> truths{};
    f.may_contain_bulk(asked, bytes);
    f.may_contain_bulk(asked, std::span(bits));
    f.may_contain_bulk(asked, truths);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      ASSERT_EQ(truths[i], bytes[i] == 1) << i;
      ASSERT_EQ(bytes[i], f.may_contain(asked[i]) ? 1 : 0) << i;
      ASSERT_EQ(bits[i / 64] >> i % 64 & 1, bytes[i]) << i;
    }
  };
  compare(chain);
  compare(filter_file::map(here / "chain"));
  compare(filter_file::load(here / "chain"));
  compare(filter_file(chain, key_kind::u64));
  auto one = filter::for_keys(1000);
  one.insert_bulk(keys);
  save(one, here / "one", {.kind = key_kind::u64});
  compare(filter_file::map(here / "one"));
  compare(filter_file::load(here / "one"));
}

TEST(face, a_file_is_one_type_mapped_or_loaded) {
  const folder here;
  auto one = filter::for_keys(1000);
  one.insert("weir");
  save(one, here / "f", {.kind = key_kind::bytes});
  auto mapped = filter_file::map(here / "f");
  EXPECT_FALSE(mapped.writable());
  try {
    mapped.insert("lock");
    FAIL() << "a mapped file took a key";
  } catch (const file_error& e) {
    EXPECT_EQ(e.code(), error_code::read_only);
  }
  EXPECT_THROW(mapped.insert_bulk(std::array{std::string("lock")}), file_error);
  EXPECT_THROW(mapped.merge(mapped), file_error);
  filter_file::update(here / "f", [](filter_file& f) { f.insert("lock"); });
  EXPECT_THROW(filter_file::update(here / "f", [](filter_file&) { throw key_error("changed my mind"); }), key_error);
  const auto now = filter_file::map(here / "f");
  EXPECT_TRUE(now.may_contain("weir") && now.may_contain("lock"));
  EXPECT_FALSE(mapped.may_contain("lock")) << "the old one stays what it was";
  auto loaded = filter_file::load(here / "f");
  loaded.merge(mapped);
  loaded.save(here / "g");
  mapped.save(here / "h");
  EXPECT_EQ(load(here / "h"), one);
  EXPECT_TRUE(filter_file::load(here / "g").may_contain("lock"));
  EXPECT_EQ(loaded.size_bytes(), filter_file::map(here / "g").size_bytes());
}

TEST(face, errors_have_codes) {
  const folder here;
  const auto code_of = [](const auto& body) {
    try {
      body();
    } catch (const error& e) {
      return e.code();
    }
    return error_code::other;
  };
  EXPECT_EQ(code_of([&] { static_cast<void>(load(here / "none")); }), error_code::not_found);
  save(small(), here / "f", {.kind = key_kind::u64});
  EXPECT_EQ(code_of([&] { save(small(), here / "f", {.kind = key_kind::u64}, existing::refuse); }), error_code::exists);
  EXPECT_EQ(code_of([&] { static_cast<void>(filter_file::map(here / "f").may_contain("text")); }), error_code::bad_key);
  std::vector<std::byte> bytes = to_bytes(small(), {.kind = key_kind::u64});
  EXPECT_EQ(code_of([&] { filter_file(std::span<const std::byte>(bytes).first(100)); }), error_code::damaged);
  EXPECT_EQ(code_of([&] { static_cast<void>(filter::for_keys(1000, {.fpr = 2})); }), error_code::bad_parameter);
  EXPECT_EQ(code_of([&] { small(1).merge(small(2)); }), error_code::cannot_merge);
}

TEST(face, what_is_simulated_is_what_is_measured) {
  const parameters p = best_plan({.keys = 1e4, .fpr = 1e-2}).params;
  const simulation seen = simulate(p, {.keys = 10'000, .misses = 100'000});
  EXPECT_EQ(seen.lookups_absent, 100'000U);
  // 100,000 lookups at a rate of 0.01 differ from the bits by more than a fifth one time in 1e9.
  EXPECT_NEAR(static_cast<double>(seen.false_positives) / 1e5, seen.stats.fpr_from_fill, 0.002);
  EXPECT_GE(*seen.stats.accesses.per_hit, 1);
  EXPECT_GE(*seen.stats.accesses.per_insert, 1);
  const std::vector<std::string> words = {"weir", "lock", "gate"};
  const auto named = simulate(
      p, {.keys = 3, .misses = 0, .key_of = [&](const hasher& hash, std::uint64_t i) { return hash(words[i]); }});
  EXPECT_EQ(named.stats.keys_inserted, 3U);
  EXPECT_FALSE(named.stats.accesses.per_miss.has_value());
}

// More keys than any memory holds are refused before the first of them is made.
TEST(face, what_is_built_of_too_many_keys_is_not_begun) {
  const auto made = [](const hasher& /*hash*/, std::uint64_t /*number*/) -> digest { throw std::logic_error("made"); };
  const simulation_request q{.keys = std::uint64_t{1} << 61, .misses = 0, .key_of = made};
  EXPECT_THROW(static_cast<void>(simulate(sealed_parameters{.blocks = 64}, q)), memory_error);
  const gated_parameters gated{.blocks = 64, .hashes = 8, .trace = 2, .second_hashes = 8, .is_static = true};
  EXPECT_THROW(static_cast<void>(simulate(gated, q)), memory_error);
}

TEST(face, every_scheme_has_one_row_of_traits) {
  for (std::size_t i = 0; i < detail::all_scheme_traits.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(detail::all_scheme_traits[i].which), i + 1);
  }
  EXPECT_EQ(std::variant_size_v<parameters>, detail::all_scheme_traits.size());
  EXPECT_EQ(detail::scheme_name(gated_parameters{}), "gated");
  EXPECT_EQ(name_of(scheme::bloom_g), "bloom-g");
}

}  // namespace
