// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/ledger: the code, for the instruction set of this reading (target.hpp). What it does, and why nothing is
// lost, is in ledger.hpp.

namespace sluice::detail::SLUICE_TARGET {

template <std::uint32_t Rho, class Simd>
class ledger_placement {
public:
  using kind_type = ledger_block<Rho, Simd>;
  using slot_set = typename kind_type::slot_set;

  /// Natives that are asked to leave a full block.
  static constexpr std::uint32_t most_moves = 16;

  /// Precondition: groups of a page, or one smaller group of all blocks.
  constexpr explicit ledger_placement(const block_groups& groups) noexcept
      : groups_(groups),
        tidy_every_(
            std::max<std::uint64_t>(1, std::uint64_t{7} * layout().slots * groups.group_blocks() / page_blocks)) {}

  /// Where a key belongs.
  struct place {
    std::uint64_t first;
    ledger_entry entry;
  };

  [[nodiscard]] static constexpr const ledger_layout& layout() noexcept { return ledger_layout_of<Rho>; }
  [[nodiscard]] static constexpr place place_in(const block_groups& groups, digest x) noexcept {
    return {groups.first(x), layout().entry_of(x)};
  }

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups_.blocks(); }
  [[nodiscard]] constexpr const block_groups& groups() const noexcept { return groups_; }
  [[nodiscard]] constexpr std::uint64_t most_keys() const noexcept {
    return most_ledger_keys(blocks(), layout().slots);
  }
  [[nodiscard]] static constexpr std::uint32_t hashes() noexcept { return 1; }
  [[nodiscard]] static constexpr std::uint32_t candidates(digest /*x*/) noexcept { return 2; }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    const std::uint64_t first = groups_.first(x);
    return {j == 0 ? first : other_block(first, layout().entry_of(x)), {.first = j, .count = 1}};
  }
  /// From the first block a walk goes on behind a closed gate, or to the list.
  [[nodiscard]] bool goes_on(const auto& blocks, digest x, std::uint32_t j, const candidate& c) const noexcept {
    const place p = place_of(x);
    if (j != 0) return blocks.kind().lists_keys(blocks[p.first]);
    return blocks.kind().gate_closed(blocks[c.block], layout().class_of(p.entry));
  }

  /// Nearly every miss ends behind a comparison of all slots and two bits of the last word.
  [[nodiscard]] walk_result walk(const auto& blocks, digest x) const noexcept {
    const place p = place_of(x);
    const auto first = blocks[p.first];
    if (stops_at(first, p)) return {walk_end::stopped, 0, 1};
    const bool closed = blocks.kind().gate_closed(first, layout().class_of(p.entry));
    const std::uint32_t last = closed && !blocks.kind().has(first, p.entry, false) ? 1 : 0;
    return {walk_on(first, p, blocks[0].bits), last, last + 1};
  }
  // The two halves of a walk, of which code for one key or many (src/bulk/ledger.inl) needs no more.

  /// Does a look at the first block tell that the key is absent?
  [[nodiscard]] static bool stops_at(const_block first, place p) noexcept {
    constexpr kind_type kind;
    return !kind.has_remainder(first, p.entry.remainder) && !kind.gate_closed(first, layout().class_of(p.entry)) &&
           !kind.lists_keys(first);
  }
  /// If it does not. Blocks begin with the first one: a ledger has no parts.
  [[nodiscard]] walk_end walk_on(const_block first, place p, const std::byte* blocks) const noexcept {
    constexpr kind_type kind;
    if (kind.has(first, p.entry, false)) return walk_end::found;
    if (kind.gate_closed(first, layout().class_of(p.entry))) {
      const const_block second{blocks + other_block(p.first, p.entry) * kind.stride_bytes(), nullptr};
      if (kind.has(second, p.entry, true)) return walk_end::found;
    }
    return kind.lists_keys(first) ? walk_end::exhausted : walk_end::stopped;
  }

  /// How often a key seems to be in.
  [[nodiscard]] std::uint64_t count(const auto& blocks, const sorted_list_view& list, digest x) const noexcept {
    const auto& kind = blocks.kind();
    const place p = place_of(x);
    const auto first = blocks[p.first];
    std::uint64_t copies = kind.count(first, p.entry, false);
    if (kind.gate_closed(first, layout().class_of(p.entry))) {
      copies += kind.count(blocks[other_block(p.first, p.entry)], p.entry, true);
    }
    return copies + (kind.lists_keys(first) ? copies_in(list, x) : 0);
  }

  /// Throws full_error; then nothing is lost.
  insert_outcome insert(const auto& blocks, ledger_list& list, digest x) const {
    const place p = place_of(x);
    std::uint32_t accesses = 1;
    if (!put(blocks, p, accesses)) {
      list.insert(x);
      blocks.kind().set_list_bit(blocks[p.first]);
    }
    // The block is part of what is drawn from: else the same keys, erased and inserted again, never tidied a page.
    const std::uint64_t drawn = full_mix(x.value + bits::load_word(blocks[p.first].bits, 0));
    if (reduce(drawn, tidy_every_) == 0) accesses += tidy(blocks, list, p.first);
    return {true, accesses};
  }

  /// One copy, from the list; false, if it is not there. Erasing begins here (in every link of a chain): what is in the
  /// list is the key's own.
  bool erase_listed(const auto& blocks, ledger_list& list, digest x) const noexcept {
    const auto& kind = blocks.kind();
    const std::uint64_t block = groups_.first(x);
    if (!kind.lists_keys(blocks[block]) || !list.erase(x)) return false;
    const std::uint64_t next = first_listed(list, block);
    if (next == list.size() || groups_.first(list[next]) != block) kind.clear_list_bit(blocks[block]);
    return true;
  }
  /// One copy, from the blocks; false, if nothing is like it.
  [[nodiscard]] bool erase_entry(const auto& blocks, digest x) const noexcept {
    const auto& kind = blocks.kind();
    const place p = place_of(x);
    const auto first = blocks[p.first];
    if (kind.take(first, p.entry, false)) return true;
    return kind.gate_closed(first, layout().class_of(p.entry)) &&
           kind.take(blocks[other_block(p.first, p.entry)], p.entry, true);
  }

  /// Puts an entry whose key is not known into its blocks. False, if there is no room.
  [[nodiscard]] bool put_entry(const auto& blocks, std::uint64_t first, ledger_entry e) const noexcept {
    std::uint32_t accesses = 0;
    return put(blocks, {first, e}, accesses);
  }
  /// Calls use(first block, entry) for everything in a block.
  void for_each_entry(const auto& blocks, std::uint64_t block, const auto& use) const {
    const auto& kind = blocks.kind();
    const slot_set guests = kind.guests(blocks[block]);
    const std::uint64_t load = kind.load(blocks[block]);
    for (std::uint32_t slot = 0; slot < load; ++slot) {
      const ledger_entry e = kind.entry_at(blocks[block], slot);
      use((guests >> slot & 1) != 0 ? other_block(block, e) : block, e);
    }
  }

  /// A random absent key is found if its first block and entry are those of a stored one: a guest in its second block
  /// with its entry has no other first block than its own. Entries that are stored twice count twice.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const {
    double entries = 0;
    double closed = 0;
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      entries += static_cast<double>(blocks.load(b));
      closed += blocks.kind().closed_gates(blocks[b]);
    }
    const auto count = static_cast<double>(blocks.size());
    return {std::min(1.0, layout().rate_of(entries / count)), 1 + closed / (count * ledger_layout::gates)};
  }

  /// Makes the page, or group, of a block tidy; returns how many blocks it read.
  std::uint32_t tidy(const auto& blocks, ledger_list& list, std::uint64_t block) const {
    const auto& kind = blocks.kind();
    const std::uint64_t first = block - block % groups_.group_blocks();
    const std::uint64_t end = first + groups_.group_blocks();
    for (std::uint64_t b = first; b < end; ++b) send_home(blocks, b, most_slots);
    const std::uint64_t listed = first_listed(list, first);
    for (std::uint64_t number = listed; number < list.size() && groups_.first(list[number]) < end;) {
      std::uint32_t accesses = 0;
      if (put(blocks, place_of(list[number]), accesses)) {
        list.erase_at(number);
      } else {
        ++number;
      }
    }
    for (std::uint64_t b = first; b < end; ++b) {
      kind.open_gates(blocks[b]);
      kind.clear_list_bit(blocks[b]);
    }
    for (std::uint64_t b = first; b < end; ++b) {
      for (slot_set left = kind.guests(blocks[b]); left != 0; left &= left - 1) {
        const ledger_entry e = kind.entry_at(blocks[b], static_cast<std::uint32_t>(std::countr_zero(left)));
        kind.close_gate(blocks[other_block(b, e)], layout().class_of(e));
      }
    }
    for (std::uint64_t number = listed; number < list.size() && groups_.first(list[number]) < end; ++number) {
      kind.set_list_bit(blocks[groups_.first(list[number])]);
    }
    return static_cast<std::uint32_t>(groups_.group_blocks());
  }

private:
  static constexpr std::uint64_t page_blocks = page_bytes / (ledger_layout::block_bits / 8);
  static constexpr std::uint32_t most_slots = 64;

  [[nodiscard]] constexpr place place_of(digest x) const noexcept { return place_in(groups_, x); }

  /// The second block of an entry whose first block this is, and the other way round.
  [[nodiscard]] constexpr std::uint64_t other_block(std::uint64_t block, ledger_entry e) const noexcept {
    const std::uint64_t word = layout().word_of(e);
    if (groups_.group_blocks() == page_blocks) return block ^ (1 + reduce(word, page_blocks - 1));
    const std::uint64_t m = groups_.blocks();
    const std::uint64_t sum = reduce(word, m);
    return sum >= block ? sum - block : sum + m - block;
  }

  /// The number of the first listed key whose first block is not before this one.
  [[nodiscard]] std::uint64_t first_listed(const ledger_list& list, std::uint64_t block) const noexcept {
    std::uint64_t low = 0;
    std::uint64_t high = list.size();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (groups_.first(list[middle]) < block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Steps 1 to 6.
  [[nodiscard]] bool put(const auto& blocks, const place& p, std::uint32_t& accesses) const noexcept {
    const auto& kind = blocks.kind();
    const auto first = blocks[p.first];
    if (makes_room(blocks, p.first, accesses)) {
      kind.add(first, p.entry, false);
      return true;
    }
    const bool is_closed = kind.gate_closed(first, layout().class_of(p.entry));
    if (is_closed && becomes_guest(blocks, p, accesses)) return true;
    if (moves_native(blocks, p, true, accesses)) return true;
    if (!is_closed && becomes_guest(blocks, p, accesses)) return true;
    return moves_native(blocks, p, false, accesses);
  }

  /// Steps 3 and 5.
  [[nodiscard]] bool becomes_guest(const auto& blocks, const place& p, std::uint32_t& accesses) const noexcept {
    const std::uint64_t second = other_block(p.first, p.entry);
    if (second == p.first) return false;
    ++accesses;
    if (!makes_room(blocks, second, accesses)) return false;
    blocks.kind().close_gate(blocks[p.first], layout().class_of(p.entry));
    blocks.kind().add(blocks[second], p.entry, true);
    return true;
  }

  /// Has the block room, perhaps because a guest went home?
  [[nodiscard]] bool makes_room(const auto& blocks, std::uint64_t block, std::uint32_t& accesses) const noexcept {
    if (blocks.kind().has_room(blocks[block])) return true;
    return send_home(blocks, block, 1, &accesses) != 0;
  }

  /// Guests of a block go home, in the order of their slots, where there is room: `most` at most. Returns how many.
  std::uint32_t send_home(const auto& blocks, std::uint64_t block, std::uint32_t most,
                          std::uint32_t* accesses = nullptr) const noexcept {
    const auto& kind = blocks.kind();
    std::uint32_t sent = 0;
    for (slot_set left = kind.guests(blocks[block]); left != 0 && sent < most; left &= left - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(left)) - sent;
      const ledger_entry e = kind.entry_at(blocks[block], slot);
      const std::uint64_t home = other_block(block, e);
      if (accesses != nullptr) ++*accesses;
      if (home == block || !kind.has_room(blocks[home])) continue;
      kind.take_at(blocks[block], slot, e.quotient);
      kind.add(blocks[home], e, false);
      ++sent;
    }
    return sent;
  }

  /// Steps 4 and 6: one native of a full block goes to its second block, and the key takes its slot.
  [[nodiscard]] bool moves_native(const auto& blocks, const place& p, bool behind_closed_gates,
                                  std::uint32_t& accesses) const noexcept {
    const auto& kind = blocks.kind();
    const auto first = blocks[p.first];
    const std::uint32_t closed = kind.closed_gates(first);
    if (closed == (behind_closed_gates ? 0 : ledger_layout::gates)) return false;
    const slot_set natives = kind.natives(first);
    auto slot = reduce_32(static_cast<std::uint32_t>(layout().word_of(p.entry) >> 32), layout().slots);
    std::uint32_t asked = 0;
    for (std::uint32_t seen = 0; seen < layout().slots && asked < most_moves; ++seen, ++slot) {
      if (slot == layout().slots) slot = 0;
      if ((natives >> slot & 1) == 0) continue;
      const ledger_entry e = kind.entry_at(first, slot);
      if (kind.gate_closed(first, layout().class_of(e)) != behind_closed_gates) continue;
      ++asked;
      const std::uint64_t second = other_block(p.first, e);
      if (second == p.first) continue;
      ++accesses;
      if (!kind.has_room(blocks[second])) continue;
      kind.close_gate(first, layout().class_of(e));
      kind.add(blocks[second], e, true);
      kind.take_at(first, slot, e.quotient);
      kind.add(first, p.entry, false);
      return true;
    }
    return false;
  }

  block_groups groups_;
  std::uint64_t tidy_every_;
};

}  // namespace sluice::detail::SLUICE_TARGET
