// Version 1 of the format never changes: the files of tests/golden, read, asked, and made again to the byte. A file that is not there yet is written when the
// variable SLUICE_WRITE_GOLDEN is set, and fails the test otherwise.
#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using testing_support::golden_case;

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
  const sluice::file::mapping kept(path());
  ASSERT_EQ(kept.bytes().size(), made.size());
  for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(kept.bytes()[i], made[i]) << "byte " << i;
}

TEST_P(golden, the_file_has_its_keys) {
  const sluice::view v = sluice::view::map(path());
  v.verify();
  EXPECT_EQ(v.keys(), GetParam().kind);
  for (std::uint64_t i = 0; i < testing_support::golden_keys; ++i) {
    ASSERT_TRUE(v.keys() == sluice::key_kind::bytes ? v.may_contain(testing_support::golden_text(i))
                                                    : v.may_contain(testing_support::golden_number(i)));
  }
}

INSTANTIATE_TEST_SUITE_P(files, golden, testing::ValuesIn(testing_support::golden_cases()), [](const auto& file) {
  std::string name = file.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// Somebody who deletes a case must not delete its promise.
TEST(golden_files, every_file_has_its_case) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SLUICE_GOLDEN)) {
    files += entry.path().extension() == ".sluice" ? 1U : 0U;
  }
  EXPECT_EQ(files, testing_support::golden_cases().size());
}

}  // namespace
