// block/lane_masks: the masks of one key, for the instruction set of this reading (target.hpp). What they are is in
// lane_masks.hpp, which is what to include.

namespace sluice::lanes::SLUICE_TARGET {

template <class Simd, std::uint32_t Quads, bool Gated>
class masks {
public:
  using quad = typename Simd::quad;

  explicit masks(digest x) noexcept : x_(x), start_(start_of(x, Quads)) {}

  template <class Byte>
  [[nodiscard]] bool holds(const Byte* block, position_slice slice) const noexcept {
    return Simd::none(missing(block, slice));
  }
  template <class Byte>
  void add(Byte* block, position_slice slice) const noexcept {
    each_step(slice, [&](std::uint32_t step, quad mask) SLUICE_FORCE_INLINE { Simd::add(block + offset(step), mask); });
  }

  /// The first `hashes` positions, for all that is asked about them: unrolled if their number of steps is known, else
  /// looped.
  template <class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE auto first(Hashes hashes) const noexcept {
    if constexpr (detail::steps_of<Hashes> == 0) {
      return looped(*this, hashes);
    } else {
      return unrolled<detail::steps_of<Hashes>>(*this, hashes);
    }
  }
  template <class Byte, class Hashes>
  [[nodiscard]] SLUICE_FORCE_INLINE bool holds_first(const Byte* block, Hashes hashes) const noexcept {
    return Simd::none(first(hashes).missing(block));
  }
  /// Whole steps left out at the front: positions 4 to `end` - 1, the second block of a key with a trace of 4.
  template <class Byte, class End>
  [[nodiscard]] SLUICE_FORCE_INLINE bool holds_after_first_step(const Byte* block, End end) const noexcept {
    return Simd::none(unrolled<detail::steps_of<End>>(*this, end).template missing_from<1>(block));
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
  /// Leaves the trace of a key in the block and closes its gate. Not atomic as a whole, and need not be.
  template <class Byte>
  void leave_trace(Byte* block, std::uint32_t trace) const noexcept {
    Simd::add(block + offset(0), left_behind(whole_step(0), trace));
  }
  template <class Byte>
  [[nodiscard]] bool gate_closed(const Byte* block) const noexcept {
    return Simd::none(Simd::without(Simd::constant(detail::gates[start_.turn]), Simd::load(block + offset(0))));
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
    template <class Byte>
    SLUICE_FORCE_INLINE void add_to(Byte* block) const noexcept {
      key_.add(block, {.count = hashes_});
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
    masks key_;
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
    SLUICE_FORCE_INLINE void add_to(Byte* block) const noexcept {
      add_from<0>(block);
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

  private:
    template <std::uint32_t Step>
    [[nodiscard]] SLUICE_FORCE_INLINE quad mask() const noexcept {
      const quad bits = Simd::template one_bits<Step % 4>(amounts_[Step / 4]);
      if constexpr (Step + 1 < Count) {
        return bits;
      } else {
        return bits & Simd::constant(detail::first_lanes[hashes_ - Step * quad_lanes][key_.start_.turn]);
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

    masks key_;
    std::uint32_t hashes_;
    typename Simd::amounts amounts_[(Count + 3) / 4];
  };

  /// The first few of the bits of step 0.
  [[nodiscard]] SLUICE_FORCE_INLINE quad first_of(quad first_step, std::uint32_t few) const noexcept {
    if (few == quad_lanes) return first_step;
    return first_step & Simd::constant(detail::first_lanes[few][start_.turn]);
  }
  /// What a spilled key leaves in its first block: the first `trace` of the bits of step 0, and the gate.
  [[nodiscard]] SLUICE_FORCE_INLINE quad left_behind(quad first_step, std::uint32_t trace) const noexcept {
    return first_of(first_step, trace) | Simd::constant(detail::gates[start_.turn]);
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
        bits = Simd::without(bits & Simd::constant(detail::first_lanes[last][start_.turn]),
                             Simd::constant(detail::first_lanes[before][start_.turn]));
      }
      body(step, bits);
    }
  }
  [[nodiscard]] SLUICE_FORCE_INLINE quad whole_step(std::uint32_t step) const noexcept {
    const std::uint64_t word = word_pair(x_, step / 2) >> (32 * (step % 2));
    return Simd::template one_bits<0>(Simd::template amounts_of<Gated>(word, 0));
  }

  [[nodiscard]] SLUICE_FORCE_INLINE std::uint32_t offset(std::uint32_t step) const noexcept {
    return ((start_.quad + step) % Quads) * quad_bytes;
  }

  digest x_;
  start start_;
};

}  // namespace sluice::lanes::SLUICE_TARGET
