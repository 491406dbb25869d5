// block/lane_masks: what is done with a key's lanes, quad by quad, in terms of a backend (simd/). A slice of positions is a
// run of steps, whole ones but for the first and the last; each step is a mask of one bit per lane for one quad of the block.
//
//   holds      are all bits of a slice set?
//   add        set them
//   look       the first block of a gated lookup in one go: are all k bits set, and if not, is the gate closed and the trace there?
//
// Two forms of the same: a loop over the steps, for numbers known at run time only, and an unrolled one for hot paths where the
// number of steps is known when compiling (the presets, and the bulk kernels, which have one for each usual number).
// Cost: one access, the block's; a 64-bit multiplication per 8 positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sluice/block/lanes.hpp"
#include "sluice/block/positions.hpp"
#include "sluice/simd/native.hpp"

namespace sluice::lanes {

/// Bits of a lookup in a first block, as a backend's flags: the low half is 0 if all k bits are set, the high half if the gate
/// is closed and the trace is there.
class first_look {
public:
  constexpr explicit first_look(std::uint64_t flags) noexcept : flags_(flags) {}
  [[nodiscard]] constexpr bool found() const noexcept { return static_cast<std::uint32_t>(flags_) == 0; }
  /// Not found here, and it may be in the second block.
  [[nodiscard]] constexpr bool goes_on() const noexcept { return flags_ - 1 < 0xffff'ffffU; }

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

namespace detail {

/// The number of steps that a type of number stands for; 0 if only its value tells.
template <class Number>
inline constexpr std::uint32_t steps_of = 0;
template <std::uint32_t N>
inline constexpr std::uint32_t steps_of<std::integral_constant<std::uint32_t, N>> = (N + quad_lanes - 1) / quad_lanes;
template <std::uint32_t Steps>
inline constexpr std::uint32_t steps_of<stepped<Steps>> = Steps;

}  // namespace detail

template <class Simd, std::uint32_t Quads, bool Gated>
class masks {
public:
  explicit masks(digest x) noexcept : x_(x), start_(start_of(x, Quads)) {}

  template <class Byte>
  [[nodiscard]] bool holds(const Byte* block, position_slice slice) const noexcept {
    quad missing = Simd::constant({0, 0});
    each_step(slice, [&](std::uint32_t step, quad mask) {
      missing = missing | Simd::without(mask, Simd::load(block + offset(step)));
    });
    return Simd::none(missing);
  }
  template <class Byte>
  void add(Byte* block, position_slice slice) const noexcept {
    each_step(slice, [&](std::uint32_t step, quad mask) { Simd::add(block + offset(step), mask); });
  }

  /// The first `hashes` positions, unrolled if their number of steps is known.
  template <class Byte, class Hashes>
  [[nodiscard, gnu::always_inline]] bool holds_first(const Byte* block, Hashes hashes) const noexcept {
    if constexpr (detail::steps_of<Hashes> == 0) {
      return holds(block, {.count = hashes});
    } else {
      const unrolled<detail::steps_of<Hashes>> steps(*this, hashes);
      return Simd::none(steps.missing(block));
    }
  }

  template <class Byte, class Hashes>
  [[gnu::always_inline]] void add_first(Byte* block, Hashes hashes) const noexcept {
    if constexpr (detail::steps_of<Hashes> == 0) {
      add(block, {.count = hashes});
    } else {
      unrolled<detail::steps_of<Hashes>>(*this, hashes).add_to(block);
    }
  }

  /// Preconditions: Gated; the trace is at most 4 and at most `hashes`.
  template <class Byte, class Hashes>
  [[nodiscard, gnu::always_inline]] first_look look(const Byte* block, Hashes hashes,
                                                    std::uint32_t trace) const noexcept {
    const quad here = Simd::load(block + offset(0));
    if constexpr (detail::steps_of<Hashes> == 0) {
      quad missing = Simd::constant({0, 0});
      quad bits = missing;
      each_step({.count = hashes}, [&](std::uint32_t step, quad mask) {
        if (step == 0) bits = mask;
        missing = missing | Simd::without(mask, Simd::load(block + offset(step)));
      });
      return first_look(Simd::flags(missing, Simd::without(left_behind(bits, trace), here)));
    } else {
      const unrolled<detail::steps_of<Hashes>> steps(*this, hashes);
      const quad left = left_behind(steps.template mask<0>(), trace);
      return first_look(Simd::flags(steps.missing(block), Simd::without(left, here)));
    }
  }

  /// The gate of the key's class.
  template <class Byte>
  [[nodiscard]] bool gate_closed(const Byte* block) const noexcept {
    return Simd::none(Simd::without(Simd::constant(detail::gates[start_.turn]), Simd::load(block + offset(0))));
  }
  template <class Byte>
  void close_gate(Byte* block) const noexcept {
    Simd::add(block + offset(0), Simd::constant(detail::gates[start_.turn]));
  }

private:
  using quad = typename Simd::quad;

  /// The steps 0 to Count - 1, of which the last may not be whole, one after the other without a loop.
  template <std::uint32_t Count>
  class unrolled {
  public:
    [[gnu::always_inline]] unrolled(const masks& key, std::uint32_t hashes) noexcept : key_(key), hashes_(hashes) {
      fill<0>();
    }

    template <std::uint32_t Step>
    [[nodiscard, gnu::always_inline]] quad mask() const noexcept {
      const quad bits = Simd::template one_bits<Step % 4>(amounts_[Step / 4]);
      if constexpr (Step + 1 < Count) {
        return bits;
      } else {
        return bits & Simd::constant(detail::first_lanes[hashes_ - Step * quad_lanes][key_.start_.turn]);
      }
    }

    /// Bits of the key that the block lacks.
    template <class Byte>
    [[nodiscard, gnu::always_inline]] quad missing(const Byte* block) const noexcept {
      return missing_from<0>(block);
    }

    template <class Byte>
    [[gnu::always_inline]] void add_to(Byte* block) const noexcept {
      add_from<0>(block);
    }

  private:
    template <std::uint32_t Step, class Byte>
    [[gnu::always_inline]] void add_from(Byte* block) const noexcept {
      if constexpr (Step < Count) {
        Simd::add(block + key_.offset(Step), mask<Step>());
        add_from<Step + 1>(block);
      }
    }
    template <std::uint32_t Group>
    [[gnu::always_inline]] void fill() noexcept {
      if constexpr (Group * 4 < Count) {
        const std::uint64_t high = Group * 4 + 2 < Count ? word_pair(key_.x_, 2 * Group + 1) : 0;
        amounts_[Group] = Simd::template amounts_of<Gated>(word_pair(key_.x_, 2 * Group), high);
        fill<Group + 1>();
      }
    }
    template <std::uint32_t Step, class Byte>
    [[nodiscard, gnu::always_inline]] quad missing_from(const Byte* block) const noexcept {
      const quad here = Simd::without(mask<Step>(), Simd::load(block + key_.offset(Step)));
      if constexpr (Step + 1 < Count) {
        return here | missing_from<Step + 1>(block);
      } else {
        return here;
      }
    }

    masks key_;
    std::uint32_t hashes_;
    typename Simd::amounts amounts_[(Count + 3) / 4];
  };

  /// What a spilled key leaves in its first block: the first `trace` of the bits of step 0, and the gate.
  [[nodiscard, gnu::always_inline]] quad left_behind(quad bits, std::uint32_t trace) const noexcept {
    if (trace != quad_lanes) bits = bits & Simd::constant(detail::first_lanes[trace][start_.turn]);
    return bits | Simd::constant(detail::gates[start_.turn]);
  }

  /// Calls body(number, mask) for every step of the slice.
  template <class Body>
  [[gnu::always_inline]] void each_step(position_slice slice, const Body& body) const noexcept {
    const std::uint32_t end = slice.first + slice.count;
    for (std::uint32_t step = slice.first / quad_lanes; step * quad_lanes < end; ++step) {
      const std::uint64_t word = word_pair(x_, step / 2) >> (32 * (step % 2));
      quad bits = Simd::template one_bits<0>(Simd::template amounts_of<Gated>(word, 0));
      if (const std::uint32_t from = step * quad_lanes; slice.first > from || end < from + quad_lanes) {
        const std::uint32_t last = end < from + quad_lanes ? end - from : quad_lanes;
        const std::uint32_t before = slice.first > from ? slice.first - from : 0;
        bits = Simd::without(bits & Simd::constant(detail::first_lanes[last][start_.turn]),
                             Simd::constant(detail::first_lanes[before][start_.turn]));
      }
      body(step, bits);
    }
  }

  [[nodiscard]] std::uint32_t offset(std::uint32_t step) const noexcept {
    return ((start_.quad + step) % Quads) * quad_bytes;
  }

  digest x_;
  start start_;
};

}  // namespace sluice::lanes
