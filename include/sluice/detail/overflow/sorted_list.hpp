// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow/sorted_list: the keys of a sealed filter that no block could hold, kept exactly: their digests in ascending
// order, 8 bytes each, and nothing else.
//
//   slots: digests as 64-bit words, little-endian, each larger than the one before
//
// The list is made once, by a builder; it takes no more keys. Digests are uniform, so a search begins where the digest
// would lie if they were evenly spread, widens until the digest is enclosed, and halves from there: a line or two where
// keys come by chance, twice log2(members) steps at most, whoever chose the keys. The list may lie in caller-owned
// memory, at any alignment.
// Cost: no block is read; 8 bytes a member.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

/// The most members that a list may have beside so many keys. With more of them the filter would no longer be what it
/// is made for. By chance a twentieth of a percent is bumped; small filters may be unlucky.
[[nodiscard]] constexpr std::uint64_t most_bumped(std::uint64_t keys) noexcept { return 64 + keys / 64; }

class sorted_list_view {
public:
  constexpr sorted_list_view() noexcept = default;
  /// Whatever the bytes are, no search reads beyond them; what it finds is right if they ascend.
  constexpr explicit sorted_list_view(const overflow_state& state) noexcept
      : slots_(state.slots.data()), count_(state.slots.size() / bits::word_bytes) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  [[nodiscard]] digest operator[](std::uint64_t number) const noexcept { return {bits::load_word(slots_, number)}; }

  /// The number of the first member that is not smaller; size(), if all are.
  [[nodiscard]] std::uint64_t lower_bound(digest x) const noexcept {
    if (count_ == 0) return 0;
    std::uint64_t low = reduce(x.value, count_);  // the answer lies in [low, high]
    std::uint64_t high = low;
    for (std::uint64_t step = 8; low > 0 && !((*this)[low - 1] < x); step *= 2) low -= std::min(low, step);
    for (std::uint64_t step = 8; high < count_ && (*this)[high] < x; step *= 2) high += std::min(count_ - high, step);
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if ((*this)[middle] < x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  [[nodiscard]] bool may_contain(digest x) const noexcept {
    const std::uint64_t number = lower_bound(x);
    return number < count_ && (*this)[number] == x;
  }
  [[nodiscard]] static constexpr bool asked_when_stopped() noexcept { return false; }
  friend bool operator==(const sorted_list_view& a, const sorted_list_view& b) noexcept {
    const std::uint64_t bytes = a.count_ * bits::word_bytes;
    return a.count_ == b.count_ && std::equal(a.slots_, a.slots_ + bytes, b.slots_);
  }

  /// The number of the first member that is not larger than the one so many before, or smaller than the last, in a list
  /// that somebody else wrote; size(), if all are in order.
  [[nodiscard]] std::uint64_t first_out_of_order(std::uint64_t most_copies = 1) const noexcept {
    for (std::uint64_t i = 1; i < count_; ++i) {
      if ((*this)[i] < (*this)[i - 1] || (i >= most_copies && !((*this)[i - most_copies] < (*this)[i]))) return i;
    }
    return count_;
  }

private:
  const std::byte* slots_ = nullptr;
  std::uint64_t count_ = 0;
};

class sorted_list {
public:
  struct options {};
  using view_type = sorted_list_view;

  explicit sorted_list(options /*how*/) noexcept {}
  sorted_list(options /*how*/, const overflow_state& state) : slots_(state.slots.begin(), state.slots.end()) {}
  /// Precondition: in ascending order, each once.
  explicit sorted_list(std::span<const digest> members) : slots_(members.size() * bits::word_bytes) {
    for (std::size_t i = 0; i < members.size(); ++i) bits::store_word(slots_.data(), i, members[i].value);
  }

  [[nodiscard]] overflow_state state() const noexcept { return {.slots = slots_, .keys = size()}; }
  [[nodiscard]] view_type view() const noexcept { return view_type(state()); }
  [[nodiscard]] std::uint64_t size() const noexcept { return slots_.size() / bits::word_bytes; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return slots_.size(); }
  void clear() noexcept { slots_.clear(); }

protected:
  std::vector<std::byte> slots_;
};

}  // namespace sluice::detail
