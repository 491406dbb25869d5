// bulk/sealed_system: the equations of one sealed block, solved by elimination over GF(2), for the best instruction set
// that this processor has.
//
// An equation is a mask of C columns and the r bits that their XOR must be. Row by row, the highest column that is left
// in a row becomes its pivot and is taken out of all others. A row that has no column left depends on earlier ones: it
// holds by chance (2^-r), or the key that it belongs to has no place here. Columns that are nobody's pivot are 0.
//
// Every step goes over all rows, four in a vector and without a branch: twice as fast as reducing one row after the
// other where vectors have 128 bits, and more where they are longer.
// Invariant: the same solution for every instruction set.
// Cost: C / 4 vector operations for each key of a solution, half of it to ask whether there is one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/target.hpp"

namespace sluice::bulk {

inline constexpr std::uint32_t most_rows = 64;
static_assert(most_rows >= sealed_layout::most_columns && most_rows % 4 == 0);

/// Rows beyond the last equation are 0.
using sealed_rows = std::array<std::uint64_t, most_rows>;

struct sealed_solution {
  std::array<std::uint32_t, sealed_layout::most_columns> columns{};
  std::uint64_t without_place = 0;  ///< bit i: row i cannot be satisfied
};

/// The code of one instruction set.
struct sealed_solver {
  /// How many of the first `count` rows depend on earlier ones; no more than `most` are counted.
  std::uint32_t (*dependent)(const sealed_rows& masks, std::uint32_t count, std::uint32_t most) noexcept = nullptr;
  /// Columns that satisfy all rows but those without a place.
  sealed_solution (*solve)(const sealed_rows& masks, const sealed_rows& sums, std::uint32_t count) noexcept = nullptr;
};

[[nodiscard]] const sealed_solver& best_sealed_solver() noexcept;

}  // namespace sluice::bulk

#include "bulk/sealed_system.inl"
