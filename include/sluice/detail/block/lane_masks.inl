// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/lane_masks: the masks of one key, for the instruction set of this reading (target.hpp). What they are is in
// lane_masks.hpp, which is what to include.

namespace sluice::detail::lanes::SLUICE_TARGET {

template <class Simd, std::uint32_t Quads, bool Gated>
class masks {
public:
  using quad = typename Simd::quad;

  explicit masks(digest x) noexcept : x_(x), quad_(start_of(x, Quads).quad), turn_(start_of(x, Quads).turn) {}

  template <class Byte>
  [[nodiscard]] bool holds(const Byte* block, position_slice slice) const noexcept {
    return Simd::none(missing(block, slice));
  }
  template <class Byte>
  void add(Byte* block, position_slice slice) const noexcept {
    each_step(slice, [&](std::uint32_t step, quad mask) SLUICE_FORCE_INLINE { Simd::add(block + offset(step), mask); });
  }

  /// The first `hashes` positions, for all that is asked about them: unrolled if their number of steps is known, else
  /// looped. Good while these masks live: with a copy of them, compilers keep it in memory.
  template <class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE auto first(Hashes hashes) const& noexcept {
    if constexpr (steps_of<Hashes> == 0) {
      return looped(*this, hashes);
    } else {
      return unrolled<steps_of<Hashes>>(*this, hashes);
    }
  }
  template <class Hashes>
  auto first(Hashes hashes) const&& = delete;
  template <class Byte, class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE bool holds_first(const Byte* block, Hashes hashes) const noexcept {
    return Simd::none(first(hashes).missing(block));
  }
  /// The same for one key at a time: most absent keys lack one of the first four, and then no other is asked for.
  template <class Byte, class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE bool holds_early(const Byte* block, Hashes hashes) const noexcept {
    const auto key = first(hashes);
    if constexpr (steps_known<Hashes>) {
      return !key.lacks_any_of(block, quad_lanes) && Simd::none(key.missing_after(block, quad_lanes));
    } else {
      return Simd::none(key.missing(block));
    }
  }
  template <class Byte, class Hashes>
  SLUICE_FORCE_INLINE void add_first(Byte* block, Hashes hashes) const noexcept {
    first(hashes).add_to(block);
  }

  /// What follows is for blocks with gates. The trace is at most 4, and fewer than the hashes.
  template <class Byte, class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE first_look look(const Byte* block, Hashes hashes,
                                                    std::uint32_t trace) const noexcept {
    return first(hashes).look(block, trace);
  }
  /// A lookup of one key in a gated filter. in_second(key) says whether the second block holds what a spilled key has
  /// there (key: as first() gives it), and is called only if that decides. The trace is asked for first: a block that
  /// lacks one of its positions has neither stored the key nor spilled it. No more than the trace may be asked for: a
  /// spilled key leaves nothing else here.
  template <class Byte, class Hashes, class InSecond>
  [[nodiscard]] SLUICE_FORCE_INLINE probe look_up(const Byte* block, Hashes hashes, std::uint32_t trace,
                                                  bool static_gates, const InSecond& in_second) const noexcept {
    const auto key = first(hashes);
    if (key.lacks_any_of(block, trace)) return {false, 1};
    // Where a closed gate means that every key of its class was spilled, what else was found here means nothing.
    const bool counts = !static_gates || !gate_closed(block);
    if (counts && Simd::none(key.missing_after(block, trace))) return {true, 1};
    if (!gate_closed(block)) return {false, 1};
    return {in_second(key), 2};
  }
  /// Leaves the trace of a key in the block and closes its gate. Not atomic as a whole, and need not be.
  template <class Byte>
  void leave_trace(Byte* block, std::uint32_t trace) const noexcept {
    Simd::add(block + offset(0), left_behind(whole_step(0), trace));
  }
  template <class Byte>
  [[nodiscard]] SLUICE_FORCE_INLINE bool gate_closed(const Byte* block) const noexcept {
    return Simd::none(Simd::without(Simd::constant(gates[turn_]), Simd::load(block + offset(0))));
  }

private:
  /// The first `hashes` positions, step by step in a loop.
  class looped {
  public:
    SLUICE_FORCE_INLINE looped(const masks& key, std::uint32_t hashes) noexcept : key_(key), hashes_(hashes) {}

    /// Bits of the key that the block lacks.
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE quad missing(const Byte* block) const noexcept {
      return key_.missing(block, {.count = hashes_});
    }
    /// The same, where the first few, 4 at most, are known to be there: they may be left out.
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE quad missing_after(const Byte* block, std::uint32_t /*few*/) const noexcept {
      return missing(block);
    }
    /// Another slice of this key's positions.
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE bool holds(const Byte* block, position_slice slice) const noexcept {
      return key_.holds(block, slice);
    }
    template <class Byte>
    SLUICE_FORCE_INLINE void add_to(Byte* block) const noexcept {
      add_to(block, {.count = hashes_});
    }
    template <class Byte>
    SLUICE_FORCE_INLINE void add_to(Byte* block, position_slice slice) const noexcept {
      key_.add(block, slice);
    }
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE bool lacks_any_of(const Byte* block, std::uint32_t few) const noexcept {
      return key_.lacks_any_of(block, key_.whole_step(0), few);
    }
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE first_look look(const Byte* block, std::uint32_t trace) const noexcept {
      return key_.look_with(block, missing(block), key_.whole_step(0), trace);
    }

  private:
    const masks& key_;
    std::uint32_t hashes_;
  };

  /// The same for Count steps, of which the last may not be whole, one after the other without a loop.
  template <std::uint32_t Count>
  class unrolled {
  public:
    SLUICE_FORCE_INLINE unrolled(const masks& key, std::uint32_t hashes) noexcept : key_(key), hashes_(hashes) {
      fill<0>();
    }

    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE quad missing(const Byte* block) const noexcept {
      return missing_from<0>(block);
    }
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE quad missing_after(const Byte* block, std::uint32_t few) const noexcept {
      if constexpr (Count > 1) {
        if (few == quad_lanes) return missing_from<1>(block);
      }
      return missing_from<0>(block);
    }
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE bool holds(const Byte* block, position_slice slice) const noexcept {
      quad missing = Simd::constant({0, 0});
      const position_slice rest = usual_steps(slice, [&](std::uint32_t step, quad mask) SLUICE_FORCE_INLINE {
        missing = missing | Simd::without(mask, Simd::load(block + key_.offset(step)));
      });
      if (rest.count == 0) return Simd::none(missing);
      if (rest.first == Count * quad_lanes && rest.count <= quad_lanes) {  // usual, too: one step more
        return Simd::none(missing | Simd::without(key_.first_of(key_.whole_step(Count), rest.count),
                                                  Simd::load(block + key_.offset(Count))));
      }
      return Simd::none(missing) && holds_slice(key_.x_, block, rest);
    }
    template <class Byte>
    SLUICE_FORCE_INLINE void add_to(Byte* block) const noexcept {
      add_from<0>(block);
    }
    template <class Byte>
    SLUICE_FORCE_INLINE void add_to(Byte* block, position_slice slice) const noexcept {
      const position_slice rest = usual_steps(slice, [&](std::uint32_t step, quad mask) SLUICE_FORCE_INLINE {
        Simd::add(block + key_.offset(step), mask);
      });
      if (rest.count != 0) add_slice(key_.x_, block, rest);
    }
    /// Does the block lack one of the first few positions, 4 at most, and no more than there are?
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE bool lacks_any_of(const Byte* block, std::uint32_t few) const noexcept {
      return key_.lacks_any_of(block, mask<0>(), few);
    }
    template <class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE first_look look(const Byte* block, std::uint32_t trace) const noexcept {
      return key_.look_with(block, missing(block), mask<0>(), trace);
    }

  private:
    /// Bits of the steps from this one on that the block lacks.
    template <std::uint32_t Step, class Byte>
    [[nodiscard]] SLUICE_FORCE_INLINE quad missing_from(const Byte* block) const noexcept {
      const quad here = Simd::without(mask<Step>(), Simd::load(block + key_.offset(Step)));
      if constexpr (Step + 1 < Count) {
        return here | missing_from<Step + 1>(block);
      } else {
        return here;
      }
    }
    /// Calls body(number, mask) for steps of a slice, and says what is left. What a spilled key usually has in its
    /// second block begins with step 1 and ends with the last step here or later: it takes the masks that are made
    /// already.
    template <class Body>
    [[nodiscard]] SLUICE_FORCE_INLINE position_slice usual_steps(position_slice slice,
                                                                 const Body& body) const noexcept {
      if constexpr (Count > 1) {
        constexpr std::uint32_t last = (Count - 1) * quad_lanes;
        const std::uint32_t end = slice.first + slice.count;
        if (slice.first == quad_lanes && end > last) {
          each_whole_step<1>(body);
          body(Count - 1, key_.first_of(whole<Count - 1>(), end - last < quad_lanes ? end - last : quad_lanes));
          return {.first = last + quad_lanes, .count = end > last + quad_lanes ? end - last - quad_lanes : 0};
        }
      }
      return slice;
    }
    /// From this one to the last but one.
    template <std::uint32_t Step, class Body>
    SLUICE_FORCE_INLINE void each_whole_step(const Body& body) const noexcept {
      if constexpr (Step + 1 < Count) {
        body(Step, whole<Step>());
        each_whole_step<Step + 1>(body);
      }
    }
    template <std::uint32_t Step>
    [[nodiscard]] SLUICE_FORCE_INLINE quad whole() const noexcept {
      return Simd::template one_bits<Step % 4>(amounts_[Step / 4]);
    }
    template <std::uint32_t Step>
    [[nodiscard]] SLUICE_FORCE_INLINE quad mask() const noexcept {
      if constexpr (Step + 1 < Count) {
        return whole<Step>();
      } else {
        return whole<Step>() & Simd::constant(first_lanes[hashes_ - Step * quad_lanes][key_.turn_]);
      }
    }
    template <std::uint32_t Group>
    SLUICE_FORCE_INLINE void fill() noexcept {
      if constexpr (Group * 4 < Count) {
        const std::uint64_t high = Group * 4 + 2 < Count ? word_pair(key_.x_, 2 * Group + 1) : 0;
        amounts_[Group] = Simd::template amounts_of<Gated>(word_pair(key_.x_, 2 * Group), high);
        fill<Group + 1>();
      }
    }
    template <std::uint32_t Step, class Byte>
    SLUICE_FORCE_INLINE void add_from(Byte* block) const noexcept {
      if constexpr (Step < Count) {
        Simd::add(block + key_.offset(Step), mask<Step>());
        add_from<Step + 1>(block);
      }
    }

    const masks& key_;
    std::uint32_t hashes_;
    typename Simd::amounts amounts_[(Count + 3) / 4];
  };

  /// The first few of the bits of a step.
  [[nodiscard]] SLUICE_FORCE_INLINE quad first_of(quad step, std::uint32_t few) const noexcept {
    if (few == quad_lanes) return step;
    return step & Simd::constant(first_lanes[few][turn_]);
  }
  /// What a spilled key leaves in its first block: the first `trace` of the bits of step 0, and the gate.
  [[nodiscard]] SLUICE_FORCE_INLINE quad left_behind(quad first_step, std::uint32_t trace) const noexcept {
    return first_of(first_step, trace) | Simd::constant(gates[turn_]);
  }
  template <class Byte>
  [[nodiscard]] SLUICE_FORCE_INLINE bool lacks_any_of(const Byte* block, quad first_step,
                                                      std::uint32_t few) const noexcept {
    return !Simd::none(Simd::without(first_of(first_step, few), Simd::load(block + offset(0))));
  }
  template <class Byte>
  [[nodiscard]] SLUICE_FORCE_INLINE first_look look_with(const Byte* block, quad missing, quad first_step,
                                                         std::uint32_t trace) const noexcept {
    const quad here = Simd::load(block + offset(0));
    return first_look(Simd::flags(missing, Simd::without(left_behind(first_step, trace), here)));
  }

  /// holds() and add() of the key with this digest, in functions of their own, for slices that few filters have.
  template <class Byte>
  [[nodiscard, gnu::noinline]] static bool holds_slice(digest x, const Byte* block, position_slice slice) noexcept {
    return masks(x).holds(block, slice);
  }
  template <class Byte>
  [[gnu::noinline]] static void add_slice(digest x, Byte* block, position_slice slice) noexcept {
    masks(x).add(block, slice);
  }

  template <class Byte>
  [[nodiscard]] quad missing(const Byte* block, position_slice slice) const noexcept {
    quad missing = Simd::constant({0, 0});
    each_step(slice, [&](std::uint32_t step, quad mask) SLUICE_FORCE_INLINE {
      missing = missing | Simd::without(mask, Simd::load(block + offset(step)));
    });
    return missing;
  }
  /// Calls body(number, mask) for every step of the slice.
  template <class Body>
  SLUICE_FORCE_INLINE void each_step(position_slice slice, const Body& body) const noexcept {
    const std::uint32_t end = slice.first + slice.count;
    for (std::uint32_t step = slice.first / quad_lanes; step * quad_lanes < end; ++step) {
      quad bits = whole_step(step);
      if (const std::uint32_t from = step * quad_lanes; slice.first > from || end < from + quad_lanes) {
        const std::uint32_t last = end < from + quad_lanes ? end - from : quad_lanes;
        const std::uint32_t before = slice.first > from ? slice.first - from : 0;
        bits =
            Simd::without(bits & Simd::constant(first_lanes[last][turn_]), Simd::constant(first_lanes[before][turn_]));
      }
      body(step, bits);
    }
  }
  [[nodiscard]] SLUICE_FORCE_INLINE quad whole_step(std::uint32_t step) const noexcept {
    const std::uint64_t word = word_pair(x_, step / 2) >> (32 * (step % 2));
    return Simd::template one_bits<0>(Simd::template amounts_of<Gated>(word, 0));
  }

  [[nodiscard]] SLUICE_FORCE_INLINE std::uint32_t offset(std::uint32_t step) const noexcept {
    return ((quad_ + step) % Quads) * quad_bytes;
  }

  digest x_;
  std::uint32_t quad_;
  std::uint32_t turn_;
};

}  // namespace sluice::detail::lanes::SLUICE_TARGET
