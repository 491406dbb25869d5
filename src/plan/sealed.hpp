// plan/sealed: the sealed filter for a request. There is nothing to search for: r follows from the rate or from the
// memory, and the number of blocks from r and the keys (block/sealed_layout.hpp has the loads that were measured).
// Invariant: for given keys, more memory never gives a smaller r. Cost: a model or two.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "plan/evaluate.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::plan_detail {

inline constexpr double most_sealed_keys = 1e17;

/// For this number of keys.
[[nodiscard]] inline sealed_parameters sealed_for(std::uint32_t block_bits, std::uint32_t r, double keys) {
  return {.blocks = sealed_layout(block_bits, r).blocks_for(static_cast<std::uint64_t>(std::ceil(keys))),
          .block_bits = block_bits,
          .fingerprint_bits = r};
}

/// The fewest bits of a fingerprint that keep the rate; nothing below 2^-32.
[[nodiscard]] inline std::optional<std::uint32_t> fingerprint_for(double fpr) {
  for (std::uint32_t r = sealed_layout::least_fingerprint; r <= sealed_layout::most_fingerprint; ++r) {
    if (std::ldexp(1.0, -static_cast<int>(r)) <= fpr) return r;
  }
  return std::nullopt;
}

/// The most bits of a fingerprint with which this many keys fit into a memory.
[[nodiscard]] inline std::optional<plan_candidate> sealed_in(double memory_bits, double keys, const plan_request& q) {
  for (std::uint32_t r = sealed_layout::most_fingerprint; r >= sealed_layout::least_fingerprint; --r) {
    const sealed_parameters p = sealed_for(q.block_bits, r, keys);
    if (filter_bits(p) > memory_bits) continue;
    plan_candidate c = evaluate(p, keys, q);
    if (8 * c.memory_bytes <= memory_bits) return c;
  }
  return std::nullopt;
}

/// The most keys, to about 0.1%, that fit into a memory with fingerprints of r bits.
[[nodiscard]] inline std::optional<plan_candidate> most_sealed(double memory_bits, std::uint32_t r,
                                                               const plan_request& q) {
  if (!(memory_bits >= q.block_bits)) return std::nullopt;
  const sealed_layout layout(q.block_bits, r);
  double keys = std::floor(memory_bits / q.block_bits) * layout.load_16ths() / 16;
  keys = std::floor(std::min(most_sealed_keys, std::max<double>(keys, layout.columns)));
  while (keys >= 1) {
    const sealed_parameters p = sealed_for(q.block_bits, r, keys);
    if (filter_bits(p) <= memory_bits) {
      plan_candidate c = evaluate(p, keys, q);
      if (8 * c.memory_bytes <= memory_bits) return c;
    }
    keys = std::floor(keys * 0.999);  // whole groups, and the list
  }
  return std::nullopt;
}

/// The best sealed filter; nothing where none fits. `keys` are those that it is sized for, 0 where they follow.
[[nodiscard]] inline std::optional<plan_candidate> sealed_candidate(const plan_request& q, double keys) {
  if (!lanes::has_lanes(q.block_bits) || keys > most_sealed_keys) return std::nullopt;
  const double memory_bits = q.memory_bits.value_or(0);
  if (!q.fpr) return sealed_in(memory_bits, keys, q);
  const auto r = fingerprint_for(*q.fpr);
  if (!r) return std::nullopt;
  if (!q.keys) return most_sealed(memory_bits, *r, q);
  return evaluate(sealed_for(q.block_bits, *r, keys), keys, q);
}

}  // namespace sluice::plan_detail
