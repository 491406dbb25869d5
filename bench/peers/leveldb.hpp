// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// LevelDB's filter policy, of Debian: a classic filter of 32-bit hashes, made of all keys at once.
#pragma once

#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace peers {

template <int Bits>
class leveldb_policy {
public:
  explicit leveldb_policy(const std::vector<std::uint64_t>& keys) : policy_(leveldb::NewBloomFilterPolicy(Bits)) {
    std::vector<leveldb::Slice> slices;
    slices.reserve(keys.size());
    for (const std::uint64_t& key : keys) slices.push_back(slice(key));
    policy_->CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter_);
  }
  static std::string name() { return "LevelDB's policy"; }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return policy_->KeyMayMatch(slice(key), filter_); }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.size(); }

private:
  static leveldb::Slice slice(const std::uint64_t& key) { return {reinterpret_cast<const char*>(&key), sizeof key}; }
  std::unique_ptr<const leveldb::FilterPolicy> policy_;
  std::string filter_;
};

}  // namespace peers
