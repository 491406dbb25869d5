// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Verdicts: whether two numbers agree, and by how much they do not. Every verdict is computed: no experiment writes one
// down. Words are kept short, for tables.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/experiment.hpp"
#include "common/trials.hpp"

namespace experiments {

/// What is allowed must be small against what is expected, or the verdict would say nothing.
inline constexpr double most_allowed = 0.25;
inline constexpr double no_limit = std::numeric_limits<double>::infinity();  ///< for values that may be 0

/// Keys that are found by chance when they are inserted, a share f of them, are not stored; models of expected loads
/// leave that out: at high rates real filters have fewer false positives, by up to three times that share.
[[nodiscard]] inline double chance_finds(double rate) { return 3 * rate * rate; }

/// How far a mean may be from its expectation by chance, once in 100,000 times: 4.4 standard errors, and more where few
/// trials say how large they are (Student's law, by its expansion).
[[nodiscard]] inline double by_chance(const summary& s) {
  constexpr double z = 4.4;
  const double dof = std::max(1.0, static_cast<double>(s.count) - 1);
  const double stretch = 1 + (z * z + 1) / (4 * dof) + (5 * std::pow(z, 4) + 16 * z * z + 3) / (96 * dof * dof);
  return z * stretch * s.standard_error();
}

/// Whether the two differ by no more than allowed, otherwise by how much. Where more than the share `most` would have
/// to be allowed, what agrees is not judged.
[[nodiscard]] inline judgement compare(double value, double expected, double allowed, const std::string& with,
                                       double most = most_allowed) {
  if (!(std::abs(value - expected) <= allowed)) {
    return {verdict::differs, fmt::format("differs by {:+.1f}% from {}", 100 * (value / expected - 1), with)};
  }
  if (value != expected && most < no_limit && allowed > most * std::abs(expected)) {
    return {verdict::not_judged,
            fmt::format("not judged: chance is {:.0f}% of it", std::min(999.0, 100 * allowed / std::abs(expected)))};
  }
  return {verdict::agrees, "agrees"};
}

/// One run of somebody's among many of ours: whether it lies between the least and the greatest.
[[nodiscard]] inline judgement among(double value, const summary& runs, const std::string& with) {
  const bool inside = value >= runs.least && value <= runs.most;
  return {inside ? verdict::agrees : verdict::differs,
          fmt::format("{}: {} give {:.1e} to {:.1e}", inside ? "agrees" : "differs", with, runs.least, runs.most)};
}

/// What differs, but as `because` says it must: `second` is the comparison with what the explanation predicts.
[[nodiscard]] inline judgement explained(judgement first, const judgement& second, const std::string& because) {
  if (first.is != verdict::differs || second.is != verdict::agrees) return first;
  return {verdict::explained, fmt::format("differs, explained: {}", because)};
}

/// Both must hold.
[[nodiscard]] inline judgement both(judgement a, judgement b) {
  if (static_cast<int>(b.is) > static_cast<int>(a.is)) std::swap(a, b);
  if (b.is == a.is && b.words != a.words && !b.words.empty()) a.words += "; " + b.words;
  return a;
}

/// A number for a sentence: 1,000,000.
[[nodiscard]] inline std::string thousands(std::uint64_t n) {
  return n < 1000 ? fmt::format("{}", n) : fmt::format("{},{:03}", thousands(n / 1000), n % 1000);
}

/// A statement, and whether it holds.
[[nodiscard]] inline finding check(bool holds, std::string sentence) {
  return {holds ? verdict::agrees : verdict::differs, std::move(sentence)};
}
/// A statement of a paper that may not hold, and whether that is as the explanation says.
[[nodiscard]] inline finding check(bool holds, bool explanation_holds, std::string sentence,
                                   const std::string& because) {
  if (holds || !explanation_holds) return check(holds, std::move(sentence));
  return {verdict::explained, fmt::format("{} Explained: {}", sentence, because)};
}

/// What is told and was not to be judged.
[[nodiscard]] inline finding remark(std::string sentence) { return {verdict::not_judged, std::move(sentence)}; }

/// A finding about all points: how many of those that were judged agree.
[[nodiscard]] inline finding tally(const std::vector<point>& points, const std::string& what) {
  const auto with = [&](verdict v) {
    return std::ranges::count_if(points, [v](const point& p) { return p.judged.is == v; });
  };
  const auto good = with(verdict::agrees);
  const auto explained_ones = with(verdict::explained);
  const auto bad = with(verdict::differs);
  std::string sentence = fmt::format("{}: {} of {} points agree", what, good, good + explained_ones + bad);
  if (explained_ones > 0) sentence += fmt::format(", {} differ and are explained", explained_ones);
  if (bad > 0) sentence += fmt::format(", {} differ", bad);
  const auto unsure = std::ranges::count_if(
      points, [](const point& p) { return p.judged.is == verdict::not_judged && !p.judged.words.empty(); });
  if (unsure > 0) sentence += fmt::format("; {} vary too much to be judged at this size", unsure);
  // One that agrees and one that is explained agree; nothing at all would be no test.
  const verdict is = bad > 0 || good + explained_ones == 0 ? verdict::differs : verdict::agrees;
  return {is, sentence + "."};
}

/// The mark before a finding.
[[nodiscard]] inline const char* sign_of(verdict v) {
  return v == verdict::agrees ? "+" : v == verdict::explained ? "~" : v == verdict::differs ? "-" : "o";
}
[[nodiscard]] inline const char* class_of(verdict v) {
  return v == verdict::differs ? "bad" : v == verdict::explained ? "explained" : "good";
}

/// In a few words, what came of all findings.
[[nodiscard]] inline std::string result_of(const std::vector<finding>& findings) {
  const auto with = [&](verdict v) { return std::ranges::count(findings, v, &finding::is); };
  const auto bad = with(verdict::differs);
  const auto told = with(verdict::explained);
  const auto judged = static_cast<std::ptrdiff_t>(findings.size()) - with(verdict::not_judged);
  if (bad > 0) return fmt::format("{} of {} findings differ", bad, judged);
  return told > 0 ? fmt::format("agrees; {} of {} findings differ and are explained", told, judged)
                  : std::string("agrees");
}

}  // namespace experiments
