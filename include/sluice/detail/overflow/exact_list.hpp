// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// overflow/exact_list: the keys that no block took, kept exactly (as 64-bit digests), and the access budget.
//
//   slots: a power of two of 64-bit words, little-endian, open addressing with linear probing; 0 marks an empty slot
//   holds_zero: whether the digest 0 itself is a member
//   budget_spent: whether insertions have stopped using blocks
//
// The slots are one contiguous range of bytes, so a list in caller-owned memory, at any alignment, is searched where it
// is.
//
// Chosen keys. The home of a digest is a bijection that anybody can invert who knows the seed. Linear probing would
// then take time quadratic in such keys, and so would a search in an untrusted file. Therefore no member lies more than
// 4,096 slots behind its home, and all together not more than 64 times their number: chance stays below 600 and 2. An
// insertion that would break this is refused, a file that breaks it, too, and no search goes further.
//
// Access budget (optional). Insertions of new keys may read a given number of blocks in all, and no more: the papers'
// hard limit of a n accesses for n planned keys. Neither repeats are charged, nor keys that are refused. When it is
// spent, the flag is set, and every new key from then on (also one that is caught midway, before it found its block)
// goes to the list. Such a key was not rejected by the blocks before its place, so a lookup must ask the list also
// where a walk stops early.
//
// Capacity (optional): the papers' list is a bucket of bounded size, a CAM beside the memory. A key that comes when it
// is full is refused, or forced into one of its candidates as in overflow/forced.hpp, and for the same reason found
// there. With an access budget it is always refused: blocks that were not read may accept the key, and a walk would
// stop before it is found.
//
// Invariants: at most `capacity` members; keys are forced only while the list is full; as many slots as slots_for says,
// of which at least a quarter are empty (probes end); a member is never moved past an empty slot; the bounds on
// distances; when an insertion that the budget sent to the list returns, the flag is set.
// Cost: no block is read; 8 bytes a slot, 10.7 to 21.3 bytes a key beyond the first few. A list of half a percent of
// the keys is one random line of its own per lookup that gets so far.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/overflow/forced.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/errors.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

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
    return count_ != 0 && find(x).member == x.value;
  }
  [[nodiscard]] constexpr bool asked_when_stopped() const noexcept { return budget_spent_; }
  /// The order in which keys came decides where they lie, not which they are. Precondition: equally many.
  friend bool operator==(const exact_list_view& a, const exact_list_view& b) noexcept {
    if (a.holds_zero_ != b.holds_zero_ || a.budget_spent_ != b.budget_spent_) return false;
    for (std::uint64_t slot = 0; slot < a.count_; ++slot) {
      const digest member{bits::load_word(a.slots_, slot)};
      if (member.value != 0 && !b.may_contain(member)) return false;
    }
    return true;
  }

  /// How far behind its home a member may lie, and all of them on average.
  static constexpr std::uint64_t most_steps = 4096;
  static constexpr std::uint64_t most_mean_steps = 64;

  struct place {
    std::uint64_t slot;
    std::uint64_t steps;   ///< from the home of x
    std::uint64_t member;  ///< what is there: x, or 0: here x would be put; anything else: there is no place for x
  };
  /// Precondition: there are slots, and x is not 0.
  [[nodiscard]] place find(digest x) const noexcept {
    const std::uint64_t home = derive(x, use::overflow_slot);
    const std::uint64_t last = std::min(count_ - 1, most_steps);
    for (std::uint64_t steps = 0;; ++steps) {
      const std::uint64_t slot = (home + steps) & (count_ - 1);
      const std::uint64_t member = bits::load_word(slots_, slot);
      if (member == 0 || member == x.value || steps == last) return {slot, steps, member};
    }
  }
  /// Of a member that lies in this slot.
  [[nodiscard]] std::uint64_t steps_from_home(std::uint64_t slot) const noexcept {
    return (slot - derive(digest{bits::load_word(slots_, slot)}, use::overflow_slot)) & (count_ - 1);
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
    std::uint64_t capacity = 0;       ///< keys; 0: no limit
    full_list_rule when_full = full_list_rule::refuse;
  };
  using view_type = exact_list_view;

  exact_list() = default;
  explicit exact_list(options how) noexcept : how_(how) {}
  /// As it was. Preconditions: the number of slots is 0 or a power of two, at least a quarter of them are empty, and
  /// state.keys counts the members.
  exact_list(options how, const overflow_state& state)
      : how_(how),
        slots_(state.slots.begin(), state.slots.end()),
        size_(state.keys),
        forced_(state.forced),
        spent_(std::min(state.spent, how.access_budget)),
        holds_zero_(state.holds_zero),
        budget_spent_(state.budget_spent) {
    for (std::uint64_t slot = 0; slot < slot_count(); ++slot) {
      if (bits::load_word(slots_.data(), slot) != 0) steps_ += view().steps_from_home(slot);
    }
  }

  [[nodiscard]] overflow_state state() const noexcept {
    return {.slots = slots_,
            .keys = size_,
            .forced = forced_,
            .spent = spent_,
            .holds_zero = holds_zero_,
            .budget_spent = budget_spent_};
  }
  [[nodiscard]] view_type view() const noexcept { return view_type(state()); }

  [[nodiscard]] admission admit(std::uint32_t accesses) const noexcept {
    if (how_.access_budget == 0) return {true, accesses};
    const std::uint64_t left = budget_spent_ ? 0 : how_.access_budget - spent_;
    if (accesses <= left) return {true, accesses};
    return {false, static_cast<std::uint32_t>(left)};
  }
  void charge(const admission& admitted) noexcept {
    if (how_.access_budget == 0) return;
    spent_ = admitted.may_place ? spent_ + admitted.accesses : how_.access_budget;
    budget_spent_ = budget_spent_ || !admitted.may_place;
  }

  /// Throws full_error where the list is full and refuses, and as add does: then no key was added. Precondition: x is
  /// no member.
  [[nodiscard]] bool take(const auto& placement, const auto& blocks, digest x) {
    if (!is_full()) return add(x);
    if (how_.when_full == full_list_rule::refuse) refuse();
    force(placement, blocks, x, how_.when_full == full_list_rule::random_candidate);
    ++forced_;
    return true;
  }

  /// True if it was not there before. Throws key_error where chosen keys would make the list slow: then it is as it
  /// was.
  bool add(digest x) {
    if (view().may_contain(x)) return false;
    if (x.value == 0) {
      holds_zero_ = true;
      ++size_;
    } else if (slots_for(size_ + 1) > slot_count()) {
      exact_list larger = with_slots(slots_for(size_ + 1));
      larger.put(x);
      *this = std::move(larger);
    } else {
      put(x);
    }
    return true;
  }

  /// Union; returns members of the other for which a bounded list has no room. What both have spent is added; if either
  /// had stopped using blocks, the union has. Throws as add does, and merge_error where the list is full and refuses.
  std::vector<digest> absorb(const exact_list& other) {
    if (this == &other) return {};
    exact_list united = *this;
    const std::vector<digest> beyond = united.add_members_of(other);
    if (!beyond.empty() && how_.when_full == full_list_rule::refuse) {
      throw merge_error("the two lists have " + std::to_string(united.size_ + beyond.size()) +
                        " keys together, and the list of these filters holds " + std::to_string(how_.capacity) +
                        " at most");
    }
    united.forced_ += other.forced_;
    united.spent_ += std::min(other.spent_, how_.access_budget - spent_);
    united.budget_spent_ = budget_spent_ || other.budget_spent_;
    *this = std::move(united);
    return beyond;
  }

  void clear() noexcept { *this = exact_list(how_); }

  /// How many slots a list of this many members has.
  [[nodiscard]] static constexpr std::uint64_t slots_for(std::uint64_t members) noexcept {
    if (members == 0) return 0;
    return std::max(least_slots, std::bit_ceil(members + (members + 2) / 3));  // three quarters full at most
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_ + forced_; }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return slots_.size(); }

private:
  [[noreturn]] void refuse() const {
    throw full_error("no block accepts this key, and the exact list has its " + std::to_string(how_.capacity) +
                     " keys already; give it a larger list_capacity, or a when_full that forces keys into a block");
  }

  [[nodiscard]] std::uint64_t slot_count() const noexcept { return slots_.size() / bits::word_bytes; }

  [[nodiscard]] bool is_full() const noexcept { return how_.capacity != 0 && size_ >= how_.capacity; }

  /// Returns those for which there is no room.
  std::vector<digest> add_members_of(const exact_list& other) {
    std::vector<digest> beyond;
    const auto add_or_keep = [&](digest x) {
      if (!is_full()) {
        add(x);
      } else if (!view().may_contain(x)) {
        beyond.push_back(x);
      }
    };
    for (std::uint64_t slot = 0; slot < other.slot_count(); ++slot) {
      const std::uint64_t member = bits::load_word(other.slots_.data(), slot);
      if (member != 0) add_or_keep(digest{member});
    }
    if (other.holds_zero_) add_or_keep(digest{0});
    return beyond;
  }

  [[nodiscard]] exact_list with_slots(std::uint64_t slots) const {
    exact_list larger(how_);
    larger.slots_.resize(slots * bits::word_bytes);
    larger.forced_ = forced_;
    larger.spent_ = spent_;
    larger.budget_spent_ = budget_spent_;
    larger.add_members_of(*this);
    return larger;
  }

  /// Precondition: there is an empty slot, and x is no member and not 0.
  void put(digest x) {
    const exact_list_view::place at = view().find(x);
    if (at.member != 0 || steps_ + at.steps > exact_list_view::most_mean_steps * (size_ + 1)) {
      throw key_error(
          "the exact list cannot take this key: too many of its keys begin at one place, which does not happen by "
          "chance. They were probably chosen by a party that knows the seed; build the filter with a random one");
    }
    bits::store_word(slots_.data(), at.slot, x.value);
    steps_ += at.steps;
    ++size_;
  }

  static constexpr std::uint64_t least_slots = 16;

  options how_;
  std::vector<std::byte> slots_;
  std::uint64_t size_ = 0;    // members
  std::uint64_t forced_ = 0;  // when there was no more room
  std::uint64_t steps_ = 0;   // of all members from their homes
  std::uint64_t spent_ = 0;
  bool holds_zero_ = false;
  bool budget_spent_ = false;
};

}  // namespace sluice::detail
