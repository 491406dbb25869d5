// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/ledger_chain: chains of ledgers, which grow and give keys back: a growing_filter, a file, a key on a Redis
// server.
//
//   link 0, m blocks             link 1, k m blocks            link 2, k^2 m blocks     one seed, one remainder
//
// A ledger keeps entries, and keys that look alike share them: to erase a key is to take an entry like its own. In one
// ledger that is as good as the key's own (placement/ledger.hpp). In a chain it is so if
//   - links are nested: each has a whole multiple of the blocks of the one before. Then keys that look alike in a link
//     look alike in all links before it.
//   - the lists of all links are asked first, which are exact, and then the blocks, those of the last link first. What
//     is taken from link j for a key that lies in a link i < j belongs to a key that looks like it in j, and so in i:
//     the entry that stays in i is that key's now.
// Any other order, or links that are not nested, would take what another key needs. It does not matter which link took
// a key: new ones go where there is room, into the last link that has some.
//
// Remainders are equally long in all links, and so rates do not fall from link to link: the first is planned for a
// chain of `planned_ledgers`.
// Cost: a lookup is that of each link, until one has the key; an erasure reads a block of every link, and one more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

class filter;

namespace extend {

/// Links for which a chain of ledgers is planned: more of them have more false positives than were asked for.
inline constexpr std::uint32_t planned_ledgers = 8;

/// The smallest first link for so many keys, at this rate of its own: a power of two of blocks, or whole pages, so that
/// chains that grow by powers of two stay nested. Throws parameter_error where no ledger reaches the rate.
[[nodiscard]] ledger_parameters first_ledger(std::uint64_t keys, double fpr, std::uint64_t seed);
/// How many keys it is good for at this rate: more than it was asked for, where its blocks were rounded up.
[[nodiscard]] std::uint64_t capacity_of_ledger(const ledger_parameters& p, double fpr);
/// How many keys a ledger takes at most, whatever its rate is then.
[[nodiscard]] std::uint64_t most_keys_of_ledger(const ledger_parameters& p);
/// The link behind it, of `factor` times as many blocks. Throws parameter_error if there cannot be as many.
[[nodiscard]] ledger_parameters next_ledger(const ledger_parameters& last, std::uint64_t factor);
/// Can the second follow the first in a chain?
[[nodiscard]] bool are_nested(const parameters& first, const parameters& second);
/// The rate of a ledger of so many keys.
[[nodiscard]] double rate_of_ledger(const ledger_parameters& p, std::uint64_t keys);

/// The halves of filter::erase: from the list, which is exact, and from the blocks. Both throw parameter_error for
/// filters of other schemes.
bool erase_listed(filter& f, digest x);
bool erase_entry(filter& f, digest x);

/// Erases one copy of a key; false, if nothing was like it. filter_at(number) is the filter of a link.
template <class FilterAt>
bool erase_from_chain(std::size_t count, digest x, const FilterAt& filter_at) {
  for (std::size_t number = 0; number < count; ++number) {
    if (erase_listed(filter_at(number), x)) return true;
  }
  for (std::size_t number = count; number-- > 0;) {
    if (erase_entry(filter_at(number), x)) return true;
  }
  return false;
}

/// The link that takes the next key: the last one that has room; `count`, if none has. room_at(number) is how many keys
/// a link takes before it is full.
template <class RoomAt>
[[nodiscard]] std::size_t ledger_with_room(std::size_t count, const RoomAt& room_at) {
  for (std::size_t number = count; number-- > 0;) {
    if (room_at(number) != 0) return number;
  }
  return count;
}

}  // namespace extend

}  // namespace sluice
