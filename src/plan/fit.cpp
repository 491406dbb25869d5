// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "plan/time.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

/// So many blocks (classic: bits) fit into a memory; none if not one does. More than 64 bits a key are not used.
[[nodiscard]] std::uint64_t blocks_in(designs::family which, std::uint32_t block_bits, double memory_bits,
                                      double keys) {
  const double most = std::min(memory_bits, std::max(most_bits * keys, 1e9));
  designs::check_addressable(most);
  if (which == designs::family::classic) {
    constexpr double word = 64;
    return static_cast<std::uint64_t>(std::floor(std::min(most, std::max(word, most_bits * keys)) / word) * word);
  }
  const double stride = 8 * static_cast<double>(sluice::detail::stride_for(block_bits));
  const auto fit = static_cast<std::uint64_t>(std::floor(most / stride));
  const auto enough = static_cast<std::uint64_t>(std::ceil(std::min(most_bits * keys, 0x1.0p63) / block_bits));
  const bool paged =
      which == designs::family::bloom_2 || which == designs::family::gated || which == designs::family::static_gated;
  const std::uint64_t page = page_bytes / sluice::detail::stride_for(block_bits);
  if (!paged || fit <= page) return std::min(fit, std::max<std::uint64_t>(1, enough));
  return std::max(page, std::min(fit / page, (enough + page - 1) / page) * page);
}

}  // namespace

plan_candidate best_of(const std::vector<parameters>& some, double keys, const plan_request& q) {
  plan_candidate best = evaluate(some.front(), keys, q);
  for (std::size_t i = 1; i < some.size(); ++i) {
    plan_candidate c = evaluate(some[i], keys, q);
    if (c.predicted.fpr_exact < best.predicted.fpr_exact) best = std::move(c);
  }
  return best;
}

std::optional<plan_candidate> candidate_at(designs::family which, double bits_per_key, double keys,
                                           const plan_request& q) {
  const std::uint32_t most = most_hashes(which, q, bits_per_key * keys / 8, bits_per_key);
  const auto p = designs::design(which, q.block_bits, bits_per_key, keys, most);
  if (!p) return std::nullopt;
  return best_of(designs::for_shards(*p, bits_per_key, shards_of(q)), keys, q);
}

std::optional<plan_candidate> best_in(designs::family which, double memory_bits, double keys, const plan_request& q) {
  double list = 0;
  constexpr int rounds = 6;  // the list may grow as the blocks become fewer
  for (int round = 0; round < rounds && list < memory_bits; ++round) {
    const std::uint64_t blocks = blocks_in(which, q.block_bits, memory_bits - list, keys);
    if (blocks == 0) return std::nullopt;
    const double unit = which == designs::family::classic ? 1 : q.block_bits;
    const double bits_per_key = std::min(most_bits, static_cast<double>(blocks) * unit / keys);
    if (bits_per_key < least_bits / 2) return std::nullopt;  // the list takes nearly all
    const double stride =
        which == designs::family::classic ? 0.125 : static_cast<double>(sluice::detail::stride_for(q.block_bits));
    const double bytes = static_cast<double>(blocks) * stride;
    const std::uint32_t most = most_hashes(which, q, bytes, 8 * bytes / keys);
    std::optional<plan_candidate> best;
    double larger_list = 0;
    const auto quality = [&](const plan_candidate& c) {
      return std::pair(!broken_limit(c, q).empty() || takes_too_long(c, q), c.predicted.fpr_exact);
    };
    for (const parameters& p : designs::designs_around(which, q.block_bits, bits_per_key, blocks, most)) {
      plan_candidate c = best_of(designs::for_shards(p, bits_per_key, shards_of(q)), keys, q);
      if (8 * c.memory_bytes > memory_bits) {
        larger_list = std::max(larger_list, 8 * c.memory_bytes - filter_bits(c.params));
      } else if (!best || quality(c) < quality(*best)) {
        best = std::move(c);
      }
    }
    if (best || larger_list <= list) return best;
    list = larger_list;
  }
  return std::nullopt;
}

namespace {

/// Only where there is memory for a page or two may whole pages take more bits a key than are considered.
[[nodiscard]] bool wastes(double memory_bits, double keys) {
  constexpr double two_pages = 2 * 8.0 * page_bytes;
  return memory_bits > std::max(two_pages, most_bits * keys);
}

[[nodiscard]] std::optional<plan_candidate> search_most_keys(designs::family which, double memory_bits, double fpr,
                                                             const plan_request& q) {
  const auto guess = designs::bits_for(which, q.block_bits, fpr);
  double bits = guess.value_or(std::clamp(-std::log(fpr) / rate_slope, 1.0, most_bits));
  std::optional<plan_candidate> best;
  double too_many = std::floor(memory_bits) + 1;  // a key takes at least a bit
  for (int round = 0; round < 30; ++round) {
    const double enough = best ? best->keys : 0;
    double keys = std::clamp(std::floor(memory_bits / bits), enough + 1, std::max(enough + 1, too_many - 1));
    if (too_many - enough <= 1) return best;
    auto c = best_in(which, memory_bits, keys, q);
    if (!c || excess_over(fpr, *c) > 0) {
      too_many = keys;
    } else {
      best = std::move(c);
      c = best;
      if (too_many - keys <= 1 + 1e-3 * keys) return best;
    }
    // By the slope, a little on the safe side; halfway where that leads out of what is known, or nothing is.
    const double excess = c ? excess_over(fpr, *c) : 1;
    if (best && excess <= 0 && excess > -close_enough) return best;
    bits = memory_bits / keys + (excess + close_enough / 2) / rate_slope;
    const double next = bits > 0 ? memory_bits / bits : too_many;
    const double known = best ? best->keys : 0;
    if (!(next > known && next < too_many) || round >= 6) bits = 2 * memory_bits / (known + too_many);
  }
  return best;
}

}  // namespace

std::optional<plan_candidate> most_keys(designs::family which, double memory_bits, double fpr, const plan_request& q) {
  auto best = search_most_keys(which, memory_bits, fpr, q);
  if (best && wastes(memory_bits, best->keys)) best.reset();
  return best;
}

}  // namespace sluice::detail::planning
