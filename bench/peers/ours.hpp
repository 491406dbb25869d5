// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Our filters, as the peers are asked.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sluice/presets.hpp"
#include "sluice/sluice.hpp"

namespace peers {

/// What all of them are asked.
template <class Filter>
class ours {
public:
  void insert(std::uint64_t key) { filter_.insert(key); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.may_contain(key); }
  void look_up(const std::vector<std::uint64_t>& keys, std::vector<std::uint8_t>& out) const {
    filter_.may_contain_bulk(keys, out);
  }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.bytes().size(); }

protected:
  explicit ours(Filter f) : filter_(std::move(f)) {}

private:
  Filter filter_;
};

/// One whose parameters are known at run time, and the planner's.
template <sluice::scheme Which>
class planned : public ours<sluice::filter> {
public:
  planned(std::uint64_t keys, double bits)
      : ours(sluice::filter(sluice::best_plan({.keys = static_cast<double>(keys),
                                               .memory_bits = bits * static_cast<double>(keys),
                                               .by = sluice::plan_by::bits,
                                               .erase = Which == sluice::scheme::ledger,
                                               .among = {Which}})
                                .params)) {}
  static std::string name() { return "sluice " + std::string(sluice::name_of(Which)); }
};

/// One whose shape the compiler knows.
template <std::uint32_t Hashes>
class blocked_preset : public ours<sluice::presets::blocked_512<Hashes>> {
public:
  blocked_preset(std::uint64_t keys, double bits)
      : blocked_preset::ours(sluice::presets::blocked_512<Hashes>(sluice::blocks_for(keys, bits))) {}
  static std::string name() { return "sluice blocked preset"; }
};

/// Of all keys at once: so many bits of fingerprint.
template <std::uint32_t Bits>
class sealed : public ours<sluice::filter> {
public:
  explicit sealed(const std::vector<std::uint64_t>& keys) : ours(made(keys)) {}
  static std::string name() { return "sluice sealed " + std::to_string(Bits); }

private:
  static sluice::filter made(const std::vector<std::uint64_t>& keys) {
    sluice::sealed_builder builder({.fingerprint_bits = Bits});
    builder.insert_bulk(keys);
    return builder.build({.threads = 1});
  }
};

}  // namespace peers
