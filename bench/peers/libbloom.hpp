// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// libbloom, of Debian: a classic filter for C, sized by its rate.
#pragma once

#include <bloom.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <string>

namespace peers {

class libbloom {
public:
  libbloom(std::uint64_t keys, double bits) {
    const double rate = std::exp(-bits * std::numbers::ln2 * std::numbers::ln2);
    if (bloom_init(&filter_, static_cast<int>(keys), rate) != 0) throw std::runtime_error("libbloom refuses this size");
  }
  libbloom(const libbloom&) = delete;
  libbloom& operator=(const libbloom&) = delete;
  libbloom(libbloom&&) = delete;
  libbloom& operator=(libbloom&&) = delete;
  ~libbloom() { bloom_free(&filter_); }
  static std::string name() { return "libbloom"; }
  void insert(std::uint64_t key) { bloom_add(&filter_, &key, sizeof key); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return bloom_check(&filter_, &key, sizeof key) == 1; }
  [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(filter_.bytes); }

private:
  mutable bloom filter_ = {};
};

}  // namespace peers
