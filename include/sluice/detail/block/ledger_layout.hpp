// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/ledger_layout: where everything lies in the block of a ledger, and what a key is there.
//
//   bit 0              S rho             S rho + S + Q     ... + S     ... + G   511
//   | S slots of rho   | sizes, unary    | S guest flags   | G gates   | list bit |
//
//   rho   bits of a remainder: 8, 12, 15, 16 or 24
//   S     slots, each with the remainder of one entry, in the order of the entries' quotients; those in use come first
//   Q     quotients: as many as fill the block to its last bit
//   G     gates: 20, one for each class of entries
//
// sizes     for each quotient as many ones as it has entries, and a zero. So an empty block is all zeros, the ones are
//           the entries, and the entries of quotient q lie in the slots between the zeros number q - 1 and q.
// guest     the entry's first block is another one.
// gate      closed: an entry of this class whose first block this is may be a guest in its second one.
// list bit  a key whose first block this is may be in the list.
//
// An entry is a quotient and a remainder: what a block keeps of a key. Everything else follows from it and from the
// block where it lies: its class, its second block, and of a guest its first. So keys with equal entries and equal
// first blocks have everything in common, and erasing one of them leaves the other.
//
// Slots are rho bits wide; an age beside each remainder would make them wider and S smaller, and change nothing else.
// Invariant: the layout follows from rho alone. It stands in files: it never changes.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// What a block keeps of a key.
struct ledger_entry {
  std::uint32_t quotient;
  std::uint32_t remainder;
  friend constexpr bool operator==(const ledger_entry&, const ledger_entry&) noexcept = default;
};

struct ledger_layout {
  static constexpr std::uint32_t block_bits = 512;
  static constexpr std::uint32_t gates = 20;
  static constexpr std::uint32_t list_bit = block_bits - 1;
  static constexpr std::array<std::uint32_t, 5> all_remainders = {8, 12, 15, 16, 24};

  std::uint32_t remainder_bits = 0;  ///< rho
  std::uint32_t slots = 0;           ///< S
  std::uint32_t quotients = 0;       ///< Q

  constexpr ledger_layout() noexcept = default;
  /// Precondition: rho is one of all_remainders.
  constexpr explicit ledger_layout(std::uint32_t rho) noexcept
      : remainder_bits(rho), slots(slots_of(rho)), quotients(list_bit - gates - slots * (rho + 2)) {}

  [[nodiscard]] constexpr std::uint32_t sizes_at() const noexcept { return slots * remainder_bits; }
  [[nodiscard]] constexpr std::uint32_t sizes_bits() const noexcept { return slots + quotients; }
  [[nodiscard]] constexpr std::uint32_t flags_at() const noexcept { return sizes_at() + sizes_bits(); }
  [[nodiscard]] constexpr std::uint32_t gates_at() const noexcept { return flags_at() + slots; }

  /// The share of all entries that so many keys a block are: the rate at which absent keys are found.
  [[nodiscard]] constexpr double rate_of(double keys_per_block) const noexcept {
    return keys_per_block / (static_cast<double>(quotients) * static_cast<double>(1U << remainder_bits));
  }

  /// From a product of the whole digest, folded: as good as a full mix (hash_independence_test), and shorter.
  [[nodiscard]] constexpr ledger_entry entry_of(digest x) const noexcept {
    const std::uint64_t product = (x.value ^ (x.value >> 32)) * golden;
    const std::uint64_t word = product ^ (product >> 32);
    return {reduce_32(static_cast<std::uint32_t>(word >> 32), quotients),
            static_cast<std::uint32_t>(word) & ((1U << remainder_bits) - 1)};
  }
  // What follows from an entry alone: products of its bits, each with all of them in its high half.
  [[nodiscard]] constexpr std::uint32_t class_of(ledger_entry e) const noexcept {
    return reduce_32(static_cast<std::uint32_t>(bits_of(e)) * 0x9e3779b1U, gates);
  }
  /// Where its second block is drawn from.
  [[nodiscard]] constexpr std::uint64_t word_of(ledger_entry e) const noexcept {
    return bits_of(e) * 0xbf58476d1ce4e5b9U;
  }

private:
  [[nodiscard]] constexpr std::uint64_t bits_of(ledger_entry e) const noexcept {
    return std::uint64_t{e.quotient} << remainder_bits | e.remainder;
  }
  /// As many as leave the quotients that make the fewest false positives for the memory (docs/ledger.md).
  [[nodiscard]] static constexpr std::uint32_t slots_of(std::uint32_t rho) noexcept {
    switch (rho) {
      case 8:
        return 44;
      case 12:
        return 33;
      case 15:
        return 28;
      case 16:
        return 26;
      default:
        return 18;
    }
  }
};

/// The layout of a remainder that is known when the code is compiled.
template <std::uint32_t Rho>
inline constexpr ledger_layout ledger_layout_of{Rho};

}  // namespace sluice::detail
