// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// word_lookups: lookups over the bytes of a filter as 64-bit words, by extend/layouts.hpp alone: what a kernel on a GPU
// does. Constant expressions, tests on the host and tests/portability/device.cu share them.
#pragma once

#include <cstdint>

#include "sluice/extend/layouts.hpp"

namespace testing_support {

/// The positions from number `first` on, `count` of them.
template <bool Gated>
[[nodiscard]] constexpr bool holds(const std::uint64_t* block, sluice::digest x, std::uint32_t first,
                                   std::uint32_t count, std::uint32_t quads) noexcept {
  namespace lanes = sluice::extend::lanes;
  const lanes::start start = lanes::start_of(x, quads);
  std::uint64_t pair = 0;
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (i == first || i % 8 == 0) pair = lanes::word_pair_by(lanes::multiplier(i / 8), x);
    if (!sluice::extend::bits::test_bit(block, lanes::position_in<Gated>(pair, start, i, quads))) return false;
  }
  return true;
}

/// One block a key, in lanes.
struct blocked_words {
  std::uint64_t blocks;
  std::uint32_t block_bits;
  std::uint32_t hashes;

  [[nodiscard]] constexpr bool may_contain(const std::uint64_t* words, sluice::digest x) const noexcept {
    const std::uint64_t* const block = words + sluice::extend::first_block(x, blocks) * (block_bits / 64);
    return holds<false>(block, x, 0, hashes, block_bits / 128);
  }
};

/// One block a key, uniform.
struct uniform_words {
  std::uint64_t blocks;
  std::uint32_t block_bits;
  std::uint32_t hashes;

  [[nodiscard]] constexpr bool may_contain(const std::uint64_t* words, sluice::digest x) const noexcept {
    const std::uint64_t* const block = words + sluice::extend::first_block(x, blocks) * ((block_bits + 63) / 64);
    sluice::extend::uniform_positions positions(x, {.count = hashes}, block_bits);
    for (std::uint32_t i = 0; i < hashes; ++i) {
      if (!sluice::extend::bits::test_bit(block, positions.next())) return false;
    }
    return true;
  }
};

struct gated_words {
  sluice::extend::block_groups groups;
  std::uint32_t block_bits;
  std::uint32_t hashes;
  std::uint32_t trace;
  std::uint32_t second_hashes;
  bool is_static;

  [[nodiscard]] constexpr bool may_contain(const std::uint64_t* words, sluice::digest x) const noexcept {
    namespace lanes = sluice::extend::lanes;
    const std::uint32_t quads = block_bits / 128;
    const std::uint64_t first = groups.first(x);
    const std::uint64_t* const here = words + first * (block_bits / 64);
    const std::uint32_t gate = lanes::gate_bit(lanes::gate_of(lanes::start_of(x, quads)));
    const bool closed = sluice::extend::bits::test_bit(here, gate);
    if (!(closed && is_static) && holds<true>(here, x, 0, hashes, quads)) return true;
    if (!closed || !holds<true>(here, x, 0, trace, quads)) return false;
    return holds<true>(words + groups.second(x) * (block_bits / 64), x, trace, second_hashes, quads);
  }
};

/// True also where the list would have to be asked, which is none of the words.
struct sealed_words {
  sluice::extend::even_groups groups;
  sluice::extend::sealed_layout layout;

  [[nodiscard]] constexpr bool may_contain(const std::uint64_t* words, sluice::digest x) const noexcept {
    const sluice::extend::sealed_key key(x);
    const std::uint64_t first = groups.first(x);
    const std::uint64_t here = sluice::extend::bits::load_word(words + first * (layout.block_bits / 64), 0);
    const bool closed = ((layout.gates_of(here) >> key.class_of(layout.classes)) & 1U) != 0;
    const std::uint64_t asked = closed ? groups.second(x, first) : first;
    const std::uint64_t* const block = words + asked * (layout.block_bits / 64);
    std::uint64_t sum = 0;
    const std::uint64_t seed = layout.seed_of(sluice::extend::bits::load_word(block, 0));
    for (const std::uint32_t n : layout.numbers(key.word, seed)) {
      sum ^= sluice::extend::bits::read_field(block, layout.column_at(n), layout.fingerprint_bits);
    }
    return sum == key.fingerprint(layout.fingerprint_bits) || layout.is_bumped(here);
  }
};

}  // namespace testing_support
