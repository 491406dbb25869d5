// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Ledgers whose keys come and go for a long time; outside CI. Beside each stands an array of the keys that are in it,
// of which it must find every one, as often as it is there. Half of the operations look up such a key, a quarter erases
// one, a quarter inserts another; one new key in eight is a copy of one that is in. Chains grow, shrink and grow again.
//
// SLUICE_OPERATIONS is how many each test does: by default as many as take some seconds. A billion in all:
//   SLUICE_OPERATIONS=1e8 build/release/tests/ledger_churn_test
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/sluice.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

std::uint64_t wanted_operations() {
  const char* const said = std::getenv("SLUICE_OPERATIONS");
  return said == nullptr ? 2'000'000 : static_cast<std::uint64_t>(std::strtod(said, nullptr));
}

struct churn {
  std::string name;
  std::uint64_t blocks;     // 0: a chain
  std::uint32_t remainder;  // of a chain its rate says it
  double fill = 0.94;       // around which keys come and go

  friend std::ostream& operator<<(std::ostream& out, const churn& c) { return out << c.name; }
};

class ledger_churn : public testing::TestWithParam<churn> {
protected:
  [[nodiscard]] std::uint64_t random() noexcept { return detail::full_mix(++drawn_); }
  [[nodiscard]] std::uint64_t random_below(std::uint64_t end) noexcept { return detail::reduce(random(), end); }

  /// What was demanded of the filter and did not hold stops the test.
  template <class Erasing>
  void insert_one(Erasing& f) {
    const bool copy = !live_.empty() && random_below(8) == 0;
    const std::uint64_t key = copy ? live_[random_below(live_.size())] : ++next_;
    ++operations_;
    try {
      ASSERT_TRUE(f.insert(key));
      live_.push_back(key);
    } catch (const full_error&) {
      ++refused_;
    }
  }
  template <class Erasing>
  void erase_one(Erasing& f) {
    const std::uint64_t at = random_below(live_.size());
    ++operations_;
    ASSERT_TRUE(f.erase(live_[at])) << "key " << live_[at] << " after " << operations_ << " operations";
    live_[at] = live_.back();
    live_.pop_back();
  }
  template <class Erasing>
  void look_up_one(const Erasing& f) {
    const std::uint64_t key = live_[random_below(live_.size())];
    ++operations_;
    ASSERT_TRUE(f.may_contain(key)) << "key " << key << " after " << operations_ << " operations";
  }
  template <class Erasing>
  void expect_all(const Erasing& f) {
    ASSERT_EQ(f.keys_inserted(), live_.size());
    std::vector<std::uint64_t> sorted = live_;
    std::ranges::sort(sorted);
    for (auto first = sorted.begin(); first != sorted.end();) {
      const auto last = std::upper_bound(first, sorted.end(), *first);
      ASSERT_GE(f.count(*first), static_cast<std::uint64_t>(last - first)) << "key " << *first;
      first = last;
    }
    operations_ += sorted.size();
  }

  /// wanted(done, all) is how many keys should be in now.
  template <class Erasing, class Wanted>
  void turn_over(Erasing& f, const Wanted& wanted) {
    const std::uint64_t all = wanted_operations();
    std::uint64_t next_look = 0;
    while (operations_ < all && !HasFatalFailure()) {
      const std::uint64_t target = wanted(operations_, all);
      for (int i = 0; i < 1000 && !HasFatalFailure(); ++i) {
        if (live_.size() < target) insert_one(f);
        if (live_.size() >= target) erase_one(f);
        if (live_.empty()) continue;
        look_up_one(f);
        look_up_one(f);
      }
      if (operations_ < next_look) continue;
      next_look = operations_ + all / 16;
      expect_all(f);
    }
    if (HasFatalFailure()) return;
    expect_all(f);
    for (std::uint64_t i = live_.size(); i > 0 && !HasFatalFailure(); --i) erase_one(f);
    ASSERT_EQ(f.keys_inserted(), 0U);
    std::printf("%s: %llu operations, every key found; %llu insertions refused\n", GetParam().name.c_str(),
                static_cast<unsigned long long>(operations_), static_cast<unsigned long long>(refused_));
  }

private:
  std::vector<std::uint64_t> live_;
  std::uint64_t next_ = 0;
  std::uint64_t drawn_ = 0;
  std::uint64_t operations_ = 0;
  std::uint64_t refused_ = 0;
};

TEST_P(ledger_churn, loses_no_key) {
  const churn& c = GetParam();
  if (c.blocks != 0) {
    filter f(ledger_parameters{.blocks = c.blocks, .remainder_bits = c.remainder, .seed = c.blocks});
    const std::uint64_t slots = f.stats().blocks * detail::ledger_layout(c.remainder).slots;
    const auto most = static_cast<std::uint64_t>(c.fill * static_cast<double>(slots));
    turn_over(f, [&](auto /*done*/, auto /*all*/) { return most; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(f.stats().bits_set, 0U);
    EXPECT_EQ(f.overflow().keys, 0U);
    return;
  }
  growing_filter f(
      {.fpr = c.remainder == 8 ? 0.02 : 1e-4, .first_keys = 500, .factor = 2, .seed = 5, .erasable = true});
  ASSERT_EQ(std::get<ledger_parameters>(f.chain().front().filter.params()).remainder_bits, c.remainder);
  turn_over(f, [](std::uint64_t done, std::uint64_t all) {  // eight times nearly empty, and larger each time
    const std::uint64_t wave = all / 8 + 1;
    const std::uint64_t within = done % wave;
    const std::uint64_t top = 10'000 * (1 + done / wave);
    return 100 + std::min(within, wave - within) * top / (wave / 2 + 1);
  });
  EXPECT_GT(f.links(), 4U);
}

INSTANTIATE_TEST_SUITE_P(all, ledger_churn,
                         testing::Values(churn{"rho_8_one_block", 1, 8, 0.9}, churn{"rho_8_three_blocks", 3, 8},
                                         churn{"rho_8_a_page", 64, 8}, churn{"rho_8_forty_pages", 2560, 8},
                                         churn{"rho_8_a_chain", 0, 8}, churn{"rho_16_one_block", 1, 16, 0.9},
                                         churn{"rho_16_three_blocks", 3, 16}, churn{"rho_16_a_page", 64, 16},
                                         churn{"rho_16_forty_pages", 2560, 16}, churn{"rho_16_a_chain", 0, 16}),
                         [](const auto& p) { return p.param.name; });

}  // namespace
