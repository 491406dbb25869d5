// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/candidates: where the d candidates H_1(x), ..., H_d(x) of the threshold placements come from.
//
//   whole_table   each uniform over all m blocks; two of a key's may coincide, which is harmless   SINGLE, SEQUENTIAL
//   subtables     the j-th uniform over subtable j, blocks [bound_(j-1), bound_j)                   MHT
//
// Invariant: H_j(x) depends on the digest and j alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sluice/detail/derive.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// More candidates than this never pay, and a limit keeps the sources trivially copyable.
inline constexpr std::uint32_t most_candidates = 16;

/// A range of blocks [first, end).
struct block_range {
  std::uint64_t first;
  std::uint64_t end;

  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return end - first; }
};

class whole_table {
public:
  /// Preconditions: blocks at least 1, choices from 1 to most_candidates.
  constexpr whole_table(std::uint64_t blocks, std::uint32_t choices) noexcept : blocks_(blocks), choices_(choices) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr std::uint32_t choices() const noexcept { return choices_; }
  [[nodiscard]] constexpr block_range range(std::uint32_t /*j*/) const noexcept { return {0, blocks_}; }

private:
  std::uint64_t blocks_;
  std::uint32_t choices_;
};

class subtables {
public:
  /// Preconditions: from 1 to most_candidates sizes, each at least 1, whose sum fits in 64 bits.
  constexpr explicit subtables(std::span<const std::uint64_t> sizes) noexcept
      : choices_(static_cast<std::uint32_t>(sizes.size())) {
    for (std::uint32_t j = 0; j < choices_; ++j) bounds_[j + 1] = bounds_[j] + sizes[j];
  }

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return bounds_[choices_]; }
  [[nodiscard]] constexpr std::uint32_t choices() const noexcept { return choices_; }
  [[nodiscard]] constexpr block_range range(std::uint32_t j) const noexcept { return {bounds_[j], bounds_[j + 1]}; }

private:
  std::array<std::uint64_t, most_candidates + 1> bounds_{};
  std::uint32_t choices_;
};

/// The block of candidate j: uniform over its range.
template <class Source>
[[nodiscard]] constexpr std::uint64_t candidate_block(const Source& source, digest x, std::uint32_t j) noexcept {
  const block_range range = source.range(j);
  return range.first + reduce(derive(x, use::candidate, j), range.size());
}

}  // namespace sluice::detail
