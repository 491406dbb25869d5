// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <variant>
#include <vector>

#include "plan/designs.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/extend/plan.hpp"

namespace sluice::extend {

namespace {

namespace designs = detail::designs;
using designs::family;

constexpr double table_caution = 0.08;        // of a rate: what lies between two rows is not known to better
constexpr double fineness = 128;              // steps in a bit a key
constexpr double fewest_bits_of_blocked = 2;  // of a blocked filter, which has a formula below its table
constexpr double most_table_bits = 64;

[[nodiscard]] std::vector<family> families_of(scheme which) {
  std::vector<family> all;
  for (const family one : designs::all_families) {
    if (designs::scheme_of(one) == which && one != family::static_gated) all.push_back(one);
  }
  return all;
}

[[nodiscard]] std::uint32_t blocks_with_a_table(std::uint32_t block_bits) { return block_bits == 256 ? 256 : 512; }

// --- classic: exact -------------------------------------------------------------------------------------------------

/// log f of k positions at so many bits a key.
[[nodiscard]] double classic_log_rate(double bits, double k) { return k * std::log(-std::expm1(-k / bits)); }

/// The fewest bits a key that reach it.
[[nodiscard]] double classic_bits(double log_rate) {
  double fewest = most_table_bits + 1;
  const auto ideal = static_cast<std::uint32_t>(std::max(1.0, std::floor(-log_rate / std::numbers::ln2)));
  for (std::uint32_t k = ideal; k <= ideal + 2; ++k) {
    fewest = std::min(fewest, -1.0 * k / std::log1p(-std::exp(log_rate / k)));
  }
  return fewest;
}
[[nodiscard]] std::uint32_t classic_hashes(double bits) {
  const double down = std::max(1.0, std::floor(bits * std::numbers::ln2));
  return static_cast<std::uint32_t>(classic_log_rate(bits, down) <= classic_log_rate(bits, down + 1) ? down : down + 1);
}

// --- blocked below its table ----------------------------------------------------------------------------------------

/// What a blocked filter needs beyond a classic one where the table ends: blocks are not all equally full.
constexpr double blocked_surplus = 1.12;

// --- all ------------------------------------------------------------------------------------------------------------

[[nodiscard]] double rounded_up(double bits) { return std::ceil(bits * fineness) / fineness; }

/// Between two rows, is log f nearly linear? The threshold and the overflow of the others jump: only rows are taken.
[[nodiscard]] bool is_steady(family which) {
  return which != family::single && which != family::sequential && which != family::mht;
}

/// The bits a key at which a family reaches a rate; nothing where it does not.
[[nodiscard]] std::optional<double> bits_at_rate(family which, std::uint32_t block_bits, double log_rate) {
  if (which == family::classic) return classic_bits(log_rate);
  const std::span<const designs::row> rows = designs::rows_of(which, block_bits);
  if (log_rate > rows.front().log_fpr) {
    if (which != family::blocked) return rows.front().bits_per_key;
    return std::clamp(classic_bits(log_rate) * blocked_surplus, fewest_bits_of_blocked, rows.front().bits_per_key);
  }
  if (!is_steady(which)) {
    const auto enough = [&](const designs::row& r) { return r.log_fpr <= log_rate; };
    const auto row = std::find_if(rows.begin(), rows.end(), enough);
    return row != rows.end() ? std::optional(row->bits_per_key) : std::nullopt;
  }
  return designs::bits_for(which, block_bits, std::exp(log_rate));
}

/// A design of the table, and its rate.
struct table_point {
  double bits;
  double log_rate;
};
/// The best that a family has at so many bits a key; nothing where it has none.
[[nodiscard]] std::optional<table_point> best_at(family which, std::uint32_t block_bits, double bits) {
  if (which == family::classic) return table_point{bits, classic_log_rate(bits, classic_hashes(bits))};
  const std::span<const designs::row> rows = designs::rows_of(which, block_bits);
  if (bits < rows.front().bits_per_key) {
    if (which != family::blocked) return std::nullopt;
    const double as_classic = bits / blocked_surplus;
    return table_point{bits, classic_log_rate(as_classic, classic_hashes(as_classic))};
  }
  const auto known = designs::at_bits(rows, bits);
  if (!known) return std::nullopt;
  if (!is_steady(which)) return table_point{known->low->bits_per_key, known->low->log_fpr};
  return table_point{bits, known->real(&designs::row::log_fpr)};
}

/// Acceptances come from sums whose last digits differ from machine to machine.
[[nodiscard]] parameters same_everywhere(parameters p) {
  std::visit(
      [](auto& q) {
        if constexpr (requires { q.acceptance; }) q.acceptance = std::round(q.acceptance * 0x1p20) / 0x1p20;
      },
      p);
  return p;
}

/// The design of a family at so many bits a key, with so many blocks (classic: bits).
[[nodiscard]] std::optional<parameters> design_with_blocks(family which, std::uint32_t block_bits, double bits,
                                                           double blocks) {
  designs::check_addressable(blocks * (which == family::classic ? 1 : block_bits));
  const auto count = static_cast<std::uint64_t>(blocks);
  if (which == family::classic) return classic_parameters{.bits = count, .hashes = classic_hashes(bits)};
  if (which == family::blocked && bits < designs::rows_of(which, block_bits).front().bits_per_key) {
    return blocked_parameters{
        .blocks = count, .block_bits = block_bits, .hashes = classic_hashes(bits / blocked_surplus)};
  }
  const auto p = designs::design_with(which, block_bits, bits, count);
  return p ? std::optional(same_everywhere(detail::normalised(*p))) : std::nullopt;
}

/// The fewest blocks that a filter of a family has.
[[nodiscard]] double fewest_blocks(family which) {
  switch (which) {
    case family::classic:
      return 64;
    case family::alpha:
    case family::two_choice:
    case family::bloom_2:
    case family::gated:
      return 2;
    case family::sequential:
    case family::mht:
      return 32;  // so that the shares of three subtables come out
    default:
      return 1;
  }
}

/// So many that a filter of them fits: above a page, gated and Bloom-g filters are whole pages.
[[nodiscard]] double whole_pages(family which, std::uint32_t block_bits, double blocks) {
  const double page = 8.0 * detail::page_bytes / block_bits;
  if ((which != family::gated && which != family::bloom_2) || blocks <= page) return blocks;
  return std::floor(blocks / page) * page;
}

}  // namespace

std::optional<parameters> from_table(scheme which, const table_request& q) {
  const std::uint32_t block_bits = blocks_with_a_table(q.block_bits);
  const double log_rate = std::log(q.rate) + std::log1p(-table_caution);
  std::optional<parameters> best;
  double fewest = most_table_bits;
  for (const family one : families_of(which)) {
    const auto exact = bits_at_rate(one, block_bits, log_rate);
    if (!exact || rounded_up(*exact) > fewest) continue;
    const double bits = rounded_up(*exact);
    const double unit = one == family::classic ? 1 : block_bits;
    const double blocks = std::max(fewest_blocks(one), std::ceil(static_cast<double>(q.keys) * bits / unit));
    const auto p = design_with_blocks(one, block_bits, bits, blocks);
    if (!p) continue;
    best = p;
    fewest = bits;
  }
  return best;
}

std::optional<parameters> from_table_within(std::span<const scheme> among, const table_request& q,
                                            double bits_per_key) {
  const std::uint32_t block_bits = blocks_with_a_table(q.block_bits);
  const auto keys = static_cast<double>(q.keys);
  std::optional<parameters> best;
  double lowest = std::log(q.rate) + std::log1p(-table_caution);
  for (const scheme which : among) {
    for (const family one : families_of(which)) {
      const double unit = one == family::classic ? 1 : block_bits;
      const double whole = one == family::classic ? 64 : 1;  // words, in memory
      const double blocks = whole_pages(one, block_bits, std::floor(keys * bits_per_key / unit / whole) * whole);
      if (blocks < fewest_blocks(one)) continue;
      const double bits = std::min(most_table_bits, std::floor(blocks * unit / keys * fineness) / fineness);
      const auto reached = best_at(one, block_bits, bits);
      if (!reached || reached->log_rate > lowest) continue;
      const auto p = design_with_blocks(one, block_bits, reached->bits, blocks);
      if (!p) continue;
      best = p;
      lowest = reached->log_rate;
    }
  }
  return best;
}

}  // namespace sluice::extend
