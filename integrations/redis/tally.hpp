// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// tally: all chains of the server together, counted as they change, for INFO. Chains may be freed by another thread.
// Cost: three atomic additions for each change of a chain.
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::redis {

struct totals {
  std::atomic<std::int64_t> filters = 0;
  std::atomic<std::int64_t> keys = 0;
  std::atomic<std::int64_t> bytes = 0;  ///< as the allocator gives them
  std::atomic<std::int64_t> overfull = 0;
};

[[nodiscard]] inline totals& all_chains() noexcept {
  static totals t;
  return t;
}

/// What one chain adds to the totals.
class tally {
public:
  tally() noexcept { all_chains().filters.fetch_add(1, std::memory_order_relaxed); }
  tally(const tally& other) noexcept : tally() { update(other.keys_, other.bytes_, other.overfull_); }
  tally& operator=(const tally&) = delete;
  tally(tally&&) = delete;
  tally& operator=(tally&&) = delete;
  ~tally() {
    update(0, 0, false);
    all_chains().filters.fetch_sub(1, std::memory_order_relaxed);
  }

  void update(std::uint64_t keys, std::uint64_t bytes, bool overfull) noexcept {
    totals& all = all_chains();
    all.keys.fetch_add(static_cast<std::int64_t>(keys - keys_), std::memory_order_relaxed);
    all.bytes.fetch_add(static_cast<std::int64_t>(bytes - bytes_), std::memory_order_relaxed);
    all.overfull.fetch_add((overfull ? 1 : 0) - (overfull_ ? 1 : 0), std::memory_order_relaxed);
    keys_ = keys;
    bytes_ = bytes;
    overfull_ = overfull;
  }

private:
  std::uint64_t keys_ = 0;
  std::uint64_t bytes_ = 0;
  bool overfull_ = false;
};

}  // namespace sluice::redis
