// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// timing/contest: one way to time things, for all programs. Contestants do the same work in different ways; they are
// run in turn, again and again, on one pinned core, and each is judged by its median. Times of one contest can be
// compared with each other and with nothing else: the machine is shared, and another hour is another machine.
//
// Rules: a contestant first proves that its answers are right (prepare may throw); beside every time stand the false
// positive rate and the blocks read, because a time without them means nothing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace harness {

/// Keeps this thread on one core. False where that is not possible.
inline bool pin_to_core(int core) {
#if defined(__linux__)
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  return sched_setaffinity(0, sizeof cores, &cores) == 0;
#else
  return core < 0;
#endif
}

/// What a result stands for, as far as it is known; negative numbers are left out of tables.
struct quality {
  double fpr = -1;
  double blocks = -1;  ///< read per operation
};

struct contestant {
  std::string name;
  quality what;
  std::uint64_t operations;      ///< that one run does
  std::function<void()> run;     ///< the work that is timed
  std::function<void()> before;  ///< before every run, untimed; may be empty
};

struct result {
  std::string name;
  quality what;
  double median = 0;  ///< nanoseconds per operation
  double least = 0;
  double most = 0;
};

/// Runs all contestants in turn, `repetitions` times, after one round that is not counted.
[[nodiscard]] inline std::vector<result> contest(const std::vector<contestant>& contestants, int repetitions) {
  std::vector<std::vector<double>> times(contestants.size());
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const contestant& c = contestants[i];
      if (c.before) c.before();
      const auto start = std::chrono::steady_clock::now();
      c.run();
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
      if (repetition >= 0) times[i].push_back(took.count() / static_cast<double>(c.operations));
    }
  }
  std::vector<result> results;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    std::vector<double>& t = times[i];
    std::sort(t.begin(), t.end());
    results.push_back({contestants[i].name, contestants[i].what, t[t.size() / 2], t.front(), t.back()});
  }
  return results;
}

/// Keeps a value alive, so that the work that made it is done.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace harness
