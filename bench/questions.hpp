// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the benchmarks store and ask for: integer keys, so that hashing them takes no time worth speaking of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

/// Keys 0, 1, 2 and so on.
[[nodiscard]] inline std::vector<std::uint64_t> stored_keys(std::uint64_t count) {
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = i;
  return keys;
}

/// Keys to ask for: in no order that the filter or a cache could like.
struct questions {
  std::vector<std::uint64_t> hits;
  std::vector<std::uint64_t> misses;
  std::uint64_t rounds;  ///< how often they are asked, so that a run takes long enough to be timed

  explicit questions(std::uint64_t keys) : rounds(std::max<std::uint64_t>(1, most / keys)) {
    constexpr std::uint64_t absent = std::uint64_t{1} << 40;
    const std::uint64_t asked = std::min(keys, most);
    for (std::uint64_t i = 0; i < asked; ++i) {
      hits.push_back(i * 7919 % keys);
      misses.push_back(absent + i * 977);
    }
  }

private:
  static constexpr std::uint64_t most = 4'000'000;
};

/// A loop of its own, not inlined, so that every filter is compiled as in a program that uses it alone.
template <class Filter>
[[gnu::noinline]] std::uint64_t ask_one_by_one(const Filter& f, const std::vector<std::uint64_t>& keys) {
  std::uint64_t found = 0;
  for (const std::uint64_t key : keys) found += f.may_contain(key) ? 1U : 0U;
  return found;
}

}  // namespace bench
