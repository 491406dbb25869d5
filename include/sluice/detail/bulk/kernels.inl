// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/kernels: the loops, for one backend (simd/) and the instruction set of this reading (target.hpp). What they do
// is in kernels.hpp.

namespace sluice::detail::bulk::SLUICE_TARGET {

template <class Simd, class Byte>
class kernels {
public:
  [[nodiscard]] static constexpr kernel_set<Byte> set() noexcept {
    return {&look_up_blocked, &look_up_gated, &insert_blocked, &insert_gated, Simd::name};
  }

  /// Is a gated key in its second block? For one key at a time, in a function of its own: few come here, and all others
  /// have the registers for themselves.
  template <std::uint32_t Quads, class Hashes>
  [[nodiscard, gnu::noinline]] static bool is_spilled(const lane_shape& shape, const Byte* blocks, digest x) noexcept {
    const std::uint64_t second = shape.groups.second(x) - shape.origin;
    const masks<Quads, true> key(x);
    return key.first(Hashes{shape.hashes}).holds(blocks + second * block_bytes<Quads>, shape.spilled());
  }
  // One key, for owners that insert them one by one; was it new?
  template <std::uint32_t Quads, class Hashes>
  static bool insert_one_blocked(const lane_shape& shape, Byte* blocks, digest x) noexcept {
    const std::uint64_t block = shape.groups.first(x) - shape.origin;
    return add_new<Quads>(blocks + block * block_bytes<Quads>, x, Hashes{shape.hashes});
  }
  template <std::uint32_t Quads, class Hashes>
  static bool insert_one_gated(const lane_shape& shape, Byte* blocks, digest x) noexcept {
    const gated_blocks<Quads> all{shape, blocks};
    return all.template insert<Hashes>(x, {all.block(shape.groups.first(x)), nullptr});
  }

private:
  template <std::uint32_t Quads, bool Gated>
  using masks = lanes::SLUICE_TARGET::masks<Simd, Quads, Gated>;
  template <std::uint32_t Quads>
  static constexpr std::uint64_t block_bytes = std::uint64_t{Quads} * lanes::quad_bytes;

  static void look_up_blocked(const lookup_job<Byte>& job) noexcept {
    with_shape(job.shape, [&](auto quads, auto hashes) { look_up_blocked_in<quads()>(job, hashes); });
  }
  static void look_up_gated(const lookup_job<Byte>& job) noexcept {
    with_shape(job.shape, [&](auto quads, auto hashes) { look_up_gated_in<quads()>(job, hashes); });
  }
  static std::uint64_t insert_blocked(const insert_job<Byte>& job) noexcept {
    return with_shape(job.shape, [&](auto quads, auto hashes) { return insert_blocked_in<quads()>(job, hashes); });
  }
  static std::uint64_t insert_gated(const insert_job<Byte>& job) noexcept {
    return with_shape(job.shape, [&](auto quads, auto hashes) { return insert_gated_in<quads()>(job, hashes); });
  }

  template <std::uint32_t Quads, class Hashes>
  static void look_up_blocked_in(const lookup_job<Byte>& job, Hashes hashes) noexcept {
    SLUICE_TARGET::ring<false>(job.keys.count, job.keys.available, first_block_of<Quads>(job),
                               [&](std::size_t i, const Byte* block) SLUICE_FORCE_INLINE {
                                 const masks<Quads, false> key(job.keys.digests[i]);
                                 job.answers[i] = key.holds_first(block, hashes) ? 1 : 0;
                               });
  }

  template <std::uint32_t Quads, class Hashes>
  static void look_up_gated_in(const lookup_job<Byte>& job, Hashes hashes) noexcept {
    const std::uint32_t trace = job.shape.trace;
    const bool static_gates = job.shape.static_gates;
    std::array<std::uint16_t, chunk_keys + 1> going_on;
    std::size_t count = 0;
    SLUICE_TARGET::ring<false>(job.keys.count, job.keys.available, first_block_of<Quads>(job),
                               [&](std::size_t i, const Byte* block) SLUICE_FORCE_INLINE {
                                 const masks<Quads, true> key(job.keys.digests[i]);
                                 const lanes::first_look look = key.look(block, hashes, trace);
                                 job.answers[i] = look.found() ? 1 : 0;
                                 going_on[count] = static_cast<std::uint16_t>(i);
                                 count += look.goes_on(static_gates) ? 1U : 0U;
                               });
    look_up_second<Quads, Hashes>(job, going_on.data(), count);
  }
  /// The second blocks of the keys with these numbers.
  template <std::uint32_t Quads, class Hashes>
  [[gnu::noinline]] static void look_up_second(const lookup_job<Byte>& job, const std::uint16_t* numbers,
                                               std::size_t count) noexcept {
    const auto place = [&](std::size_t n) SLUICE_FORCE_INLINE {
      return job.blocks +
             (job.shape.groups.second(job.keys.digests[numbers[n]]) - job.shape.origin) * block_bytes<Quads>;
    };
    const position_slice spilled = job.shape.spilled();
    const Hashes hashes{job.shape.hashes};
    SLUICE_TARGET::ring<false>(count, count, place, [&](std::size_t n, const Byte* block) SLUICE_FORCE_INLINE {
      const masks<Quads, true> key(job.keys.digests[numbers[n]]);
      job.answers[numbers[n]] = key.first(hashes).holds(block, spilled) ? 1 : 0;
    });
  }

  /// Sets the bits of a key; was one of them missing?
  template <std::uint32_t Quads, class Hashes>
  [[nodiscard]] static SLUICE_FORCE_INLINE bool add_new(Byte* block, digest x, Hashes hashes) noexcept {
    const masks<Quads, false> key(x);
    const auto bits = key.first(hashes);
    const bool is_new = !Simd::none(bits.missing(block));
    bits.add_to(block);
    return is_new;
  }

  template <std::uint32_t Quads, class Hashes>
  static std::uint64_t insert_blocked_in(const insert_job<Byte>& job, Hashes hashes) noexcept {
    std::uint64_t fresh = 0;
    const digest* const digests = job.keys.digests;  // which no store to a block can change
    std::uint8_t* const answers = job.answers;
    SLUICE_TARGET::ring<true>(job.keys.count, job.keys.available, first_block_of<Quads>(job),
                              [&fresh, digests, answers, hashes](std::size_t i, Byte* block) SLUICE_FORCE_INLINE {
                                const std::uint8_t is_new = add_new<Quads>(block, digests[i], hashes) ? 1 : 0;
                                answers[i] = is_new;
                                fresh += is_new;
                              });
    return fresh;
  }

  template <std::uint32_t Quads, class Hashes>
  static std::uint64_t insert_gated_in(const insert_job<Byte>& job, Hashes /*hashes*/) noexcept {
    return gated_insertion<Quads>(job).template run<Hashes>();
  }

  /// The blocks of a gated filter, as insertions see them.
  template <std::uint32_t Quads>
  struct gated_blocks {
    struct place {
      Byte* first;
      Byte* second;  // if the first was full when it was looked at; else none
    };

    lane_shape shape;  // a copy, which no store to a block can change
    Byte* blocks;

    [[nodiscard]] SLUICE_FORCE_INLINE Byte* block(std::uint64_t number) const noexcept {
      return blocks + (number - shape.origin) * block_bytes<Quads>;
    }
    [[nodiscard]] SLUICE_FORCE_INLINE Byte* second_block(digest x) const noexcept {
      return block(shape.groups.second(x));
    }
    [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t load(const Byte* block) noexcept {
      return Simd::template count_ones<true, Quads>(block);
    }

    /// Was the key new?
    template <class Hashes>
    [[nodiscard]] SLUICE_FORCE_INLINE bool insert(digest x, place where) const noexcept {
      const masks<Quads, true> key(x);
      const Hashes hashes{shape.hashes};
      const auto in_second = [&](const auto& /*key*/)
                                 SLUICE_FORCE_INLINE { return is_spilled<Quads, Hashes>(shape, blocks, x); };
      if (key.look_up(where.first, hashes, shape.trace, false, in_second).found) return false;
      const auto bits = key.first(hashes);
      const std::uint32_t here = load(where.first);
      if (where.second == nullptr && shape.rule.looks_further(here))
        where.second = second_block(x);  // keys in between have filled it
      if (where.second != nullptr && shape.rule.spills(here, load(where.second))) {
        bits.add_to(where.second, shape.spilled());  // before the gate closes: a reader may run at the same time
        key.leave_trace(where.first, shape.trace);
      } else {
        bits.add_to(where.first);
      }
      return true;
    }
  };

  /// A pipeline of groups of eight keys: while one group is inserted, the first blocks of the next are there, and the
  /// second blocks of those that are full are asked for; the first blocks of the group after that are on their way.
  template <std::uint32_t Quads>
  class gated_insertion {
  public:
    explicit gated_insertion(const insert_job<Byte>& job) noexcept : job_(job), all_{job.shape, job.blocks} {}

    /// How many keys were new.
    template <class Hashes>
    std::uint64_t run() noexcept {
      std::uint64_t fresh = 0;
      // A group is named by its first key.
      for (std::size_t g = 0; g < job_.keys.count + 2 * group_keys; g += group_keys) {
        ask_for_first(g);
        if (g >= group_keys) ask_for_second(g - group_keys);
        if (g >= 2 * group_keys) fresh += insert<Hashes>(g - 2 * group_keys);
      }
      return fresh;
    }

  private:
    static constexpr std::size_t group_keys = 8;
    using place = typename gated_blocks<Quads>::place;

    [[nodiscard]] SLUICE_FORCE_INLINE auto& places_of(std::size_t group) noexcept {
      return stages_[group / group_keys % 3];
    }
    [[nodiscard]] SLUICE_FORCE_INLINE std::size_t known_keys_of(std::size_t group) const noexcept {
      return group < job_.keys.available ? std::min(group_keys, job_.keys.available - group) : 0;
    }

    SLUICE_FORCE_INLINE void ask_for_first(std::size_t group) noexcept {
      auto& places = places_of(group);
      for (std::size_t i = 0, count = known_keys_of(group); i < count; ++i) {
        Byte* const first = all_.block(all_.shape.groups.first(job_.keys.digests[group + i]));
        places[i] = {first, nullptr};
        __builtin_prefetch(first, 1, 3);
      }
    }
    SLUICE_FORCE_INLINE void ask_for_second(std::size_t group) noexcept {
      auto& places = places_of(group);
      // Which ones are full cannot be predicted: they are gathered without a branch.
      std::array<std::uint8_t, group_keys + 1> full_ones;
      std::size_t found = 0;
      for (std::size_t i = 0, count = known_keys_of(group); i < count; ++i) {
        full_ones[found] = static_cast<std::uint8_t>(i);
        found += all_.shape.rule.looks_further(all_.load(places[i].first)) ? 1U : 0U;
      }
      for (std::size_t n = 0; n < found; ++n) {
        place& where = places[full_ones[n]];
        where.second = all_.second_block(job_.keys.digests[group + full_ones[n]]);
        __builtin_prefetch(where.second, 1, 3);
      }
    }
    template <class Hashes>
    [[nodiscard]] SLUICE_FORCE_INLINE std::uint64_t insert(std::size_t group) noexcept {
      const auto& places = places_of(group);
      std::uint64_t fresh = 0;
      for (std::size_t i = 0, count = std::min(group_keys, job_.keys.count - group); i < count; ++i) {
        const std::uint8_t is_new = all_.template insert<Hashes>(job_.keys.digests[group + i], places[i]) ? 1 : 0;
        job_.answers[group + i] = is_new;
        fresh += is_new;
      }
      return fresh;
    }

    const insert_job<Byte>& job_;
    gated_blocks<Quads> all_;
    std::array<std::array<place, group_keys>, 3> stages_;
  };

  template <std::uint32_t Quads>
  [[nodiscard]] static auto first_block_of(const auto& job) noexcept {
    return [blocks = job.blocks, groups = job.shape.groups, origin = job.shape.origin,
            digests = job.keys.digests](std::size_t i)
               SLUICE_FORCE_INLINE { return blocks + (groups.first(digests[i]) - origin) * block_bytes<Quads>; };
  }
};

}  // namespace sluice::detail::bulk::SLUICE_TARGET
