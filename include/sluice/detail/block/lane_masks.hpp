// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/lane_masks: what is done with a key's lanes, quad by quad, in terms of a backend (simd/). A slice of positions
// is a run of steps, whole ones but for the first and the last; each step is a mask of one bit per lane for one quad of
// the block.
//
//   holds      are all bits of a slice set?
//   add        set them
//   look       the first block of a gated lookup in one go: are all k bits set, and if not, is the gate closed and the
//              trace there? Without a branch, for many keys at once
//   look_up    the whole of a gated lookup, for one key: the trace first, since most absent keys lack it
//
// Two forms of the same: a loop over the steps, and an unrolled one where the number of steps is known when compiling
// (the presets, and whatever has a form for each usual number).
// Cost: one access, the block's; look_up's second block is another. A 64-bit multiplication per 8 positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sluice/detail/block/block.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/block/positions.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/simd/native.hpp"
#include "sluice/detail/target.hpp"

namespace sluice::detail::lanes {

/// Bits of a lookup in a first block, as a backend's flags: the low half is 0 if all k bits are set, the high half if
/// the gate is closed and the trace is there.
class first_look {
public:
  constexpr explicit first_look(std::uint64_t flags) noexcept : flags_(flags) {}
  [[nodiscard]] constexpr bool found() const noexcept { return static_cast<std::uint32_t>(flags_) == 0; }
  /// The second block decides: the key is not found here, gate and trace are there. Where a closed gate means that
  /// every key of its class was spilled (static_gates), gate and trace alone send the key on, whatever else was found.
  [[nodiscard]] constexpr bool goes_on(bool static_gates) const noexcept {
    const std::uint64_t flags = flags_ | (static_gates ? 1U : 0U);  // as if the key were not found here
    return flags - 1 < 0xffff'ffffU;                                // the high half is 0, and the low one is not
  }

private:
  std::uint64_t flags_;
};

/// A number from 4 Steps - 3 to 4 Steps: a number of positions of which the compiler knows how many steps they are.
template <std::uint32_t Steps>
struct stepped {
  std::uint32_t value;
  // NOLINTNEXTLINE(google-explicit-constructor): it is a number
  [[nodiscard]] constexpr operator std::uint32_t() const noexcept { return value; }
};

/// The number of steps that a type of number stands for; 0 if only its value tells.
template <class Number>
inline constexpr std::uint32_t steps_of = 0;
template <std::uint32_t N>
inline constexpr std::uint32_t steps_of<std::integral_constant<std::uint32_t, N>> = (N + quad_lanes - 1) / quad_lanes;
template <std::uint32_t Steps>
inline constexpr std::uint32_t steps_of<stepped<Steps>> = Steps;

/// Whether the compiler knows the number of steps.
template <class Number>
inline constexpr bool steps_known = steps_of<Number> != 0;

/// The usual numbers of positions, 5 to 32 (what filters of 8 to 50 bits a key have), become numbers whose steps the
/// compiler knows: calls body(stepped<...>), or body(hashes) for any other, which takes a loop.
template <class Body>
[[gnu::always_inline]] inline decltype(auto) with_known_steps(std::uint32_t hashes, const Body& body) {
  switch ((hashes + quad_lanes - 1) / quad_lanes) {
    case 2:
      return body(stepped<2>{hashes});
    case 3:
      return body(stepped<3>{hashes});
    case 4:
      return body(stepped<4>{hashes});
    case 5:
      return body(stepped<5>{hashes});
    case 6:
      return body(stepped<6>{hashes});
    case 7:
      return body(stepped<7>{hashes});
    case 8:
      return body(stepped<8>{hashes});
    default:
      return body(hashes);
  }
}

}  // namespace sluice::detail::lanes

#include "sluice/detail/block/lane_masks.inl"

namespace sluice::detail::lanes {
using baseline::masks;
}  // namespace sluice::detail::lanes
