// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/ring: the ring itself, for the instruction set of this reading (target.hpp); bulk/prefetch_ring.hpp says what it
// is for.

namespace sluice::detail::bulk::SLUICE_TARGET {

/// Calls test(number, address) for items 0 to count - 1 in order, with the lines of later items on their way.
/// address(i) may be asked for i < available.
template <bool ForWriting, class Address, class Test>
SLUICE_FORCE_INLINE inline void ring(std::size_t count, std::size_t available, const Address& address,
                                     const Test& test) {
  std::array<decltype(address(std::size_t{})), ahead> under_way;
  std::size_t asked = 0;
  const auto ask = [&]() SLUICE_FORCE_INLINE {
    const auto where = address(asked);
    __builtin_prefetch(where, ForWriting ? 1 : 0, 3);
    under_way[asked % ahead] = where;
    ++asked;
  };
  while (asked < std::min(available, ahead)) ask();
  std::size_t i = 0;
  // While there is something to ask for, without asking whether.
  for (const std::size_t steady = available - asked; i < std::min(count, steady); ++i) {
    const auto where = under_way[i % ahead];
    ask();
    test(i, where);
  }
  for (; i < count; ++i) test(i, under_way[i % ahead]);
}

}  // namespace sluice::detail::bulk::SLUICE_TARGET
