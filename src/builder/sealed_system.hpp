// builder/sealed_system: the equations of one sealed block, solved by elimination over GF(2).
//
// An equation is a mask of C columns and the r bits that their XOR must be. Row by row, the highest column that is left
// in a row becomes its pivot and is taken out of all others. A row that has no column left depends on earlier ones: it
// holds by chance (2^-r), or the key that it belongs to has no place here. Columns that are nobody's pivot are 0.
//
// The rows of a block lie in one array of fixed length, and every step goes over all of them without a branch, so that
// compilers make vectors of it: twice as fast as reducing one row after the other.
// Cost: 64 C row operations for a solution, half of it to ask whether there is one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "sluice/detail/block/sealed_layout.hpp"

namespace sluice {

class sealed_system {
public:
  static constexpr std::uint32_t rows = 64;
  static_assert(rows >= sealed_layout::most_columns && rows % 8 == 0);
  using masks = std::array<std::uint64_t, rows>;
  using values = std::array<std::uint32_t, rows>;

  /// How many of the first `count` rows depend on earlier ones; no more than `most` are counted.
  [[nodiscard]] static std::uint32_t dependent(const masks& equations, std::uint32_t count,
                                               std::uint32_t most) noexcept {
    masks left = equations;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t row = left[i];
      if (row == 0) {
        if (++found >= most) return found;
        continue;
      }
      const auto pivot = static_cast<std::uint32_t>(std::bit_width(row)) - 1;
      for (std::uint32_t eight = i / 8 * 8; eight < rows; eight += 8) {  // rows before i are not looked at again
        std::uint64_t* const some = left.data() + eight;
        for (std::uint32_t j = 0; j < 8; ++j) some[j] ^= row & (0 - ((some[j] >> pivot) & 1U));
      }
    }
    return found;
  }

  struct solution {
    std::array<std::uint32_t, sealed_layout::most_columns> columns{};
    std::uint64_t without_place = 0;  ///< bit i: row i cannot be satisfied
  };
  /// Columns that satisfy all rows but those without a place.
  [[nodiscard]] static solution solve(masks left, values sums, std::uint32_t count) noexcept {
    solution solved;
    std::array<std::uint32_t, rows> pivot_of{};
    std::uint64_t with_pivot = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t row = left[i];
      const std::uint32_t sum = sums[i];
      if (row == 0) {
        if (sum != 0) solved.without_place |= std::uint64_t{1} << i;
        continue;
      }
      const auto pivot = static_cast<std::uint32_t>(std::bit_width(row)) - 1;
      pivot_of[i] = pivot;
      with_pivot |= std::uint64_t{1} << i;
      left[i] = 0;  // its own row stays as it is
      for (std::uint32_t j = 0; j < rows; ++j) {
        const std::uint64_t has = 0 - ((left[j] >> pivot) & 1U);
        left[j] ^= row & has;
        sums[j] ^= sum & static_cast<std::uint32_t>(has);
      }
      left[i] = row;
    }
    for (; with_pivot != 0; with_pivot &= with_pivot - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(with_pivot));
      solved.columns[pivot_of[i]] = sums[i];
    }
    return solved;
  }
};

}  // namespace sluice
