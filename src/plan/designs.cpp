// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/designs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "plan/cost_row.hpp"
#include "plan/row.hpp"
#include "plan/tables.hpp"
#include "sluice/detail/block/counted.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/extend/theory.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"
#include "theory/bloom_g.hpp"
#include "theory/static_gated.hpp"
#include "theory/threshold.hpp"

namespace sluice::detail::designs {

std::span<const row> rows_of(family which, std::uint32_t block_bits) {
  const std::span<const row> all(rows);
  const auto wanted = [&](const row& r) { return r.which == which && r.block_bits == block_bits; };
  const auto first = std::find_if(all.begin(), all.end(), wanted);
  const auto last = std::find_if_not(first, all.end(), wanted);
  return {first, last};
}

std::optional<blend> at_bits(std::span<const row> table, double bits_per_key) {
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    const row& low = table[i];
    const row& high = table[i + 1];
    if (bits_per_key < low.bits_per_key || bits_per_key > high.bits_per_key) continue;
    return blend{&low, &high, (bits_per_key - low.bits_per_key) / (high.bits_per_key - low.bits_per_key)};
  }
  return std::nullopt;
}

namespace {

/// The k from 1 to most with the least cost, which has one minimum.
template <class Cost>
[[nodiscard]] std::uint32_t best_k(std::uint32_t most, Cost cost) {
  std::uint32_t low = 1;
  std::uint32_t high = most;
  while (high - low > 2) {
    const std::uint32_t third = (high - low) / 3;
    if (cost(low + third) <= cost(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  std::uint32_t best = low;
  for (std::uint32_t k = low + 1; k <= high; ++k) {
    if (cost(k) < cost(best)) best = k;
  }
  return best;
}

[[nodiscard]] double hundredths(double x) { return std::round(x * 100) / 100; }

}  // namespace

std::optional<double> best_alpha(std::uint32_t block_bits, double bits_per_key) {
  const auto known = at_bits(rows_of(family::alpha, block_bits), bits_per_key);
  return known ? std::optional(hundredths(known->real(&row::alpha))) : std::nullopt;
}

std::uint32_t most_hashes(std::uint32_t block_bits, double bits_per_key) {
  const std::uint32_t most = lanes::has_lanes(block_bits) ? lanes::most_positions : block_bits / 2;
  return std::min(most, static_cast<std::uint32_t>(std::max(2.0, std::ceil(bits_per_key))));
}

namespace {

/// Threshold and acceptance of SINGLE, SEQUENTIAL and MHT, and the best k.
struct threshold_design {
  std::uint32_t threshold;
  double acceptance;
  std::uint32_t hashes;
  double overflow;
};

[[nodiscard]] threshold_design design_threshold(family which, std::uint32_t block_bits, double bits_per_key) {
  const double r = block_bits / bits_per_key;
  const auto known = at_bits(rows_of(which, block_bits), bits_per_key);
  double gamma = least_overflow(accesses, choices);
  if (which == family::sequential) {
    gamma = known ? known->real(&row::overflow) : theory::least_overflow_sequential(accesses, choices, r);
  }
  const theory::optimum o = theory::optimal_threshold(which == family::single ? 1 : accesses, r, gamma);
  // h = 0 is right below one key a block, but our filters want a threshold of at least 1.
  const auto h = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, o.threshold));
  const double p = o.threshold == 0 ? 0 : o.acceptance;
  if (known) return {h, p, std::max(1U, known->whole(&row::hashes)), gamma};
  theory::threshold_scheme s{.choices = which == family::single ? 1 : choices, .threshold = h, .acceptance = p};
  if (which == family::mht) s.fractions = subtable_fractions(accesses, gamma, choices);
  const std::uint64_t usable = counted_block(block_bits, h).usable_bits();
  const std::uint32_t k = best_k(most_hashes(block_bits, bits_per_key), [&](std::uint32_t trial) {
    return theory::predict(s, extend::local_filter{usable, trial}, r).fpr_exact;
  });
  return {h, p, k, gamma};
}

/// The most bits a key, not more than those given, whose design has no more than so many positions: the point of the
/// table that designs are taken from. It lies on a fixed grid, so that it never falls as the bits a key rise. Nothing
/// of the table: the bits as they are.
[[nodiscard]] double point_within(family which, std::uint32_t block_bits, double bits_per_key, std::uint32_t most) {
  const auto hashes = [&](double bits) -> std::optional<std::uint32_t> {
    if (which == family::static_gated) {
      const auto row = theory::static_design(block_bits, bits);
      return row ? std::optional(row->hashes) : std::nullopt;
    }
    const auto known = at_bits(rows_of(which, block_bits), bits);
    return known ? std::optional(known->whole(&row::hashes)) : std::nullopt;
  };
  if (most == any_hashes || hashes(bits_per_key).value_or(0) <= most) return bits_per_key;
  constexpr double grid = 0.25;
  for (auto step = static_cast<std::uint64_t>(bits_per_key / grid); step > 0; --step) {
    const double bits = grid * static_cast<double>(step);
    const auto k = hashes(bits);
    if (!k) break;
    if (*k <= most) return bits;
  }
  return bits_per_key;
}

}  // namespace

void check_addressable(double bits) {
  if (!(bits < 0x1.0p63)) throw parameter_error("plan: such a filter has more blocks than can be addressed");
}

std::optional<parameters> design_with(family which, std::uint32_t block_bits, double bits_per_key, std::uint64_t blocks,
                                      std::uint32_t most) {
  const bool of_one_piece = which == family::alpha || which == family::two_choice || which == family::bloom_2 ||
                            which == family::gated || which == family::static_gated;
  if (of_one_piece) bits_per_key = point_within(which, block_bits, bits_per_key, most);
  const auto known = at_bits(rows_of(which, block_bits), bits_per_key);
  switch (which) {
    case family::classic: {
      const auto k = static_cast<std::uint32_t>(std::max(1L, std::lround(bits_per_key * std::numbers::ln2)));
      return classic_parameters{.bits = blocks, .hashes = std::min(most, k)};
    }
    case family::blocked: {
      const std::uint32_t k =
          known ? known->whole(&row::hashes) : best_k(most_hashes(block_bits, bits_per_key), [&](std::uint32_t trial) {
            const theory::spread_scheme s{block_bits, trial, 1, std::numeric_limits<double>::infinity(),
                                          lanes::has_lanes(block_bits)};
            return theory::predict(s, block_bits / bits_per_key).fpr_exact;
          });
      return blocked_parameters{.blocks = blocks, .block_bits = block_bits, .hashes = k};
    }
    case family::alpha:
    case family::two_choice: {
      if (!known || blocks < 2) return std::nullopt;
      const double alpha = hundredths(known->real(&row::alpha));
      if (which == family::alpha && (alpha < 0.005 || alpha > 0.995)) return std::nullopt;  // blocked, or two-choice
      return alpha_parameters{
          .blocks = blocks, .block_bits = block_bits, .hashes = known->whole(&row::hashes), .alpha = alpha};
    }
    case family::single: {
      const auto d = design_threshold(which, block_bits, bits_per_key);
      return single_parameters{.blocks = blocks,
                               .block_bits = block_bits,
                               .hashes = std::min(most, d.hashes),
                               .threshold = d.threshold,
                               .acceptance = d.acceptance};
    }
    case family::sequential: {
      if (blocks < choices) return std::nullopt;
      const auto d = design_threshold(which, block_bits, bits_per_key);
      return sequential_parameters{.blocks = blocks,
                                   .block_bits = block_bits,
                                   .hashes = std::min(most, d.hashes),
                                   .choices = choices,
                                   .threshold = d.threshold,
                                   .acceptance = d.acceptance};
    }
    case family::mht: {
      if (blocks < choices) return std::nullopt;
      const auto d = design_threshold(which, block_bits, bits_per_key);
      return mht_parameters{.subtables = subtable_sizes(blocks, subtable_fractions(accesses, d.overflow, choices)),
                            .block_bits = block_bits,
                            .hashes = std::min(most, d.hashes),
                            .threshold = d.threshold,
                            .acceptance = d.acceptance};
    }
    case family::bloom_2: {
      if (!known || blocks < 2) return std::nullopt;
      return bloom_g_parameters{
          .blocks = blocks, .block_bits = block_bits, .hashes = std::max(2U, known->whole(&row::hashes)), .spread = 2};
    }
    case family::gated: {
      if (!known || blocks < 2) return std::nullopt;
      const std::uint32_t k = known->whole(&row::hashes);
      const std::uint32_t t = known->whole(&row::trace);
      return gated_parameters{.blocks = blocks,
                              .block_bits = block_bits,
                              .hashes = k,
                              .trace = t,
                              .second_hashes = std::max(known->whole(&row::second_hashes), k - t),
                              .threshold = known->whole(&row::threshold),
                              .margin = known->whole(&row::margin)};
    }
    case family::static_gated: {
      const auto row = theory::static_design(block_bits, bits_per_key);
      if (!row || blocks < 2) return std::nullopt;
      return gated_parameters{.blocks = blocks,
                              .block_bits = block_bits,
                              .hashes = row->hashes,
                              .trace = row->trace,
                              .second_hashes = row->second_hashes,
                              .threshold = block_bits / 2,  // for insertions into a union, if there ever is one
                              .is_static = true};
    }
    case family::sealed:  // r and the number of blocks follow from the keys: plan/sealed.hpp
    case family::ledger:  // so do those of ledgers: plan/ledger.hpp
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<parameters> design(family which, std::uint32_t block_bits, double bits_per_key, double keys,
                                 std::uint32_t most) {
  const double unit = which == family::classic ? 1 : block_bits;
  const double wanted = std::max(which == family::classic ? 64.0 : 1.0, std::ceil(keys * bits_per_key / unit));
  check_addressable(wanted * unit);
  return design_with(which, block_bits, bits_per_key, static_cast<std::uint64_t>(wanted), most);
}

std::vector<parameters> designs_around(family which, std::uint32_t block_bits, double bits_per_key,
                                       std::uint64_t blocks, std::uint32_t most) {
  std::vector<parameters> found;
  const auto add = [&](const std::optional<parameters>& p) {
    if (p && std::find(found.begin(), found.end(), *p) == found.end()) found.push_back(*p);
  };
  const auto add_with_hashes = [&](double from, double to) {
    auto p = design_with(which, block_bits, bits_per_key, blocks);
    for (double k = std::max(1.0, from); p && k <= to; ++k) {
      std::visit(
          [&](auto& q) {
            if constexpr (requires { q.hashes; }) q.hashes = std::min(most, static_cast<std::uint32_t>(k));
          },
          *p);
      add(p);
    }
  };
  const double point = point_within(which, block_bits, bits_per_key, most);
  const auto known = at_bits(rows_of(which, block_bits), point);
  if (which == family::classic) {
    const double k = bits_per_key * std::numbers::ln2;
    add_with_hashes(std::floor(k), std::ceil(k));
  } else if (!known) {
    add(design_with(which, block_bits, bits_per_key, blocks, most));
  } else if (which == family::single || which == family::sequential || which == family::mht) {
    add_with_hashes(known->low->hashes, known->high->hashes);
  } else {
    const double low = known->low->bits_per_key;
    const double high = known->high->bits_per_key;
    for (const double bits : {low, (low + high) / 2, high}) add(design_with(which, block_bits, bits, blocks));
  }
  return found;
}

std::vector<parameters> for_shards(const parameters& p, double bits_per_key, std::uint64_t shards) {
  const auto* const whole = std::get_if<gated_parameters>(&p);
  if (shards <= 1 || whole == nullptr || whole->is_static) return {p};
  std::vector<parameters> found;
  for (const double share : {1.0, 0.9, 0.8, 0.7, 0.6}) {
    const auto known =
        design_with(family::gated, whole->block_bits, bits_per_key * share, whole->blocks, whole->hashes);
    if (!known) continue;
    gated_parameters part = std::get<gated_parameters>(*known);
    const auto divided = [&](std::uint32_t n) { return static_cast<std::uint32_t>((n + shards / 2) / shards); };
    part.threshold = std::max(1U, divided(part.threshold));
    part.margin = divided(part.margin);
    found.emplace_back(part);
  }
  if (found.empty()) found.push_back(p);
  return found;
}

std::optional<double> bits_for(family which, std::uint32_t block_bits, double fpr) {
  const auto in = [wanted = std::log(fpr)](const auto& table) -> std::optional<double> {
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
      const auto& low = table[i];
      const auto& high = table[i + 1];
      if (wanted > low.log_fpr || wanted < high.log_fpr) continue;
      return low.bits_per_key +
             (high.bits_per_key - low.bits_per_key) * (low.log_fpr - wanted) / (low.log_fpr - high.log_fpr);
    }
    return std::nullopt;
  };
  return which == family::static_gated ? in(theory::static_rows_of(block_bits)) : in(rows_of(which, block_bits));
}

// --- what is known of every scheme --------------------------------------------------------------------------------

timed_as timed_as_of(family which, bool lanes, std::uint32_t hashes) { return {which, lanes, steps_of(hashes, lanes)}; }

namespace {

[[nodiscard]] reach reach_of(const classic_parameters& p) { return {p.hashes}; }
[[nodiscard]] reach reach_of(const choice_parameters& p) { return {std::uint64_t{p.groups} * p.hashes}; }
[[nodiscard]] reach reach_of(const blocked_parameters& /*p*/) { return {1}; }
[[nodiscard]] reach reach_of(const alpha_parameters& p) { return {p.alpha > 0 && p.blocks > 1 ? 2U : 1U}; }
[[nodiscard]] reach reach_of(const single_parameters& /*p*/) { return {1}; }
[[nodiscard]] reach reach_of(const sequential_parameters& p) { return {p.choices}; }
[[nodiscard]] reach reach_of(const mht_parameters& p) { return {p.subtables.size()}; }
[[nodiscard]] reach reach_of(const bloom_g_parameters& p) { return {p.spread, p.second == second_block::page}; }
[[nodiscard]] reach reach_of(const gated_parameters& p) {
  return {p.blocks > 1 ? 2U : 1U, p.second == second_block::page};
}
[[nodiscard]] reach reach_of(const sealed_parameters& p) { return {p.blocks > 1 ? 2U : 1U, true}; }
[[nodiscard]] reach reach_of(const ledger_parameters& p) { return {p.blocks > 1 ? 2U : 1U, true}; }

[[nodiscard]] std::string design_of(const classic_parameters& p) {
  return p.form == hash_form::independent ? "independent" : "double hashing";
}
[[nodiscard]] std::string design_of(const choice_parameters& p) {
  return p.form == hash_form::independent ? "independent" : "double hashing";
}
[[nodiscard]] std::string design_of(const blocked_parameters& p) {
  return p.positions == position_rule::lanes ? "lanes" : "uniform";
}
[[nodiscard]] std::string design_of(const alpha_parameters& p) {
  return std::string(p.alpha == 1 ? "two-choice" : "1+alpha") + (p.load == load_unit::keys ? ", in keys" : "");
}
[[nodiscard]] std::string design_of(const bloom_g_parameters& p) {
  return std::string(p.second == second_block::page ? "page" : "table") +
         (p.positions == position_rule::lanes ? ", lanes" : "");
}
[[nodiscard]] std::string design_of(const gated_parameters& p) {
  return p.is_static ? "static" : p.second == second_block::page ? "page" : "table";
}
[[nodiscard]] std::string design_of(const sealed_parameters& p) { return std::to_string(p.fingerprint_bits) + " bits"; }
[[nodiscard]] std::string design_of(const ledger_parameters& p) { return std::to_string(p.remainder_bits) + " bits"; }
/// SINGLE, SEQUENTIAL and MHT.
template <class Threshold>
[[nodiscard]] std::string design_of(const Threshold& p) {
  return p.overflow == overflow_rule::exact_list ? "list" : "forced";
}

[[nodiscard]] timed_as timed_of(const classic_parameters& p) { return timed_as_of(family::classic, false, p.hashes); }
/// Choice groups are no candidates; as many probes of one array are the nearest that was measured.
[[nodiscard]] timed_as timed_of(const choice_parameters& p) { return timed_as_of(family::classic, false, p.hashes); }
[[nodiscard]] timed_as timed_of(const blocked_parameters& p) {
  const bool in_lanes = p.positions == position_rule::lanes && lanes::has_lanes(p.block_bits);
  return timed_as_of(family::blocked, in_lanes, p.hashes);
}
[[nodiscard]] timed_as timed_of(const alpha_parameters& p) {
  return timed_as_of(p.alpha == 1 ? family::two_choice : family::alpha, false, p.hashes);
}
[[nodiscard]] timed_as timed_of(const single_parameters& p) { return timed_as_of(family::single, false, p.hashes); }
[[nodiscard]] timed_as timed_of(const sequential_parameters& p) {
  return timed_as_of(family::sequential, false, p.hashes);
}
[[nodiscard]] timed_as timed_of(const mht_parameters& p) { return timed_as_of(family::mht, false, p.hashes); }
[[nodiscard]] timed_as timed_of(const bloom_g_parameters& p) { return timed_as_of(family::bloom_2, false, p.hashes); }
[[nodiscard]] timed_as timed_of(const gated_parameters& p) { return timed_as_of(family::gated, true, p.hashes); }
[[nodiscard]] timed_as timed_of(const sealed_parameters& p) {
  return {family::sealed, p.fingerprint_bits % 8 == 0, p.fingerprint_bits};
}
[[nodiscard]] timed_as timed_of(const ledger_parameters& p) { return {family::ledger, false, p.remainder_bits}; }

}  // namespace

reach reach_of(const parameters& p) {
  return std::visit([](const auto& q) { return reach_of(q); }, p);
}

std::string design_of(const parameters& p) {
  return std::visit([](const auto& q) { return design_of(q); }, p);
}

timed_as timed_of(const parameters& p) {
  return std::visit([](const auto& q) { return timed_of(q); }, p);
}

}  // namespace sluice::detail::designs
