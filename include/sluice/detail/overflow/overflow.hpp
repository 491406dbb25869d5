// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow: what happens to a key that no block takes.
//
//   no_overflow       the placement takes every key; nothing is ever asked       blocked, 1+alpha, Bloom-g, gated, ...
//   exact_list        the digest is kept in an exact set, of bounded size or not SINGLE, SEQUENTIAL, MHT
//   forced_overflow   the key is put into one of its candidates all the same     SINGLE, SEQUENTIAL, MHT without a list
//   sorted_list       digests that a builder left, in order; it takes no more    sealed
//   ledger_list       digests in order, as often as they were inserted           ledger; its placement adds and takes
//
// An overflow is an owner and a view_type that only answers: a view over caller-owned bytes has the latter. Owners that
// take keys grow. Small options, which a recipe carries, say how an owner is made.
// What it must keep true: after take(x), a lookup of x is true for ever, either because may_contain(x) is, or because a
// walk now finds x in a block.
// Cost: reads of the overflow are not blocks and are not counted as such; its size and memory are reported apart.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sluice/hash.hpp"
#include "sluice/statistics.hpp"

namespace sluice::detail {

/// Views are equal if both have the same keys, wherever these lie.
template <class V>
concept overflow_view = std::copyable<V> && requires(const V view, const overflow_state state, digest x) {
  { view == view } -> std::same_as<bool>;
  V(state);
  { view.may_contain(x) } -> std::same_as<bool>;
  { view.asked_when_stopped() } -> std::same_as<bool>;  // must it be asked even if the walk stopped early?
};

/// May an insertion that has made these accesses put its key into a block, and how many of them count?
struct admission {
  bool may_place;
  std::uint32_t accesses;
};

/// What is kept, and asked.
template <class O>
concept overflow = requires(O owner, const O constant, const typename O::options how, const overflow_state state) {
  requires overflow_view<typename O::view_type>;
  O(how);
  O(how, state);  // as it was
  { constant.state() } -> std::same_as<overflow_state>;
  { constant.view() } -> std::same_as<typename O::view_type>;
  { owner.clear() };
  { constant.size() } -> std::convertible_to<std::uint64_t>;
  { constant.memory_bytes() } -> std::convertible_to<std::uint64_t>;
};

/// What takes keys as well.
template <class O>
concept growing_overflow = overflow<O> && requires(O owner, const O constant) {
  { constant.admit(std::uint32_t{}) } -> std::same_as<admission>;  // asked for every new key,
  { owner.charge(admission{}) };                                   // and told when the key is in
  // Union. Returns the digests for which there is no room: take() puts them into the blocks when those are united, too.
  { owner.absorb(constant) } -> std::convertible_to<std::span<const digest>>;
};
// and  bool take(placement, blocks, x): true if it was not there before.

/// For placements that take every key.
class no_overflow {
public:
  struct options {};
  struct view_type {
    constexpr view_type() noexcept = default;
    constexpr explicit view_type(const overflow_state& /*state*/) noexcept {}
    [[nodiscard]] static constexpr bool may_contain(digest /*x*/) noexcept { return false; }
    [[nodiscard]] static constexpr bool asked_when_stopped() noexcept { return false; }
    friend constexpr bool operator==(view_type, view_type) noexcept = default;
  };

  constexpr explicit no_overflow(options /*how*/, const overflow_state& /*state*/ = {}) noexcept {}

  [[nodiscard]] static constexpr overflow_state state() noexcept { return {}; }
  [[nodiscard]] static constexpr view_type view() noexcept { return {}; }
  [[nodiscard]] static constexpr admission admit(std::uint32_t accesses) noexcept { return {true, accesses}; }
  static constexpr void charge(const admission& /*admitted*/) noexcept {}
  [[nodiscard]] static constexpr bool take(const auto& /*placement*/, const auto& /*blocks*/, digest /*x*/) noexcept {
    return false;
  }
  static constexpr std::span<const digest> absorb(const no_overflow& /*other*/) noexcept { return {}; }
  static constexpr void clear() noexcept {}
  [[nodiscard]] static constexpr std::uint64_t size() noexcept { return 0; }
  [[nodiscard]] static constexpr std::uint64_t memory_bytes() noexcept { return 0; }
};

}  // namespace sluice::detail
