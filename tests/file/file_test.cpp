// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files: every scheme saved, mapped, loaded, added to and saved again; bytes in memory; every flipped bit and every
// missing byte noticed; headers of untrusted sources; the size known beforehand; whole files or none.
#include "sluice/file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "file/layout.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/replacement.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/sluice.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"
#include "support/schemes.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using bytes_vector = std::vector<std::byte>;
namespace fs = std::filesystem;

using folder = testing_support::temporary_folder;

using testing_support::read_all;
using testing_support::refusal;

/// Several filters of a chain, small ones.
growing_filter small_chain() {
  growing_filter f({.fpr = 0.01, .first_keys = 64, .factor = 4, .seed = 5});
  for (std::uint64_t i = 0; i < 600; ++i) f.insert(i);
  return f;
}

class files : public testing::TestWithParam<testing_support::scheme_case> {
protected:
  static constexpr std::uint64_t count = 3000;
  [[nodiscard]] static filter made(std::uint64_t seed = 7) {
    filter f(GetParam().make(testing_support::blocks_for_case(GetParam(), count), seed));
    for (std::uint64_t i = 0; i < count; ++i) f.insert(i);
    return f;
  }
};

TEST_P(files, a_file_answers_as_the_filter_does_and_goes_on_as_it_would) {
  const folder here;
  filter f = made();
  const std::string path = here / "f";
  save(f, path, {.kind = key_kind::u64, .planned_keys = count, .planned_fpr = 0.001});
  const bytes_vector bytes = to_bytes(f, {.kind = key_kind::u64, .planned_keys = count, .planned_fpr = 0.001});
  EXPECT_EQ(read_all(path), bytes);
  EXPECT_EQ(bytes.size(), filter_file::bytes_for(f.params(), f.overflow().slots.size() / 8));
  EXPECT_EQ(here.files(), 1U) << "nothing is left beside the file";

  const filter_file mapped = filter_file::map(path);
  EXPECT_NO_THROW(mapped.verify());
  EXPECT_EQ(mapped.keys_inserted(), f.keys_inserted());
  EXPECT_EQ(mapped.contents().filters.front().params, f.params());
  EXPECT_EQ(mapped.contents().filters.front().planned_keys, count);
  EXPECT_EQ(mapped.stats().front().fpr_from_fill, f.stats().fpr_from_fill);
  EXPECT_EQ(mapped.stats().front().overflow_keys, f.stats().overflow_keys);
  EXPECT_EQ(mapped.stats().front().load_histogram, f.stats().load_histogram);
  bytes_vector elsewhere(bytes.size() + 3);
  std::copy(bytes.begin(), bytes.end(), elsewhere.begin() + 3);  // at any alignment
  const filter_file unaligned(std::span<const std::byte>(elsewhere).subspan(3));
  const filter loaded = load(path);
  std::vector<std::uint64_t> asked(3 * count);
  for (std::uint64_t i = 0; i < asked.size(); ++i) asked[i] = i;
  std::vector<std::uint8_t> in_bulk(asked.size());
  mapped.may_contain_bulk(asked, in_bulk);
  for (const std::uint64_t key : asked) {
    const bool expected = f.may_contain(key);
    ASSERT_TRUE(expected || key >= count);
    ASSERT_EQ(mapped.may_contain(key), expected);
    ASSERT_EQ(unaligned.may_contain(key), expected);
    ASSERT_EQ(loaded.may_contain(key), expected);
    ASSERT_EQ(in_bulk[key] != 0, expected);
  }

  // What is loaded goes on as if it had never been away: the same keys later make the same file.
  filter again = load(path);
  for (std::uint64_t i = count; i < 2 * count; ++i) {
    ASSERT_EQ(again.insert(i), f.insert(i));
  }
  const saved_as what{.kind = key_kind::u64, .planned_keys = count, .planned_fpr = 0.001};
  EXPECT_EQ(to_bytes(again, what), to_bytes(f, what));
}

TEST_P(files, two_files_are_merged_as_the_filters_would_be) {
  const folder here;
  filter a = made();
  filter b(a.params());
  for (std::uint64_t i = count; i < 2 * count; ++i) b.insert(i);
  save(a, here / "a", {key_kind::u64});
  save(b, here / "b", {key_kind::u64});
  filter merged = load(here / "a");
  merged.merge(load(here / "b"));
  a.merge(b);
  EXPECT_EQ(to_bytes(merged, {key_kind::u64}), to_bytes(a, {key_kind::u64}));
  for (std::uint64_t i = 0; i < 2 * count; ++i) ASSERT_TRUE(merged.may_contain(i));
}

TEST_P(files, every_flipped_bit_is_noticed) {
  filter f(GetParam().make(std::max<std::uint64_t>(GetParam().least_blocks, 16), 1));
  for (std::uint64_t i = 0; i < 200; ++i) f.insert(i);
  bytes_vector bytes = to_bytes(f, {key_kind::u64});
  ASSERT_EQ(refusal(bytes), "");
  // All bits of the header, the table and its padding; of the data, every one of some bytes and one of each other.
  const std::uint64_t head = detail::file::layout_of(extend::contents_of(f, {key_kind::u64})).header_bytes + 64;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      if (i >= head && bit != i % 8) continue;
      bytes[i] ^= std::byte{1} << static_cast<int>(bit);
      ASSERT_NE(refusal(bytes), "") << "bit " << bit << " of byte " << i;
      bytes[i] ^= std::byte{1} << static_cast<int>(bit);
    }
  }
}

TEST_P(files, every_truncation_is_noticed_at_once) {
  const filter f = made();
  bytes_vector bytes = to_bytes(f, {key_kind::u64});
  for (std::size_t size = 0; size < bytes.size(); size += size < 700 ? 1 : 997) {
    EXPECT_THROW(filter_file(std::span<const std::byte>(bytes).first(size)), file_error) << size;
  }
  bytes.push_back(std::byte{0});
  EXPECT_THROW(filter_file(std::span<const std::byte>(bytes)), file_error);
}

INSTANTIATE_TEST_SUITE_P(schemes, files, testing::ValuesIn(testing_support::all_schemes()),
                         [](const auto& scheme) { return scheme.param.name; });

TEST(file, a_chain_is_saved_and_goes_on_growing) {
  const folder here;
  growing_filter f = small_chain();
  ASSERT_GT(f.links(), 2U);
  save(f, here / "chain", key_kind::u64);
  const filter_file mapped = filter_file::map(here / "chain");
  mapped.verify();
  EXPECT_EQ(mapped.keys_inserted(), f.keys_inserted());
  growing_filter again = growing_filter::load(here / "chain");
  EXPECT_EQ(again.params(), f.params());
  std::vector<std::uint64_t> asked(10'000);
  for (std::uint64_t i = 0; i < asked.size(); ++i) asked[i] = i;
  std::vector<std::uint8_t> answers(asked.size());
  mapped.may_contain_bulk(asked, answers);
  for (const std::uint64_t key : asked) {
    ASSERT_EQ(mapped.may_contain(key), f.may_contain(key));
    ASSERT_EQ(answers[key] != 0, f.may_contain(key));
  }
  for (std::uint64_t i = 600; i < 3000; ++i) ASSERT_EQ(again.insert(i), f.insert(i));
  EXPECT_EQ(to_bytes(extend::contents_of(again, key_kind::u64)), to_bytes(extend::contents_of(f, key_kind::u64)));
  EXPECT_THROW(static_cast<void>(load(here / "chain")), file_error);
  save(filter(blocked_parameters{.blocks = 4, .hashes = 3}), here / "one", {key_kind::u64});
  EXPECT_THROW(static_cast<void>(growing_filter::load(here / "one")), file_error);
}

TEST(file, whatever_it_has_goes_on_with_its_kind_and_its_promise) {
  const folder here;
  filter one(single_parameters{.blocks = 9, .hashes = 9, .threshold = 20, .seed = 3});
  for (std::uint64_t i = 0; i < 300; ++i) one.insert(i);
  ASSERT_GT(one.stats().overflow_keys, 0U);
  save(one, here / "one", {key_kind::u64, 250, 0.02});
  save(small_chain(), here / "chain", key_kind::u64);
  for (const char* name : {"one", "chain"}) {
    auto f = filter_file::load(here / name);
    EXPECT_EQ(f.contents().grows.has_value(), f.grows());
    EXPECT_EQ(f.kind(), key_kind::u64);
    EXPECT_EQ(f.seed(), f.grows() ? small_chain().params().seed : 3);
    EXPECT_EQ(f.planned_keys(), f.grows() ? 0 : 250);
    EXPECT_EQ(f.planned_fpr(), f.grows() ? small_chain().params().fpr : 0.02);
    EXPECT_EQ(to_bytes(f.contents()), read_all(here / name));
    EXPECT_THROW(f.insert("7"), key_error);
    EXPECT_THROW(static_cast<void>(f.may_contain("7")), key_error);
    const std::uint64_t before = f.keys_inserted();
    EXPECT_TRUE(f.insert(std::uint64_t{1} << 40));
    EXPECT_EQ(f.insert_bulk(std::vector<std::uint64_t>{1ULL << 40, 1ULL << 41, 1ULL << 42}), 2U);
    EXPECT_EQ(f.keys_inserted(), before + 3);
    f.save(here / name);
    const auto again = filter_file::load(here / name);
    EXPECT_EQ(again.stats().size(), filter_file::map(here / name).stats().size());
    for (int i = 40; i < 43; ++i) EXPECT_TRUE(again.may_contain(1ULL << i));
    auto twice = again;
    twice.merge(again);
    for (int i = 40; i < 43; ++i) EXPECT_TRUE(twice.may_contain(1ULL << i));
  }
  filter_file small(filter(blocked_parameters{.blocks = 4, .hashes = 3}), {key_kind::u32});
  EXPECT_TRUE(small.insert(std::uint64_t{7}));
  EXPECT_THROW(small.insert(std::uint64_t{1} << 32), key_error);
  EXPECT_THROW(small.insert_bulk(std::vector<std::uint64_t>{1, 1ULL << 40}), key_error);
  auto all = filter_file::load(here / "one");
  const bytes_vector before = to_bytes(all.contents());
  EXPECT_THROW(all.merge(filter_file::load(here / "chain")), merge_error) << "one grows";
  EXPECT_THROW(all.merge(filter_file(one, {key_kind::u32})), merge_error) << "of other keys";
  EXPECT_EQ(to_bytes(all.contents()), before);
}

TEST(file, a_static_filter_stays_static) {
  static_builder builder({.blocks = 100, .hashes = 11, .trace = 3, .second_hashes = 9});
  for (std::uint64_t i = 0; i < 3000; ++i) builder.insert(i);
  const filter f = builder.build();
  const bytes_vector bytes = to_bytes(f, {key_kind::u64});
  const filter_file v{std::span<const std::byte>(bytes)};
  EXPECT_TRUE(std::get<gated_parameters>(v.contents().filters.front().params).is_static);
  for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_EQ(v.may_contain(i), f.may_contain(i));
}

TEST(file, keys_of_another_kind_are_refused) {
  filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  f.insert("7");
  f.insert(7);
  const bytes_vector texts = to_bytes(f, {key_kind::bytes});
  const bytes_vector numbers = to_bytes(f, {key_kind::u32});
  const filter_file of_texts{std::span<const std::byte>(texts)};
  const filter_file of_numbers{std::span<const std::byte>(numbers)};
  EXPECT_TRUE(of_texts.may_contain("7"));
  EXPECT_THROW(static_cast<void>(of_texts.may_contain(7)), key_error);
  EXPECT_TRUE(of_numbers.may_contain(7));
  EXPECT_THROW(static_cast<void>(of_numbers.may_contain("7")), key_error);
  std::uint8_t answer = 0;
  EXPECT_THROW(of_texts.may_contain_bulk(std::vector<std::uint64_t>{7}, std::span(&answer, 1)), key_error);
  EXPECT_TRUE(of_texts.may_contain(hasher()(7))) << "digests are anybody's";
}

// Headers that are sealed with the right checksum and are wrong all the same.
TEST(file, a_sealed_lie_is_refused_with_its_place) {
  const auto altered = [](const bytes_vector& good, std::size_t at, std::initializer_list<int> values) {
    bytes_vector bytes = good;
    for (const int v : values) bytes[at++] = static_cast<std::byte>(v);
    testing_support::reseal(bytes);
    return refusal(bytes);
  };
  const bytes_vector blocked = to_bytes(filter(blocked_parameters{.blocks = 4, .hashes = 3}), {key_kind::u64});
  filter listed(single_parameters{.blocks = 1, .hashes = 8, .threshold = 4});
  for (std::uint64_t i = 0; i < 50; ++i) listed.insert(i);
  const bytes_vector single = to_bytes(listed, {key_kind::u64});
  const bytes_vector mht =
      to_bytes(filter(mht_parameters{.subtables = {4, 2}, .hashes = 8, .threshold = 4}), {key_kind::u64});
  const bytes_vector chain = to_bytes(extend::contents_of(small_chain(), key_kind::u64));
  for (const auto* good : {&blocked, &single, &mht, &chain}) ASSERT_EQ(refusal(*good), "");
  constexpr std::size_t r = detail::file::preamble_bytes;
  // A member of the list that lies elsewhere, and one that is there twice.
  const auto list_changed = [&](bool keep) {
    bytes_vector bytes = single;
    const std::size_t slots = 8192;
    const auto is_empty = [&](std::size_t slot) { return detail::bits::load_word(bytes.data() + slots, slot) == 0; };
    std::size_t from = 0;
    while (is_empty(from)) ++from;
    std::size_t to = from;
    while (!is_empty(to)) ++to;
    while (is_empty(to)) ++to;  // the end of another run
    while (!is_empty(to)) ++to;
    detail::bits::store_word(bytes.data() + slots, to, detail::bits::load_word(bytes.data() + slots, from));
    if (!keep) detail::bits::store_word(bytes.data() + slots, from, 0);
    testing_support::reseal(bytes);
    return refusal(bytes);
  };
  const std::string moved_member = list_changed(false);
  const std::string doubled_member = list_changed(true);
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {altered(blocked, 0, {0x88}), "not a file of sluice"},
      {altered(blocked, 8, {3}), "version 3"},
      {altered(blocked, 8, {0}), "version 0"},
      {altered(blocked, 8, {2}), "byte 8:"},  // which has sections
      {altered(blocked, 12, {64, 0}), "at least 128"},
      {altered(blocked, 12, {0, 0, 0, 1}), "at most a mebibyte"},
      {altered(blocked, 12, {0, 0, 1, 0}), "within its header"},
      {altered(blocked, 24, {1}), "its header says"},
      {altered(blocked, 32, {0, 0x20}), "byte 33"},
      {altered(blocked, 40, {0, 0, 0x20}), "byte 42"},
      {altered(blocked, 56, {2}), "flags 2"},
      {altered(blocked, 56, {1}), "growing filter"},
      {altered(blocked, 60, {0}), "key kind 0"},
      {altered(blocked, 60, {4}), "key kind 4"},
      {altered(blocked, 64, {9}), "hash 9"},
      {altered(blocked, 68, {0}), "no filter"},
      {altered(blocked, 68, {2}), "no room"},
      {altered(blocked, 68, {255, 255, 255, 255}), "no room"},
      {altered(blocked, 110, {1}), "byte 110"},
      {altered(blocked, 80, {1}), "byte 80"},  // growth of a filter that does not grow
      {altered(blocked, r, {0}), "scheme 0"},
      {altered(blocked, r, {12}), "scheme 12"},
      {altered(blocked, r + 4, {1, 0}), "64 to 4096"},
      {altered(blocked, r + 8, {5}), "bytes of blocks"},
      {altered(blocked, r + 8, {0, 0, 0, 0, 0, 0, 0, 0xff}), "does not fit in 64 bits"},
      {altered(blocked, r + 16, {0}), "k is zero"},
      {altered(blocked, r + 20, {1}), "byte 148"},
      {altered(blocked, r + 42, {2}), "2 is not one of the choices"},
      {altered(blocked, r + 46, {1}), "byte 174"},
      {altered(blocked, r + 94, {0x10, 0x40}), "planned rate"},
      {altered(blocked, r + 95, {0x80}), "a finite number from 0 on"},        // -0
      {altered(blocked, r + 94, {0xf8, 0x7f}), "a finite number from 0 on"},  // none at all
      {altered(blocked, r + 96, {1}), "beyond the file"},
      {altered(blocked, r + 104, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), "beyond the file"},
      {altered(blocked, r + 128, {1}), "no overflow"},
      {altered(blocked, r + 136, {1}), "no exact list"},
      {altered(blocked, r + 144, {4}), "flags"},
      {altered(blocked, r + 150, {1}), "byte 278"},
      {altered(single, r + 112, {1}), "beyond the file"},
      {altered(single, r + 120, {0x80, 1}), "as many slots as its members need"},
      {altered(single, r + 128, {200}), "as many slots as its members need"},
      {altered(single, r + 128, {3}), "as many slots as its members need"},
      {altered(single, r + 128, {46}), "not 46"},
      {altered(single, r + 144, {1}), "has 46 members, not 45"},
      {moved_member, "not where insertions put it"},
      {doubled_member, "not where insertions put it"},
      {altered(single, 4096 + 64, {1}), "byte 4160: this byte must be zero"},
      {altered(single, 4090, {1}), "byte 4090: this byte must be zero"},
      {altered(single, r + 144, {2}), "no budget"},
      {altered(mht, r + 20, {17}), "subtables"},
      {altered(mht, r + 20, {200, 200}), "subtables"},
      {altered(mht, r + 20, {1}), "bytes of blocks"},
      {altered(mht, r + 192, {0}), "a subtable without blocks"},
      {altered(chain, 96, {6}), "another seed"},
      {altered(chain, r + 64, {6}), "seed"},
      {altered(chain, r + 80, {0}), "holds a key"},
      {altered(chain, r + 83, {1}), "more keys than it has bits"},
      {altered(chain, 88, {0}), "2 to 64"},
      {altered(chain, 92, {7, 0}), "64 to 4096"},
      {altered(chain, 56, {0}), "several"},
      {altered(chain, 68, {1}), "byte 12"},
  };
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    EXPECT_NE(refusals[i].first.find(refusals[i].second), std::string::npos)
        << i << ": '" << refusals[i].second << "' expected in '" << refusals[i].first << "'";
  }
}

// A key whose gate is closed has its second block in the same group, of which an untrusted filter may have one only.
TEST(file, a_gated_filter_of_one_block_is_read_and_written_within_its_bytes) {
  for (const bool is_static : {false, true}) {
    for (const std::uint32_t block_bits : {256U, 512U}) {
      const gated_parameters p{.blocks = 1,
                               .block_bits = block_bits,
                               .hashes = 6,
                               .trace = 0,
                               .second_hashes = 5,
                               .threshold = 40,
                               .is_static = is_static};
      const filter closed(p, [&](std::span<std::byte> bytes) {
        for (std::uint32_t gate = 0; gate < block_bits / 64; ++gate)
          detail::bits::set_bit(bytes.data(), detail::lanes::gate_bit(gate));
        return std::uint64_t{0};
      });
      bytes_vector bytes = to_bytes(closed, {key_kind::u64});
      const std::size_t size = bytes.size();
      bytes.resize(size + 4096, std::byte{0xff});  // a block after the last one would have every key
      const filter_file v{std::span<const std::byte>(bytes).first(size)};
      filter f = extend::filter_of(v.contents().filters.front());
      std::vector<std::uint64_t> keys(200);
      for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i;
      std::vector<std::uint8_t> answers(keys.size());
      v.may_contain_bulk(keys, answers);
      EXPECT_EQ(std::count(answers.begin(), answers.end(), 1), 0);
      f.insert_bulk(std::span(keys).first(10));
      for (std::uint64_t i = 10; i < 20; ++i) f.insert(i);
      f.may_contain_bulk(keys, std::span<std::uint8_t>(answers));
      for (std::uint64_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(f.may_contain(i), answers[i] != 0);
        ASSERT_TRUE(i >= 20 || f.may_contain(i));
      }
    }
  }
}

TEST(file, what_is_in_the_way_is_left_alone) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  save(f, here / "f", {key_kind::u64}, existing::refuse);
  EXPECT_THROW(save(f, here / "f", {key_kind::u64}, existing::refuse), file_error);
  EXPECT_EQ(here.files(), 1U);
  fs::create_directory(here / "folder");
  EXPECT_THROW(save(f, here / "folder", {key_kind::u64}), file_error);
  EXPECT_THROW(save(f, here / "missing/f", {key_kind::u64}), file_error);
  EXPECT_THROW(static_cast<void>(load(here / "folder")), file_error);
  EXPECT_THROW(static_cast<void>(load(here / "missing")), file_error);
  std::ofstream(here / "empty").flush();
  EXPECT_THROW(static_cast<void>(filter_file::map(here / "empty")), file_error);
}

TEST(file, a_link_stays_a_link_and_permissions_stay) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  save(f, here / "f", {key_kind::u64});
  fs::permissions(here / "f", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("f", here / "link");
  save(f, here / "link", {key_kind::u32});
  EXPECT_TRUE(fs::is_symlink(here / "link"));
  fs::create_symlink("not-yet", here / "dangling");
  save(f, here / "dangling", {key_kind::u64}, existing::refuse);
  EXPECT_TRUE(fs::is_symlink(here / "dangling"));
  EXPECT_TRUE(fs::is_regular_file(here / "not-yet"));
  fs::create_symlink("loop", here / "loop");
  EXPECT_THROW(save(f, here / "loop", {key_kind::u64}), file_error);
  EXPECT_EQ(filter_file::map(here / "f").kind(), key_kind::u32);
  EXPECT_EQ(fs::status(here / "f").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  std::ofstream(here / ".f.partial") << "left by a writer that was killed when f was nobody's secret";
  const extend::replacement next(here / "f");
  EXPECT_EQ(fs::status(next.partial()).permissions(), fs::perms::owner_read | fs::perms::owner_write)
      << "private while it is written, too";
}

// A filter is no program, and its owner may have changed: rights to run as another user are not handed on.
TEST(file, no_right_to_run_as_another_is_kept) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  save(f, here / "f", {key_kind::u64});
  const fs::perms plain = fs::perms::owner_all | fs::perms::group_read | fs::perms::others_exec;
  fs::permissions(here / "f", plain | fs::perms::set_uid | fs::perms::set_gid | fs::perms::sticky_bit);
  ASSERT_NE(fs::status(here / "f").permissions(), plain) << "the test needs a file system with such rights";
  save(f, here / "f", {key_kind::u64});
  EXPECT_EQ(fs::status(here / "f").permissions(), plain);
}

// .F.partial would be longer than a name may be; what stands for it is the same for all writers of F, and another one
// for another file.
TEST(file, a_name_of_any_length_can_be_written) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  for (const std::size_t length : {246U, 247U, 255U}) {
    const std::string name(length, 'n');
    save(f, here / name, {key_kind::u64});
    save(f, here / name, {key_kind::u32});
    EXPECT_EQ(filter_file::map(here / name).kind(), key_kind::u32);
    const std::string partial = fs::path(extend::replacement::partial_of(here / name)).filename();
    EXPECT_LE(partial.size(), 255U);
    EXPECT_TRUE(partial.starts_with(".nnnn") && partial.ends_with(".partial")) << partial;
  }
  EXPECT_EQ(here.files(), 3U) << "and nothing is left";
  EXPECT_THROW(save(f, here / std::string(256, 'n'), {key_kind::u64}), file_error);
  // Part of what writers of several versions agree upon: it never changes.
  EXPECT_EQ(extend::replacement::partial_of("d/" + std::string(246, 'n')), "d/." + std::string(246, 'n') + ".partial");
  EXPECT_EQ(extend::replacement::partial_of("d/" + std::string(247, 'n')),
            "d/." + std::string(200, 'n') + ".e6049e9d6a155fab.partial");
  // Names that differ in their last byte alone are two files, with two locks.
  const std::string first = std::string(254, 'n') + "1";
  const std::string second = std::string(254, 'n') + "2";
  const extend::replacement one(here / first);
  const extend::replacement two(here / second, [] { throw file_error("it waits for the writer of another file"); });
  EXPECT_NE(one.partial(), two.partial());
  // No character of UTF-8 is cut in two.
  std::string accents = "n";
  while (accents.size() < 250) accents += "\xc3\xa9";
  EXPECT_EQ(extend::replacement::partial_of(accents).substr(0, 201), "." + accents.substr(0, 199) + ".");
}

// Somebody removes what is being written, and another writer begins: neither may put the other's half in place.
TEST(file, a_writer_publishes_its_own_file_only) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  save(f, here / "f", {key_kind::u64});
  extend::replacement first(here / "f");
  extend::write(extend::contents_of(f, {key_kind::u32}), first);
  fs::remove(first.partial());
  {
    extend::replacement second(here / "f");
    EXPECT_THROW(first.commit(), file_error);
    EXPECT_EQ(load(here / "f").keys_inserted(), 0U) << "as it was";
    extend::write(extend::contents_of(f, {key_kind::bytes}), second);
    second.commit();
  }
  EXPECT_EQ(filter_file::map(here / "f").kind(), key_kind::bytes);
}

TEST(file, what_a_killed_writer_left_is_removed) {
  const folder here;
  const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  std::ofstream(here / ".f.partial") << std::string(100'000, 'x');
  save(f, here / "f", {key_kind::u64});
  EXPECT_EQ(here.files(), 1U);
  static_cast<void>(load(here / "f"));
  // Killed after link, before unlink: both names are one file, which must not be written to.
  fs::create_hard_link(here / "f", here / ".f.partial");
  const filter_file before = filter_file::map(here / "f");
  {
    extend::replacement half(here / "f");
    half.resize(10);
    before.verify();
    static_cast<void>(load(here / "f"));
  }
  static_cast<void>(load(here / "f"));
  EXPECT_EQ(here.files(), 1U);
}

// Many writers, each adding one key, and a reader that maps the file all the while: no key is lost, and no reader ever
// sees half a file.
TEST(file, writers_wait_for_each_other_and_readers_for_nobody) {
  const folder here;
  const std::string path = here / "f";
  save(filter(blocked_parameters{.blocks = 200, .hashes = 3}), path, {key_kind::u64});
  constexpr std::uint64_t writers = 4;
  constexpr std::uint64_t each = 25;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (std::uint64_t w = 0; w < writers; ++w) {
    threads.emplace_back([&, w] {
      for (std::uint64_t i = 0; i < each; ++i) {
        filter_file::update(path, [&](filter_file& f) { f.insert(w * each + i); });
      }
    });
  }
  std::thread reader([&] {
    const filter_file first = filter_file::map(path);
    std::uint64_t most = 0;
    while (!done) {
      const filter_file v = filter_file::map(path);
      v.verify();
      EXPECT_GE(v.keys_inserted(), most) << "a file goes forward only";
      most = v.keys_inserted();
      first.verify();  // still there, although it was replaced
    }
  });
  for (std::thread& t : threads) t.join();
  done = true;
  reader.join();
  const filter f = load(path);
  EXPECT_EQ(f.keys_inserted(), writers * each);
  for (std::uint64_t i = 0; i < writers * each; ++i) ASSERT_TRUE(f.may_contain(i));
  EXPECT_EQ(here.files(), 1U);
}

TEST(file, sizes_are_known_beforehand) {
  EXPECT_EQ(filter_file::bytes_for(blocked_parameters{.blocks = 64, .hashes = 3}), 4096U + 4096U);
  EXPECT_EQ(filter_file::bytes_for(blocked_parameters{.blocks = std::uint64_t{1} << 30, .hashes = 3}),
            (std::uint64_t{1} << 36) + 528'384U);  // 65,536 checksums
  EXPECT_THROW(
      static_cast<void>(filter_file::bytes_for(blocked_parameters{.blocks = std::uint64_t{1} << 57, .hashes = 3})),
      parameter_error);
}

}  // namespace
