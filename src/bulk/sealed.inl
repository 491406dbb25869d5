// bulk/sealed: the code, for one backend (simd/) and the instruction set of this reading (target.hpp). What it does is
// in sealed.hpp.

namespace sluice::bulk::SLUICE_TARGET {

template <class Simd>
class sealed {
public:
  [[nodiscard]] static constexpr sealed_set set() noexcept {
    return {&choose_one, &choose_many, &choose_value, &choose_values};
  }

private:
  static look_up_one choose_one(const sealed_filter& f) noexcept {
    return with_shape(f, []<class Shape>(Shape) -> look_up_one { return &one<Shape>; });
  }
  static look_up_many_sealed choose_many(const sealed_filter& f) noexcept {
    return with_shape(f, []<class Shape>(Shape) -> look_up_many_sealed { return &many<Shape>; });
  }
  static look_up_value choose_value(const sealed_filter& f) noexcept {
    return with_shape(f, []<class Shape>(Shape) -> look_up_value { return &one_value<Shape>; });
  }
  static look_up_values choose_values(const sealed_filter& f) noexcept {
    return with_shape(f, []<class Shape>(Shape) -> look_up_values { return &many_values<Shape>; });
  }

  /// What the columns of the block give the key.
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t value(const sealed_filter& f, const std::byte* block,
                                                               std::uint64_t meta, const sealed_key& key) noexcept {
    const std::uint64_t seed = (meta >> f.seed_at) & f.seed_bits;
    const std::uint64_t mask = (key.mask_word * (2 * seed + 1)) >> f.mask_shift;
    std::uint64_t sum = 0;
    if constexpr (Shape::wide != 0) {
      sum = Simd::template fold<Shape::wide, Shape::block_bytes>(block, mask << f.wide_lane) &
            bits::low_bits(Shape::wide);
    }
    if constexpr (Shape::bytes != 0) {
      sum |= (Simd::template fold<8, Shape::block_bytes>(block, mask << f.byte_lane) & 0xff) << Shape::wide;
    }
    if constexpr (Shape::singles) {
      std::uint32_t at = f.singles_at;
      for (std::uint32_t plane = 0; plane < f.singles; ++plane, at += f.columns) {
        const std::uint64_t bits = bits::load_word(block + at / 8, 0) >> (at % 8);
        const auto odd = static_cast<std::uint64_t>(__builtin_popcountll(bits & mask)) & 1U;
        sum |= odd << (Shape::wide + Shape::bytes + plane);
      }
    }
    return static_cast<std::uint32_t>(sum);
  }
  /// Is that its fingerprint?
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE bool matches(const sealed_filter& f, const std::byte* block,
                                                        std::uint64_t meta, const sealed_key& key) noexcept {
    return value<Shape>(f, block, meta, key) == key.fingerprint(f.fingerprint);
  }
  [[nodiscard]] static SLUICE_FORCE_INLINE bool closed(const sealed_filter& f, std::uint64_t meta,
                                                       const sealed_key& key) noexcept {
    return (((meta & f.gate_bits) >> key.class_of(f.classes)) & 1U) != 0;
  }
  [[nodiscard]] static SLUICE_FORCE_INLINE bool bumped(const sealed_filter& f, std::uint64_t meta) noexcept {
    return ((meta >> f.bump_bit) & 1U) != 0;
  }

  template <class Shape>
  static bool one(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const sealed_filter*>(filter);
    const sealed_key key(x);
    const std::byte* const block = f.blocks + first_block(x, f.block_count) * Shape::block_bytes;
    const std::uint64_t meta = bits::load_word(block, 0);
    if (closed(f, meta, key)) [[unlikely]]
      return further<Shape>(f, x, meta);
    if (matches<Shape>(f, block, meta, key)) return true;
    if (bumped(f, meta)) [[unlikely]]
      return in_list(f, x);
    return false;
  }
  [[gnu::noinline]] static bool in_list(const sealed_filter& f, digest x) noexcept { return f.list.may_contain(x); }
  /// Behind a closed gate.
  template <class Shape>
  [[gnu::noinline]] static bool further(const sealed_filter& f, digest x, std::uint64_t first_meta) noexcept {
    const std::byte* const block = f.blocks + f.groups.second(x, first_block(x, f.block_count)) * Shape::block_bytes;
    if (matches<Shape>(f, block, bits::load_word(block, 0), sealed_key(x))) return true;
    return bumped(f, first_meta) && f.list.may_contain(x);
  }

  template <class Shape>
  static void many(const sealed_filter& filter, const chunk& some, std::uint8_t* out) noexcept {
    const sealed_filter f = filter;  // what is written to `out` is no part of it
    std::array<std::uint16_t, chunk_keys + 1> again;
    std::size_t count = 0;
    const auto first = [&](std::size_t i) SLUICE_FORCE_INLINE {
      return f.blocks + first_block(some.digests[i], f.block_count) * Shape::block_bytes;
    };
    SLUICE_TARGET::ring<false>(some.count, some.available, first,
                               [&](std::size_t i, const std::byte* block) SLUICE_FORCE_INLINE {
                                 const sealed_key key(some.digests[i]);
                                 const std::uint64_t meta = bits::load_word(block, 0);
                                 out[i] = matches<Shape>(f, block, meta, key) ? 1 : 0;
                                 again[count] = static_cast<std::uint16_t>(i);
                                 count += closed(f, meta, key) || bumped(f, meta) ? 1U : 0U;
                               });
    look_again<Shape>(f, some, again.data(), count, out);
  }
  template <class Shape>
  [[gnu::noinline]] static void look_again(const sealed_filter& f, const chunk& some, const std::uint16_t* numbers,
                                           std::size_t count, std::uint8_t* out) noexcept {
    // Those whose gate is open are here because of a bump bit: their first block is near, and is tested again.
    const auto place = [&](std::size_t n) SLUICE_FORCE_INLINE {
      const digest x = some.digests[numbers[n]];
      const std::uint64_t first = first_block(x, f.block_count);
      const bool leaves = closed(f, bits::load_word(f.blocks + first * Shape::block_bytes, 0), sealed_key(x));
      return f.blocks + (leaves ? f.groups.second(x, first) : first) * Shape::block_bytes;
    };
    SLUICE_TARGET::ring<false>(count, count, place, [&](std::size_t n, const std::byte* block) SLUICE_FORCE_INLINE {
      const digest x = some.digests[numbers[n]];
      bool found = matches<Shape>(f, block, bits::load_word(block, 0), sealed_key(x));
      if (!found && bumped(f, bits::load_word(f.blocks + first_block(x, f.block_count) * Shape::block_bytes, 0))) {
        found = f.list.may_contain(x);
      }
      out[numbers[n]] = found ? 1 : 0;
    });
  }

  template <class Shape>
  static sealed_value one_value(const sealed_filter& f, digest x) noexcept {
    const sealed_key key(x);
    const std::uint64_t first = first_block(x, f.block_count);
    const std::byte* block = f.blocks + first * Shape::block_bytes;
    const std::uint64_t first_meta = bits::load_word(block, 0);
    std::uint64_t meta = first_meta;
    if (closed(f, meta, key)) [[unlikely]] {
      block = f.blocks + f.groups.second(x, first) * Shape::block_bytes;
      meta = bits::load_word(block, 0);
    }
    return {value<Shape>(f, block, meta, key), bumped(f, first_meta)};
  }
  template <class Shape>
  static std::size_t many_values(const sealed_filter& filter, const chunk& some, std::uint32_t* out,
                                 std::uint16_t* ask) noexcept {
    const sealed_filter f = filter;  // what is written is no part of it
    std::array<std::uint16_t, chunk_keys + 1> again;
    std::size_t count = 0;
    std::size_t asks = 0;
    const auto first = [&](std::size_t i) SLUICE_FORCE_INLINE {
      return f.blocks + first_block(some.digests[i], f.block_count) * Shape::block_bytes;
    };
    SLUICE_TARGET::ring<false>(some.count, some.available, first,
                               [&](std::size_t i, const std::byte* block) SLUICE_FORCE_INLINE {
                                 const sealed_key key(some.digests[i]);
                                 const std::uint64_t meta = bits::load_word(block, 0);
                                 out[i] = value<Shape>(f, block, meta, key);
                                 again[count] = static_cast<std::uint16_t>(i);
                                 count += closed(f, meta, key) ? 1U : 0U;
                                 if (bumped(f, meta)) [[unlikely]]
                                   ask[asks++] = static_cast<std::uint16_t>(i);
                               });
    const auto second = [&](std::size_t n) SLUICE_FORCE_INLINE {
      const digest x = some.digests[again[n]];
      return f.blocks + f.groups.second(x, first_block(x, f.block_count)) * Shape::block_bytes;
    };
    SLUICE_TARGET::ring<false>(count, count, second, [&](std::size_t n, const std::byte* block) SLUICE_FORCE_INLINE {
      const sealed_key key(some.digests[again[n]]);
      out[again[n]] = value<Shape>(f, block, bits::load_word(block, 0), key);
    });
    return asks;
  }
};

}  // namespace sluice::bulk::SLUICE_TARGET
