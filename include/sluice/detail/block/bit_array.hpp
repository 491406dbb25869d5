// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/bit_array: one array of bits of any length: the block of the classic filter and of choice groups, of which a
// filter has exactly one. U = B = its length.
//
//   independent      position i of group g is its own full mix of the digest, uniform over the array
//   double hashing   position i of group g is (a1 + i a2) mod B, with a1 uniform and a2 odd, both of group g
//
// Independent positions of an array that was folded f times (docs/sizes.md) are drawn from its first length and shifted
// by f: bit b is the OR of 2^f neighbours. Lines do not survive that, and are not folded.
//
// An array is not read as one unit: every probed position is an access of its own (another cache line), and a lookup
// stops at the first 0. A random absent key finds k positions set with probability z^k, where z is the fraction of
// ones. Positions of double hashing lie on a line, as those of stored keys do: an absent key whose line coincides with
// a stored key's is found, too, which at small rates is most of them (coinciding_lines: 1.39e-6 for 10,000 keys of 32
// bits and k = 22, of which z^k is 2.1e-7). Up to 2048 bits all lines are counted; beyond, the sum of both stands.
// Cost: contains 1 to k accesses; set k.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

class independent_wide_positions {
public:
  constexpr independent_wide_positions(digest x, position_slice slice, std::uint64_t drawn_bits,
                                       std::uint32_t folds) noexcept
      : x_(x),
        next_((static_cast<std::uint64_t>(slice.group) << 32) | slice.first),
        drawn_bits_(drawn_bits),
        folds_(folds) {}
  [[nodiscard]] constexpr std::uint64_t next() noexcept {
    return reduce(derive(x_, use::positions, next_++), drawn_bits_) >> folds_;
  }

private:
  digest x_;
  std::uint64_t next_;
  std::uint64_t drawn_bits_;
  std::uint32_t folds_;
};

class double_hashed_positions {
public:
  /// From a first position and a number drawn for the step, both below the length.
  constexpr double_hashed_positions(std::uint64_t first, std::uint64_t drawn, std::uint64_t bits) noexcept
      : bits_(bits), step_(drawn | 1U), next_(first) {  // odd: shares no factor 2 with the length
    if (step_ >= bits) step_ -= 2;                      // an odd length's largest number is even
  }
  constexpr double_hashed_positions(digest x, position_slice slice, std::uint64_t bits) noexcept
      : double_hashed_positions(reduce(derive(x, use::positions, group_of(slice)), bits),
                                reduce(derive(x, use::positions, group_of(slice) + 1), bits), bits) {
    for (std::uint32_t i = 0; i < slice.first; ++i) static_cast<void>(next());
  }
  [[nodiscard]] constexpr std::uint64_t step() const noexcept { return step_; }
  [[nodiscard]] constexpr std::uint64_t next() noexcept {
    const std::uint64_t position = next_;
    next_ = bits_ - next_ > step_ ? next_ + step_ : next_ - (bits_ - step_);
    return position;
  }

private:
  [[nodiscard]] static constexpr std::uint64_t group_of(position_slice slice) noexcept {
    return static_cast<std::uint64_t>(slice.group) << 32;
  }

  std::uint64_t bits_;
  std::uint64_t step_;
  std::uint64_t next_;
};

/// What a random absent key meets in one group of positions.
struct group_probes {
  double full = 1;    ///< chance that all are set
  double probes = 0;  ///< positions probed, on average
};

/// Double hashing: the chance that a random line of k positions is full because it coincides with one of so many stored
/// lines, beyond z^k. It has the step of that line, or the opposite one, which an odd array does not have (steps are
/// odd: one in B/2), and begins j positions before or after it (each j: one in B); the j positions that stick out are
/// set with probability z^j, where k random ones would be with z^k.
[[nodiscard]] inline double coinciding_lines(double lines, double bits, std::uint32_t hashes, double ones) noexcept {
  double places = 0;
  double all_set = 1;
  for (std::uint32_t j = 0; j < hashes; ++j) all_set *= ones;
  double out = 1;  // z^j
  for (std::uint32_t j = 0; j < hashes && out > all_set; ++j, out *= ones) places += (j == 0 ? 1 : 2) * (out - all_set);
  const double directions = std::fmod(bits, 2) == 0 ? 2 : 1;
  return std::min(1 - all_set, lines * directions * 2 / (bits * bits) * places);
}

/// Preconditions: at least 64 bits; lines are not folded.
template <hash_form Form>
class bit_array {
public:
  static constexpr load_unit unit = load_unit::set_bits;
  static constexpr bool is_whole_filter = true;
  static constexpr bool is_monotone = true;

  constexpr explicit bit_array(std::uint64_t drawn_bits, std::uint32_t folds = 0) noexcept
      : bits_(folded_count(drawn_bits, folds)), drawn_bits_(drawn_bits), folds_(folds) {}

  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint64_t usable_bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return stride_for(bits_); }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  template <class Byte>
  [[nodiscard]] constexpr probe contains(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    auto positions = positions_of(x, slice);
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      if (!bits::test_bit(block.bits, positions.next())) return {false, i + 1};
    }
    return {true, slice.count};
  }
  template <class Byte>
  constexpr void set(block_handle<Byte> block, digest x, position_slice slice) const noexcept {
    set_all(block.bits, positions_of(x, slice), slice.count);
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t ones(block_handle<Byte> block) const noexcept {
    return bits::count_ones(block.bits, bits_);
  }
  template <class Byte>
  [[nodiscard]] std::uint64_t load(block_handle<Byte> block) const noexcept {
    return ones(block);
  }
  template <class Byte>
  constexpr void note_key(block_handle<Byte> /*block*/) const noexcept {}

  [[nodiscard]] double throws(const_block block) const noexcept { return thrown_into(bits_, ones(block)); }

  /// The positions of a slice, in order; some may coincide.
  void positions(digest x, position_slice slice, std::vector<std::uint64_t>& out) const {
    out.clear();
    auto positions = positions_of(x, slice);
    for (std::uint32_t i = 0; i < slice.count; ++i) out.push_back(positions.next());
  }

  /// Of a random key's k positions: the chance that all are set, and the positions probed until one is not. `keys` are
  /// those that were inserted; 0: not known.
  [[nodiscard]] group_probes random_group(const_block block, std::uint32_t hashes, std::uint64_t keys) const noexcept {
    group_probes result;
    if (Form == hash_form::double_hashing && bits_ <= most_counted) {
      std::uint64_t full = 0;
      std::uint64_t probes = 0;
      line_counts lines_of_step;
      std::uint64_t counted = 0;  // the step of these counts; neighbours are made odd and share one
      for (std::uint64_t drawn = 0; drawn < bits_; ++drawn) {
        const std::uint64_t step = double_hashed_positions(0, drawn, bits_).step();
        if (step != counted) lines_of_step = count_lines(block, hashes, step);
        counted = step;
        full += lines_of_step.full;
        probes += lines_of_step.probes;
      }
      const double lines = static_cast<double>(bits_) * static_cast<double>(bits_);
      return {static_cast<double>(full) / lines, static_cast<double>(probes) / lines};
    }
    const double z = random_bit(block);
    for (std::uint32_t i = 0; i < hashes; ++i, result.full *= z) result.probes += result.full;
    if (Form == hash_form::double_hashing) {
      const double lines = keys != 0 ? static_cast<double>(keys) : throws(block) / hashes;
      result.full += coinciding_lines(lines, static_cast<double>(bits_), hashes, z);
    }
    return result;
  }

  /// How many different positions of the slice are still 0: the ones that setting it would add.
  template <class Byte>
  [[nodiscard]] constexpr std::uint32_t missing(block_handle<Byte> block, digest x,
                                                position_slice slice) const noexcept {
    std::uint32_t missing = 0;
    auto positions = positions_of(x, slice);
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      const std::uint64_t position = positions.next();
      if (!bits::test_bit(block.bits, position) && !occurs(position, x, slice, i)) ++missing;
    }
    return missing;
  }

private:
  /// The chance that a random position is set. The last bit of a folded array may be drawn less often than others.
  [[nodiscard]] double random_bit(const_block block) const noexcept {
    const auto of_each = static_cast<double>(std::uint64_t{1} << folds_);
    const double missing = static_cast<double>(bits_) * of_each - static_cast<double>(drawn_bits_);
    const double last = bits::test_bit(block.bits, bits_ - 1) ? missing : 0;
    return (static_cast<double>(ones(block)) * of_each - last) / static_cast<double>(drawn_bits_);
  }

  /// Over all first positions: how many lines of k positions are all set, and the positions probed.
  struct line_counts {
    std::uint64_t full = 0;
    std::uint64_t probes = 0;
  };
  /// A step leads through one circle or several. Along a circle, backwards from a 0, the ones that follow each position
  /// are counted as they come: the time does not depend on k, which may come from an untrusted file. Precondition: at
  /// most most_counted bits.
  [[nodiscard]] line_counts count_lines(const_block block, std::uint32_t hashes, std::uint64_t step) const noexcept {
    line_counts counts;
    const std::uint64_t circles = std::gcd(step, bits_);
    const std::uint64_t length = bits_ / circles;
    for (std::uint64_t start = 0; start < circles; ++start) {
      std::uint64_t at = start;
      std::uint64_t looked = 0;
      while (looked < length && bits::test_bit(block.bits, at)) {
        at = at + step < bits_ ? at + step : at + step - bits_;
        ++looked;
      }
      std::uint64_t ones = looked == length ? hashes : 0;  // a circle of ones, or a 0 is found
      for (std::uint64_t i = 0; i < length; ++i) {
        ones = bits::test_bit(block.bits, at) ? std::min<std::uint64_t>(ones + 1, hashes) : 0;
        counts.full += ones == hashes ? 1U : 0U;
        counts.probes += ones == hashes ? hashes : ones + 1;
        at = at >= step ? at - step : at + bits_ - step;
      }
    }
    return counts;
  }

  [[nodiscard]] constexpr auto positions_of(digest x, position_slice slice) const noexcept {
    if constexpr (Form == hash_form::independent) {
      return independent_wide_positions(x, slice, drawn_bits_, folds_);
    } else {
      return double_hashed_positions(x, slice, bits_);
    }
  }

  /// Is `position` among the first `count` of the slice? In an array that is long compared to k it hardly ever is, and
  /// counting it twice would be an error of one in B / k; in a short one it matters.
  [[nodiscard]] constexpr bool occurs(std::uint64_t position, digest x, position_slice slice,
                                      std::uint32_t count) const noexcept {
    if (bits_ > negligible_coincidence * slice.count) return false;
    auto positions = positions_of(x, slice);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (positions.next() == position) return true;
    }
    return false;
  }
  static constexpr std::uint64_t negligible_coincidence = 4096;
  static constexpr std::uint64_t most_counted = 2048;  // counting takes the square of it, some 10 ms

  std::uint64_t bits_;
  std::uint64_t drawn_bits_;
  std::uint32_t folds_;
};

}  // namespace sluice::detail
