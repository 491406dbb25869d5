// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// recipe/recipe: a block kind, a placement and an overflow make a filter. A recipe is the description: it holds no
// data, and everything that is done to a filter's bytes is written here once, for owners and views, for run-time and
// compile-time parameters alike.
//
//   filter = recipe + one contiguous range of bytes (the blocks) + overflow
//
// Cost: the accesses of the walk and of the placement; see placement/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/placement/placement.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

template <block_kind Block, class Placement, overflow Overflow>
  requires placement_over<Placement, block_array<Block, std::byte>>
struct recipe {
  /// One by one, and gives them back: the placement moves what it keeps between blocks and the overflow.
  static constexpr bool erases_keys = erasing_placement_over<Placement, block_array<Block, std::byte>, Overflow>;
  /// One by one; without: a builder makes filters from all keys, and there is no insertion.
  static constexpr bool takes_keys = erases_keys || (taking_block<Block> && growing_overflow<Overflow> &&
                                                     taking_placement_over<Placement, block_array<Block, std::byte>>);

  using block_type = Block;
  using placement_type = Placement;
  using overflow_type = Overflow;
  using overflow_view_type = typename Overflow::view_type;
  using overflow_options = typename Overflow::options;

  Block block;
  Placement placement;
  [[no_unique_address]] overflow_options overflow_how{};

  [[nodiscard]] std::uint64_t bytes() const { return bytes_for(block, placement.blocks()); }

  // Bytes begin with block 0, or with another one: then the operation is on keys whose blocks are all there.

  template <class Byte>
  [[nodiscard]] constexpr block_array<Block, Byte> blocks(Byte* bytes, std::uint64_t origin = 0) const noexcept {
    return {block, placement.blocks(), bytes, origin};
  }

  /// The first line that an operation on this key reads: worth asking for early. In a filter of one array there is
  /// none.
  template <class Byte>
  [[nodiscard]] constexpr Byte* first_line(Byte* bytes, digest x, std::uint64_t origin = 0) const noexcept {
    return blocks(bytes, origin)[placement.at(x, 0).block].bits;
  }

  template <class Byte>
  [[nodiscard, gnu::always_inline]] constexpr lookup_outcome look_up(const Byte* bytes,
                                                                     const overflow_view_type& overflowed, digest x,
                                                                     std::uint64_t origin = 0) const noexcept {
    const walk_result walked = walk(placement, blocks(bytes, origin), x);
    return {walked.end == walk_end::found || overflow_has(overflowed, walked, x), walked.accesses};
  }

  template <class Byte>
  constexpr insert_outcome insert(Byte* bytes, Overflow& overflowed, digest x, std::uint64_t origin = 0) const
    requires takes_keys
  {
    const auto writable = blocks(bytes, origin);
    if constexpr (erases_keys) {
      return placement.insert(writable, overflowed, x);
    } else {
      const walk_result walked = walk(placement, writable, x);
      if (walked.end == walk_end::found || overflow_has(overflowed.view(), walked, x)) return {false, walked.accesses};
      const admission admitted = overflowed.admit(walked.accesses);
      if (admitted.may_place) {
        const placed result = placement.place(writable, x, walked);
        if (result.taken) {
          overflowed.charge(admitted);
          return {true, result.accesses};
        }
      }
      const bool was_new = overflowed.take(placement, writable, x);  // if it throws, nothing has changed
      overflowed.charge(admitted);
      return {was_new, admitted.accesses};
    }
  }

  /// One copy of a key, from the list, or if it is not there, from the blocks; false, if nothing is like it.
  /// Precondition: the key is in.
  bool erase_listed(std::byte* bytes, Overflow& overflowed, digest x) const noexcept
    requires erases_keys
  {
    return placement.erase_listed(blocks(bytes), overflowed, x);
  }
  bool erase_entry(std::byte* bytes, digest x) const noexcept
    requires erases_keys
  {
    return placement.erase_entry(blocks(bytes), x);
  }
  /// How often a key seems to be in: 1 at most, where copies are not kept.
  [[nodiscard]] std::uint64_t count(const std::byte* bytes, const overflow_view_type& overflowed, digest x,
                                    std::uint64_t origin = 0) const noexcept {
    if constexpr (erases_keys) {
      return placement.count(blocks(bytes, origin), overflowed, x);
    } else {
      return look_up(bytes, overflowed, x, origin).found ? 1 : 0;
    }
  }

  /// Union: afterwards every key of either filter is found. Precondition: the other filter has an equal recipe.
  void merge(std::byte* bytes, const std::byte* other) const noexcept
    requires(takes_keys && !erases_keys)
  {
    if constexpr (Block::is_monotone) {
      bits::or_bits(bytes, other, placement.blocks() * block.stride_bytes() * 8);
    } else {
      const auto ours = blocks(bytes);
      const auto theirs = blocks(other);
      for (std::uint64_t b = 0; b < placement.blocks(); ++b) block.absorb(ours[b], theirs[b]);
    }
  }

private:
  /// A walk that was stopped has proved the key absent, unless keys went to the overflow without a walk.
  [[nodiscard]] static constexpr bool overflow_has(const overflow_view_type& overflowed, const walk_result& walked,
                                                   digest x) noexcept {
    return (walked.end == walk_end::exhausted || overflowed.asked_when_stopped()) && overflowed.may_contain(x);
  }
};

}  // namespace sluice::detail
