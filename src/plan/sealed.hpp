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

/// The best sealed filter; nothing where none fits. `keys` are those that it is sized for, 0 where they follow.
[[nodiscard]] inline std::optional<plan_candidate> sealed_candidate(const plan_request& q, double keys) {
  if (!lanes::has_lanes(q.block_bits) || keys > most_sealed_keys) return std::nullopt;
  if (q.keys && q.fpr) {
    const auto r = fingerprint_for(*q.fpr);
    if (!r) return std::nullopt;
    return evaluate(sealed_for(q.block_bits, *r, keys), keys, q);
  }
  if (q.keys) {
    for (std::uint32_t r = sealed_layout::most_fingerprint; r >= sealed_layout::least_fingerprint; --r) {
      const sealed_parameters p = sealed_for(q.block_bits, r, keys);
      if (filter_bits(p) > *q.memory_bits) continue;
      plan_candidate c = evaluate(p, keys, q);
      if (8 * c.memory_bytes <= *q.memory_bits) return c;
    }
    return std::nullopt;
  }
  const auto r = fingerprint_for(*q.fpr);
  if (!r || !(*q.memory_bits >= q.block_bits)) return std::nullopt;
  const sealed_layout layout(q.block_bits, *r);
  double most = std::floor(*q.memory_bits / q.block_bits) * layout.load_16ths() / 16;
  most = std::min(most_sealed_keys, std::max<double>(most, layout.columns));
  for (; most >= 1; most = std::floor(most * 0.999)) {  // whole groups, and the list
    const sealed_parameters p = sealed_for(q.block_bits, *r, most);
    if (filter_bits(p) > *q.memory_bits) continue;
    plan_candidate c = evaluate(p, std::floor(most), q);
    if (8 * c.memory_bytes <= *q.memory_bits) return c;
  }
  return std::nullopt;
}

}  // namespace sluice::plan_detail
