// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files of sealed maps: every key keeps its value through save, load, map and bytes; what is damaged, cut off or
// something else is refused; and nothing untrusted does more than answer wrongly.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/layout.hpp"
#include "file/parse.hpp"
#include "sluice/sluice.hpp"
#include "support/golden.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"
#include "support/static_builds.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)
using bytes_vector = std::vector<std::byte>;
using folder = temporary_folder;

std::vector<std::uint32_t> squares(std::size_t count, std::uint32_t bits) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * i & detail::bits::low_bits(bits));
  return values;
}

/// With it no block holds one of the 150 keys: the first such seed.
constexpr std::uint64_t seed_with_a_list = 5842;

sealed_map<std::uint8_t> small_map() {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> values;
  for (std::uint64_t i = 0; i < golden_keys; ++i) {
    keys.push_back(golden_number(i));
    values.push_back(static_cast<std::uint8_t>(i % 32));
  }
  return sealed_map<std::uint8_t>::build(keys, values, {.value_bits = 5, .check_bits = 3, .seed = seed_with_a_list});
}

/// Empty: they are a good file of a map.
std::string refusal_of_map(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(sealed_map<>::load(bytes, "it"));
  } catch (const file_error& e) {
    return e.what();
  }
  return "";
}

template <class Map, class Keys>
void expect_values(const Map& m, const Keys& keys, const std::vector<std::uint32_t>& values, const char* what) {
  ASSERT_EQ(m.size(), keys.size()) << what;
  std::vector<std::uint32_t> found(keys.size());
  std::vector<std::uint8_t> known(keys.size());
  m.get_bulk(keys, found, known);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(m.get(keys[i]), std::optional(values[i])) << what << ", key " << i;
    ASSERT_TRUE(known[i] != 0 && found[i] == values[i]) << what << " in bulk, key " << i;
  }
}

TEST(sealed_map_files, every_key_keeps_its_value) {
  const folder here;
  for (const std::uint32_t block_bits : {512U, 256U}) {
    for (const auto& [value_bits, check_bits] : {std::pair{1U, 0U}, {7U, 4U}, {12U, 20U}, {32U, 0U}}) {
      for (const std::size_t n : {0U, 1U, 3'000U}) {
        const auto keys = numbers(0, n);
        const auto values = squares(n, value_bits);
        const sealed_map_parameters p{
            .value_bits = value_bits, .check_bits = check_bits, .block_bits = block_bits, .seed = 5};
        const auto m = sealed_map<>::build(keys, values, p);
        m.save(here / "m");
        const auto mapped = sealed_map<>::map(here / "m");
        mapped.verify();
        const auto loaded = sealed_map<>::load(here / "m");
        expect_values(mapped, keys, values, "mapped");
        expect_values(loaded, keys, values, "loaded");
        EXPECT_EQ(mapped.params(), p);
        EXPECT_EQ(loaded.params(), p);
        EXPECT_EQ(loaded.kind(), key_kind::u64);
        EXPECT_EQ(loaded.listed(), m.listed());
        EXPECT_EQ(loaded.memory_bytes(), m.memory_bytes());
        const bytes_vector file = read_all(here / "m");
        EXPECT_EQ(m.to_bytes(), file);
        EXPECT_EQ(mapped.to_bytes(), file);
        EXPECT_EQ(loaded.to_bytes(), file);
        EXPECT_EQ(m.size_bytes(), file.size());
        for (std::uint64_t absent = 1'000'000; absent < 1'000'300; ++absent) {
          ASSERT_EQ(m.get(absent), mapped.get(absent));
          ASSERT_EQ(m.get(absent), loaded.get(absent));
        }
        EXPECT_THROW(m.save(here / "m", existing::refuse), file_error);
      }
    }
  }
}

TEST(sealed_map_files, keys_of_the_list_keep_their_values) {
  const auto keys = numbers(0, 200'000);
  const auto values = squares(keys.size(), 8);
  const auto m = sealed_map<>::build(keys, values, {.value_bits = 8});
  ASSERT_GT(m.listed(), 5U) << "the list is tested";
  expect_values(sealed_map<>::load(m.to_bytes()), keys, values, "loaded");
  const auto small = small_map();
  ASSERT_GT(small.listed(), 0U) << "the list of the small map is tested";
  const auto again = sealed_map<std::uint8_t>::load(small.to_bytes());
  for (std::uint64_t i = 0; i < golden_keys; ++i) EXPECT_EQ(again.get(golden_number(i)), i % 32);
}

// Made again to the byte: docs/format.md.
TEST(sealed_map_files, a_golden_file_is_made_again) {
  const std::string path = SLUICE_GOLDEN "/maps/sealed-map.sluice";
  const bytes_vector made = small_map().to_bytes();
  if (!std::filesystem::exists(path) && std::getenv("SLUICE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(made.data()), static_cast<std::streamsize>(made.size()));
  }
  EXPECT_EQ(read_all(path), made);
  const auto there = sealed_map<std::uint8_t>::map(path);
  there.verify();
  for (std::uint64_t i = 0; i < golden_keys; ++i) EXPECT_EQ(there.get(golden_number(i)), i % 32);
}

TEST(sealed_map_files, a_damaged_file_is_refused) {
  const bytes_vector good = small_map().to_bytes();
  ASSERT_EQ(refusal_of_map(good), "");
  for (std::size_t i = 0; i < good.size(); ++i) {
    bytes_vector bad = good;
    bad[i] ^= std::byte{0x10};
    ASSERT_NE(refusal_of_map(bad), "") << "byte " << i;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{127}, std::size_t{319}, good.size() - 1}) {
    EXPECT_NE(refusal_of_map(std::span(good).first(size)), "") << size << " bytes";
  }
  bytes_vector longer = good;
  longer.push_back({});
  EXPECT_NE(refusal_of_map(longer), "");
}

/// What remains if the checksums are forged, too.
TEST(sealed_map_files, what_makes_no_sense_is_refused_behind_its_checksums) {
  const bytes_vector good = small_map().to_bytes();
  const auto changed = [&](std::uint64_t offset, unsigned char value) {
    bytes_vector bad = good;
    bad[detail::file::preamble_bytes + offset] = std::byte{value};
    reseal(bad);
    return refusal_of_map(bad);
  };
  EXPECT_NE(changed(detail::file::in_record::value_bits, 9).find("of no more bits than a fingerprint"),
            std::string::npos);
  EXPECT_NE(changed(detail::file::in_record::value_bits, 0), "") << "a filter with a list that is too long";
  EXPECT_NE(changed(detail::file::in_record::value_bits + 4, 1).find("not what sluice writes"), std::string::npos);
  EXPECT_NE(changed(detail::file::in_record::scheme, 9), "");
  EXPECT_NE(changed(detail::file::in_record::keys + 7, 1).find("more keys than equations"), std::string::npos);
  EXPECT_NE(changed(detail::file::in_record::overflow_keys + 7, 1).find("more members than there are keys"),
            std::string::npos);
  // Other bits of value and check are another map, and no error.
  EXPECT_EQ(changed(detail::file::in_record::value_bits, 8), "");
  const file_contents contents = detail::file::parse("it", good, detail::file::held::map);
  bytes_vector values(contents.filters.front().list_values.begin(), contents.filters.front().list_values.end());
  ASSERT_FALSE(values.empty());
  values.front() = std::byte{32};
  file_contents bad = contents;
  bad.filters.front().list_values = values;
  EXPECT_THROW(static_cast<void>(to_bytes(bad)), parameter_error) << "a value of more bits than the map's";
  bad = contents;
  bytes_vector slots(12 * bad.filters.front().overflowed.keys, std::byte{0});
  bad.filters.front().overflowed.slots = slots;
  bad.filters.front().list_values = {};
  EXPECT_THROW(static_cast<void>(to_bytes(bad)), parameter_error) << "digests in place of values";
  bad = contents;
  bad.filters.front().list_values = std::span(values).first(values.size() - 1);
  EXPECT_THROW(static_cast<void>(to_bytes(bad)), parameter_error) << "a value that is cut off";
  // A reader that does not verify answers wrongly, and within the bits of a value.
  bytes_vector forged = good;
  for (std::size_t i = forged.size() - values.size(); i < forged.size(); ++i) forged[i] = std::byte{0xff};
  const folder here;
  std::ofstream(here / "m", std::ios::binary)
      .write(reinterpret_cast<const char*>(forged.data()), static_cast<std::streamsize>(forged.size()));
  const auto there = sealed_map<std::uint8_t>::map(here / "m");
  for (std::uint64_t i = 0; i < golden_keys; ++i) EXPECT_LT(there.get(golden_number(i)).value_or(0), 32);
  EXPECT_THROW(there.verify(), file_error);
  EXPECT_THROW(there.save(here / "n"), file_error) << "damaged bytes get no checksums that are right";
  EXPECT_FALSE(std::filesystem::exists(here / "n"));
}

TEST(sealed_map_files, a_map_is_no_filter_and_a_filter_no_map) {
  const folder here;
  const auto m = small_map();
  m.save(here / "map");
  const bytes_vector bytes = m.to_bytes();
  EXPECT_NE(refusal(bytes).find("a map of keys to values"), std::string::npos) << refusal(bytes);
  EXPECT_THROW(static_cast<void>(load(here / "map")), file_error);
  EXPECT_THROW(static_cast<void>(filter_file::load(here / "map")), file_error);
  filter f(blocked_parameters{.blocks = 4, .hashes = 3});
  const bytes_vector of_filter = to_bytes(f, {key_kind::u64});
  EXPECT_NE(refusal_of_map(of_filter).find("a filter, not a map"), std::string::npos);
  const std::vector<std::uint64_t> keys = {1, 2, 3};
  EXPECT_NE(refusal_of_map(to_bytes(filter::sealed(keys, {.fpr = 0.01}), {key_kind::u64})), "");
}

// A section that a later version may have, and that this one may skip: it stays.
TEST(sealed_map_files, what_is_not_known_stays) {
  const auto small = small_map();
  file_contents contents = small.contents();
  contents.skipped = {{9, bytes_vector(5, std::byte{7})}};
  const bytes_vector bytes = to_bytes(contents);
  const auto there = sealed_map<>::view(bytes);
  there.verify();
  EXPECT_EQ(there.to_bytes(), bytes);
  EXPECT_EQ(sealed_map<>::load(bytes).to_bytes(), bytes);
  EXPECT_EQ(there.size_bytes(), bytes.size());
}

TEST(sealed_map_files, values_must_fit_their_type) {
  const auto keys = numbers(0, 100);
  const auto wide = sealed_map<std::uint16_t>::build(keys, squares(100, 9), {.value_bits = 9}).to_bytes();
  EXPECT_THROW(static_cast<void>(sealed_map<std::uint8_t>::load(wide)), file_error);
  EXPECT_THROW(static_cast<void>(sealed_map<bool>::load(wide)), file_error);
  EXPECT_EQ(sealed_map<std::uint32_t>::load(wide).get(keys[20]), 400U);
  EXPECT_THROW(static_cast<void>(sealed_map<std::uint8_t>::build(keys, squares(100, 9))), parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<std::uint8_t>::build(keys, std::vector<int>(100, -1))), parameter_error);
  EXPECT_THROW(static_cast<void>(sealed_map<bool>::build(keys, squares(100, 1), {.value_bits = 2})), parameter_error);
  enum class level : std::int8_t { low = -1, high = 1 };
  const auto levels = sealed_map<level>::build(keys, std::vector<level>(100, level::low), {.check_bits = 8});
  EXPECT_EQ(sealed_map<level>::load(levels.to_bytes()).get(keys[7]), level::low);
  enum class yes : bool { no, sure };
  EXPECT_EQ(sealed_map<yes>::build(keys, std::vector<yes>(100, yes::sure)).get(keys[7]), yes::sure);
  enum shard : std::uint8_t { first, second };
  const auto narrow = sealed_map<bool>::build(keys, squares(100, 1)).to_bytes();
  EXPECT_EQ(sealed_map<shard>::load(narrow).get(keys[3]), shard::second);
}

TEST(sealed_map_files, keys_are_of_the_kind_that_the_file_says) {
  const std::vector<std::string> words = {"weir", "lock", "sluice"};
  const std::vector<std::uint32_t> values = {3, 1, 2};
  auto m = sealed_map<>::build(words, values, {.check_bits = 24});
  EXPECT_EQ(m.kind(), key_kind::bytes);
  EXPECT_THROW(static_cast<void>(m.get(7)), key_error);
  const auto again = sealed_map<>::load(m.to_bytes());
  EXPECT_EQ(again.get("lock"), 1U);
  EXPECT_THROW(static_cast<void>(again.get(7)), key_error);
  const std::vector<std::uint64_t> integers = {1, 2};
  std::vector<std::uint32_t> out(2);
  std::vector<std::uint8_t> known(2);
  EXPECT_THROW(again.get_bulk(integers, out, known), key_error);
  EXPECT_THROW(m.set_kind(key_kind::u64), key_error);
  auto of_integers = sealed_map<>::build(std::vector<std::uint64_t>{1, 2, 3}, values);
  EXPECT_THROW(of_integers.set_kind(key_kind::u32), key_error) << "larger ones may be among them";
  // Digests can be of any keys; a file says which.
  const hasher hash(0);
  std::vector<digest> digests;
  for (const std::string& word : words) digests.push_back(hash(word));
  auto unknown = sealed_map<>::build(digests, values, {.check_bits = 24});
  EXPECT_EQ(unknown.kind(), std::nullopt);
  EXPECT_THROW(static_cast<void>(unknown.to_bytes()), key_error);
  unknown.set_kind(key_kind::bytes);
  EXPECT_EQ(unknown.to_bytes(), m.to_bytes());
  // How keys were made is kept, and followed.
  const std::vector<std::string> kmers = {"ACGTA", "CCCCC"};
  auto genome = sealed_map<>::build(kmers, std::vector<std::uint32_t>{1, 2}, {.check_bits = 24});
  const key_origin origin{.what = key_form::kmers, .width = 5, .canonical = true};
  genome.set_origin(origin);
  const auto there = sealed_map<>::load(genome.to_bytes());
  EXPECT_EQ(there.origin(), origin);
  EXPECT_EQ(there.get("ggggg"), 2U);
  EXPECT_THROW(static_cast<void>(there.get("ACGTAA")), key_error);
  EXPECT_THROW(genome.set_origin(key_origin{.what = key_form::decimal, .fields = {2}}), key_error);
}

}  // namespace
