// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan_link.hpp"

#include <array>
#include <span>
#include <string>

#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/plan.hpp"

namespace sluice::redis {

namespace {

constexpr double gated_pays_below = 0.001;
constexpr double worth_it = 0.98;  // of the memory: what a slower scheme must save
constexpr std::array fast = {scheme::blocked, scheme::gated};
constexpr std::array slow = {scheme::bloom_g, scheme::classic};

[[nodiscard]] std::string short_text(double number) { return extend::number_text(number, 3); }

/// The smallest of those that keep the rate; an earlier one unless a later one is worth it.
[[nodiscard]] std::optional<parameters> smallest(std::span<const scheme> among, const extend::table_request& q) {
  std::optional<parameters> best;
  double bytes = 0;
  for (const scheme one : among) {
    const auto p = extend::from_table(one, q);
    if (!p) continue;
    const auto its_bytes = static_cast<double>(bytes_for(*p));
    if (best && its_bytes >= bytes * worth_it) continue;
    best = p;
    bytes = its_bytes;
  }
  return best;
}

}  // namespace

parameters plan_link(const link_request& q) {
  const extend::table_request wanted{.keys = q.keys, .rate = q.rate, .block_bits = q.block_bits};
  const std::span<const scheme> asked = q.which ? std::span(&*q.which, 1) : std::span<const scheme>(fast);
  std::optional<parameters> found;
  if (q.bits_per_key) {
    found = extend::from_table_within(asked, wanted, *q.bits_per_key);
    if (!found) {
      throw parameter_error(short_text(*q.bits_per_key) + " bits a key do not reach the rate of " + short_text(q.rate) +
                            " that the first link may have");
    }
    return *found;
  }
  const bool blocked_alone = !q.which && q.rate >= gated_pays_below;
  found = smallest(blocked_alone ? asked.first(1) : asked, wanted);
  if (!found && !q.which) found = smallest(slow, wanted);
  if (!found) {
    throw parameter_error("no filter " + (q.which ? "of this scheme " : std::string()) + "has a rate of " +
                          short_text(q.rate) + " with 64 bits a key or fewer");
  }
  return *found;
}

}  // namespace sluice::redis
