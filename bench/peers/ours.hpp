// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Our filters, as the peers are asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"

namespace peers {

/// One whose parameters are known at run time, and the planner's.
template <sluice::scheme Which>
class planned {
public:
  planned(std::uint64_t keys, double bits)
      : filter_(sluice::best_plan({.keys = static_cast<double>(keys),
                                   .memory_bits = bits * static_cast<double>(keys),
                                   .by = sluice::plan_by::bits,
                                   .erase = Which == sluice::scheme::ledger,
                                   .among = {Which}})
                    .params) {}
  static std::string name() { return "sluice " + std::string(sluice::name_of(Which)); }
  void insert(std::uint64_t key) { filter_.insert(key); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.may_contain(key); }
  void look_up(const std::vector<std::uint64_t>& keys, std::vector<std::uint8_t>& out) const {
    filter_.may_contain_bulk(keys, out);
  }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.bytes().size(); }

private:
  sluice::filter filter_;
};

/// One whose shape the compiler knows.
template <std::uint32_t Hashes>
class blocked_preset {
public:
  blocked_preset(std::uint64_t keys, double bits) : filter_(sluice::blocks_for(keys, bits)) {}
  static std::string name() { return "sluice blocked preset"; }
  void insert(std::uint64_t key) { filter_.insert(key); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.may_contain(key); }
  void look_up(const std::vector<std::uint64_t>& keys, std::vector<std::uint8_t>& out) const {
    filter_.may_contain_bulk(keys, out);
  }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.bytes().size(); }

private:
  sluice::presets::blocked_512<Hashes> filter_;
};

/// Of all keys at once: so many bits of fingerprint.
template <std::uint32_t Bits>
class sealed {
public:
  explicit sealed(const std::vector<std::uint64_t>& keys) : filter_(made(keys)) {}
  static std::string name() { return "sluice sealed " + std::to_string(Bits); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.may_contain(key); }
  void look_up(const std::vector<std::uint64_t>& keys, std::vector<std::uint8_t>& out) const {
    filter_.may_contain_bulk(keys, out);
  }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.bytes().size(); }

private:
  static sluice::filter made(const std::vector<std::uint64_t>& keys) {
    sluice::sealed_builder builder({.fingerprint_bits = Bits});
    builder.insert_bulk(keys);
    return builder.build({.threads = 1});
  }
  sluice::filter filter_;
};

}  // namespace peers
