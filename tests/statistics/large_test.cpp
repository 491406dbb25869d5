// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What takes too much memory or time for every day; outside CI.
//   Beyond 32 bits: a filter of more than 2^32 bits in memory, and filters of more than 2^32 blocks (2^32 keys' worth
//   and more of index arithmetic) over a mapping of which only the touched pages exist; some 2 GiB.
//   Real lookups, enough of them to count false positives of one in a million.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/sluice.hpp"
#include "support/interval.hpp"

namespace {

using namespace sluice;           // NOLINT(google-build-using-namespace)
using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t two_to_32 = std::uint64_t{1} << 32;

TEST(large, a_filter_above_two_to_32_bits_uses_all_of_them) {
  constexpr std::uint64_t blocks = (two_to_32 / 512) * 2;  // 2^33 bits, 1 GiB
  constexpr std::uint64_t keys = 4'000'000;
  const std::vector<parameters> all = {
      blocked_parameters{.blocks = blocks, .hashes = 8},
      classic_parameters{.bits = blocks * 512 + 1, .hashes = 8},
      gated_parameters{.blocks = blocks, .hashes = 11, .second_hashes = 9, .threshold = 196, .margin = 19},
  };
  for (const parameters& p : all) {
    filter f(p);
    for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
    for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(f.may_contain(i)) << detail::scheme_name(p);
    const std::uint64_t lower = detail::bits::count_ones(f.bytes().data(), two_to_32);
    const statistics s = f.stats();
    EXPECT_GT(s.usable_bits, two_to_32);
    const double share = static_cast<double>(lower) / static_cast<double>(s.bits_set);
    EXPECT_NEAR(share, 0.5, share_tolerance(0.5, double{keys}))
        << detail::scheme_name(p) << ": keys fall into one half";
    std::uint64_t positives = 0;
    for (std::uint64_t i = keys; i < 2 * keys; ++i) positives += f.may_contain(i) ? 1U : 0U;
    EXPECT_LT(positives, 10U) << detail::scheme_name(p);
  }
}

// Rates this low are computed from the bits everywhere else; here they are counted. 3e9 lookups, some 2,000 false
// positives.
TEST(large, real_lookups_find_what_the_bits_predict) {
  constexpr std::uint64_t keys = 200'000;
  constexpr std::uint64_t batch = 1'000'000;
  constexpr std::uint64_t batches = 3'000;
  filter f(gated_parameters{
      .blocks = keys * 32 / 512, .hashes = 20, .second_hashes = 16, .threshold = 160, .margin = 4, .seed = 77});
  for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
  std::vector<std::uint64_t> absent(batch);
  std::vector<std::uint64_t> answers(batch / 64);
  std::uint64_t found = 0;
  for (std::uint64_t b = 1; b <= batches; ++b) {
    for (std::uint64_t i = 0; i < batch; ++i) absent[i] = b * batch + i;
    f.may_contain_bulk(absent, answers);
    for (const std::uint64_t word : answers) found += static_cast<std::uint64_t>(std::popcount(word));
  }
  const double predicted = f.stats().fpr_from_fill;
  const double lookups = static_cast<double>(batch) * batches;
  EXPECT_GT(found, 1000U);
  EXPECT_NEAR(static_cast<double>(found) / lookups, predicted, share_tolerance(predicted, lookups));
  RecordProperty("found", std::to_string(found));
}

/// Zeroed address space; pages exist once they are written.
class sparse_bytes {
public:
  explicit sparse_bytes(std::uint64_t size)
      : size_(size),
        data_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  sparse_bytes(const sparse_bytes&) = delete;
  sparse_bytes& operator=(const sparse_bytes&) = delete;
  sparse_bytes(sparse_bytes&&) = delete;
  sparse_bytes& operator=(sparse_bytes&&) = delete;
  ~sparse_bytes() {
    if (mapped()) munmap(data_, size_);
  }
  [[nodiscard]] bool mapped() const { return data_ != MAP_FAILED; }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

private:
  std::uint64_t size_;
  void* data_;
};

template <class Recipe>
void expect_wide_arithmetic(const Recipe& recipe) {
  constexpr std::uint64_t keys = 30'000;
  const sparse_bytes bytes(recipe.bytes());
  ASSERT_TRUE(bytes.mapped()) << "no address space for " << recipe.bytes() << " bytes";
  typename Recipe::overflow_type overflowed(recipe.overflow_how);
  const hasher hash(5);
  for (std::uint64_t i = 0; i < keys; ++i) ASSERT_TRUE(recipe.insert(bytes.data(), overflowed, hash(i)).was_new);
  for (std::uint64_t i = 0; i < keys; ++i) {
    ASSERT_TRUE(recipe.look_up(bytes.data(), overflowed.view(), hash(i)).found);
    ASSERT_FALSE(recipe.look_up(bytes.data(), overflowed.view(), hash(keys + i)).found)
        << "in a nearly empty filter a false positive means that addresses wrapped around";
  }
}

TEST(large, more_than_two_to_32_blocks) {
  constexpr std::uint64_t blocks = 2 * two_to_32 + 12'345;
  std::uint64_t beyond = 0;
  const detail::blocked_placement<> placement(blocks, 8);
  for (std::uint64_t i = 0; i < 10'000; ++i) beyond += placement.at(hasher()(i), 0).block >= two_to_32 ? 1U : 0U;
  EXPECT_NEAR(static_cast<double>(beyond) / 10'000, 0.5, share_tolerance(0.5, 10'000));

  expect_wide_arithmetic(detail::make_recipe(alpha_parameters{.blocks = blocks, .block_bits = 64, .hashes = 8}));
  expect_wide_arithmetic(
      detail::make_tallied_recipe(alpha_parameters{.blocks = blocks, .block_bits = 64, .hashes = 8}));
  const auto run_time = [](const parameters& p) {
    std::visit(
        []<class Recipe>(const Recipe& recipe) {
          if constexpr (Recipe::takes_keys) {
            expect_wide_arithmetic(recipe);
          } else {
            FAIL() << "this takes no keys";
          }
        },
        detail::recipe_for(detail::normalised(p)));
  };
  run_time(blocked_parameters{.blocks = blocks, .block_bits = 64, .hashes = 8});
  run_time(blocked_parameters{.blocks = blocks, .block_bits = 256, .hashes = 8});
  run_time(sequential_parameters{.blocks = blocks, .block_bits = 64, .hashes = 8, .choices = 3, .threshold = 4});
  run_time(
      mht_parameters{.subtables = {2 * two_to_32, two_to_32 / 4, 1000}, .block_bits = 64, .hashes = 8, .threshold = 4});
  run_time(bloom_g_parameters{.blocks = blocks, .block_bits = 64, .hashes = 8});
  run_time(gated_parameters{.blocks = blocks, .block_bits = 256, .hashes = 8, .second_hashes = 6, .threshold = 80});
  run_time(gated_parameters{.blocks = blocks,
                            .block_bits = 256,
                            .hashes = 8,
                            .second_hashes = 6,
                            .threshold = 80,
                            .second = second_block::table});
  run_time(classic_parameters{.bits = (std::uint64_t{1} << 40) + 7, .hashes = 8});
  run_time(choice_parameters{
      .bits = (std::uint64_t{1} << 40) + 7, .groups = 2, .hashes = 8, .form = hash_form::double_hashing});
}

}  // namespace
