// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What was written never changes: the files of tests/golden, read, asked, and made again to the byte. A file
// that is not there yet is written when the variable SLUICE_WRITE_GOLDEN is set, and fails the test otherwise.
#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "file/layout.hpp"
#include "file/mapping.hpp"
#include "sluice/detail/placement/ledger.hpp"
#include "sluice/detail/placement/sealed.hpp"
#include "support/refusal.hpp"
#include "support/reseal.hpp"

namespace {

using testing_support::golden_case;
using testing_support::read_all;
using testing_support::refusal;

class golden : public testing::TestWithParam<golden_case> {
protected:
  [[nodiscard]] static std::string path() { return SLUICE_GOLDEN "/" + GetParam().name + ".sluice"; }
};

TEST_P(golden, the_file_is_made_again_to_the_byte) {
  const std::vector<std::byte> made = GetParam().make();
  if (!std::filesystem::exists(path()) && std::getenv("SLUICE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(made.data()), static_cast<std::streamsize>(made.size()));
  }
  const sluice::detail::file::mapping kept(path());
  ASSERT_EQ(kept.bytes().size(), made.size());
  for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(kept.bytes()[i], made[i]) << "byte " << i;
}

TEST_P(golden, the_file_has_its_keys) {
  const sluice::filter_file v = sluice::filter_file::map(path());
  v.verify();
  EXPECT_EQ(v.kind(), GetParam().kind);
  EXPECT_TRUE(testing_support::has_golden_keys(v));
}

INSTANTIATE_TEST_SUITE_P(files, golden, testing::ValuesIn(testing_support::golden_cases()), [](const auto& file) {
  std::string name = file.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// docs/lookups.md has these numbers for people who write a reader of their own.
TEST(golden_numbers, are_those_of_the_document) {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  const digest a = hasher(0)("sluice");
  const digest b = hasher(1)("sluice");
  EXPECT_EQ(a.value, 0x7e13095f1588691dU);
  EXPECT_EQ(b.value, 0xd09b446fa4fb7fffU);
  EXPECT_EQ(hasher(0)(42).value, 0x4579b960bb007f46U);
  EXPECT_EQ(hasher(1)(42).value, 0xa9cb101be2f6824fU);
  EXPECT_EQ(detail::derive(a, detail::use::candidate, 1), 0x248e9cff7e494894U);
  EXPECT_EQ(detail::derive(a, detail::use::positions, 0), 0x96487029ac33c4f1U);
  EXPECT_EQ(detail::lanes::word_pair(a, 0), 0x8f0b67f117cec0efU);
  EXPECT_EQ(detail::lanes::word_pair(a, 1), 0xe23aafecb86586c6U);
  std::vector<std::uint64_t> uniform;
  detail::position_numbers numbers(a, {.count = 4});
  for (int i = 0; i < 4; ++i) uniform.push_back(detail::reduce_32(numbers.next(), 512));
  EXPECT_EQ(uniform, (std::vector<std::uint64_t>{344, 300, 443, 5}));
  std::vector<std::uint64_t> wide;
  detail::bit_array<hash_form::independent>(1000).positions(a, {.group = 1, .first = 0, .count = 4}, wide);
  EXPECT_EQ(wide, (std::vector<std::uint64_t>{958, 789, 257, 776}));
  detail::bit_array<hash_form::double_hashing>(1000).positions(a, {.group = 1, .first = 0, .count = 4}, wide);
  EXPECT_EQ(wide, (std::vector<std::uint64_t>{958, 747, 536, 325}));
  std::vector<std::uint64_t> in_lanes;
  for (std::uint32_t i = 0; i < 8; ++i) in_lanes.push_back(detail::lanes::position<false>(b, i, 4));
  EXPECT_EQ(in_lanes, (std::vector<std::uint64_t>{499, 390, 433, 468, 127, 22, 54, 95}));
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(detail::lanes::position<true>(b, i, 4), i == 4 ? 126 : in_lanes[i]);
  EXPECT_EQ(detail::lanes::gate_bit(detail::lanes::gate_of(detail::lanes::start_of(b, 4))), 511U);
  const detail::block_groups groups(1024, 64);
  const std::vector<std::uint64_t> blocks = {504, 456, 509, 481, 506};
  for (std::uint32_t n = 0; n < 5; ++n) EXPECT_EQ(groups.nth(a, n), blocks[n]);
}

TEST(golden_numbers, of_a_sealed_filter_are_those_of_the_document) {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  const digest a = hasher(0)("sluice");
  constexpr detail::sealed_layout layout(512, 16);
  const detail::sealed_placement placement(detail::even_groups(70, 64));
  EXPECT_EQ(placement.at(a, 0).block, 34U);
  EXPECT_EQ(placement.at(a, 1).block, 4U);
  const detail::sealed_key key(a);
  EXPECT_EQ(key.class_of(layout.classes), 9U);
  EXPECT_EQ(key.fingerprint(16), 0x63c3U);
  EXPECT_EQ(layout.numbers(key.word, 0), (std::array<std::uint32_t, 5>{3, 26, 29, 18, 2}));
  EXPECT_EQ(layout.numbers(key.word, 1), (std::array<std::uint32_t, 5>{10, 16, 26, 23, 8}));
}

TEST(golden_numbers, of_a_ledger_are_those_of_the_document) {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  const digest a = hasher(0)("sluice");
  const detail::ledger_layout& layout = detail::ledger_layout_of<15>;
  const detail::ledger_entry entry = layout.entry_of(a);
  EXPECT_EQ(entry.quotient, 3U);
  EXPECT_EQ(entry.remainder, 13093U);
  EXPECT_EQ(layout.class_of(entry), 2U);
  const detail::ledger_placement<15> in_pages(detail::block_groups(128, 64));
  EXPECT_EQ(in_pages.at(a, 0).block, 63U);
  EXPECT_EQ(in_pages.at(a, 1).block, 21U);
  const detail::ledger_placement<15> in_one_group(detail::block_groups(5, 5));
  EXPECT_EQ(in_one_group.at(a, 0).block, 2U);
  EXPECT_EQ(in_one_group.at(a, 1).block, 1U);
}

// The one exception to what versions promise (docs/versions.md): read no more, and never misread.
TEST(withdrawn_files, are_refused_with_what_to_do) {
  std::vector<std::byte> first = read_all(std::string(SLUICE_GOLDEN) + "/withdrawn/sealed-first-edition.sluice");
  ASSERT_FALSE(first.empty());
  EXPECT_NE(refusal(first).find("build it again from its keys"), std::string::npos) << refusal(first);
  // As development versions wrote it with a section, in version 2.
  first[sluice::detail::file::in_preamble::format] = std::byte{2};
  testing_support::reseal(first);
  EXPECT_NE(refusal(first).find("build it again from its keys"), std::string::npos) << refusal(first);
  // A second edition in version 1 there is none.
  std::vector<std::byte> second = read_all(std::string(SLUICE_GOLDEN) + "/sealed.sluice");
  ASSERT_EQ(refusal(second), "");
  second[sluice::detail::file::in_preamble::format] = std::byte{1};
  testing_support::reseal(second);
  EXPECT_NE(refusal(second), "");
  second[sluice::detail::file::in_preamble::format] = std::byte{2};
  second[sluice::detail::file::preamble_bytes + sluice::detail::file::in_record::edition] = std::byte{3};
  testing_support::reseal(second);
  EXPECT_NE(refusal(second).find("newer edition"), std::string::npos) << refusal(second);
}

// Somebody who deletes a case must not delete its promise.
TEST(golden_files, every_file_has_its_case) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SLUICE_GOLDEN)) {
    files += entry.path().extension() == ".sluice" ? 1U : 0U;
  }
  EXPECT_EQ(files, testing_support::golden_cases().size());
}

}  // namespace
