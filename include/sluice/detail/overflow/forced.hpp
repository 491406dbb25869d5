// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow/forced: SINGLE, SEQUENTIAL and MHT without a list, or with one that is full. A key that none of its
// candidates accepts is put into one of them all the same, which may grow beyond h + 1.
//
//   first candidate    always H_1(x): the default, and the better choice (its misses stop no later, and the largest
//                      subtable spreads the excess widest)
//   random candidate   one of the d, chosen by the digest: the paper's rule
//
// Why there are no false negatives. The key was rejected by all d candidates; loads only grow and coins belong to the
// key, so all d reject it for ever, and no walk for it ever stops early. It reaches the candidate that holds its bits,
// whichever that is, and finds it there. (The counter saturates at h + 1, where a block rejects everybody: nothing more
// is needed.) Cost: a lookup is the same walk, and answers false after the last candidate; there is nothing else to
// ask.
#pragma once

#include <cstdint>
#include <span>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

/// Precondition: all candidates rejected the key.
constexpr void force(const auto& placement, const auto& blocks, digest x, bool random) noexcept {
  const std::uint64_t choice = random ? reduce(derive(x, use::forced_choice), placement.candidates(x)) : 0;
  const auto c = placement.at(x, static_cast<std::uint32_t>(choice));
  blocks.put(c.block, x, c.positions);
}

class forced_overflow {
public:
  struct options {
    bool random = false;
  };
  using view_type = no_overflow::view_type;

  constexpr explicit forced_overflow(options how, const overflow_state& state = {}) noexcept
      : how_(how), forced_(state.keys) {}

  [[nodiscard]] constexpr overflow_state state() const noexcept { return {.keys = forced_}; }
  [[nodiscard]] static constexpr view_type view() noexcept { return {}; }
  [[nodiscard]] static constexpr admission admit(std::uint32_t accesses) noexcept { return {true, accesses}; }
  static constexpr void charge(const admission& /*admitted*/) noexcept {}
  [[nodiscard]] constexpr bool take(const auto& placement, const auto& blocks, digest x) noexcept {
    force(placement, blocks, x, how_.random);
    ++forced_;
    return true;
  }
  constexpr std::span<const digest> absorb(const forced_overflow& other) noexcept {
    forced_ += other.forced_;
    return {};
  }
  constexpr void clear() noexcept { forced_ = 0; }
  /// How many keys were forced; they occupy no memory of their own.
  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return forced_; }
  [[nodiscard]] static constexpr std::uint64_t memory_bytes() noexcept { return 0; }

private:
  options how_;
  std::uint64_t forced_;
};

}  // namespace sluice::detail
