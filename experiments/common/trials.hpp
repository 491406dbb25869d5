// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Repeated work on several threads, with results that do not depend on their number: trial i has seed i, and results
// are kept in order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "common/experiment.hpp"

namespace experiments {

/// Calls work(i) for 0 <= i < count, on this many threads; told(share) after each, by one thread at a time. The first
/// exception is thrown here.
template <class Work>
void in_parallel(
    std::uint64_t count, std::uint32_t threads, const Work& work,
    const std::function<void(double)>& told = [](double) {}) {
  std::atomic<std::uint64_t> next = 0;
  std::uint64_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::uint64_t i = next++; i < count; i = next++) {
        work(i);
        const std::lock_guard lock(mutex);
        told(static_cast<double>(++done) / static_cast<double>(count));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::uint32_t i = 1; i < std::max(1U, threads); ++i) helpers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

/// What repeated measurements come to.
struct summary {
  double mean = 0;
  double deviation = 0;  ///< of one measurement
  double least = 0;
  double most = 0;
  double tenth = 0;  ///< 10% are below
  double ninetieth = 0;
  std::uint64_t count = 0;

  [[nodiscard]] double standard_error() const { return deviation / std::sqrt(static_cast<double>(count)); }
};

[[nodiscard]] inline summary summarise(std::vector<double> values) {
  summary s;
  s.count = values.size();
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / n;
  for (const double v : values) s.deviation += (v - s.mean) * (v - s.mean);
  s.deviation = values.size() > 1 ? std::sqrt(s.deviation / (n - 1)) : 0;
  s.least = values.front();
  s.most = values.back();
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * (n - 1) + 0.5)]; };
  s.tenth = at(0.1);
  s.ninetieth = at(0.9);
  return s;
}

}  // namespace experiments
