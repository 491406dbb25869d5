// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys, shapes and builds that the tests of static filters share.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/sluice.hpp"

namespace testing_support {

inline std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = first + i;
  return keys;
}

inline constexpr std::uint64_t elsewhere = std::uint64_t{1} << 40;

inline sluice::gated_parameters static_shape(std::uint64_t keys, double bits_per_key, std::uint32_t block_bits = 512,
                                             std::uint64_t seed = 0) {
  return {.blocks = sluice::blocks_for(keys, bits_per_key, block_bits),
          .block_bits = block_bits,
          .hashes = 16,
          .trace = 4,
          .second_hashes = 13,
          .threshold = 177,
          .margin = 6,
          .seed = seed};
}

inline sluice::filter built(const sluice::gated_parameters& p, const std::vector<std::uint64_t>& keys,
                            const sluice::build_options& options = {}) {
  sluice::static_builder b(p);
  b.insert_bulk(keys);
  return b.build(options);
}

}  // namespace testing_support
