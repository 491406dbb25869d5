// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/chain: what every chain of filters does, whoever owns its links: a growing_filter, a file, the value of a key
// on a Redis server. A key may be in any link, and is asked of the last one first; the last one takes new keys. A union
// has the links of both: those of one size are one where both together have room.
// Cost: that of a bulk lookup in every link for an absent key; digests are made once.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sluice/detail/bulk/absent_keys.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/errors.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"

namespace sluice::extend {

/// The share of a chain's rate that its links have together: models are good to 5%, and one filter differs from the
/// next.
inline constexpr double share_of_links = 0.9;

/// The rate of link `number` of a chain of this rate, of which each link leaves `left` to those behind it.
[[nodiscard]] inline double rate_of_link(double fpr, double left, std::uint64_t number) noexcept {
  double rate = fpr * (1 - left);
  for (std::uint64_t i = 0; i < number; ++i) rate *= left;  // products are the same on every machine
  return rate * share_of_links;
}

/// How many of so many keys are found by chance, at this rate, but for one time in a billion (by Chernoff's bound).
[[nodiscard]] inline std::uint64_t most_found_by_chance(double rate, std::uint64_t keys) noexcept {
  constexpr double rarely = 20.723;  // ln 1e9
  const double mean = rate * static_cast<double>(keys);
  if (!(mean > 0)) return 0;
  double low = mean;
  double high = mean + 10 * std::sqrt(mean) + 40;  // far enough, from a mean of 1e-9 to the largest
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    (middle * std::log(middle / mean) - middle + mean < rarely ? low : high) = middle;
  }
  return static_cast<std::uint64_t>(high);
}
/// Of the keys of such a chain: so many may be in it beside those that it counted. An erasable one counts all.
[[nodiscard]] inline std::uint64_t most_found_by_chance(const growth& how, std::uint64_t keys) noexcept {
  return how.erasable ? 0 : most_found_by_chance(how.fpr, keys);
}

/// ask(number, digests, found) looks keys up in one link of `count`. Writes 1 or 0 for each key of the chunk.
template <class Ask>
void look_up_chain(std::size_t count, const detail::bulk::chunk& some, std::uint8_t* out, const Ask& ask) {
  detail::bulk::absent_keys left(std::span(some.digests, some.count));
  for (std::size_t number = count; number-- > 0 && !left.empty();) {
    left.drop([&](std::span<const digest> asked, std::span<std::uint8_t> found) { ask(number, asked, found); });
  }
  std::fill_n(out, some.count, std::uint8_t{1});
  left.write_absent(out);
}

/// Inserts keys in their order, as many at once as the last link has room for: room() is how many new keys it takes
/// before it is full, insert_some(first, count) inserts as many, and insert_one(number) a key that may need another
/// link; false ends it all there.
template <class Room, class InsertSome, class InsertOne>
void insert_by_room(std::size_t keys, const Room& room, const InsertSome& insert_some, const InsertOne& insert_one) {
  for (std::size_t done = 0; done < keys;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(keys - done, room()));
    if (count != 0) {
      insert_some(done, count);
      done += count;
    } else if (!insert_one(done++)) {
      return;
    }
  }
}

/// Inserts keys into the last of `count` links where no other has them, and writes 1 for those that were new, 0 for
/// others, unless out is null. filter_at(number) is the filter of a link. Returns how many were new. Precondition: the
/// last has room for them, and takes keys without refusing any.
template <class FilterAt>
std::uint64_t insert_into_last(std::size_t count, std::span<const digest> keys, std::uint32_t threads,
                               std::uint8_t* out, const FilterAt& filter_at) {
  if (out != nullptr) std::fill_n(out, keys.size(), std::uint8_t{0});
  detail::bulk::absent_keys left(keys);
  for (std::size_t number = 0; number + 1 < count; ++number) left.drop_found(std::as_const(filter_at(number)), threads);
  return left.insert_into(filter_at(count - 1), threads, out);
}

/// A filter of a chain: how many keys it was planned for and how many it has, and its union with another of its shape.
template <class Link>
concept chain_link_kind = requires(Link ours, const Link theirs) {
  { std::invoke(&Link::capacity, theirs) } -> std::convertible_to<std::uint64_t>;
  { theirs.keys() } -> std::convertible_to<std::uint64_t>;
  { theirs.can_merge(theirs) } -> std::same_as<bool>;
  { theirs.is_copy_of(theirs) } -> std::same_as<bool>;  // it has nothing more to give
  ours.merge(theirs);
};

template <chain_link_kind Link>
[[nodiscard]] std::uint64_t capacity_of(const Link& l) {
  return std::invoke(&Link::capacity, l);
}

/// How many new keys a link takes before it is full.
template <chain_link_kind Link>
[[nodiscard]] std::uint64_t room_in(const Link& l) {
  return capacity_of(l) - std::min<std::uint64_t>(capacity_of(l), l.keys());
}

/// Unites links of `others` with links of one size where both together have room, or always, if `beyond_capacity`; all
/// others are added, but for copies of what is there, each after before_adding(it), which may throw. Two ledgers may
/// have room by number, and yet refuse, because of a block that is full: then they are as they were, and stay apart. So
/// do links that a chain of another version planned in another way.
template <chain_link_kind Link, class BeforeAdding>
void take_links(std::vector<Link>& merged, std::span<const Link> others, bool beyond_capacity,
                const BeforeAdding& before_adding) {
  const auto takes = [&](Link& ours, const Link& theirs) {
    if (capacity_of(ours) != capacity_of(theirs) || !ours.can_merge(theirs)) return false;
    if (!beyond_capacity && ours.keys() + theirs.keys() > capacity_of(ours)) return false;
    try {
      ours.merge(theirs);
    } catch (const merge_error&) {
      if (beyond_capacity) throw;
      return false;
    }
    return true;
  };
  for (const Link& theirs : others) {
    if (std::any_of(merged.begin(), merged.end(), [&](const Link& ours) { return theirs.is_copy_of(ours); })) continue;
    std::size_t number = 0;
    while (number < merged.size() && !takes(merged[number], theirs)) ++number;
    if (number != merged.size()) continue;
    before_adding(theirs);
    merged.push_back(theirs);
  }
}

/// Ascending, and of each size the fullest first: the last link is the one to write to.
template <chain_link_kind Link>
void sort_links(std::vector<Link>& links) {
  std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return capacity_of(a) != capacity_of(b) ? capacity_of(a) < capacity_of(b) : a.keys() > b.keys();
  });
}

}  // namespace sluice::extend
