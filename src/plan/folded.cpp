// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/folded.hpp"

#include <algorithm>

#include "filter/fold.hpp"
#include "sluice/errors.hpp"
#include "sluice/theory.hpp"

namespace sluice::detail::planning {

std::uint64_t keys_within(const parameters& p, std::uint64_t most, double fpr) {
  const auto holds = [&](std::uint64_t keys) { return theory::predict(p, static_cast<double>(keys)).fpr_exact <= fpr; };
  try {
    std::uint64_t too_many = most;
    std::uint64_t enough = most;
    for (; enough > 1 && !holds(enough); enough /= 2) too_many = enough;
    while (too_many - enough > std::max<std::uint64_t>(enough / 25, 1)) {
      const std::uint64_t middle = enough + (too_many - enough) / 2;
      (holds(middle) ? enough : too_many) = middle;
    }
    return enough;
  } catch (const parameter_error&) {
    return most;  // there is no model of such a filter, or it would take too long
  }
}

std::uint64_t planned_after_folds(const parameters& now, std::uint64_t before, std::uint32_t folds, double fpr,
                                  std::uint64_t kept) {
  const std::uint64_t most = keys_after_folds(before, folds);
  if (most == 0 || fpr == 0) return most;
  return std::max(keys_within(now, most, fpr), std::min(most, kept));
}

}  // namespace sluice::detail::planning
