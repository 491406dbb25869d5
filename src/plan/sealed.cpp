// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "plan/sealed.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "plan/designs.hpp"
#include "plan/evaluate.hpp"
#include "plan/time.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

constexpr double most_sealed_keys = 1e17;

/// For this number of keys.
[[nodiscard]] sealed_parameters sealed_for(std::uint32_t block_bits, std::uint32_t r, double keys) {
  return {.blocks = sealed_layout(block_bits, r).blocks_for(static_cast<std::uint64_t>(std::ceil(keys))),
          .block_bits = block_bits,
          .fingerprint_bits = r};
}

/// Is a lookup with fingerprints of r bits as fast as other filters of a balanced plan? For about so many keys.
[[nodiscard]] bool sealed_fast_enough(std::uint32_t r, double keys, const plan_request& q) {
  const sealed_parameters p = sealed_for(q.block_bits, r, keys);
  const double bits = filter_bits(p);
  return times_of(designs::timed_of(p), q.block_bits, bits / keys, q.hit_ratio).of(bits / 8) <= plan_request::most_time;
}

/// The fewest bits of a fingerprint that keep the rate; nothing below 2^-32. keys_of(r) is about how many keys there
/// will be.
template <class KeysOf>
[[nodiscard]] std::optional<std::uint32_t> fingerprint_for(double fpr, const plan_request& q, sealed_speed speed,
                                                           const KeysOf& keys_of) {
  for (std::uint32_t r = sealed_layout::least_fingerprint; r <= sealed_layout::most_fingerprint; ++r) {
    if (std::ldexp(1.0, -static_cast<int>(r)) > fpr) continue;
    if (speed == sealed_speed::any || sealed_fast_enough(r, keys_of(r), q)) return r;
  }
  return std::nullopt;
}

/// The most bits of a fingerprint with which this many keys fit into a memory.
[[nodiscard]] std::optional<plan_candidate> sealed_in(double memory_bits, double keys, const plan_request& q,
                                                      sealed_speed speed) {
  for (std::uint32_t r = sealed_layout::most_fingerprint; r >= sealed_layout::least_fingerprint; --r) {
    const sealed_parameters p = sealed_for(q.block_bits, r, keys);
    if (filter_bits(p) > memory_bits || (speed == sealed_speed::fast && !sealed_fast_enough(r, keys, q))) continue;
    plan_candidate c = evaluate(p, keys, q);
    if (8 * c.memory_bytes <= memory_bits) return c;
  }
  return std::nullopt;
}

/// About as many keys as a memory holds with fingerprints of r bits: at least those of one block.
[[nodiscard]] double sealed_keys_in(double memory_bits, std::uint32_t r, std::uint32_t block_bits) {
  const sealed_layout layout(block_bits, r);
  const double keys = std::floor(memory_bits / block_bits) * layout.load_16ths() / 16;
  return std::floor(std::min(most_sealed_keys, std::max<double>(keys, layout.capacity())));
}

/// The most keys, to about 0.1%, that fit into a memory with fingerprints of r bits.
[[nodiscard]] std::optional<plan_candidate> most_sealed(double memory_bits, std::uint32_t r, const plan_request& q) {
  if (!(memory_bits >= q.block_bits)) return std::nullopt;
  double keys = sealed_keys_in(memory_bits, r, q.block_bits);
  while (keys >= 1) {
    const sealed_parameters p = sealed_for(q.block_bits, r, keys);
    double needed = filter_bits(p);
    if (needed <= memory_bits) {
      plan_candidate c = evaluate(p, keys, q);
      if (8 * c.memory_bytes <= memory_bits) return c;
      needed = 8 * c.memory_bytes;
    }
    // Whole groups, and the list, which is long where r is small: then the next guess is a better one.
    const double share = memory_bits / needed;
    keys = std::floor(keys * (share < 0.99 ? share : 0.999));
  }
  return std::nullopt;
}

}  // namespace

std::optional<plan_candidate> sealed_candidate(const plan_request& q, double keys, sealed_speed speed) {
  if (!lanes::has_lanes(q.block_bits) || keys > most_sealed_keys) return std::nullopt;
  const double memory_bits = q.memory_bits.value_or(0);
  if (!q.fpr) return sealed_in(memory_bits, keys, q, speed);
  const auto r = fingerprint_for(*q.fpr, q, speed, [&](std::uint32_t trial) {
    return q.keys ? keys : sealed_keys_in(memory_bits, trial, q.block_bits);
  });
  if (!r) return std::nullopt;
  if (!q.keys) return most_sealed(memory_bits, *r, q);
  return evaluate(sealed_for(q.block_bits, *r, keys), keys, q);
}

std::vector<plan_candidate> sealed_candidates(const plan_request& q, double keys) {
  std::vector<plan_candidate> found;
  if (auto best = sealed_candidate(q, keys, sealed_speed::any)) found.push_back(std::move(*best));
  if (found.empty() || found.front().time <= plan_request::most_time) return found;
  if (auto fast = sealed_candidate(q, keys, sealed_speed::fast); fast && fast->design != found.front().design) {
    found.push_back(std::move(*fast));
  }
  return found;
}

}  // namespace sluice::detail::planning
