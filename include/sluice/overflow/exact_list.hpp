// overflow/exact_list: the keys that no block took, kept exactly (as 64-bit digests).
//
//   slots: a power of two of 64-bit words, open addressing with linear probing; 0 marks an empty slot
//   holds_zero: whether the digest 0 itself is a member
//
// The slots are one contiguous range, so a list that lies in somebody else's memory is searched where it is.
// Invariants: at least a quarter of the slots are empty (probes end); a member is never moved past an empty slot.
// Cost: no block is read; 8 bytes a slot, 10.7 to 21.3 bytes a key beyond the first few. A list of half a percent of the
// keys is one random line of its own per lookup that gets so far.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sluice/overflow/overflow.hpp"

namespace sluice {

class exact_list_view {
public:
  /// Preconditions: the number of slots is 0 or a power of two, and at least one slot is empty.
  constexpr exact_list_view(std::span<const std::uint64_t> slots, bool holds_zero) noexcept
      : slots_(slots), holds_zero_(holds_zero) {}

  [[nodiscard]] constexpr bool may_contain(digest x) const noexcept {
    if (x.value == 0) return holds_zero_;
    return !slots_.empty() && slots_[slot_of(x)] == x.value;
  }

  /// Where x is or would be put. Precondition: there are slots, and x is not 0.
  [[nodiscard]] constexpr std::uint64_t slot_of(digest x) const noexcept {
    const std::uint64_t mask = slots_.size() - 1;
    std::uint64_t slot = derive(x, use::overflow_slot) & mask;
    while (slots_[slot] != 0 && slots_[slot] != x.value) slot = (slot + 1) & mask;
    return slot;
  }

private:
  std::span<const std::uint64_t> slots_;
  bool holds_zero_;
};

class exact_list {
public:
  using view_type = exact_list_view;

  [[nodiscard]] view_type view() const noexcept { return {slots_, holds_zero_}; }

  bool take(digest x) {
    if (x.value == 0) {
      const bool is_new = !holds_zero_;
      holds_zero_ = true;
      size_ += is_new ? 1 : 0;
      return is_new;
    }
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    std::uint64_t& slot = slots_[view().slot_of(x)];
    if (slot == x.value) return false;
    slot = x.value;
    ++size_;
    return true;
  }

  void absorb(const exact_list& other) {
    if (this == &other) return;
    for (const std::uint64_t member : other.slots_) {
      if (member != 0) take(digest{member});
    }
    if (other.holds_zero_) take(digest{0});
  }

  void clear() noexcept { *this = exact_list{}; }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return slots_.size() * sizeof(std::uint64_t); }
  [[nodiscard]] std::span<const std::uint64_t> slots() const noexcept { return slots_; }
  [[nodiscard]] bool holds_zero() const noexcept { return holds_zero_; }

private:
  void grow() {
    exact_list larger;
    larger.slots_.resize(slots_.empty() ? 16 : slots_.size() * 2);
    larger.absorb(*this);
    *this = std::move(larger);
  }

  std::vector<std::uint64_t> slots_;
  std::uint64_t size_ = 0;
  bool holds_zero_ = false;
};

}  // namespace sluice
