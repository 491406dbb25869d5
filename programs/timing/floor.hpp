// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// timing/floor: what every filter is measured against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/extend/bulk.hpp"
#include "sluice/extend/recipes.hpp"
#include "sluice/hash.hpp"

namespace harness {

/// The least that a filter can do: one bit of one random line.
class floor_filter {
public:
  explicit floor_filter(std::uint64_t blocks) : blocks_(blocks), bytes_(blocks * 64) {}
  void insert(std::uint64_t key) {
    const sluice::digest x = sluice::hasher()(key);
    sluice::extend::bits::set_bit(line(x), x.value % 512);
  }
  [[nodiscard]] bool may_contain(std::uint64_t key) const {
    const sluice::digest x = sluice::hasher()(key);
    return sluice::extend::bits::test_bit(line(x), x.value % 512);
  }
  void insert_bulk(const std::vector<std::uint64_t>& keys) {
    for (const std::uint64_t key : keys) insert(key);
  }
  void may_contain_bulk(const std::vector<std::uint64_t>& keys, std::span<std::uint8_t> answers) const {
    sluice::extend::in_chunks(
        sluice::hasher(), std::span(keys), [&](const sluice::extend::chunk& some, std::size_t first) {
          sluice::extend::ring<false>(
              some.count, some.available, [&](std::size_t i) { return line(some.digests[i]); },
              [&](std::size_t i, const std::byte* at) {
                answers[first + i] = sluice::extend::bits::test_bit(at, some.digests[i].value % 512) ? 1 : 0;
              });
        });
  }
  void clear() { bytes_.clear(); }

private:
  [[nodiscard]] std::byte* line(sluice::digest x) {
    return bytes_.data() + sluice::extend::first_block(x, blocks_) * 64;
  }
  [[nodiscard]] const std::byte* line(sluice::digest x) const {
    return bytes_.data() + sluice::extend::first_block(x, blocks_) * 64;
  }
  std::uint64_t blocks_;
  sluice::extend::owned_bytes bytes_;
};

}  // namespace harness
