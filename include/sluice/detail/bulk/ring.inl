// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/ring: the ring itself, for the instruction set of this reading (target.hpp); bulk/prefetch_ring.hpp says what it
// is for.

namespace sluice::detail::bulk::SLUICE_TARGET {

/// Calls test(number, address) for items 0 to count - 1 in order, with the lines of later items on their way.
/// address(i) may be asked for i < available, more than once.
template <bool ForWriting, class Address, class Test>
SLUICE_FORCE_INLINE inline void ring(std::size_t count, std::size_t available, const Address& address,
                                     const Test& test) {
  if (count == 0) return;
  std::array<decltype(address(std::size_t{})), ahead> under_way;
  const auto ask = [&](std::size_t i, std::size_t slot) SLUICE_FORCE_INLINE {
    const auto where = address(i);
    __builtin_prefetch(where, ForWriting ? 1 : 0, 3);
    under_way[slot] = where;
  };
  for (std::size_t i = 0; i < std::min(available, ahead); ++i) ask(i, i);
  // One loop, which is compiled once: where nothing is left to ask for, the last line is asked for again, and nobody
  // reads what that leaves in a slot that is no longer needed.
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t slot = i % ahead;
    const auto where = under_way[slot];
    ask(std::min(i + ahead, available - 1), slot);
    test(i, where);
  }
}

}  // namespace sluice::detail::bulk::SLUICE_TARGET
