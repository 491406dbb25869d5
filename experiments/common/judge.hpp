// Verdicts: whether two numbers agree, and by how much they do not. Words are kept short, for tables.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "common/experiment.hpp"

namespace experiments {

inline constexpr const char* agrees = "agrees";

/// Keys that are found by chance when they are inserted, a share f of them, are not inserted, and models leave that
/// out: at high rates real filters have fewer false positives, by up to three times that share.
[[nodiscard]] inline double chance_finds(double rate) { return 3 * rate * rate; }

/// "agrees" if the two differ by no more than allowed, otherwise by how much.
[[nodiscard]] inline std::string compare(double value, double expected, double allowed, const char* with) {
  if (std::abs(value - expected) <= allowed) return agrees;
  return fmt::format("differs by {:+.1f}% from {}", 100 * (value / expected - 1), with);
}

[[nodiscard]] inline bool is_agreement(const std::string& verdict) { return verdict.empty() || verdict == agrees; }

/// A finding about all points: how many of those that were judged agree.
[[nodiscard]] inline finding tally(const std::vector<point>& points, const std::string& what) {
  int judged = 0;
  int good = 0;
  for (const point& p : points) {
    if (p.verdict.empty()) continue;
    ++judged;
    good += is_agreement(p.verdict) ? 1 : 0;
  }
  return {judged == good, fmt::format("{}: {} of {} points agree.", what, good, judged)};
}

}  // namespace experiments
