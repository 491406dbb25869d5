// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files that say how their keys were made: version 2 of the format, its sections, and the rule for single keys.
#include "sluice/key_origin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "file/layout.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/sluice.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using bytes_vector = std::vector<std::byte>;
using testing_support::refusal;

const key_origin canonical_5mers{.what = key_form::kmers, .width = 5, .canonical = true};

/// One of every form, and of every option.
std::vector<key_origin> all_origins() {
  return {
      {.what = key_form::lines, .keep_cr = true},
      {.what = key_form::lines, .keep_empty = true},
      {.what = key_form::lines, .fields = {3, 1}, .delimiter = ','},
      {.what = key_form::nul},
      {.what = key_form::decimal, .fields = {~std::uint64_t{0}}},
      {.what = key_form::hex},
      {.what = key_form::u64be},
      {.what = key_form::fixed, .width = std::uint64_t{1} << 39},
      {.what = key_form::csv, .columns = {"host", "a, \"b\"\nc", std::string("z\0\xff", 3)}, .delimiter = '\xff'},
      {.what = key_form::tsv, .columns = {"2", "1"}, .header = false},
      {.what = key_form::pcap_five_tuple, .both_directions = true},
      {.what = key_form::pcap_packet},
      canonical_5mers,
  };
}

filter_file file_of(const key_origin& origin, const parameters& p = blocked_parameters{.blocks = 4, .hashes = 3}) {
  return {filter(p), {.kind = origin.kind(), .origin = origin}};
}
filter_file kmers_file() { return file_of(canonical_5mers); }
bytes_vector bytes_of(const filter_file& f) { return to_bytes(f.contents()); }

TEST(key_origins, are_kept_by_every_file_and_written_again_to_the_byte) {
  const testing_support::temporary_folder here;
  for (const key_origin& origin : all_origins()) {
    const std::string which = detail::text_of(origin);
    for (const parameters& p : {parameters(blocked_parameters{.blocks = 4, .hashes = 3}),
                                parameters(mht_parameters{.subtables = {4, 2, 1}, .hashes = 8, .threshold = 4})}) {
      const filter_file f = file_of(origin, p);
      EXPECT_EQ(f.origin(), origin) << which;
      const bytes_vector bytes = to_bytes(f.contents());
      ASSERT_EQ(refusal(bytes), "") << which;
      EXPECT_EQ(std::to_integer<int>(bytes[8]), 2) << which;
      const std::string path = here / "f";
      f.save(path);
      EXPECT_EQ(testing_support::read_all(path), bytes) << which;
      EXPECT_EQ(f.size_bytes(), bytes.size()) << which;
      EXPECT_EQ(filter_file::map(path).origin(), origin) << which;
      const filter_file loaded = filter_file::load(path);
      EXPECT_EQ(loaded.origin(), origin) << which;
      EXPECT_EQ(to_bytes(loaded.contents()), bytes) << which;
    }
    growing_filter chain({.fpr = 0.01, .first_keys = 64, .factor = 4, .seed = 5});
    for (std::uint64_t i = 0; i < 300; ++i) chain.insert(digest{detail::full_mix(i)});
    filter_file grows(chain, origin.kind());
    grows.set_origin(origin);
    const bytes_vector bytes = to_bytes(grows.contents());
    ASSERT_EQ(refusal(bytes), "") << which;
    const filter_file again = filter_file::load(bytes);
    EXPECT_EQ(again.origin(), origin) << which;
    EXPECT_EQ(to_bytes(again.contents()), bytes) << which;
  }
}

TEST(key_origins, that_version_1_says_as_well_leave_it_as_it_is) {
  for (const key_form usual : {key_form::lines, key_form::u64, key_form::u32}) {
    const key_origin origin{.what = usual};
    const filter f(blocked_parameters{.blocks = 4, .hashes = 3});
    const bytes_vector plain = to_bytes(f, {.kind = origin.kind()});
    EXPECT_EQ(std::to_integer<int>(plain[8]), 1);
    EXPECT_EQ(to_bytes(f, {.kind = origin.kind(), .origin = origin}), plain);
    filter_file said(f, {.kind = origin.kind()});
    said.set_origin(origin);
    EXPECT_EQ(to_bytes(said.contents()), plain);
    EXPECT_FALSE(said.origin());
  }
}

TEST(key_origins, that_cannot_be_are_refused) {
  filter_file f(filter(blocked_parameters{.blocks = 4, .hashes = 3}), {.kind = key_kind::bytes});
  const std::vector<key_origin> none = {
      {.what = static_cast<key_form>(14)},
      {.what = key_form::csv},
      {.what = key_form::csv, .columns = {""}},
      {.what = key_form::tsv, .columns = {"x"}, .header = false},
      {.columns = {"a"}},
      {.header = false},
      {.width = 1},
      {.fields = {0}},
      {.delimiter = ','},
      {.fields = {1}, .delimiter = '\n'},
      {.fields = {1}, .delimiter = '\0'},
      {.canonical = true},
      {.both_directions = true},
      {.what = key_form::kmers},
      {.what = key_form::kmers, .width = 1025},
      {.what = key_form::fixed},
  };
  for (const key_origin& origin : none) {
    EXPECT_THROW(f.set_origin(origin), parameter_error) << static_cast<int>(origin.what);
    EXPECT_THROW(static_cast<void>(filter_file(filter(blocked_parameters{.blocks = 1, .hashes = 3}),
                                               {.kind = origin.kind(), .origin = origin})),
                 parameter_error);
  }
  EXPECT_THROW(f.set_origin(key_origin{.what = key_form::decimal}), key_error);
  EXPECT_FALSE(f.origin());
  // More than a section may have: nothing that could not be read again is written.
  f.set_origin(key_origin{.what = key_form::csv, .columns = {std::string(70'000, 'x')}});
  EXPECT_THROW(static_cast<void>(to_bytes(f.contents())), parameter_error);
  const bytes_vector bytes = bytes_of(kmers_file());
  filter_file mapped{std::span<const std::byte>(bytes)};
  EXPECT_THROW(mapped.set_origin(std::nullopt), file_error);
}

TEST(key_origins, make_single_keys_by_their_rule) {
  filter_file f = kmers_file();
  EXPECT_TRUE(f.insert("ttgac"));  // GTCAA
  EXPECT_FALSE(f.insert(std::string("GTCAA")));
  EXPECT_EQ(f.keys_inserted(), 1U);
  for (const char* const text : {"ttgac", "TTGAC", "gtcaa"}) EXPECT_TRUE(f.may_contain(text)) << text;
  EXPECT_TRUE(f.may_contain(std::as_bytes(std::span("TTGAC", 5))));
  EXPECT_TRUE(f.may_contain(u8"TTGAC"));
  EXPECT_TRUE(f.may_contain(hasher(0)("GTCAA"))) << "digests are taken as they are";
  EXPECT_FALSE(f.may_contain("AAAAA"));
  for (const char* const text : {"", "TTGA", "TTGACC", "TTGAN", "TTGA\n"}) {
    EXPECT_THROW(static_cast<void>(f.may_contain(text)), key_error) << text;
    EXPECT_THROW(static_cast<void>(f.insert(text)), key_error) << text;
  }
  const std::vector<std::string> some = {"ttgac", "AAAAA", "ccccc", "GGGGG"};
  EXPECT_EQ(f.insert_bulk(some), 2U);  // CCCCC stands for both of the last
  std::vector<std::uint8_t> answers(some.size());
  f.may_contain_bulk(some, answers);
  EXPECT_EQ(answers, (std::vector<std::uint8_t>{1, 1, 1, 1}));
  std::fill(answers.begin(), answers.end(), std::uint8_t{0});
  f.may_contain_bulk(std::vector<std::string_view>{"TTTTT", "GTCAA", "GGGGG", "CCCCC"}, answers, 2);
  EXPECT_EQ(answers, (std::vector<std::uint8_t>{1, 1, 1, 1}));
  EXPECT_EQ(f.insert_bulk(std::vector<std::string_view>{"ACGTA", "TACGT"}, 2), 1U);
  const std::uint64_t before = f.keys_inserted();
  EXPECT_THROW(static_cast<void>(f.insert_bulk(std::vector<std::string>{"CACAC", "no"})), key_error);
  EXPECT_EQ(f.keys_inserted(), before) << "nothing of it was inserted";

  filter_file fixed = file_of({.what = key_form::fixed, .width = 3});
  EXPECT_TRUE(fixed.insert("abc"));
  EXPECT_TRUE(fixed.may_contain("abc"));
  EXPECT_THROW(static_cast<void>(fixed.may_contain("ab")), key_error);

  std::string there(13, '\0');
  for (std::size_t i = 0; i < there.size(); ++i) there[i] = static_cast<char>(i);
  const std::string back =
      there.substr(0, 1) + there.substr(5, 4) + there.substr(1, 4) + there.substr(11) + there.substr(9, 2);
  filter_file flows = file_of({.what = key_form::pcap_five_tuple, .both_directions = true});
  EXPECT_TRUE(flows.insert(back));
  EXPECT_TRUE(flows.may_contain(there));
  EXPECT_THROW(static_cast<void>(flows.may_contain("abc")), key_error);
  filter_file one_way = file_of({.what = key_form::pcap_five_tuple});
  EXPECT_TRUE(one_way.insert(back));
  EXPECT_FALSE(one_way.may_contain(there));
}

TEST(key_origins, that_make_other_keys_are_not_merged) {
  filter_file a = kmers_file();
  a.insert("ttgac");
  filter_file b = kmers_file();
  b.insert("AAAAA");
  a.merge(b);
  EXPECT_TRUE(a.may_contain("TTTTT"));
  filter_file other = file_of({.what = key_form::kmers, .width = 5});
  EXPECT_THROW(a.merge(other), merge_error);
  filter_file unsaid(filter(blocked_parameters{.blocks = 4, .hashes = 3}), {.kind = key_kind::bytes});
  unsaid.merge(a);
  EXPECT_EQ(unsaid.origin(), canonical_5mers);
  EXPECT_TRUE(unsaid.may_contain("ttgac"));
  // Of lines, neither these nor k-mers would be found as they were put in.
  filter_file text(filter(blocked_parameters{.blocks = 4, .hashes = 3}), {.kind = key_kind::bytes});
  text.insert("ttttg");
  EXPECT_THROW(text.merge(a), merge_error);
  EXPECT_THROW(a.merge(text), merge_error);
  EXPECT_TRUE(text.may_contain("ttttg"));
  EXPECT_EQ(text.origin(), std::nullopt);
  filter_file hosts = file_of({.what = key_form::csv, .columns = {"host"}});
  hosts.insert("a.example");
  hosts.merge(text);
  EXPECT_TRUE(hosts.may_contain("ttttg"));
}

TEST(key_origins, have_the_same_keys_wherever_these_stood) {
  const key_origin lines{};
  const key_origin column{.what = key_form::csv, .columns = {"host"}};
  const key_origin other_column{.what = key_form::tsv, .columns = {"ip"}};
  const key_origin pair{.what = key_form::csv, .columns = {"a", "b"}};
  const key_origin two_fields{.fields = {1, 4}};
  EXPECT_TRUE(detail::have_same_keys(lines, column));
  EXPECT_TRUE(detail::have_same_keys(column, other_column));
  EXPECT_TRUE(detail::have_same_keys(pair, two_fields));
  EXPECT_TRUE(detail::have_same_keys(pair, lines));
  EXPECT_FALSE(detail::have_same_keys(pair, column));
  EXPECT_TRUE(detail::have_same_keys({.what = key_form::decimal}, {.what = key_form::u32}));
  EXPECT_FALSE(detail::have_same_keys({.what = key_form::decimal}, lines));
  EXPECT_FALSE(detail::have_same_keys(lines, canonical_5mers));
  EXPECT_FALSE(detail::have_same_keys({.what = key_form::kmers, .width = 6, .canonical = true}, canonical_5mers));
}

/// The file with other bytes in place of its last section, and checksums that are right.
class altered_sections {
public:
  /// Of contents that a later version may have: it knows section 9, which others may skip.
  [[nodiscard]] static bytes_vector with(const std::vector<file_contents::skipped_section>& skipped,
                                         const std::optional<key_origin>& origin) {
    const filter_file f = kmers_file();
    file_contents contents = f.contents();
    contents.origin = origin;
    contents.skipped = skipped;
    return to_bytes(contents);
  }
  [[nodiscard]] static bytes_vector put(bytes_vector file, std::size_t at, const std::vector<unsigned char>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) file[at + i] = static_cast<std::byte>(bytes[i]);
    testing_support::reseal(file);
    return file;
  }
};

TEST(sections, that_may_be_skipped_are_and_others_refused_with_their_number) {
  using made = altered_sections;
  const bytes_vector nine{std::byte{1}, std::byte{2}, std::byte{3}};
  const bytes_vector file = made::with({{9, nine}}, canonical_5mers);
  ASSERT_EQ(refusal(file), "");
  const filter_file v{std::span<const std::byte>(file)};
  EXPECT_EQ(v.origin(), canonical_5mers);
  EXPECT_EQ(to_bytes(v.contents()), file) << "copied as it is";
  EXPECT_EQ(bytes_of(filter_file::load(file)), bytes_of(kmers_file()))
      << "a filter that can change does not keep what it does not know";

  const std::size_t second =
      detail::file::preamble_bytes + detail::file::record_bytes + 32;  // after kind 1, of 16 + 16 bytes
  const bytes_vector needed = made::put(file, second + 4, {0});
  EXPECT_NE(refusal(needed).find("section 9 is not known"), std::string::npos) << refusal(needed);
  try {
    static_cast<void>(filter_file{std::span<const std::byte>(needed)});
    FAIL();
  } catch (const file_error& e) {
    EXPECT_EQ(e.code(), error_code::newer_version);
  }
  EXPECT_EQ(refusal(made::with({{2, nine}, {9, nine}}, std::nullopt)), "");
}

TEST(sections, of_untrusted_files_are_refused_with_the_place) {
  using made = altered_sections;
  const bytes_vector file = bytes_of(kmers_file());
  const std::size_t s =
      detail::file::preamble_bytes + detail::file::record_bytes;  // kind, flags, length, and 16 bytes of kind 1
  const bytes_vector csv = bytes_of(file_of({.what = key_form::csv, .columns = {"ab"}}));
  const bytes_vector fields = bytes_of(file_of({.fields = {1}}));
  const std::string at = std::to_string(s);
  const std::vector<std::pair<bytes_vector, std::string>> all = {
      {made::put(file, 8, {1}), "byte 12"},
      {made::put(file, 60, {2}), "another kind"},
      {made::put(file, s, {0}), "byte " + at + ": sections have kinds from 1 on"},
      {made::put(file, s + 4, {2}), "byte " + std::to_string(s + 4) + ": there are flags"},
      {made::put(file, s + 4, {1}), "byte " + std::to_string(s + 4)},  // our own may not be skipped
      {made::put(file, s + 8, {15}), "at least 16 bytes"},
      {made::put(file, s + 8, {17}), "longer than the header"},
      {made::put(file, s + 8, {0, 0, 0, 0, 0, 0, 0, 0xff}), "longer than the header"},
      {made::put(file, s + 16, {0}), "form 0"},
      {made::put(file, s + 16, {14}), "form 14"},
      {made::put(file, s + 16, {1}), "--canonical is for"},
      {made::put(file, s + 17, {','}), "--delimiter is for"},
      {made::put(file, s + 18, {32}), "flags"},
      {made::put(file, s + 18, {17}), "header"},
      {made::put(file, s + 20, {1}), "more fields"},
      {made::put(file, s + 24, {0}), "no width"},
      {made::put(file, s + 25, {16}), "no width"},
      {made::put(csv, s + 32, {3}), "longer than there is room"},
      {made::put(csv, s + 32, {0}), "cut off"},
      {made::put(csv, s + 38, {1}), "byte " + std::to_string(s + 38)},  // zeros up to a multiple of 8
      {made::put(fields, s + 32, {0}), "counted from 1"},
      {made::put(fields, s + 20, {0}), "cut off"},
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NE(refusal(all[i].first).find(all[i].second), std::string::npos) << i << ": " << refusal(all[i].first);
  }
  // Nobody needs a section for what version 1 says.
  bytes_vector usual = made::put(fields, s + 20, {0});
  usual = made::put(usual, s + 8, {16});
  EXPECT_NE(refusal(usual), "");
  // Every bit of the header: refused, or another file that is as it says.
  for (std::size_t bit = 8 * s; bit < 8 * (s + 32); ++bit) {
    bytes_vector changed = file;
    changed[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_NE(refusal(changed), "") << "its checksum is wrong";
    testing_support::reseal(changed);
    if (refusal(changed).empty()) {
      EXPECT_EQ(bytes_of(filter_file{std::span<const std::byte>(changed)}), changed) << bit;
    }
  }
}

}  // namespace
