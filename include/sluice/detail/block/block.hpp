// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block: B bits that are read as one unit (a cache line, a sector, a page): a local filter, and its load.
//
// A block kind is a small value that describes how all blocks of a filter are laid out; it holds no data. What it must
// offer is the concept `block_kind` below, and `taking_block` where keys come one by one; what the layers above do with
// blocks goes through `block_array`, which ties a kind to bytes. Seven kinds exist:
//
//   plain_block     U = B     load = bits set                     two-choice, 1+alpha; blocked and Bloom-g of odd sizes
//   counted_block   U = B-b   load = keys, b bits inside          SINGLE, SEQUENTIAL, MHT
//   tallied_block   U = B     load = keys, counted beside         1+alpha to the letter of the paper
//   laned_block     U = B-G   load = filter bits set; G gates     gated; without gates (G = 0) blocked and Bloom-g
//   bit_array       U = B     one block of any length             classic, choice groups
//   sealed_block    U = B-M   load = keys, by columns in use      sealed; a builder writes it, and takes no key later
//   ledger_block    U = S rho load = entries                      ledger; entries are added, moved and taken
//
// Bytes of a filter of m blocks:   m x stride (the blocks) | m x side (tallies, if the kind has any)
// A stride is B rounded up to whole 64-bit words, so 256 and 512 bits never straddle a line and 500 bits occupy one.
//
// Invariant: filter bits and gates of blocks that take keys only ever go from 0 to 1; loads only grow. Everything that
// is promised about false negatives rests on this. (Ledgers erase: their placement says what they rest on.)
// Cost: contains, set, load, gates of one block are one access together, however often they are called in one
// operation.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sluice/detail/block/positions.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

/// One block in memory: its bits, and what the kind keeps beside the blocks. Byte is std::byte, or shared_byte where
/// other threads use the block at the same time; kinds whose bits only ever go from 0 to 1 accept both.
template <class Byte>
struct block_handle {
  Byte* bits;
  Byte* side;

  /// A block that may be written can be read.
  [[nodiscard]] constexpr operator block_handle<const Byte>() const noexcept  // NOLINT(google-explicit-constructor)
    requires(!std::is_const_v<Byte>)
  {
    return {bits, side};
  }
};
using const_block = block_handle<const std::byte>;
using mutable_block = block_handle<std::byte>;

/// Whether a block contains a set of positions, and what finding out cost: 1 for a block that is read as one unit.
struct probe {
  bool found;
  std::uint32_t accesses;
};

/// What can be looked at. Preconditions of every call: the handle is a block of this kind; the slice's count is at
/// least 1.
template <class B>
concept block_kind = requires(const B kind, const_block in, digest x, position_slice slice) {
  { kind.bits() } -> std::convertible_to<std::uint64_t>;         // B
  { kind.usable_bits() } -> std::convertible_to<std::uint64_t>;  // U
  { kind.stride_bytes() } -> std::convertible_to<std::uint64_t>;
  { kind.side_bytes() } -> std::convertible_to<std::uint64_t>;
  { kind.contains(in, x, slice) } -> std::same_as<probe>;   // are all positions of the slice set?
  { kind.ones(in) } -> std::convertible_to<std::uint64_t>;  // filter bits set
  { kind.load(in) } -> std::convertible_to<std::uint64_t>;  // in units of B::unit
  { B::unit } -> std::convertible_to<load_unit>;
  { kind.throws(in) } -> std::convertible_to<double>;  // bits thrown into it, estimated from those that are set
};

/// Union with the same block of another filter; kinds that are nothing but bits that go from 0 to 1 do without, an OR
/// does it.
template <class B>
concept block_union =
    B::is_monotone || requires(const B kind, const_block in, mutable_block out) { kind.absorb(out, in); };

/// What takes keys one by one as well.
template <class B>
concept taking_block =
    block_kind<B> && block_union<B> && requires(const B kind, mutable_block out, digest x, position_slice slice) {
      { kind.set(out, x, slice) };  // set all positions of the slice
      { kind.note_key(out) };       // one more key: raises a load counted in keys
      {
        B::is_monotone
      } -> std::convertible_to<bool>;  // nothing but bits that go from 0 to 1: a union is an OR of bytes
    };

/// B bits in whole words.
[[nodiscard]] constexpr std::uint64_t stride_for(std::uint64_t bits) noexcept {
  return (bits + bits::word_bits - 1) / bits::word_bits * bits::word_bytes;
}

/// Are all positions set? Stops at the first that is not.
template <class Positions>
[[nodiscard]] constexpr bool all_set(const auto* bits, Positions positions, std::uint32_t count) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!bits::test_bit(bits, positions.next())) return false;
  }
  return true;
}

template <class Positions>
constexpr void set_all(auto* bits, Positions positions, std::uint32_t count) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) bits::set_bit(bits, positions.next());
}

/// Positions uniform over [0, usable).
class uniform_positions {
public:
  constexpr uniform_positions(digest x, position_slice slice, std::uint32_t usable) noexcept
      : numbers_(x, slice), usable_(usable) {}
  [[nodiscard]] constexpr std::uint32_t next() noexcept { return reduce_32(numbers_.next(), usable_); }

private:
  position_numbers numbers_;
  std::uint32_t usable_;
};

/// The number of bits thrown at random into U bits that leave this many ones: U bits keep (1 - 1/U)^throws of
/// themselves empty.
[[nodiscard]] inline double thrown_into(std::uint64_t usable_bits, std::uint64_t ones) noexcept {
  const auto usable = static_cast<double>(usable_bits);
  // A full block could have any number; half a bit left over keeps the estimate finite.
  const double empty = std::max(0.5, usable - static_cast<double>(ones)) / usable;
  return std::log(empty) / std::log1p(-1.0 / usable);
}

/// The blocks of a filter: a kind and the bytes, owned or not. Trivially copyable. The bytes may begin with another
/// block than the first; then the caller names only blocks that are there.
/// Precondition: bytes points at bytes_for(kind, count) bytes, or at those of fewer blocks of a kind that has nothing
/// beside them.
template <block_kind Kind, class Byte>
class block_array {
public:
  constexpr block_array(const Kind& kind, std::uint64_t count, Byte* bytes, std::uint64_t origin = 0) noexcept
      : kind_(kind), count_(count), bytes_(bytes), origin_(origin) {}

  [[nodiscard]] constexpr const Kind& kind() const noexcept { return kind_; }
  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return count_; }

  [[nodiscard]] constexpr block_handle<Byte> operator[](std::uint64_t block) const noexcept {
    const std::uint64_t index = block - origin_;
    if (kind_.side_bytes() == 0) return {bytes_ + index * kind_.stride_bytes(), nullptr};
    return {bytes_ + index * kind_.stride_bytes(), bytes_ + count_ * kind_.stride_bytes() + index * kind_.side_bytes()};
  }

  [[nodiscard, gnu::always_inline]] constexpr probe contains(std::uint64_t block, digest x,
                                                             position_slice slice) const noexcept {
    return kind_.contains((*this)[block], x, slice);
  }
  [[nodiscard]] constexpr std::uint64_t load(std::uint64_t block) const noexcept { return kind_.load((*this)[block]); }

  /// Puts a whole key into a block: sets its positions and counts it.
  constexpr void put(std::uint64_t block, digest x, position_slice slice) const noexcept
    requires(!std::is_const_v<Byte> && taking_block<Kind>)
  {
    kind_.set((*this)[block], x, slice);
    kind_.note_key((*this)[block]);
  }

private:
  Kind kind_;
  std::uint64_t count_;
  Byte* bytes_;
  std::uint64_t origin_;
};

/// The bytes that `count` blocks occupy, or a parameter_error where 64 bits do not hold the number.
template <block_kind Kind>
[[nodiscard]] std::uint64_t bytes_for(const Kind& kind, std::uint64_t count) {
  return checked_product(count, kind.stride_bytes() + kind.side_bytes(), "the size of the filter in bytes");
}

}  // namespace sluice::detail
