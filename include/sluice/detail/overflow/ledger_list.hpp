// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow/ledger_list: the keys of a ledger for which there was no room in their blocks, kept exactly: their digests
// in ascending order, 8 bytes each, as often as they were inserted.
//
//   slots: digests as 64-bit words, little-endian, none smaller than the one before
//
// In the order of digests the keys of a block, and of a page, lie beside each other: their first block is a monotone
// function of the digest.
//
// Invariants: at most 255 copies of a key; at most as many keys as the options allow.
// Cost: no block is read; 8 bytes a key. A change moves what lies behind: lists are short, by chance some keys in a
// hundred thousand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

/// A sorted list that changes.
class ledger_list : public sorted_list {
public:
  struct options {
    std::uint64_t capacity = 0;  ///< keys that it holds at most
  };
  static constexpr std::uint64_t most_copies = 255;
  /// The most keys of a list beside so many slots: ten times what chance leaves at the fill at which a ledger is full.
  /// Small ones may be unlucky.
  [[nodiscard]] static constexpr std::uint64_t capacity_beside(std::uint64_t slots) noexcept {
    return most_copies + slots / 128;
  }

  explicit ledger_list(options how) noexcept : sorted_list(sorted_list::options{}), how_(how) {}
  ledger_list(options how, const overflow_state& state) : sorted_list(sorted_list::options{}, state), how_(how) {}

  [[nodiscard]] digest operator[](std::uint64_t number) const noexcept { return view()[number]; }
  [[nodiscard]] std::uint64_t lower_bound(digest x) const noexcept { return view().lower_bound(x); }

  /// Throws full_error where there is no room, and std::bad_alloc; then nothing has changed.
  void insert(digest x) {
    const std::uint64_t number = lower_bound(x);
    if (size() >= how_.capacity) {
      throw full_error("the blocks of this key are full, and the list has its " + std::to_string(how_.capacity) +
                       " keys already; erase some, or make a larger filter. If it is far from full, its keys were "
                       "probably chosen by a party that knows the seed; build it with a random one");
    }
    if (number + most_copies <= size() && (*this)[number + most_copies - 1] == x) {
      throw full_error("this key was inserted so often that its blocks are full of it, and " +
                       std::to_string(most_copies) + " copies are in the list; more are not kept");
    }
    std::byte word[bits::word_bytes];
    bits::store_word(word, 0, x.value);
    slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(number * bits::word_bytes), word,
                  word + bits::word_bytes);
  }
  /// One copy; false, if there is none.
  bool erase(digest x) noexcept {
    const std::uint64_t number = lower_bound(x);
    if (number >= size() || (*this)[number] != x) return false;
    erase_at(number);
    return true;
  }
  void erase_at(std::uint64_t number) noexcept {
    const auto at = slots_.begin() + static_cast<std::ptrdiff_t>(number * bits::word_bytes);
    slots_.erase(at, at + bits::word_bytes);
  }

private:
  options how_;
};

/// How many copies of a key a list has.
[[nodiscard]] inline std::uint64_t copies_in(const sorted_list_view& list, digest x) noexcept {
  std::uint64_t number = list.lower_bound(x);
  const std::uint64_t first = number;
  while (number < list.size() && list[number] == x) ++number;
  return number - first;
}

}  // namespace sluice::detail
