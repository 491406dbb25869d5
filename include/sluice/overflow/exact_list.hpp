// overflow/exact_list: the keys that no block took, kept exactly (as 64-bit digests), and the access budget.
//
//   slots: a power of two of 64-bit words, little-endian, open addressing with linear probing; 0 marks an empty slot
//   holds_zero: whether the digest 0 itself is a member
//   budget_spent: whether insertions have stopped using blocks
//
// The slots are one contiguous range of bytes, so a list that lies in somebody else's memory, at any alignment, is searched where it is. A
// search ends after as many steps as there are slots, whatever a stranger's bytes are.
//
// Access budget (optional). Insertions of new keys may read so many blocks in all, and no more: the papers' hard limit of
// a n accesses for n planned keys. Repeats are not charged. When it is spent, the flag is set first, and then every later new
// key (also one that is caught midway, before it found its block) goes to the list. Such a key was not rejected by the
// blocks before its place, so from then on a lookup must ask the list also where a walk stops early.
//
// Invariants: at least a quarter of the slots are empty (probes end); a member is never moved past an empty slot; the flag
// is set before the first key that needs it is in the list.
// Cost: no block is read; 8 bytes a slot, 10.7 to 21.3 bytes a key beyond the first few. A list of half a percent of the
// keys is one random line of its own per lookup that gets so far.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sluice/block/words.hpp"
#include "sluice/overflow/overflow.hpp"

namespace sluice {

class exact_list_view {
public:
  /// A list without members.
  constexpr exact_list_view() noexcept = default;
  /// Precondition: the number of slots is 0 or a power of two.
  constexpr explicit exact_list_view(const overflow_state& state) noexcept
      : slots_(state.slots.data()),
        count_(state.slots.size() / bits::word_bytes),
        holds_zero_(state.holds_zero),
        budget_spent_(state.budget_spent) {}

  [[nodiscard]] bool may_contain(digest x) const noexcept {
    if (x.value == 0) return holds_zero_;
    return count_ != 0 && bits::load_word(slots_, slot_of(x)) == x.value;
  }
  [[nodiscard]] constexpr bool asked_when_stopped() const noexcept { return budget_spent_; }

  /// Where x is or would be put; anywhere, if every slot is taken. Precondition: there are slots, and x is not 0.
  [[nodiscard]] std::uint64_t slot_of(digest x) const noexcept {
    const std::uint64_t mask = count_ - 1;
    std::uint64_t slot = derive(x, use::overflow_slot) & mask;
    for (std::uint64_t step = 0; step < count_; ++step) {
      const std::uint64_t member = bits::load_word(slots_, slot);
      if (member == 0 || member == x.value) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

private:
  const std::byte* slots_ = nullptr;
  std::uint64_t count_ = 0;
  bool holds_zero_ = false;
  bool budget_spent_ = false;
};

class exact_list {
public:
  struct options {
    std::uint64_t access_budget = 0;  ///< 0: no limit
  };
  using view_type = exact_list_view;

  exact_list() = default;
  explicit exact_list(options how) noexcept : how_(how) {}
  /// As it was. Preconditions: the number of slots is 0 or a power of two, at least a quarter of them are empty, and state.keys counts
  /// the members.
  exact_list(options how, const overflow_state& state)
      : how_(how),
        slots_(state.slots.begin(), state.slots.end()),
        size_(state.keys),
        spent_(std::min(state.spent, how.access_budget)),
        holds_zero_(state.holds_zero),
        budget_spent_(state.budget_spent) {}

  [[nodiscard]] overflow_state state() const noexcept {
    return {.slots = slots_, .keys = size_, .spent = spent_, .holds_zero = holds_zero_, .budget_spent = budget_spent_};
  }
  [[nodiscard]] view_type view() const noexcept { return view_type(state()); }

  [[nodiscard]] admission admit(std::uint32_t accesses) noexcept {
    if (how_.access_budget == 0) return {true, accesses};
    const std::uint64_t left = budget_spent_ ? 0 : how_.access_budget - spent_;
    if (accesses <= left) {
      spent_ += accesses;
      return {true, accesses};
    }
    budget_spent_ = true;
    spent_ = how_.access_budget;
    return {false, static_cast<std::uint32_t>(left)};
  }

  [[nodiscard]] bool take(const auto& /*placement*/, const auto& /*blocks*/, digest x) { return add(x); }

  bool add(digest x) {
    if (x.value == 0) {
      const bool is_new = !holds_zero_;
      holds_zero_ = true;
      size_ += is_new ? 1 : 0;
      return is_new;
    }
    if (slots_for(size_ + 1) > slot_count()) grow();
    const std::uint64_t slot = view().slot_of(x);
    if (bits::load_word(slots_.data(), slot) == x.value) return false;
    bits::store_word(slots_.data(), slot, x.value);
    ++size_;
    return true;
  }

  /// Union. What both have spent is added; if either had stopped using blocks, the union has.
  void absorb(const exact_list& other) {
    if (this == &other) return;
    add_members_of(other);
    spent_ += std::min(other.spent_, how_.access_budget - spent_);
    budget_spent_ = budget_spent_ || other.budget_spent_;
  }

  void clear() noexcept { *this = exact_list(how_); }

  /// How many slots a list of so many members has.
  [[nodiscard]] static constexpr std::uint64_t slots_for(std::uint64_t members) noexcept {
    if (members == 0) return 0;
    return std::max(least_slots, std::bit_ceil(members + (members + 2) / 3));  // three quarters full at most
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return slots_.size(); }

private:
  [[nodiscard]] std::uint64_t slot_count() const noexcept { return slots_.size() / bits::word_bytes; }

  void add_members_of(const exact_list& other) {
    for (std::uint64_t slot = 0; slot < other.slot_count(); ++slot) {
      const std::uint64_t member = bits::load_word(other.slots_.data(), slot);
      if (member != 0) add(digest{member});
    }
    if (other.holds_zero_) add(digest{0});
  }

  void grow() {
    exact_list larger;
    larger.slots_.resize(slots_for(size_ + 1) * bits::word_bytes);
    larger.add_members_of(*this);
    slots_ = std::move(larger.slots_);
  }

  static constexpr std::uint64_t least_slots = 16;

  options how_;
  std::vector<std::byte> slots_;
  std::uint64_t size_ = 0;
  std::uint64_t spent_ = 0;
  bool holds_zero_ = false;
  bool budget_spent_ = false;
};

}  // namespace sluice
