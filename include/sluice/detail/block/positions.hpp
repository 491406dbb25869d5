// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/positions: which bits of a block belong to a key. A key owns endless streams of 32-bit numbers, one stream per
// group, and a position set is a slice of one stream: numbers first, first + 1, ..., first + count - 1.
//
//   blocked, two-choice, SINGLE, SEQUENTIAL, MHT   one slice (group 0, from 0, k numbers) in whatever block it is
//   gated                                          the same slice in the first block; the trace is its first t numbers;
//                                                  a spilled key's k2 numbers in the second block go on from t
//   choice groups                                  group j, from 0, k numbers, all in the one block there is
//
// Numbers become bit positions in the block kinds (plain: uniform over the block; laned: one lane after the other).
// Invariants: a number depends on (digest, group, index) alone, so a slice may start anywhere; numbers of different
// indices or groups are separate full mixes or separate halves of one mix. With replacement: two may coincide.
// Cost: no block is read; one mix per two numbers.
#pragma once

#include <cstdint>

#include "sluice/detail/derive.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// A set of positions, not yet tied to a block: `count` numbers of stream `group`, from number `first` on.
struct position_slice {
  std::uint32_t group = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Reads a slice number by number; two numbers come from each derived word.
class position_numbers {
public:
  constexpr position_numbers(digest x, position_slice slice) noexcept
      : x_(x), next_((static_cast<std::uint64_t>(slice.group) << 32) | slice.first) {
    word_ = derive(x_, use::positions, next_ / 2);
  }

  [[nodiscard]] constexpr std::uint32_t next() noexcept {
    const bool upper = (next_ & 1U) != 0;
    const auto number = static_cast<std::uint32_t>(upper ? word_ >> 32 : word_);
    ++next_;
    if (upper) word_ = derive(x_, use::positions, next_ / 2);
    return number;
  }

private:
  digest x_;
  std::uint64_t next_;  // group in the upper half, number in the lower
  std::uint64_t word_;
};

}  // namespace sluice::detail
