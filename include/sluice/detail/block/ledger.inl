// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// block/ledger: the code, for the instruction set of this reading (target.hpp): counting ones and comparing bytes are
// single instructions of some processors and a dozen of others. What it does is in ledger.hpp.

namespace sluice::detail::SLUICE_TARGET {

/// The position of the one number k of a word, from 0, k below 64; 64, if it has no so many. Bytes before it are
/// counted all at once, and in its byte three steps halve what is left: no branch depends on the word.
[[nodiscard]] constexpr std::uint32_t position_of_one(std::uint64_t word, std::uint32_t k) noexcept {
#if SLUICE_X86_LEVEL >= 3  // processors with AVX-512 have a fast PDEP; some of those before them have a slow one
  if (!std::is_constant_evaluated()) {
    const std::uint64_t one = _pdep_u64(std::uint64_t{1} << k, word);
    return static_cast<std::uint32_t>(_tzcnt_u64(one));
  }
#endif
  constexpr std::uint64_t bytes = 0x0101010101010101U;
  std::uint64_t counts = word - ((word >> 1) & (bytes * 0x55));
  counts = (counts & (bytes * 0x33)) + ((counts >> 2) & (bytes * 0x33));
  counts = ((counts + (counts >> 4)) & (bytes * 0x0f)) * bytes;  // byte i: the ones of bytes 0 to i
  if (k >= counts >> 56) return 64;
  // The high bit of each byte that has no more than k ones in it and below: as many as come before the one.
  const std::uint64_t before = (((k * bytes) | (bytes * 0x80)) - counts) & (bytes * 0x80);
  std::uint32_t at = 8 * static_cast<std::uint32_t>(std::popcount(before));
  k -= static_cast<std::uint32_t>((counts << 8) >> at & 0xff);
  auto rest = static_cast<std::uint32_t>(word >> at) & 0xff;
  for (const std::uint32_t half : {4U, 2U, 1U}) {
    const auto ones = static_cast<std::uint32_t>(0x4332322132212110U >> (4 * (rest & ((1U << half) - 1))) & 0xf);
    const std::uint32_t beyond = k >= ones ? 1 : 0;
    k -= ones * beyond;
    at += half * beyond;
    rest >>= half * beyond;
  }
  return at;
}

/// Rho is a constant, so that everything that follows from it is: there are five of them, and five times the code.
template <std::uint32_t Rho, class Simd>
class ledger_block {
public:
  static constexpr load_unit unit = load_unit::keys;

  /// Some of the slots of a block, as bits of a word.
  using slot_set = std::uint64_t;

  [[nodiscard]] static constexpr const ledger_layout& layout() noexcept { return ledger_layout_of<Rho>; }
  [[nodiscard]] static constexpr std::uint32_t bits() noexcept { return ledger_layout::block_bits; }
  /// Of the slots; the rest tells what is in them.
  [[nodiscard]] constexpr std::uint32_t usable_bits() const noexcept { return layout().sizes_at(); }
  [[nodiscard]] static constexpr std::uint64_t stride_bytes() noexcept { return bits() / 8; }
  [[nodiscard]] static constexpr std::uint64_t side_bytes() noexcept { return 0; }

  // What is looked at.

  [[nodiscard]] std::uint64_t load(const_block block) const noexcept {
    return std::min(ones_of(sizes_of(block)), layout().slots);
  }
  [[nodiscard]] bool has_room(const_block block) const noexcept { return load(block) < layout().slots; }
  [[nodiscard]] std::uint64_t ones(const_block block) const noexcept { return load(block) * layout().remainder_bits; }
  /// Each entry is one throw.
  [[nodiscard]] double throws(const_block block) const noexcept { return static_cast<double>(load(block)); }

  /// Has any slot this remainder, in use or not, of whatever quotient? For a miss that is nearly always the end.
  [[nodiscard, gnu::always_inline]] static bool has_remainder(const_block block, std::uint32_t remainder) noexcept {
    if constexpr (has_numbers) {
      return equal_slots(block.bits, remainder) != 0;
    } else {
      // A borrow may take the field above one that is 0 for another: whether there is one at all, it says exactly.
      const pair wanted = both(lowest * remainder);
      pair zero{};
#pragma GCC unroll 5
      for (std::uint32_t j = 0; j < pairs; ++j) {
        const pair difference = slots_of_pair(block.bits, j) ^ wanted;
        zero |= (difference - both(lowest)) & ~difference;
      }
      zero &= highest;
      return (zero[0] | zero[1]) != 0;
    }
  }
  /// Has it a native, or a guest, of such an entry?
  [[nodiscard]] bool has(const_block block, ledger_entry e, bool guest) const noexcept {
    bool found = false;
    for_each_slot(block, e, guest, [&](std::uint32_t /*slot*/) {
      found = true;
      return false;
    });
    return found;
  }
  [[nodiscard]] std::uint32_t count(const_block block, ledger_entry e, bool guest) const noexcept {
    std::uint32_t copies = 0;
    for_each_slot(block, e, guest, [&](std::uint32_t /*slot*/) {
      ++copies;
      return true;
    });
    return copies;
  }
  /// Slice 0 is of natives, 1 of guests.
  [[nodiscard]] probe contains(const_block block, digest x, position_slice slice) const noexcept {
    return {has(block, layout().entry_of(x), slice.first != 0), 1};
  }
  [[nodiscard]] bool gate_closed(const_block block, std::uint32_t entry_class) const noexcept {
    return bits::test_bit(block.bits, layout().gates_at() + entry_class);
  }
  [[nodiscard]] bool lists_keys(const_block block) const noexcept {
    return bits::test_bit(block.bits, ledger_layout::list_bit);
  }
  [[nodiscard]] std::uint32_t closed_gates(const_block block) const noexcept {
    return static_cast<std::uint32_t>(
        std::popcount(bits::read_field(block.bits, layout().gates_at(), ledger_layout::gates)));
  }
  [[nodiscard]] slot_set natives(const_block block) const noexcept { return used(block) & ~flags_of(block); }
  [[nodiscard]] slot_set guests(const_block block) const noexcept { return used(block) & flags_of(block); }
  /// Precondition: the slot is in use.
  [[nodiscard]] ledger_entry entry_at(const_block block, std::uint32_t slot) const noexcept {
    return {std::min(select(sizes_of(block), slot) - slot, layout().quotients - 1),
            static_cast<std::uint32_t>(
                bits::read_field(block.bits, std::uint64_t{slot} * layout().remainder_bits, layout().remainder_bits))};
  }

  // What is changed.

  /// Precondition: has_room.
  void add(mutable_block block, ledger_entry e, bool guest) const noexcept {
    const sizes all = sizes_of(block);
    const std::uint32_t slot = end_of(all, e.quotient);
    insert_slot(block.bits, slot, e.remainder);
    store_sizes(block.bits, with_bit(all, slot + e.quotient));
    const std::uint64_t before = bits::low_bits(slot);
    const slot_set flags = flags_of(block);
    store_flags(block.bits, (flags & before) | (flags & ~before) << 1 | slot_set{guest ? 1U : 0U} << slot);
  }
  /// One such entry; false, if there is none.
  [[nodiscard]] bool take(mutable_block block, ledger_entry e, bool guest) const noexcept {
    bool taken = false;
    for_each_slot(block, e, guest, [&](std::uint32_t slot) {
      take_at(block, slot, e.quotient);
      taken = true;
      return false;
    });
    return taken;
  }
  /// Precondition: the slot is in use, by an entry of this quotient.
  void take_at(mutable_block block, std::uint32_t slot, std::uint32_t quotient) const noexcept {
    remove_slot(block.bits, slot);
    store_sizes(block.bits, without_bit(sizes_of(block), slot + quotient));
    const std::uint64_t before = bits::low_bits(slot);
    const slot_set flags = flags_of(block);
    store_flags(block.bits, (flags & before) | (flags >> 1 & ~before));
  }
  void close_gate(mutable_block block, std::uint32_t entry_class) const noexcept {
    bits::set_bit(block.bits, layout().gates_at() + entry_class);
  }
  void set_list_bit(mutable_block block) const noexcept { bits::set_bit(block.bits, ledger_layout::list_bit); }
  void clear_list_bit(mutable_block block) const noexcept {
    bits::write_field(block.bits, ledger_layout::list_bit, 1, 0);
  }
  void open_gates(mutable_block block) const noexcept {
    bits::write_field(block.bits, layout().gates_at(), ledger_layout::gates, 0);
  }

  /// Can these bytes have come from calls of add and take? Then sizes end where they must, and what is not in use
  /// is 0.
  [[nodiscard]] bool is_well_formed(const_block block) const noexcept {
    const sizes all = sizes_of(block);
    const std::uint32_t entries = ones_of(all);
    if (entries > layout().slots || end_of(all, layout().quotients - 1) != entries) return false;
    const std::uint32_t used_bits = entries * layout().remainder_bits;
    return bits::count_ones_in(block.bits, used_bits, layout().sizes_at() - used_bits) == 0 &&
           bits::count_ones_in(block.bits, layout().flags_at() + entries, layout().slots - entries) == 0;
  }

private:
  static constexpr bool has_long_sizes = layout().sizes_bits() > 64;
  /// The unary sizes: 95 bits at most.
  using sizes = std::conditional_t<has_long_sizes, uint128, std::uint64_t>;

  [[nodiscard]] static sizes sizes_of(const_block block) noexcept {
    constexpr std::uint32_t width = layout().sizes_bits();
    if constexpr (has_long_sizes) {
      return bits::read_field(block.bits, layout().sizes_at(), 64) |
             sizes{bits::read_field(block.bits, layout().sizes_at() + 64, width - 64)} << 64;
    } else {
      return bits::read_field(block.bits, layout().sizes_at(), width);
    }
  }
  static void store_sizes(std::byte* block, sizes all) noexcept {
    constexpr std::uint32_t width = layout().sizes_bits();
    if constexpr (has_long_sizes) {
      bits::write_field(block, layout().sizes_at(), 64, static_cast<std::uint64_t>(all));
      bits::write_field(block, layout().sizes_at() + 64, width - 64, static_cast<std::uint64_t>(all >> 64));
    } else {
      bits::write_field(block, layout().sizes_at(), width, all);
    }
  }
  static void store_flags(std::byte* block, slot_set flags) noexcept {
    bits::write_field(block, layout().flags_at(), layout().slots, flags);
  }
  /// The bits below a position.
  [[nodiscard]] static constexpr sizes below(std::uint32_t position) noexcept { return (sizes{1} << position) - 1; }
  [[nodiscard]] static constexpr sizes with_bit(sizes all, std::uint32_t position) noexcept {
    return (all & below(position)) | (all & ~below(position)) << 1 | sizes{1} << position;
  }
  [[nodiscard]] static constexpr sizes without_bit(sizes all, std::uint32_t position) noexcept {
    return (all & below(position)) | (all >> 1 & ~below(position));
  }
  [[nodiscard]] static std::uint32_t ones_of(sizes all) noexcept {
    auto ones = static_cast<std::uint32_t>(std::popcount(static_cast<std::uint64_t>(all)));
    if constexpr (has_long_sizes)
      ones += static_cast<std::uint32_t>(std::popcount(static_cast<std::uint64_t>(all >> 64)));
    return ones;
  }
  /// The position of the one number k.
  [[nodiscard]] static std::uint32_t select(sizes all, std::uint32_t k) noexcept {
    const auto low = static_cast<std::uint64_t>(all);
    if constexpr (has_long_sizes) {
      const auto in_low = static_cast<std::uint32_t>(std::popcount(low));
      return k < in_low ? position_of_one(low, k)
                        : 64 + position_of_one(static_cast<std::uint64_t>(all >> 64), k - in_low);
    } else {
      return position_of_one(low, k);
    }
  }
  /// The slot behind the last entry of a quotient: the ones before the zero of that number.
  [[nodiscard]] static std::uint32_t end_of(sizes all, std::uint32_t quotient) noexcept {
    return std::min(select(~all, quotient) - quotient, layout().slots);
  }
  /// Is the entry of a slot of this quotient? Its one lies behind as many zeros as quotients come before, and as many
  /// ones as slots.
  [[nodiscard]] static bool is_of(sizes all, std::uint32_t slot, std::uint32_t quotient) noexcept {
    const std::uint32_t position = slot + quotient;
    return (static_cast<std::uint32_t>(all >> position) & 1U) != 0 && ones_of(all & below(position)) == slot;
  }
  [[nodiscard]] slot_set flags_of(const_block block) const noexcept {
    return bits::read_field(block.bits, layout().flags_at(), layout().slots);
  }
  [[nodiscard]] slot_set used(const_block block) const noexcept {
    return bits::low_bits(static_cast<std::uint32_t>(load(block)));
  }

  // Several slots are compared in each word (8, 5, 4 or 2, whose bits lie in 8 bytes from where the first begins), and
  // two words at once: compilers have such pairs for every processor.
  using pair [[gnu::vector_size(16)]] = std::uint64_t;
  static constexpr std::uint32_t together = Rho == 24 ? 2 : Rho == 8 ? 8 : Rho == 12 ? 5 : 4;
  static constexpr std::uint32_t word_bits = together * Rho;
  static constexpr std::uint32_t pairs = (layout().slots + 2 * together - 1) / (2 * together);
  static constexpr std::uint32_t second_begins = word_bits % 8;  // at this bit of its byte
  static constexpr std::uint64_t lowest = [] {
    std::uint64_t ones = 0;
    for (std::uint32_t i = 0; i < together; ++i) ones |= std::uint64_t{1} << (i * Rho);
    return ones;
  }();
  static_assert(2 * pairs <= Rho && ((2 * pairs - 1) * word_bits) / 8 + 8 <= stride_bytes());
  static_assert(2 * word_bits % 8 == 0 && word_bits + second_begins <= 64);

  /// The same of both words of a pair, where its slots begin.
  [[nodiscard]] static constexpr pair both(std::uint64_t word) noexcept { return pair{word, word << second_begins}; }
  static constexpr pair highest = both(lowest << (Rho - 1));

  [[nodiscard, gnu::always_inline]] static pair slots_of_pair(const std::byte* block, std::uint32_t j) noexcept {
    const std::uint32_t at = 2 * j * word_bits / 8;
    return pair{bits::load_number<std::uint64_t>(block + at),
                bits::load_number<std::uint64_t>(block + at + word_bits / 8)};
  }

  /// Remainders that are numbers of one or two bytes: every processor compares vectors of those.
  static constexpr bool has_numbers = Rho == 8 || Rho == 16;

  /// The slots, in use or not, with this remainder, as bits: slot_of says which.
  [[nodiscard, gnu::always_inline]] static std::uint64_t equal_slots(const std::byte* block,
                                                                     std::uint32_t remainder) noexcept {
    if constexpr (has_numbers) {
      using number = std::conditional_t<Rho == 8, std::uint8_t, std::uint16_t>;
      return Simd::equal(block, static_cast<number>(remainder)) & bits::low_bits(layout().slots);
    } else {
      // The difference to the remainder is 0 where a slot is equal, and a field is 0 exactly where neither its high bit
      // is set nor the sum of the others and all ones below carries into it.
      constexpr pair lower = both((lowest << (Rho - 1)) - lowest);
      const pair wanted = both(lowest * remainder);
      pair equal{};
#pragma GCC unroll 5
      for (std::uint32_t j = 0; j < pairs; ++j) {
        const pair difference = slots_of_pair(block, j) ^ wanted;
        equal |= (~(((difference & lower) + lower) | difference) & highest) >> j;
      }
      return equal[0] | equal[1] >> (second_begins + pairs);
    }
  }
  /// Of a bit of equal_slots: slot i of word w of pair j is bit i Rho + Rho - 1 - j - w pairs. It may be beyond the
  /// last.
  [[nodiscard]] static std::uint32_t slot_of(std::uint32_t bit) noexcept {
    if constexpr (has_numbers) {
      return bit;
    } else {
      const std::uint32_t number = Rho - 1 - bit % Rho;  // of the pair, and of the second words behind the first ones
      const std::uint32_t word = 2 * number - (number >= pairs ? 1U : 0U) * (2 * pairs - 1);
      return word * together + bit / Rho;
    }
  }
  /// Calls use(slot) for the slots with such an entry, in an order of their own, until it returns false.
  template <class Use>
  [[gnu::always_inline]] void for_each_slot(const_block block, ledger_entry e, bool guest,
                                            const Use& use) const noexcept {
    std::uint64_t equal = equal_slots(block.bits, e.remainder);
    if (equal == 0) return;
    const sizes all = sizes_of(block);
    const slot_set flags = flags_of(block);
    for (; equal != 0; equal &= equal - 1) {
      const std::uint32_t slot = slot_of(static_cast<std::uint32_t>(std::countr_zero(equal)));
      if (slot >= layout().slots || !is_of(all, slot, e.quotient)) continue;
      if ((flags >> slot & 1) != (guest ? 1U : 0U)) continue;
      if (!use(slot)) return;
    }
  }

  /// The word in which slots end, and which of its bits are theirs.
  static constexpr std::uint32_t last_word = (layout().sizes_at() - 1) / 64;
  static constexpr std::uint64_t ours_in_last = bits::low_bits(layout().sizes_at() - 64 * last_word);

  // All words are moved, and those before the slot put back: which word it lies in cannot be predicted.

  /// Makes room for a remainder; those behind move up, and the last leaves.
  static void insert_slot(std::byte* block, std::uint32_t slot, std::uint64_t remainder) noexcept {
    const std::uint32_t at = slot * Rho;
    const std::uint32_t first = at / 64;
    const uint128 field = uint128{remainder} << (at % 64);
    const uint128 room = uint128{bits::low_bits(Rho)} << (at % 64);
    const std::uint64_t word = bits::load_word(block, first);
    const std::uint64_t before = bits::low_bits(at % 64);
    const std::uint64_t tail = bits::load_word(block, last_word) & ~ours_in_last;
#pragma GCC unroll 8
    for (std::uint32_t i = last_word; i > 0; --i) {
      const std::uint64_t kept = bits::load_word(block, i);
      const std::uint64_t moved = kept << Rho | bits::load_word(block, i - 1) >> (64 - Rho);
      bits::store_word(block, i, kept ^ ((kept ^ moved) & (0 - std::uint64_t{i > first})));
    }
    bits::store_word(block, first, (word & before) | (word & ~before) << Rho | static_cast<std::uint64_t>(field));
    // A remainder may end in the next word, which the block has: the last one has no slots.
    const std::uint64_t next = bits::load_word(block, first + 1);
    bits::store_word(block, first + 1,
                     (next & ~static_cast<std::uint64_t>(room >> 64)) | static_cast<std::uint64_t>(field >> 64));
    bits::store_word(block, last_word, (bits::load_word(block, last_word) & ours_in_last) | tail);
  }
  /// Takes a remainder away; those behind move down, and a 0 follows.
  static void remove_slot(std::byte* block, std::uint32_t slot) noexcept {
    const std::uint32_t at = slot * Rho;
    const std::uint32_t first = at / 64;
    const std::uint64_t before = bits::low_bits(at % 64);
    const std::uint64_t last = bits::load_word(block, last_word);
    const std::uint64_t kept_in_first = bits::load_word(block, first) & before;
    bits::store_word(block, last_word, last & ours_in_last);
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i <= last_word; ++i) {
      const std::uint64_t kept = bits::load_word(block, i);
      const std::uint64_t next = i == last_word ? 0 : bits::load_word(block, i + 1);
      const std::uint64_t moved = kept >> Rho | next << (64 - Rho);
      bits::store_word(block, i, kept ^ ((kept ^ moved) & (0 - std::uint64_t{i >= first})));
    }
    bits::store_word(block, first, (bits::load_word(block, first) & ~before) | kept_in_first);
    bits::or_word(block, last_word, last & ~ours_in_last);
  }
};

}  // namespace sluice::detail::SLUICE_TARGET
