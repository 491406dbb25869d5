// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// RocksDB's Bloom filters (FastLocalBloom): its layout and its probes, their number chosen as RocksDB does, with our
// hash of 64 bits in place of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/hash.hpp"
#include "util/bloom_impl.h"

namespace peers {

class fast_local_bloom {
public:
  fast_local_bloom(std::uint64_t keys, double bits)
      : bytes_(static_cast<std::uint32_t>((static_cast<std::uint64_t>(bits * static_cast<double>(keys)) / 8 + 63) &
                                          ~63ULL)),
        probes_(ROCKSDB_NAMESPACE::FastLocalBloomImpl::ChooseNumProbes(static_cast<int>(bits * 1000))),
        filter_(bytes_ + 64) {
    begin_ = 64 - reinterpret_cast<std::uintptr_t>(filter_.data()) % 64;
  }
  static std::string name() { return "RocksDB FastLocalBloom"; }
  void insert(std::uint64_t key) {
    const std::uint64_t h = sluice::hasher()(key).value;
    ROCKSDB_NAMESPACE::FastLocalBloomImpl::AddHash(low(h), high(h), bytes_, probes_, filter_.data() + begin_);
  }
  [[nodiscard]] bool may_contain(std::uint64_t key) const {
    const std::uint64_t h = sluice::hasher()(key).value;
    return ROCKSDB_NAMESPACE::FastLocalBloomImpl::HashMayMatch(low(h), high(h), bytes_, probes_,
                                                               filter_.data() + begin_);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
  static std::uint32_t low(std::uint64_t h) { return static_cast<std::uint32_t>(h); }
  static std::uint32_t high(std::uint64_t h) { return static_cast<std::uint32_t>(h >> 32U); }
  std::uint32_t bytes_;
  int probes_;
  std::vector<char> filter_;
  std::size_t begin_ = 0;
};

}  // namespace peers
