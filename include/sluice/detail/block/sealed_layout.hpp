// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/sealed_layout: where everything lies in the block of a sealed filter, and what a key is there.
//
//   bit 0        G           G+1      M                                                        B
//   | gates ...  | bump bit  | seed   | C columns of r bits, column i at bit M + r i          |
//
//   r   bits of a fingerprint, and of a column: 1 to 32
//   C   columns: as many as leave at least 12 bits for the rest (meta), 13 where r is below 16, 22 where it is below 8
//   M   bits of the rest: B - r C
//   S   bits of the seed: 5, or 6 where there is room
//   G   gates: what is left, 25 at most
//   N   classes, 64 at most, of which the first G have a gate; keys of the others never leave their first block
//
// The value of a key in a block is the XOR of five columns. Their numbers are five fields of 12 bits, from bit 4 on, of
// the key's word times 2 s + 1, where s is the seed of the block: each field times C, shifted right by 12. Two equal
// numbers cancel. Odd products of one word are as good as new words, and cost one multiplication once the block is
// there. Why five: few columns are few loads from a line that is there; an even number of them could never fill the
// space of equations, three leave too many equations dependent, and five come near a random half of all columns
// (docs/sealed.md). Where columns are many, a few are left free, so that equations find a solution.
// Why N is larger than G: closing a gate moves all keys of its class. Few keys a gate let a search hit the excess of a
// block exactly, and a third to two thirds of the keys are enough to choose from.
//
// A fingerprint of two bits and more is never 0, so that a block without keys, whose columns are 0, contains nothing.
// One of one bit is free: were it always 1, columns that are all 1 would satisfy every key, stored or not.
// Invariant: the layout follows from B and r alone. It stands in files: it never changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

struct sealed_layout {
  std::uint32_t block_bits = 0;        ///< B: 256 or 512
  std::uint32_t fingerprint_bits = 0;  ///< r: 1 to 32
  std::uint32_t columns = 0;           ///< C
  std::uint32_t seed_bits = 0;         ///< S
  std::uint32_t gates = 0;             ///< G
  std::uint32_t classes = 0;           ///< N

  static constexpr std::uint32_t least_fingerprint = 1;
  static constexpr std::uint32_t most_fingerprint = 32;
  static constexpr std::uint32_t most_columns = 490;
  static constexpr std::uint32_t most_gates = 25;
  static constexpr std::uint32_t most_classes = 64;
  /// Columns that a key selects.
  static constexpr std::uint32_t selected = 5;

  constexpr sealed_layout() noexcept = default;
  /// Preconditions: B is 256 or 512, r from 1 to 32.
  constexpr sealed_layout(std::uint32_t bits, std::uint32_t r) noexcept
      : block_bits(bits), fingerprint_bits(r), columns((bits - least_meta(r)) / r) {
    const std::uint32_t left = meta_bits() - 1;  // without the bump bit
    seed_bits = left >= 21 ? 6 : 5;
    gates = std::min(left - seed_bits, most_gates);
    classes = std::min(std::max((columns + 1) / 2, gates + gates / 4), most_classes);
  }

  [[nodiscard]] constexpr std::uint32_t meta_bits() const noexcept { return block_bits - fingerprint_bits * columns; }
  [[nodiscard]] constexpr std::uint32_t bump_bit() const noexcept { return gates; }
  [[nodiscard]] constexpr std::uint32_t seed_at() const noexcept { return gates + 1; }
  [[nodiscard]] constexpr std::uint32_t seeds() const noexcept { return 1U << seed_bits; }
  /// Where a column begins: a bit of the block.
  [[nodiscard]] constexpr std::uint32_t column_at(std::uint32_t number) const noexcept {
    return meta_bits() + fingerprint_bits * number;
  }
  /// Keys that the equations of a block are made for: some columns stay free where they are many.
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept { return columns - columns / 100; }

  /// Sixteenths of keys a block, on average, for which a filter of such blocks is made: as many as let 1.0575 blocks a
  /// hit suffice and about 0.01% of the keys be bumped. Measured with filters of 500,000 keys (docs/sealed.md);
  /// the number of blocks that a builder chooses follows from it.
  [[nodiscard]] constexpr std::uint32_t load_16ths() const noexcept {
    constexpr std::uint16_t of_512[] = {7690, 3840, 2545, 1900, 1528, 1260, 1086, 956, 849, 756, 688,
                                        626,  574,  530,  494,  462,  432,  401,  383, 360, 337, 320,
                                        304,  288,  280,  270,  256,  239,  239,  224, 222, 208};
    constexpr std::uint16_t of_256[] = {3670, 1826, 1220, 904, 708, 594, 499, 445, 395, 350, 315,
                                        285,  255,  239,  222, 206, 190, 175, 159, 158, 143, 142,
                                        127,  127,  112,  112, 110, 96,  96,  94,  81,  81};
    return (block_bits == 512 ? of_512 : of_256)[fingerprint_bits - least_fingerprint];
  }
  /// Blocks for this many keys. One block holds as many keys as its equations are made for. Precondition: keys below
  /// 2^60.
  [[nodiscard]] constexpr std::uint64_t blocks_for(std::uint64_t keys) const noexcept {
    if (keys <= capacity()) return 1;
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

  /// The columns that a key selects in a block with this seed; equal ones cancel.
  [[nodiscard]] constexpr std::array<std::uint32_t, selected> numbers(std::uint64_t word,
                                                                      std::uint64_t seed) const noexcept {
    const std::uint64_t fields = word * (2 * seed + 1);
    std::array<std::uint32_t, selected> all{};
    for (std::uint32_t i = 0; i < selected; ++i) all[i] = static_cast<std::uint32_t>(number_in(fields, i, columns));
    return all;
  }
  /// The number of a column that field i gives.
  [[nodiscard]] static constexpr std::uint64_t number_in(std::uint64_t fields, std::uint32_t i,
                                                         std::uint32_t columns) noexcept {
    return (((fields >> (4 + 12 * i)) & 0xfffU) * columns) >> 12;
  }

private:
  [[nodiscard]] static constexpr std::uint32_t least_meta(std::uint32_t r) noexcept {
    return r < 8 ? 22 : r < 16 ? 13 : 12;
  }
};

/// What a sealed filter knows of a key beside its blocks.
struct sealed_key {
  std::uint64_t word;  ///< a full mix of the digest: selects columns
  std::uint64_t rest;  ///< a product of it: high half the fingerprint, low half the class

  constexpr explicit sealed_key(digest x) noexcept : word(derive(x, use::sealed_columns)), rest(x.value * golden) {}

  [[nodiscard]] constexpr std::uint32_t class_of(std::uint32_t classes) const noexcept {
    return reduce_32(static_cast<std::uint32_t>(rest), classes);
  }
  /// 1 to 2^r - 1; of one bit, 0 or 1.
  [[nodiscard]] constexpr std::uint32_t fingerprint(std::uint32_t r) const noexcept {
    const auto print = static_cast<std::uint32_t>((rest >> 32) & bits::low_bits(r));
    return print + (print == 0 && r != 1 ? 1U : 0U);
  }
};

}  // namespace sluice::detail
