// overflow: what happens to a key that no block takes.
//
//   no_overflow   the placement takes every key; nothing is ever asked           blocked, two-choice, 1+alpha, gated
//   exact_list    the digest is kept in an exact set                             SINGLE, SEQUENTIAL, MHT
//
// An overflow is an owner that can grow and a view_type that only answers: a view over foreign bytes has the latter.
// What it must keep true: after take(x), may_contain(x) is true for ever.
// Cost: reads of the overflow are not blocks and are not counted as such; its size and memory are reported apart.
#pragma once

#include <concepts>
#include <cstdint>

#include "sluice/hash.hpp"

namespace sluice {

template <class V>
concept overflow_view = std::copyable<V> && requires(const V view, digest x) {
  { view.may_contain(x) } -> std::same_as<bool>;
};

template <class O>
concept overflow = requires(O owner, const O constant, digest x) {
  requires overflow_view<typename O::view_type>;
  { constant.view() } -> std::same_as<typename O::view_type>;
  { owner.take(x) } -> std::same_as<bool>;  // true if it was not there before
  { owner.absorb(constant) };               // union
  { owner.clear() };
  { constant.size() } -> std::convertible_to<std::uint64_t>;
  { constant.memory_bytes() } -> std::convertible_to<std::uint64_t>;
};

/// For placements that take every key.
class no_overflow {
public:
  struct view_type {
    [[nodiscard]] static constexpr bool may_contain(digest /*x*/) noexcept { return false; }
  };

  [[nodiscard]] static constexpr view_type view() noexcept { return {}; }
  [[nodiscard]] static constexpr bool take(digest /*x*/) noexcept { return false; }
  static constexpr void absorb(const no_overflow& /*other*/) noexcept {}
  static constexpr void clear() noexcept {}
  [[nodiscard]] static constexpr std::uint64_t size() noexcept { return 0; }
  [[nodiscard]] static constexpr std::uint64_t memory_bytes() noexcept { return 0; }
};

}  // namespace sluice
