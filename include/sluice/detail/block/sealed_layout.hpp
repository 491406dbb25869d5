// block/sealed_layout: where everything lies in the block of a sealed filter, and what a key is there.
//
//   bit 0        G           G+1      M = B - r C                                                                     B
//   | gates ...  | bump bit  | seed   | r mod 8 planes of C bits | C columns of 8 bits | C columns of 16 or of 32 bits |
//
//   r   bits of a fingerprint: a column has r bits, cut into planes of 32, of 16, of 8 and of single bits
//   C   columns: (B - 12) / r, so that at least 12 bits are left for the rest (meta)
//   S   bits of the seed: 6 where there is room, else 4
//   G   gates: what is left, 25 at most
//   N   classes, of which the first G have a gate; keys of the others never leave their first block
//
// The value of a key in a block is the XOR of the columns that its mask selects. The mask is the C high bits of the
// key's mask word times 2 s + 1, where s is the seed of the block: odd products of one word are as good as new words,
// and cost one multiplication once the block is there. Why N is larger than G: closing a gate moves all keys of its
// class. Few keys a gate (about two) let a search hit the excess of a block exactly, and a third to two thirds of the
// keys are enough to choose from; docs/sealed.md has the measurements.
//
// A fingerprint is never 0, so that a block without keys, whose columns are 0, contains nothing.
// Invariant: the layout follows from B and r alone. It stands in files: it never changes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sluice/detail/memory/words.hpp"
#include "sluice/hash.hpp"

namespace sluice {

struct sealed_layout {
  std::uint32_t block_bits = 0;        ///< B: 256 or 512
  std::uint32_t fingerprint_bits = 0;  ///< r: 8 to 32
  std::uint32_t columns = 0;           ///< C, 62 at most
  std::uint32_t seed_bits = 0;         ///< S
  std::uint32_t gates = 0;             ///< G
  std::uint32_t classes = 0;           ///< N

  static constexpr std::uint32_t least_fingerprint = 8;
  static constexpr std::uint32_t most_fingerprint = 32;
  static constexpr std::uint32_t most_columns = 62;
  static constexpr std::uint32_t most_gates = 25;

  constexpr sealed_layout() noexcept = default;
  /// Preconditions: B is 256 or 512, r from 8 to 32.
  constexpr sealed_layout(std::uint32_t bits, std::uint32_t r) noexcept
      : block_bits(bits), fingerprint_bits(r), columns((bits - least_meta) / r) {
    const std::uint32_t left = meta_bits() - 1;  // without the bump bit
    seed_bits = left >= 23 ? 6 : 4;
    gates = std::min(left - seed_bits, most_gates);
    classes = std::max((columns + 1) / 2, gates + gates / 4);
  }

  [[nodiscard]] constexpr std::uint32_t meta_bits() const noexcept { return block_bits - fingerprint_bits * columns; }
  [[nodiscard]] constexpr std::uint32_t bump_bit() const noexcept { return gates; }
  [[nodiscard]] constexpr std::uint32_t seed_at() const noexcept { return gates + 1; }
  [[nodiscard]] constexpr std::uint32_t seeds() const noexcept { return 1U << seed_bits; }

  // The planes of a column, from its lowest bits on.
  [[nodiscard]] constexpr std::uint32_t wide_bits() const noexcept {
    return fingerprint_bits == 32 ? 32 : fingerprint_bits >= 16 ? 16 : 0;
  }
  [[nodiscard]] constexpr std::uint32_t byte_bits() const noexcept { return (fingerprint_bits - wide_bits()) & 8U; }
  [[nodiscard]] constexpr std::uint32_t single_planes() const noexcept { return fingerprint_bits % 8; }
  /// Where they begin: bits of the block.
  [[nodiscard]] constexpr std::uint32_t wide_at() const noexcept { return block_bits - wide_bits() * columns; }
  [[nodiscard]] constexpr std::uint32_t bytes_at() const noexcept { return wide_at() - byte_bits() * columns; }
  [[nodiscard]] constexpr std::uint32_t singles_at() const noexcept { return meta_bits(); }

  /// Sixteenths of keys a block, on average, for which a filter of such blocks is made: as many as let 1.0575 blocks a
  /// hit suffice and fewer than 0.05% of the keys be bumped. Measured with filters of 400,000 keys for r from 8 to 32;
  /// the number of blocks that a builder chooses follows from it.
  [[nodiscard]] constexpr std::uint32_t load_16ths() const noexcept {
    constexpr std::uint16_t of_512[] = {960, 849, 752, 688, 626, 574, 530, 495, 462, 432, 401, 383, 361,
                                        337, 320, 304, 288, 282, 270, 256, 239, 239, 224, 222, 208};
    constexpr std::uint16_t of_256[] = {446, 395, 350, 316, 286, 255, 239, 222, 206, 190, 175, 159, 158,
                                        143, 142, 127, 127, 112, 112, 110, 96,  96,  89,  81,  81};
    return (block_bits == 512 ? of_512 : of_256)[fingerprint_bits - least_fingerprint];
  }
  /// Blocks for this many keys. One block holds as many keys as it has columns. Precondition: keys below 2^60.
  [[nodiscard]] constexpr std::uint64_t blocks_for(std::uint64_t keys) const noexcept {
    if (keys <= columns) return 1;
    return (16 * keys - 1) / load_16ths() + 1;
  }

  /// The first word of a block, less what follows the gates: bit c is the gate of class c, for every class.
  [[nodiscard]] constexpr std::uint64_t gates_of(std::uint64_t meta) const noexcept {
    return meta & bits::low_bits(gates);
  }
  [[nodiscard]] constexpr std::uint64_t seed_of(std::uint64_t meta) const noexcept {
    return (meta >> seed_at()) & bits::low_bits(seed_bits);
  }
  [[nodiscard]] constexpr bool is_bumped(std::uint64_t meta) const noexcept { return ((meta >> bump_bit()) & 1U) != 0; }

  /// The columns that a key selects in a block with this seed.
  [[nodiscard]] constexpr std::uint64_t mask(std::uint64_t mask_word, std::uint64_t seed) const noexcept {
    return (mask_word * (2 * seed + 1)) >> (bits::word_bits - columns);
  }

private:
  static constexpr std::uint32_t least_meta = 12;
};

/// What a sealed filter knows of a key beside its blocks: two full mixes of its digest.
struct sealed_key {
  std::uint64_t mask_word;
  std::uint64_t rest;  ///< high half: the class; low half: the fingerprint

  constexpr explicit sealed_key(digest x) noexcept
      : mask_word(derive(x, use::sealed_mask)), rest(derive(x, use::sealed_fingerprint)) {}

  [[nodiscard]] constexpr std::uint32_t class_of(std::uint32_t classes) const noexcept {
    return reduce_32(static_cast<std::uint32_t>(rest >> 32), classes);
  }
  /// 1 to 2^r - 1.
  [[nodiscard]] constexpr std::uint32_t fingerprint(std::uint32_t r) const noexcept {
    return fingerprint_under(bits::low_bits(r));
  }
  /// The same, for r ones.
  [[nodiscard]] constexpr std::uint32_t fingerprint_under(std::uint64_t ones) const noexcept {
    const auto bits = static_cast<std::uint32_t>(rest & ones);
    return bits + (bits == 0 ? 1U : 0U);
  }
};

}  // namespace sluice
