// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/descend.hpp"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace sluice::detail::designs {

std::vector<int> descend(std::vector<int> at, std::vector<int> steps,
                         const std::function<double(const std::vector<int>&)>& cost) {
  double best = cost(at);
  for (;;) {
    bool moved = false;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (steps[i] == 0) continue;
      for (const int sign : {1, -1}) {
        for (;;) {
          std::vector<int> trial = at;
          trial[i] += sign * steps[i];
          const double c = cost(trial);
          if (!(c < best)) break;
          best = c;
          at = std::move(trial);
          moved = true;
        }
      }
    }
    if (moved) continue;
    bool finer = false;
    for (int& step : steps) {
      if (step <= 1) continue;
      step /= 2;
      finer = true;
    }
    if (!finer) return at;
  }
}

}  // namespace sluice::detail::designs
