// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/absent_keys: keys on their way through several filters, each of which is asked for those that none before had;
// the last one takes them. Every filter is asked, and filled, with one bulk call.
// Cost: no block is read but by those calls; 13 bytes a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sluice/hash.hpp"

namespace sluice::detail::bulk {

class absent_keys {
public:
  /// None is found so far. Precondition: fewer than 2^32.
  explicit absent_keys(std::span<const digest> keys) : digests_(keys.begin(), keys.end()), numbers_(keys.size()) {
    std::iota(numbers_.begin(), numbers_.end(), 0U);
  }

  [[nodiscard]] bool empty() const noexcept { return digests_.empty(); }

  /// Leaves out those that this filter has.
  template <class Filter>
  void drop_found(const Filter& f, std::uint32_t threads) {
    drop([&](std::span<const digest> asked, std::span<std::uint8_t> found) {
      f.may_contain_bulk(asked, found, threads);
    });
  }
  /// Leaves out those for which ask(digests, found) writes 1.
  template <class Ask>
  void drop(const Ask& ask) {
    answers_.resize(digests_.size());
    ask(std::span<const digest>(digests_), std::span<std::uint8_t>(answers_));
    std::size_t left = 0;
    for (std::size_t i = 0; i < digests_.size(); ++i) {
      digests_[left] = digests_[i];
      numbers_[left] = numbers_[i];
      left += answers_[i] == 0 ? 1U : 0U;
    }
    digests_.resize(left);
    numbers_.resize(left);
  }

  /// Writes 0 for those that are left, in the places of their numbers.
  void write_absent(std::uint8_t* out) const noexcept {
    for (const std::uint32_t number : numbers_) out[number] = 0;
  }

  /// Inserts those that are left, and writes for each whether it was new, in the place of its number, unless out is
  /// null. Returns how many were.
  template <class Filter>
  std::uint64_t insert_into(Filter& f, std::uint32_t threads, std::uint8_t* out) {
    if (out == nullptr) return f.insert_bulk(digests_, threads);
    answers_.resize(digests_.size());
    const std::uint64_t fresh = f.insert_bulk(digests_, answers_, threads);
    for (std::size_t i = 0; i < numbers_.size(); ++i) out[numbers_[i]] = answers_[i];
    return fresh;
  }

private:
  std::vector<digest> digests_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint8_t> answers_;
};

}  // namespace sluice::detail::bulk
