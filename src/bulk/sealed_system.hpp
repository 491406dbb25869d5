// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/sealed_system: the equations of one sealed block, solved by elimination over GF(2), for the best instruction set
// that this processor has.
//
// An equation is a row: a mask of C columns, and the r bits that their XOR must be. Row by row, the highest column that
// is left in a row becomes its pivot and is taken out of the others. A row that has no column left depends on earlier
// ones: it holds by chance (2^-r), or the key that it belongs to has no place here. Columns that are nobody's pivot are
// 0.
//
// Masks of up to 64 columns are one word, and every step goes over all rows, four in a vector and without a branch:
// twice as fast as reducing one row after the other where vectors have 128 bits, and more where they are longer. Wider
// masks are two, four or eight words; there a step goes over the later rows, and columns are computed from the last
// pivot back to the first.
// Invariant: the same solution for every instruction set.
// Cost: C / 4 vector operations for each key of a solution, half of it to ask whether there is one; of wide masks, a
// quarter of C^2 additions of rows for a block.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/target.hpp"

namespace sluice::detail::bulk {

/// Words of a mask of so many columns.
[[nodiscard]] constexpr std::uint32_t mask_words(std::uint32_t columns) noexcept {
  return columns <= 64 ? 1 : columns <= 128 ? 2 : columns <= 256 ? 4 : 8;
}

inline constexpr std::uint32_t most_rows = 492;
inline constexpr std::uint32_t most_mask_words = 8;
static_assert(most_rows >= sealed_layout::most_columns && most_rows % 4 == 0);

/// The equations of a block. Masks lie one after the other, each of `words` words; those of up to three rows beyond the
/// last are 0.
struct sealed_rows {
  std::uint32_t words = 1;
  std::uint32_t count = 0;
  std::array<std::uint64_t, std::size_t{most_rows} * most_mask_words> masks{};
  std::array<std::uint64_t, most_rows> sums{};

  [[nodiscard]] std::span<std::uint64_t> mask(std::uint32_t row) noexcept {
    return {masks.data() + std::size_t{row} * words, words};
  }
};

struct sealed_solution {
  std::array<std::uint32_t, sealed_layout::most_columns> columns{};
  std::array<std::uint64_t, 8> without_place{};  ///< bit i: row i cannot be satisfied

  [[nodiscard]] bool has_place(std::uint32_t row) const noexcept {
    return ((without_place[row / 64] >> (row % 64)) & 1U) == 0;
  }
};

/// The code of one instruction set.
struct sealed_solver {
  /// How many rows depend on earlier ones; no more than `most` are counted.
  std::uint32_t (*dependent)(const sealed_rows& rows, std::uint32_t most) noexcept = nullptr;
  /// Columns that satisfy all rows but those without a place.
  void (*solve)(const sealed_rows& rows, sealed_solution& to) noexcept = nullptr;
};

[[nodiscard]] const sealed_solver& best_sealed_solver() noexcept;

}  // namespace sluice::detail::bulk

#include "bulk/sealed_system.inl"
