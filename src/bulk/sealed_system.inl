// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/sealed_system: the code, for the instruction set of this reading (target.hpp). What it does is in
// sealed_system.hpp.

namespace sluice::detail::bulk::SLUICE_TARGET {

class sealed_system {
public:
  [[nodiscard]] static constexpr sealed_solver solver() noexcept { return {&dependent, &solve}; }

private:
  // Masks of one word.

  using four = std::uint64_t __attribute__((vector_size(32)));
  using fours = std::array<four, 64 / 4>;

  /// All bits of the lanes that have the bit.
  static SLUICE_FORCE_INLINE void lanes_with(const four& lanes, std::uint32_t bit, four& all) noexcept {
    all = 0 - ((lanes >> bit) & 1);
  }
  static SLUICE_FORCE_INLINE std::uint32_t highest(std::uint64_t row) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(row)) - 1;
  }

  static std::uint32_t dependent_of_one_word(const sealed_rows& rows, std::uint32_t most) noexcept {
    fours left;
    const std::uint32_t end = (rows.count + 3) / 4;
    std::memcpy(left.data(), rows.masks.data(), end * sizeof(four));
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      const std::uint64_t row = left[i / 4][i % 4];
      if (row == 0) {
        if (++found >= most) return found;
        continue;
      }
      const std::uint32_t pivot = highest(row);
      for (std::uint32_t j = i / 4; j < end; ++j) {  // rows before i are not looked at again
        four has;
        lanes_with(left[j], pivot, has);
        left[j] ^= row & has;
      }
    }
    return found;
  }

  static void solve_one_word(const sealed_rows& rows, sealed_solution& to) noexcept {
    fours left;
    fours sums;
    const std::uint32_t end = (rows.count + 3) / 4;
    std::memcpy(left.data(), rows.masks.data(), end * sizeof(four));
    std::memcpy(sums.data(), rows.sums.data(), end * sizeof(four));
    std::array<std::uint32_t, 64> pivot_of{};
    std::uint64_t with_pivot = 0;
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      const std::uint64_t row = left[i / 4][i % 4];
      const std::uint64_t sum = sums[i / 4][i % 4];
      if (row == 0) {
        if (sum != 0) to.without_place[0] |= std::uint64_t{1} << i;
        continue;
      }
      const std::uint32_t pivot = highest(row);
      pivot_of[i] = pivot;
      with_pivot |= std::uint64_t{1} << i;
      for (std::uint32_t j = 0; j < end; ++j) {
        four has;
        lanes_with(left[j], pivot, has);
        left[j] ^= row & has;
        sums[j] ^= sum & has;
      }
      left[i / 4][i % 4] = row;  // its own row stays as it is
      sums[i / 4][i % 4] = sum;
    }
    for (; with_pivot != 0; with_pivot &= with_pivot - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(with_pivot));
      to.columns[pivot_of[i]] = static_cast<std::uint32_t>(sums[i / 4][i % 4]);
    }
  }

  // Masks of several words.

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  template <std::uint32_t Words>
  struct wide_row {
    std::array<std::uint64_t, Words> mask;
    std::uint64_t sum;
  };

  template <std::uint32_t Words>
  static SLUICE_FORCE_INLINE std::uint32_t highest_of(const wide_row<Words>& row) noexcept {
    for (std::uint32_t w = Words; w-- > 0;) {
      if (row.mask[w] != 0) return 64 * w + highest(row.mask[w]);
    }
    return none;
  }

  /// Takes the pivot of every row out of the later ones. Calls pivot(row, column) for each, column none where a row
  /// depends on earlier ones; ends where that says false.
  template <std::uint32_t Words, class Pivot>
  static SLUICE_FORCE_INLINE void eliminate(const sealed_rows& rows, std::array<wide_row<Words>, most_rows>& left,
                                            const Pivot& pivot_found) noexcept {
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      std::memcpy(left[i].mask.data(), rows.masks.data() + std::size_t{i} * Words, Words * sizeof(std::uint64_t));
      left[i].sum = rows.sums[i];
    }
    for (std::uint32_t i = 0; i < rows.count; ++i) {
      const wide_row<Words> row = left[i];
      const std::uint32_t pivot = highest_of(row);
      if (!pivot_found(i, pivot)) return;
      if (pivot == none) continue;
      const std::uint32_t word = pivot / 64;
      const std::uint32_t bit = pivot % 64;
      for (std::uint32_t j = i + 1; j < rows.count; ++j) {
        const std::uint64_t has = 0 - ((left[j].mask[word] >> bit) & 1);
        for (std::uint32_t w = 0; w < Words; ++w) left[j].mask[w] ^= row.mask[w] & has;
        left[j].sum ^= row.sum & has;
      }
    }
  }

  template <std::uint32_t Words>
  static std::uint32_t dependent_of(const sealed_rows& rows, std::uint32_t most) noexcept {
    std::array<wide_row<Words>, most_rows> left;
    std::uint32_t found = 0;
    eliminate<Words>(rows, left, [&](std::uint32_t /*row*/, std::uint32_t pivot) SLUICE_FORCE_INLINE {
      found += pivot == none ? 1 : 0;
      return found < most;
    });
    return found;
  }

  template <std::uint32_t Words>
  static void solve_of(const sealed_rows& rows, sealed_solution& to) noexcept {
    std::array<wide_row<Words>, most_rows> left;
    std::array<std::uint32_t, most_rows> pivot_of;
    eliminate<Words>(rows, left, [&](std::uint32_t row, std::uint32_t pivot) SLUICE_FORCE_INLINE {
      pivot_of[row] = pivot;
      if (pivot == none && left[row].sum != 0) to.without_place[row / 64] |= std::uint64_t{1} << (row % 64);
      return true;
    });
    for (std::uint32_t i = rows.count; i-- > 0;) {
      if (pivot_of[i] == none) continue;
      std::uint64_t sum = left[i].sum;  // its pivot is still 0, and earlier pivots are none of its columns
      for (std::uint32_t w = 0; w < Words; ++w) {
        for (std::uint64_t some = left[i].mask[w]; some != 0; some &= some - 1) {
          sum ^= to.columns[64 * w + static_cast<std::uint32_t>(std::countr_zero(some))];
        }
      }
      to.columns[pivot_of[i]] = static_cast<std::uint32_t>(sum);
    }
  }

  static std::uint32_t dependent(const sealed_rows& rows, std::uint32_t most) noexcept {
    switch (rows.words) {
      case 1:
        return dependent_of_one_word(rows, most);
      case 2:
        return dependent_of<2>(rows, most);
      case 4:
        return dependent_of<4>(rows, most);
      default:
        return dependent_of<8>(rows, most);
    }
  }
  static void solve(const sealed_rows& rows, sealed_solution& to) noexcept {
    to = {};
    switch (rows.words) {
      case 1:
        return solve_one_word(rows, to);
      case 2:
        return solve_of<2>(rows, to);
      case 4:
        return solve_of<4>(rows, to);
      default:
        return solve_of<8>(rows, to);
    }
  }
};

}  // namespace sluice::detail::bulk::SLUICE_TARGET
