// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Planning and predicting share nothing: any number of threads may do it at once, and come to what one comes to. A
// variable of the process that a function of the language writes to is noticed by the thread sanitizer.
#include <gtest/gtest.h>

#include <cstdint>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "sluice/sluice.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

/// One number of everything that is computed.
std::vector<double> planned_and_predicted() {
  const parameters all[] = {
      choice_parameters{.bits = 20'000, .groups = 2, .hashes = 8},
      bloom_g_parameters{.blocks = 128, .hashes = 8, .spread = 2},
      blocked_parameters{.blocks = 40, .hashes = 8},
      alpha_parameters{.blocks = 40, .hashes = 8, .alpha = 0.5},
      single_parameters{.blocks = 40, .hashes = 8, .threshold = 30},
      sequential_parameters{.blocks = 40, .hashes = 8, .choices = 3, .threshold = 28},
      gated_parameters{.blocks = 64, .hashes = 10, .trace = 3, .second_hashes = 8, .threshold = 200, .margin = 6},
      sealed_parameters{.blocks = 64},
  };
  std::vector<double> numbers;
  for (const parameters& p : all) numbers.push_back(theory::predict(p, 1000).fpr_exact);
  numbers.push_back(best_plan({.keys = 1e4, .fpr = 1e-2}).predicted.fpr_exact);
  return numbers;
}

TEST(races, plans_and_predictions_may_be_made_by_several_threads) {
  const std::vector<double> expected = planned_and_predicted();
  constexpr int count = 2;
  std::vector<std::vector<double>> found(count);
  std::latch begin(count);
  std::vector<std::jthread> threads;
  for (std::vector<double>& mine : found) {
    threads.emplace_back([&] {
      begin.arrive_and_wait();
      mine = planned_and_predicted();
    });
  }
  threads.clear();  // joins
  for (const std::vector<double>& one : found) EXPECT_EQ(one, expected);
}

}  // namespace
