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

  /// The columns that a key selects in a block.
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint64_t mask_of(const sealed_filter& f, std::uint64_t meta,
                                                                 const sealed_key& key) noexcept {
    const std::uint64_t seed = (meta >> f.seed_at) & f.seed_bits;
    return (key.mask_word * (2 * seed + 1)) >> f.mask_shift;
  }
  /// The low bits of what they give: of all planes but those of single bits.
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t low_value(const sealed_filter& f, const std::byte* block,
                                                                   std::uint64_t mask) noexcept {
    std::uint64_t sum = 0;
    if constexpr (Shape::wide != 0) {
      sum = Simd::template fold<Shape::wide, Shape::block_bytes>(block, mask << f.wide_lane) &
            bits::low_bits(Shape::wide);
    }
    if constexpr (Shape::bytes != 0) {
      sum |= (Simd::template fold<8, Shape::block_bytes>(block, mask << f.byte_lane) & 0xff) << Shape::wide;
    }
    return static_cast<std::uint32_t>(sum);
  }
  /// The high bits: of the planes of single bits.
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t high_value(const sealed_filter& f, const std::byte* block,
                                                                    std::uint64_t mask) noexcept {
    // Planes beyond those of the filter lie in its block, too, and do not count.
    const auto plane = [&](std::uint32_t number) SLUICE_FORCE_INLINE {
      const std::uint32_t at = f.singles_at + f.columns * number;
      return bits::load_word(block + at / 8, 0) >> (at % 8) & mask;
    };
    std::uint32_t sum = Simd::parities(plane(0), plane(1), plane(2), plane(3));
    if constexpr (Shape::singles == single_planes::eight) {
      sum |= Simd::parities(plane(4), plane(5), plane(6), plane(7)) << 4U;
    }
    return sum & f.single_bits;
  }
  /// What the columns of the block give the key.
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE std::uint32_t value(const sealed_filter& f, const std::byte* block,
                                                               std::uint64_t meta, const sealed_key& key) noexcept {
    const std::uint64_t mask = mask_of(f, meta, key);
    const std::uint32_t low = low_value<Shape>(f, block, mask);
    if constexpr (Shape::singles == single_planes::none) {
      return low;
    } else {
      return low | high_value<Shape>(f, block, mask) << (Shape::wide + Shape::bytes);
    }
  }
  /// Is that its fingerprint?
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE bool matches(const sealed_filter& f, const std::byte* block,
                                                        std::uint64_t meta, const sealed_key& key) noexcept {
    return value<Shape>(f, block, meta, key) == key.fingerprint_under(f.fingerprint_bits);
  }
  /// The same in two steps, for one key alone, which branches upon the answer anyway: nearly all absent keys differ in
  /// the low bits, and need not look at the planes of single bits.
  template <class Shape>
  [[nodiscard]] static SLUICE_FORCE_INLINE bool matches_in_steps(const sealed_filter& f, const std::byte* block,
                                                                 std::uint64_t meta, const sealed_key& key) noexcept {
    if constexpr (Shape::singles == single_planes::none) {
      return matches<Shape>(f, block, meta, key);
    } else {
      constexpr std::uint32_t low = Shape::wide + Shape::bytes;
      const std::uint32_t wanted = key.fingerprint_under(f.fingerprint_bits);
      const std::uint64_t mask = mask_of(f, meta, key);
      if (low_value<Shape>(f, block, mask) != (wanted & bits::low_bits(low))) return false;
      return high_value<Shape>(f, block, mask) == wanted >> low;
    }
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
    if (matches_in_steps<Shape>(f, block, meta, key)) return true;
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
