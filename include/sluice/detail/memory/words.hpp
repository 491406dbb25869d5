// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// memory/words: how bits lie in bytes. All memory of all filters is read and written through this file.
//
//   bit i of a block is bit (i mod 8) of its byte (i / 8); a word is 8 bytes, little-endian, on every machine
//
// so bit i is also bit (i mod 64) of word (i / 64), and the bytes of a filter are the same everywhere.
// Bytes come in two types. std::byte is memory that nobody else writes meanwhile; shared_byte is memory that other
// threads read and write at the same time: its words are read with relaxed atomic loads and written with fetch_or.
// Everything above is written once for both. Bytes that were copied into 64-bit words, as a device or a constant
// expression has them, can be looked at, too.
//
// Why relaxed is enough. Bits only ever go from 0 to 1, so what a lookup needs is that bits which were seen, or written
// by a call that returned, are seen again later. Each word's own modification order (coherence) and whatever made the
// other call "earlier" guarantee that; no word has to be ordered with another.
//
// Invariant: a pointer to a block may have any alignment (a view works on anybody's bytes); shared words are aligned to
// 8. Cost: one access unit is a block; words of a block that was read already are free.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::detail {

/// A byte of memory that several threads use at once.
enum class shared_byte : unsigned char {};

}  // namespace sluice::detail

namespace sluice::detail::bits {

inline constexpr std::uint32_t word_bits = 64;
inline constexpr std::uint32_t word_bytes = 8;

[[nodiscard]] constexpr std::uint64_t little_endian(std::uint64_t word) noexcept {
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i) swapped |= ((word >> (8 * i)) & 0xff) << (56 - 8 * i);
    return swapped;
  } else {
    return word;
  }
}

[[nodiscard]] inline std::uint64_t load_word(const std::byte* block, std::uint64_t index) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, block + index * word_bytes, word_bytes);
  return little_endian(word);
}

[[nodiscard]] constexpr std::uint64_t load_word(const std::uint64_t* block, std::uint64_t index) noexcept {
  return little_endian(block[index]);
}

/// A number of the type, unsigned, that lies at any address.
template <class Number>
[[nodiscard]] inline Number load_number(const std::byte* from) noexcept {
  Number number = 0;
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
      number = static_cast<Number>(number | std::to_integer<Number>(from[i]) << (8 * i));
    }
  } else {
    std::memcpy(&number, from, sizeof number);
  }
  return number;
}

[[nodiscard]] inline std::atomic_ref<std::uint64_t> shared_word(const shared_byte* block,
                                                                std::uint64_t index) noexcept {
  static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);
  // A lookup only loads; C++20 has no atomic_ref to a constant.
  auto* const words = const_cast<shared_byte*>(block);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return std::atomic_ref<std::uint64_t>(reinterpret_cast<std::uint64_t*>(words)[index]);
}

[[nodiscard]] inline std::uint64_t load_word(const shared_byte* block, std::uint64_t index) noexcept {
  return little_endian(shared_word(block, index).load(std::memory_order_relaxed));
}

inline void store_word(std::byte* block, std::uint64_t index, std::uint64_t word) noexcept {
  word = little_endian(word);
  std::memcpy(block + index * word_bytes, &word, word_bytes);
}

inline void or_word(std::byte* block, std::uint64_t index, std::uint64_t bits) noexcept {
  store_word(block, index, load_word(block, index) | bits);
}

inline void or_word(shared_byte* block, std::uint64_t index, std::uint64_t bits) noexcept {
  if ((load_word(block, index) & bits) == bits) return;  // looking is cheap, and leaves the line to its readers
  shared_word(block, index).fetch_or(little_endian(bits), std::memory_order_relaxed);
}

template <class Byte>
[[nodiscard]] constexpr bool test_bit(const Byte* block, std::uint64_t position) noexcept {
  return (load_word(block, position / word_bits) >> (position % word_bits)) & 1U;
}

template <class Byte>
void set_bit(Byte* block, std::uint64_t position) noexcept {
  or_word(block, position / word_bits, std::uint64_t{1} << (position % word_bits));
}

/// The low `count` bits of a word, count from 0 to 64.
[[nodiscard]] constexpr std::uint64_t low_bits(std::uint32_t count) noexcept {
  return count >= word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// How many of the bits [0, bits) are set.
template <class Byte>
[[nodiscard]] std::uint64_t count_ones(const Byte* block, std::uint64_t bits) noexcept {
  std::uint64_t ones = 0;
  const std::uint64_t whole = bits / word_bits;
  for (std::uint64_t i = 0; i < whole; ++i) ones += static_cast<std::uint64_t>(std::popcount(load_word(block, i)));
  if (const auto rest = static_cast<std::uint32_t>(bits % word_bits); rest != 0) {
    ones += static_cast<std::uint64_t>(std::popcount(load_word(block, whole) & low_bits(rest)));
  }
  return ones;
}

/// The number in bits [first, first + width); width from 1 to 64, possibly across two words.
template <class Byte>
[[nodiscard]] constexpr std::uint64_t read_field(const Byte* block, std::uint64_t first, std::uint32_t width) noexcept {
  const std::uint64_t word = first / word_bits;
  const auto shift = static_cast<std::uint32_t>(first % word_bits);
  std::uint64_t value = load_word(block, word) >> shift;
  if (shift + width > word_bits) value |= load_word(block, word + 1) << (word_bits - shift);
  return value & low_bits(width);
}

/// How many of the bits [first, first + count) are set.
[[nodiscard]] inline std::uint64_t count_ones_in(const std::byte* block, std::uint64_t first,
                                                 std::uint64_t count) noexcept {
  std::uint64_t ones = 0;
  for (std::uint64_t done = 0; done < count; done += word_bits) {
    const auto width = static_cast<std::uint32_t>(count - done < word_bits ? count - done : word_bits);
    ones += static_cast<std::uint64_t>(std::popcount(read_field(block, first + done, width)));
  }
  return ones;
}

/// Writes the low `width` bits of value into bits [first, first + width), and nothing else.
inline void write_field(std::byte* block, std::uint64_t first, std::uint32_t width, std::uint64_t value) noexcept {
  const std::uint64_t word = first / word_bits;
  const auto shift = static_cast<std::uint32_t>(first % word_bits);
  value &= low_bits(width);
  store_word(block, word, (load_word(block, word) & ~(low_bits(width) << shift)) | (value << shift));
  if (shift + width > word_bits) {
    const std::uint32_t written = word_bits - shift;
    store_word(block, word + 1, (load_word(block, word + 1) & ~low_bits(width - written)) | (value >> written));
  }
}

/// Ors the bits [0, bits) of another block into this one.
inline void or_bits(std::byte* block, const std::byte* other, std::uint64_t bits) noexcept {
  const std::uint64_t whole = bits / word_bits;
  for (std::uint64_t i = 0; i < whole; ++i) or_word(block, i, load_word(other, i));
  if (const auto rest = static_cast<std::uint32_t>(bits % word_bits); rest != 0) {
    or_word(block, whole, load_word(other, whole) & low_bits(rest));
  }
}

}  // namespace sluice::detail::bits
