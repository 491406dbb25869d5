// block/laned: a local filter cut into lanes, with gates: the block of the gated filter.
//
//   512 bits, 16 lanes of 32:   | lane 0 | lane 1        g0 | lane 2 | lane 3        g1 | ...     8 gates
//   512 bits,  8 lanes of 64:   | lane 0                 g0 | lane 1                 g1 | ...
//   256 bits,  8 lanes of 32:   | lane 0 g0 | lane 1 g1 | ...
//
// Gate c is the top bit of the lane that ends at bit (c + 1) B / 8; all other bits are filter bits, U = B - 8. A key has
// a start lane, uniform over all lanes, and its positions go to one lane after the other from there, cyclically; inside
// a lane they are uniform over the lane's filter bits, with replacement. The key's class is its start lane modulo 8.
// The load is the number of FILTER bits set; gates do not count. The union of two blocks is a plain OR, gates included.
//
// A random absent key with start lane s is contained with probability  prod over its positions of (ones in the lane /
// filter bits of the lane); lane_fill and match_probability compute it from the final bits.
#pragma once

#include <array>

#include "sluice/block/block.hpp"

namespace sluice {

template <number Bits = dynamic, number Lanes = dynamic>
class laned_block {
public:
  static constexpr load_unit unit = load_unit::set_bits;
  static constexpr std::uint32_t gates = 8;
  static constexpr std::uint32_t most_lanes = 64;

  /// Precondition: lanes is a multiple of 8 up to 64, bits a multiple of lanes, and a lane has at least 2 bits.
  constexpr laned_block(Bits bits, Lanes lanes) noexcept : bits_(bits), lanes_(lanes) {}

  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint32_t lanes() const noexcept { return lanes_; }
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return bits_ - gates; }
  [[nodiscard]] constexpr std::uint64_t stride_bytes() const noexcept { return detail::stride_for(bits_); }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  [[nodiscard]] constexpr std::uint32_t start_lane(digest x) const noexcept {
    return static_cast<std::uint32_t>(reduce(derive(x, use::start_lane), lanes_));
  }

  [[nodiscard]] constexpr probe contains(const_block block, digest x, position_slice slice) const noexcept {
    return {detail::all_set(block.bits, lane_positions(*this, x, slice), slice.count), 1};
  }
  constexpr void set(mutable_block block, digest x, position_slice slice) const noexcept {
    detail::set_all(block.bits, lane_positions(*this, x, slice), slice.count);
  }
  [[nodiscard]] std::uint64_t ones(const_block block) const noexcept {
    std::uint64_t ones = bits::count_ones(block.bits, bits_);
    for (std::uint32_t c = 0; c < gates; ++c) ones -= bits::test_bit(block.bits, gate_position(c)) ? 1U : 0U;
    return ones;
  }
  [[nodiscard]] std::uint64_t load(const_block block) const noexcept { return ones(block); }
  constexpr void note_key(mutable_block /*block*/) const noexcept {}
  void absorb(mutable_block block, const_block other) const noexcept { bits::or_bits(block.bits, other.bits, bits_); }

  /// A gate is closed once a key of its class was spilled from this block, for ever.
  [[nodiscard]] bool gate_closed(const_block block, digest x) const noexcept {
    return gate_closed(block, start_lane(x));
  }
  [[nodiscard]] bool gate_closed(const_block block, std::uint32_t start_lane) const noexcept {
    return bits::test_bit(block.bits, gate_position(start_lane % gates));
  }
  void close_gate(mutable_block block, digest x) const noexcept {
    bits::set_bit(block.bits, gate_position(start_lane(x) % gates));
  }

  /// The share of set filter bits in each lane.
  using lane_fill = std::array<double, most_lanes>;
  [[nodiscard]] lane_fill fill(const_block block) const noexcept {
    lane_fill fill{};
    const std::uint32_t width = lane_bits();
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      const std::uint64_t ones = bits::count_ones_in(block.bits, std::uint64_t{lane} * width, filter_bits_of(lane));
      fill[lane] = static_cast<double>(ones) / filter_bits_of(lane);
    }
    return fill;
  }
  /// The probability that a random key with this start lane finds its slice fully set in a block with this fill.
  [[nodiscard]] double match_probability(const lane_fill& fill, std::uint32_t start_lane,
                                         position_slice slice) const noexcept {
    double probability = 1;
    for (std::uint32_t i = 0; i < slice.count; ++i) probability *= fill[(start_lane + slice.first + i) % lanes_];
    return probability;
  }

private:
  class lane_positions {
  public:
    constexpr lane_positions(const laned_block& kind, digest x, position_slice slice) noexcept
        : kind_(kind), numbers_(x, slice), lane_((kind.start_lane(x) + slice.first) % kind.lanes_) {}
    [[nodiscard]] constexpr std::uint32_t next() noexcept {
      const std::uint32_t position =
          lane_ * kind_.lane_bits() + reduce_32(numbers_.next(), kind_.filter_bits_of(lane_));
      lane_ = lane_ + 1 == kind_.lanes_ ? 0 : lane_ + 1;
      return position;
    }

  private:
    laned_block kind_;
    position_numbers numbers_;
    std::uint32_t lane_;
  };

  [[nodiscard]] constexpr std::uint32_t lane_bits() const noexcept { return bits_ / lanes_; }
  [[nodiscard]] constexpr std::uint32_t lanes_per_gate() const noexcept { return lanes_ / gates; }
  [[nodiscard]] constexpr std::uint32_t gate_position(std::uint32_t c) const noexcept {
    return (c + 1) * (bits_ / gates) - 1;
  }
  /// The last lane before each gate's end carries the gate in its top bit.
  [[nodiscard]] constexpr std::uint32_t filter_bits_of(std::uint32_t lane) const noexcept {
    return lane_bits() - (lane % lanes_per_gate() == lanes_per_gate() - 1 ? 1U : 0U);
  }

  [[no_unique_address]] Bits bits_;
  [[no_unique_address]] Lanes lanes_;
};

}  // namespace sluice
