// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/sealed_search: which gates of one group of sealed blocks to close, so that no block has more keys than its
// equations are made for (C, or a little less) and few keys have to leave their first block.
//
//   a class (block b, gate c) open      its keys are in b
//                             closed    each is in its second block
//
//   cost    the squared excess of every block, and then the keys that leave
//
// Every block with too many keys is taken in turn. It closes the class, or sends home the class of another block that
// put keys here, with the least cost, even if the cost stays the same or rises: excess wanders from block to block
// until it finds room, as in cuckoo hashing. A class that was changed rests for a while, so that nothing goes round in
// circles. At the end classes return home where there is room, and larger classes are exchanged for smaller ones.
//
// Keys beyond four times as many that have the same first block were chosen to meet there. They are left out before the
// search.
//
// Invariants: the decisions depend on the set of digests and the layout alone; all numbers are integers. What the
// decisions are never matters to correctness. The number of steps is bounded by the number of blocks, and how often
// keys are looked at by the number of keys, whoever chose them.
// Cost: some 24 bytes a key of the group; 20 to 50 ns a key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// The search in one group after the other; memory is kept from group to group. One for each thread.
class sealed_search {
public:
  sealed_search(const sealed_layout& layout, const even_groups& groups)
      : layout_(layout),
        groups_(groups),
        blocks_(static_cast<std::uint32_t>(groups.group_blocks())),
        gates_(groups.group_blocks() > 1 ? layout.gates : 0),
        buckets_(gates_ + 1),
        arrivals_(blocks_) {}

  /// Decides for the group that begins with block `base`, and its keys, each once and in ascending order.
  void decide(std::uint64_t base, std::span<const digest> keys) {
    sort_by_class(base, keys);
    closed_.assign(std::size_t{blocks_} * buckets_, 0);
    rested_.assign(closed_.size(), 0);
    priced_.assign(closed_.size(), 0);
    looked_at_ = 0;
    for (auto& some : arrivals_) some.clear();
    empty_overfull_blocks();
    send_home();
    exchange();
    sort_by_place();
  }

  [[nodiscard]] bool closed(std::uint32_t block, std::uint32_t gate) const noexcept {
    return gate < gates_ && closed_[class_number(block, gate)] != 0;
  }
  /// The keys of a block: numbers of those that were given.
  [[nodiscard]] std::span<const std::uint32_t> keys_in(std::uint32_t block) const noexcept {
    return {placed_.data() + placed_from_[block], placed_from_[block + 1] - placed_from_[block]};
  }
  /// The numbers of keys that are in no block, ascending.
  [[nodiscard]] std::span<const std::uint32_t> left_out() const noexcept { return left_out_; }

private:
  static constexpr std::uint32_t steps_a_block = 24;
  static constexpr std::uint64_t most_looks_at_a_key = 128;  // keys that nobody chose need 34
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] std::uint32_t class_number(std::uint32_t block, std::uint32_t gate) const noexcept {
    return block * buckets_ + gate;
  }
  [[nodiscard]] std::span<const std::uint32_t> seconds_of(std::uint32_t number) const noexcept {
    return {seconds_.data() + from_[number], from_[number + 1] - from_[number]};
  }
  [[nodiscard]] std::uint32_t size_of(std::uint32_t number) const noexcept { return from_[number + 1] - from_[number]; }

  /// Keys by block and class; classes without a gate share the last bucket of their block.
  void sort_by_class(std::uint64_t base, std::span<const digest> keys) {
    const std::uint32_t most = 4 * layout_.capacity();
    left_out_.clear();
    loads_.assign(blocks_, 0);
    from_.assign(std::size_t{blocks_} * buckets_ + 1, 0);
    class_of_.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto block = static_cast<std::uint32_t>(groups_.first(keys[i]) - base);
      if (loads_[block] == most) {
        left_out_.push_back(static_cast<std::uint32_t>(i));
        class_of_[i] = none;
        continue;
      }
      const std::uint32_t gate = std::min(sealed_key(keys[i]).class_of(layout_.classes), gates_);
      class_of_[i] = class_number(block, gate);
      ++from_[class_of_[i] + 1];
      ++loads_[block];
    }
    for (std::size_t i = 1; i < from_.size(); ++i) from_[i] += from_[i - 1];
    next_.assign(from_.begin(), from_.end() - 1);
    numbers_.resize(from_.back());
    seconds_.resize(from_.back());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (class_of_[i] == none) continue;
      const std::uint32_t at = next_[class_of_[i]]++;
      numbers_[at] = static_cast<std::uint32_t>(i);
      seconds_[at] = static_cast<std::uint32_t>(groups_.second(keys[i], base + class_of_[i] / buckets_) - base);
    }
  }

  [[nodiscard]] std::int64_t excess(std::uint32_t block) const noexcept {
    return std::int64_t{loads_[block]} - layout_.capacity();
  }
  [[nodiscard]] bool is_overfull(std::uint32_t block) const noexcept { return excess(block) > 0; }
  /// By how much the squared excess grows if `keys` more come.
  [[nodiscard]] std::int64_t growth(std::uint32_t block, std::int64_t keys) const noexcept {
    const auto squared = [](std::int64_t e) { return e > 0 ? e * e : 0; };
    return squared(excess(block) + keys) - squared(excess(block));
  }
  /// Moves the keys of a class: out (1) or home (-1).
  void move(std::uint32_t number, std::int32_t out) noexcept {
    loads_[number / buckets_] -= static_cast<std::uint32_t>(out * static_cast<std::int32_t>(size_of(number)));
    for (const std::uint32_t second : seconds_of(number)) loads_[second] += static_cast<std::uint32_t>(out);
  }
  /// What the squared excess of all blocks would grow by.
  [[nodiscard]] std::int64_t price(std::uint32_t number, std::int32_t out) noexcept {
    looked_at_ += size_of(number);
    std::int64_t price = growth(number / buckets_, -out * static_cast<std::int64_t>(size_of(number)));
    for (const std::uint32_t second : seconds_of(number)) {
      price += growth(second, out);
      loads_[second] += static_cast<std::uint32_t>(out);  // two keys may go to one block
    }
    for (const std::uint32_t second : seconds_of(number)) loads_[second] -= static_cast<std::uint32_t>(out);
    return price;
  }
  void change(std::uint32_t number) noexcept {
    move(number, closed_[number] == 0 ? 1 : -1);
    closed_[number] ^= 1U;
  }
  /// The same, and the arrivals know it.
  void flip(std::uint32_t number) {
    change(number);
    for (const std::uint32_t second : seconds_of(number)) {
      auto& some = arrivals_[second];
      if (closed_[number] != 0) {
        some.push_back(number);
      } else {
        const auto found = std::find(some.begin(), some.end(), number);
        looked_at_ += static_cast<std::uint64_t>(found - some.begin());
        *found = some.back();
        some.pop_back();
      }
    }
  }

  void empty_overfull_blocks() {
    waiting_.clear();
    is_waiting_.assign(blocks_, 0);
    for (std::uint32_t b = 0; b < blocks_; ++b) wait_if_overfull(b);
    const std::uint32_t rest = blocks_ / 2;
    const std::uint32_t last = steps_a_block * blocks_;
    const std::uint64_t most_looks = most_looks_at_a_key * numbers_.size();
    std::uint32_t step = rest;
    for (std::size_t head = 0; head < waiting_.size() && step < last + rest && looked_at_ < most_looks; ++head) {
      const std::uint32_t block = waiting_[head];
      is_waiting_[block] = 0;
      if (!is_overfull(block)) continue;
      ++step;
      const std::uint32_t best = best_flip(block, step, rest);
      if (best == none) continue;
      flip(best);
      rested_[best] = step;
      wait_if_overfull(best / buckets_);
      for (const std::uint32_t second : seconds_of(best)) wait_if_overfull(second);
      wait_if_overfull(block);
    }
  }
  void wait_if_overfull(std::uint32_t block) {
    if (!is_overfull(block) || is_waiting_[block] != 0) return;
    is_waiting_[block] = 1;
    waiting_.push_back(block);
  }
  /// The class whose change helps an overfull block most; none, if all rest.
  [[nodiscard]] std::uint32_t best_flip(std::uint32_t block, std::uint32_t step, std::uint32_t rest) noexcept {
    std::uint32_t best = none;
    std::int64_t best_price = 0;
    const auto consider = [&](std::uint32_t number, std::int64_t price) {
      if (best != none && price >= best_price) return;
      best = number;
      best_price = price;
    };
    const auto rests = [&](std::uint32_t number) { return step - rested_[number] < rest && rested_[number] != 0; };
    for (std::uint32_t gate = 0; gate < gates_; ++gate) {
      const std::uint32_t number = class_number(block, gate);
      const std::int64_t keys = size_of(number);
      if (closed_[number] != 0 || keys == 0 || rests(number)) continue;
      const std::int64_t needless = std::max<std::int64_t>(0, keys - excess(block));
      consider(number, 8 * price(number, 1) + keys + 2 * needless);
    }
    looked_at_ += arrivals_[block].size();
    for (const std::uint32_t number : arrivals_[block]) {
      if (priced_[number] == step || rests(number)) continue;  // once, however many of its keys came
      priced_[number] = step;
      consider(number, 8 * price(number, -1) - static_cast<std::int64_t>(size_of(number)));
    }
    return best;
  }

  // What follows is the end of the search: nobody asks for arrivals any more.

  /// Classes return where there is room for them.
  void send_home() noexcept {
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      for (std::uint32_t gate = 0; gate < gates_; ++gate) {
        const std::uint32_t number = class_number(b, gate);
        if (closed_[number] != 0 && excess(b) + size_of(number) <= 0) change(number);
      }
    }
  }
  /// A class returns, and a smaller one of the same block leaves in its place, where all of it finds room.
  void exchange() noexcept {
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      for (std::uint32_t gate = 0; gate < gates_; ++gate) {
        const std::uint32_t larger = class_number(b, gate);
        if (closed_[larger] == 0) continue;
        // It must leave as many keys as are too many then, and fewer than return.
        const std::int64_t least = std::max<std::int64_t>(1, excess(b) + size_of(larger));
        if (least >= size_of(larger)) continue;
        change(larger);
        if (!leave(b, least, size_of(larger))) change(larger);
      }
    }
  }
  /// Closes the first open class of a block that has at least `least` keys and fewer than `bound`, all of which find
  /// room. False: there is none.
  [[nodiscard]] bool leave(std::uint32_t b, std::int64_t least, std::int64_t bound) noexcept {
    for (std::uint32_t gate = 0; gate < gates_; ++gate) {
      const std::uint32_t number = class_number(b, gate);
      const std::int64_t keys = size_of(number);
      if (closed_[number] != 0 || keys < least || keys >= bound) continue;
      change(number);
      const auto seconds = seconds_of(number);
      if (std::none_of(seconds.begin(), seconds.end(), [&](std::uint32_t s) { return is_overfull(s); })) return true;
      change(number);
    }
    return false;
  }

  /// Keys by the block that they are in; in each, in the order of their classes.
  void sort_by_place() {
    placed_from_.assign(std::size_t{blocks_} + 1, 0);
    for (std::uint32_t b = 0; b < blocks_; ++b) placed_from_[b + 1] = placed_from_[b] + loads_[b];
    placed_.resize(numbers_.size());
    next_.assign(placed_from_.begin(), placed_from_.end() - 1);
    for (std::uint32_t number = 0; number < closed_.size(); ++number) {
      for (std::uint32_t at = from_[number]; at < from_[number + 1]; ++at) {
        const std::uint32_t block = closed_[number] != 0 ? seconds_[at] : number / buckets_;
        placed_[next_[block]++] = numbers_[at];
      }
    }
  }

  sealed_layout layout_;
  even_groups groups_;
  std::uint32_t blocks_;   // of a group
  std::uint32_t gates_;    // of a block; none where a group has but one
  std::uint32_t buckets_;  // of a block: its gates, and one for keys without

  // Of the group in hand. A class is block * buckets + gate; keys lie class by class.
  std::vector<std::uint32_t> loads_;     // by block: keys that are there
  std::vector<std::uint32_t> from_;      // by class: its first key
  std::vector<std::uint32_t> numbers_;   // by place: the number of the key
  std::vector<std::uint32_t> seconds_;   // by place: its second block
  std::vector<std::uint32_t> class_of_;  // by number; none: it is left out
  std::vector<std::uint32_t> left_out_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint8_t> closed_;                  // by class
  std::vector<std::uint32_t> rested_;                 // by class: the step that changed it; 0: none
  std::vector<std::uint32_t> priced_;                 // by class: the step that asked for its price last
  std::uint64_t looked_at_ = 0;                       // keys, in prices and among arrivals
  std::vector<std::vector<std::uint32_t>> arrivals_;  // by block: classes that put keys here, once for every key
  std::vector<std::uint32_t> waiting_;                // overfull blocks
  std::vector<std::uint8_t> is_waiting_;
  std::vector<std::uint32_t> placed_;
  std::vector<std::uint32_t> placed_from_;
};

}  // namespace sluice::detail
