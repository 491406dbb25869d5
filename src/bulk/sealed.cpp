// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "bulk/sealed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sluice/detail/bulk/prefetch_ring.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"

namespace sluice::detail::bulk {

namespace {

/// For fewer than one key in a hundred, and once for all shapes.
[[gnu::noinline]] bool in_list(const sealed_filter& f, digest x) noexcept { return f.list.may_contain(x); }

/// Its functions are flattened: a compiler that sees so many of them stops inlining what they share.
template <std::uint32_t BlockBits, std::uint32_t FingerprintBits>
class sealed {
public:
  [[nodiscard]] static constexpr sealed_code code() noexcept { return {&one, &many, &one_value, &many_values}; }

private:
  static constexpr sealed_layout layout{BlockBits, FingerprintBits};
  static constexpr std::uint32_t block_bytes = BlockBits / 8;
  /// Columns that begin and end with bytes need no shift that depends on the column.
  static constexpr bool whole_bytes = FingerprintBits % 8 == 0 && layout.meta_bits() % 8 == 0;

  [[nodiscard, gnu::always_inline]] static std::uint64_t column(const std::byte* block, std::uint64_t number) noexcept {
    constexpr std::uint32_t first_byte = layout.meta_bits() / 8;
    if constexpr (whole_bytes && FingerprintBits == 8) {
      return bits::load_number<std::uint8_t>(block + first_byte + number);
    } else if constexpr (whole_bytes && FingerprintBits == 16) {
      return bits::load_number<std::uint16_t>(block + first_byte + 2 * number);
    } else if constexpr (whole_bytes && FingerprintBits == 24) {
      return bits::load_number<std::uint32_t>(block + first_byte - 1 + 3 * number) >> 8;  // and the byte before it
    } else if constexpr (whole_bytes) {
      return bits::load_number<std::uint32_t>(block + first_byte + 4 * number);
    } else {
      // The eight bytes that begin where it does, or the last eight of the block: without a branch, because one column
      // in eight is so near to the end.
      const std::uint64_t bit = layout.meta_bits() + FingerprintBits * number;
      constexpr std::uint64_t last = block_bytes - 8;
      std::uint64_t from = bit >> 3;
      from = __builtin_expect_with_probability(static_cast<long>(from > last), 1L, 0.5) != 0 ? last : from;
      return bits::load_word(block + from, 0) >> (bit - 8 * from);
    }
  }

  /// What the columns of the block give the key. What depends on the block comes last: its seed, one product, five
  /// loads.
  [[nodiscard, gnu::always_inline]] static std::uint32_t value(const std::byte* block, std::uint64_t meta,
                                                               const sealed_key& key) noexcept {
    const std::uint64_t fields = key.word * (2 * layout.seed_of(meta) + 1);
    const auto in = [&](std::uint32_t i) { return column(block, sealed_layout::number_in(fields, i, layout.columns)); };
    return static_cast<std::uint32_t>((in(0) ^ in(1) ^ in(2) ^ in(3) ^ in(4)) & bits::low_bits(FingerprintBits));
  }
  /// Is that its fingerprint?
  [[nodiscard, gnu::always_inline]] static bool matches(const std::byte* block, std::uint64_t meta,
                                                        const sealed_key& key) noexcept {
    return value(block, meta, key) == key.fingerprint(FingerprintBits);
  }
  [[nodiscard, gnu::always_inline]] static bool closed(std::uint64_t meta, const sealed_key& key) noexcept {
    return ((layout.gates_of(meta) >> key.class_of(layout.classes)) & 1U) != 0;
  }
  [[nodiscard, gnu::always_inline]] static const std::byte* first(const sealed_filter& f, digest x) noexcept {
    return f.blocks + (first_block(x, f.block_count) - f.origin) * block_bytes;
  }
  /// The same of a whole filter: a step less before the line can be asked for.
  [[nodiscard, gnu::always_inline]] static const std::byte* first_in_whole(const sealed_filter& f, digest x) noexcept {
    return f.blocks + first_block(x, f.block_count) * block_bytes;
  }
  [[nodiscard, gnu::always_inline]] static const std::byte* second(const sealed_filter& f, digest x) noexcept {
    return f.blocks + (f.groups.second(x, first_block(x, f.block_count)) - f.origin) * block_bytes;
  }
  [[nodiscard, gnu::always_inline]] static std::uint64_t meta_of(const std::byte* block) noexcept {
    return bits::load_word(block, 0);
  }

  [[gnu::flatten]] static bool one(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const sealed_filter*>(filter);
    const sealed_key key(x);
    const std::byte* const block = first_in_whole(f, x);
    const std::uint64_t meta = meta_of(block);
    if (closed(meta, key)) [[unlikely]]
      return further(f, x, meta);
    if (matches(block, meta, key)) return true;
    if (layout.is_bumped(meta)) [[unlikely]]
      return in_list(f, x);
    return false;
  }
  /// Behind a closed gate.
  [[gnu::noinline, gnu::flatten]] static bool further(const sealed_filter& f, digest x,
                                                      std::uint64_t first_meta) noexcept {
    const std::byte* const block = second(f, x);
    if (matches(block, meta_of(block), sealed_key(x))) return true;
    return layout.is_bumped(first_meta) && in_list(f, x);
  }

  [[gnu::flatten]] static void many(const sealed_filter& filter, const chunk& some, std::uint8_t* out) noexcept {
    const sealed_filter f = filter;  // what is written to `out` is no part of it
    std::array<std::uint16_t, chunk_keys + 1> again;
    std::size_t count = 0;
    baseline::ring<false>(
        some.count, some.available, [&](std::size_t i) { return first(f, some.digests[i]); },
        [&](std::size_t i, const std::byte* block) {
          const sealed_key key(some.digests[i]);
          const std::uint64_t meta = meta_of(block);
          out[i] = matches(block, meta, key) ? 1 : 0;
          again[count] = static_cast<std::uint16_t>(i);
          count += closed(meta, key) || layout.is_bumped(meta) ? 1U : 0U;
        });
    look_again(f, some, again.data(), count, out);
  }
  [[gnu::noinline, gnu::flatten]] static void look_again(const sealed_filter& f, const chunk& some,
                                                         const std::uint16_t* numbers, std::size_t count,
                                                         std::uint8_t* out) noexcept {
    // Those whose gate is open are here because of a bump bit: their first block is near, and is tested again.
    const auto place = [&](std::size_t n) {
      const digest x = some.digests[numbers[n]];
      const std::byte* const block = first(f, x);
      return closed(meta_of(block), sealed_key(x)) ? second(f, x) : block;
    };
    baseline::ring<false>(count, count, place, [&](std::size_t n, const std::byte* block) {
      const digest x = some.digests[numbers[n]];
      bool found = matches(block, meta_of(block), sealed_key(x));
      if (!found && layout.is_bumped(meta_of(first(f, x)))) found = in_list(f, x);
      out[numbers[n]] = found ? 1 : 0;
    });
  }

  [[gnu::flatten]] static sealed_value one_value(const sealed_filter& f, digest x) noexcept {
    const sealed_key key(x);
    const std::byte* block = first_in_whole(f, x);
    const std::uint64_t first_meta = meta_of(block);
    std::uint64_t meta = first_meta;
    if (closed(meta, key)) [[unlikely]] {
      block = second(f, x);
      meta = meta_of(block);
    }
    return {value(block, meta, key), layout.is_bumped(first_meta)};
  }
  [[gnu::flatten]] static std::size_t many_values(const sealed_filter& filter, const chunk& some, std::uint32_t* out,
                                                  std::uint16_t* ask) noexcept {
    const sealed_filter f = filter;  // what is written is no part of it
    std::array<std::uint16_t, chunk_keys + 1> again;
    std::size_t count = 0;
    std::size_t asks = 0;
    baseline::ring<false>(
        some.count, some.available, [&](std::size_t i) { return first(f, some.digests[i]); },
        [&](std::size_t i, const std::byte* block) {
          const sealed_key key(some.digests[i]);
          const std::uint64_t meta = meta_of(block);
          out[i] = value(block, meta, key);
          again[count] = static_cast<std::uint16_t>(i);
          count += closed(meta, key) ? 1U : 0U;
          if (layout.is_bumped(meta)) [[unlikely]]
            ask[asks++] = static_cast<std::uint16_t>(i);
        });
    baseline::ring<false>(
        count, count, [&](std::size_t n) { return second(f, some.digests[again[n]]); },
        [&](std::size_t n, const std::byte* block) {
          out[again[n]] = value(block, meta_of(block), sealed_key(some.digests[again[n]]));
        });
    return asks;
  }
};

constexpr std::size_t widths = sealed_layout::most_fingerprint;

/// By r - 1.
template <std::uint32_t BlockBits>
constexpr std::array<sealed_code, widths> codes_of = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<sealed_code, widths>{sealed<BlockBits, static_cast<std::uint32_t>(I) + 1>::code()...};
}(std::make_index_sequence<widths>{});

}  // namespace

const sealed_code& code_for(const sealed_layout& layout) noexcept {
  return (layout.block_bits == 512 ? codes_of<512> : codes_of<256>)[layout.fingerprint_bits - 1];
}

}  // namespace sluice::detail::bulk
