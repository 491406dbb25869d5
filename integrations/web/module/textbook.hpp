// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// textbook: the filter that every other calculator names: one array of bits, and a number of positions that is best for
// it. Its rate is the library's model of classic filters, its positions are those of the planner's design.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <variant>

#include "answer.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace sluice_web {

struct textbook_filter {
  double bits_per_key = 0;
  std::uint32_t hashes = 0;
  sluice::theory::prediction predicted = {};
};

inline constexpr double fewest_textbook_bits = 0.125;  // a key
inline constexpr double most_textbook_bits = 128;      // rates of 2e-27

/// What comes of so many bits a key, however many keys there are.
[[nodiscard]] inline textbook_filter textbook_at(double bits_per_key) {
  constexpr double keys = 1e9;
  const auto bits = static_cast<std::uint64_t>(std::llround(bits_per_key * keys));
  const auto design = sluice::extend::design_with(sluice::extend::family::classic, 512, bits_per_key, bits).value();
  return {bits_per_key, std::get<sluice::classic_parameters>(design).hashes, sluice::theory::predict(design, keys)};
}

/// The bits a key that have a rate. From what they would be if positions were no whole numbers, it is a few steps.
[[nodiscard]] inline std::optional<textbook_filter> textbook_for(double fpr) {
  constexpr double slope =
      std::numbers::ln2 * std::numbers::ln2;  // log f falls by so much per bit, where k is the best
  double bits = -std::log(fpr) / slope;
  std::optional<textbook_filter> there;
  for (int step = 0; step < 12; ++step) {
    if (!(bits >= fewest_textbook_bits && bits <= most_textbook_bits)) return std::nullopt;
    there = textbook_at(bits);
    const double more = std::log(there->predicted.fpr_exact / fpr) / slope;
    if (std::abs(more) < 1e-5 * bits) break;
    bits += more;
  }
  return there;
}

/// For two of keys, rate and memory; null where no such filter is thought of.
inline void describe_textbook(answer& out, const sluice::plan_request& q) {
  std::optional<textbook_filter> found;
  if (q.fpr && *q.fpr > 0 && *q.fpr < 1) found = textbook_for(*q.fpr);
  if (!q.fpr && q.keys && q.memory_bits) {
    const double bits = *q.memory_bits / *q.keys;
    if (bits >= fewest_textbook_bits && bits <= most_textbook_bits) found = textbook_at(bits);
  }
  if (!found) {
    out.null();
    return;
  }
  const double bits = q.memory_bits ? *q.memory_bits : std::ceil(found->bits_per_key * q.keys.value_or(0));
  out.open('{').put("keys", q.keys ? *q.keys : std::floor(bits / found->bits_per_key)).put("bits", bits);
  out.put("bits_per_key", found->bits_per_key).put("hashes", found->hashes);
  out.put("fpr", found->predicted.fpr_exact).put("accesses_hit", found->predicted.accesses_hit);
  out.put("accesses_miss", found->predicted.accesses_miss).close('}');
}

}  // namespace sluice_web
