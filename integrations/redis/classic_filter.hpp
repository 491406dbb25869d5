// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// classic_filter: one filter of a RedisBloom chain, as its BF.SCANDUMP gives it. It can be asked, not added to: its
// bits cannot be hashed again into blocks.
//
//   a = MurmurHash64A(item, 0xc6a4a7935bd1e995), b = MurmurHash64A(item, a); bit i of k: (a + i b) mod range
//
// Invariant: range is at least 1 and lies within the bits.
// Cost: up to k random bits for a lookup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace sluice::redis {

/// MurmurHash64A, by Austin Appleby (public domain), on little-endian words.
[[nodiscard]] inline std::uint64_t murmur_64a(std::string_view bytes, std::uint64_t seed) noexcept {
  constexpr std::uint64_t m = 0xc6a4a7935bd1e995U;
  constexpr unsigned r = 47;
  const auto little_endian = [&](std::size_t at, std::size_t count) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    }
    return word;
  };
  std::uint64_t h = seed ^ (bytes.size() * m);
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t k = little_endian(at, 8) * m;
    k = (k ^ (k >> r)) * m;
    h = (h ^ k) * m;
  }
  if (at < bytes.size()) h = (h ^ little_endian(at, bytes.size() - at)) * m;
  h = (h ^ (h >> r)) * m;
  return h ^ (h >> r);
}

struct classic_filter {
  std::pmr::vector<std::byte> bits;
  std::uint64_t range = 0;  ///< positions are below it
  std::uint32_t hashes = 0;
  std::uint64_t keys = 0;
  std::uint64_t capacity = 0;
  double error = 0;

  [[nodiscard]] bool may_contain(std::string_view item) const noexcept {
    const std::uint64_t a = murmur_64a(item, 0xc6a4a7935bd1e995U);
    const std::uint64_t b = murmur_64a(item, a);
    for (std::uint32_t i = 0; i < hashes; ++i) {
      const std::uint64_t position = (a + i * b) % range;
      if ((std::to_integer<unsigned>(bits[position / 8]) >> (position % 8) & 1U) == 0) return false;
    }
    return true;
  }
};

}  // namespace sluice::redis
