// bulk/sealed_system: the code, for the instruction set of this reading (target.hpp). What it does is in
// sealed_system.hpp.

namespace sluice::bulk::SLUICE_TARGET {

class sealed_system {
public:
  [[nodiscard]] static constexpr sealed_solver solver() noexcept { return {&dependent, &solve}; }

private:
  using four = std::uint64_t __attribute__((vector_size(32)));
  using fours = std::array<four, most_rows / 4>;

  /// All bits of the lanes that have the bit.
  static SLUICE_FORCE_INLINE void lanes_with(const four& lanes, std::uint32_t bit, four& all) noexcept {
    all = 0 - ((lanes >> bit) & 1);
  }

  static std::uint32_t dependent(const sealed_rows& masks, std::uint32_t count, std::uint32_t most) noexcept {
    fours left;
    std::memcpy(left.data(), masks.data(), sizeof left);
    const std::uint32_t end = (count + 3) / 4;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t row = left[i / 4][i % 4];
      if (row == 0) {
        if (++found >= most) return found;
        continue;
      }
      const auto pivot = static_cast<std::uint32_t>(std::bit_width(row)) - 1;
      for (std::uint32_t j = i / 4; j < end; ++j) {  // rows before i are not looked at again
        four has;
        lanes_with(left[j], pivot, has);
        left[j] ^= row & has;
      }
    }
    return found;
  }

  static sealed_solution solve(const sealed_rows& masks, const sealed_rows& values, std::uint32_t count) noexcept {
    fours left;
    fours sums;
    std::memcpy(left.data(), masks.data(), sizeof left);
    std::memcpy(sums.data(), values.data(), sizeof sums);
    const std::uint32_t end = (count + 3) / 4;
    sealed_solution solved;
    std::array<std::uint32_t, most_rows> pivot_of{};
    std::uint64_t with_pivot = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t row = left[i / 4][i % 4];
      const std::uint64_t sum = sums[i / 4][i % 4];
      if (row == 0) {
        if (sum != 0) solved.without_place |= std::uint64_t{1} << i;
        continue;
      }
      const auto pivot = static_cast<std::uint32_t>(std::bit_width(row)) - 1;
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
      solved.columns[pivot_of[i]] = static_cast<std::uint32_t>(sums[i / 4][i % 4]);
    }
    return solved;
  }
};

}  // namespace sluice::bulk::SLUICE_TARGET
