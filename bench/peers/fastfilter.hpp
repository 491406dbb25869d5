// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// fastfilter_cpp: the binary fuse filter of three places, made of all keys at once, and the cuckoo filter.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std;  // NOLINT(google-global-names-in-headers): their headers need it
// clang-format off
#include "cuckoo/cuckoofilter.h"
#include "xorfilter/3wise_xor_binary_fuse_filter_lowmem.h"
// clang-format on

namespace peers {

template <class Fingerprint>
class binary_fuse {
public:
  explicit binary_fuse(const std::vector<std::uint64_t>& keys) : filter_(keys.size()) {
    if (filter_.AddAll(keys, 0, keys.size()) != 0) throw std::runtime_error("the binary fuse filter was not built");
  }
  static std::string name() { return "binary fuse " + std::to_string(8 * sizeof(Fingerprint)); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.Contain(key) == 0; }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.SizeInBytes(); }

private:
  xorbinaryfusefilter_lowmem::XorBinaryFuseFilter<std::uint64_t, Fingerprint> filter_;
};

/// Its size is a power of two: the bits a key are what comes of it.
template <std::size_t Bits>
class cuckoo {
public:
  cuckoo(std::uint64_t keys, double /*bits*/) : filter_(keys) {}
  static std::string name() { return "cuckoo " + std::to_string(Bits); }
  void insert(std::uint64_t key) {
    if (filter_.Add(key) != 0) throw std::runtime_error("the cuckoo filter is full");
  }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.Contain(key) == 0; }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.SizeInBytes(); }

private:
  cuckoofilter::CuckooFilter<std::uint64_t, Bits> filter_;
};

}  // namespace peers
