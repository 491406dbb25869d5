// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/ledger: the code, for the instruction set of this reading (target.hpp). What it does is in ledger.hpp.

namespace sluice::detail::bulk::SLUICE_TARGET {

template <std::uint32_t Rho, class Simd>
class ledgers {
public:
  [[nodiscard]] static constexpr ledger_code code() noexcept {
    return {&look_up, &look_up_many, &insert, &insert_many, &erase_entry};
  }

private:
  using placement = sluice::detail::SLUICE_TARGET::ledger_placement<Rho, Simd>;
  using block = typename placement::kind_type;
  using place = typename placement::place;
  static constexpr std::uint64_t block_bytes = ledger_layout::block_bits / 8;

  static bool look_up(const void* of, digest x) noexcept {
    const auto& f = *static_cast<const ledger_filter*>(of);
    const place p = placement::place_in(f.groups, x);
    const const_block first{f.blocks + p.first * block_bytes, nullptr};
    if (placement::stops_at(first, p)) [[likely]]
      return false;
    return go_on(f, first, p, x);
  }
  /// In a function of its own, so that misses have the registers for themselves.
  [[gnu::noinline]] static bool go_on(const ledger_filter& f, const_block first, place p, digest x) noexcept {
    const walk_end end = placement(f.groups).walk_on(first, p, f.blocks);
    return end == walk_end::found || (end == walk_end::exhausted && f.lists(f.owner, x));
  }
  static void look_up_many(const ledger_filter& f, const chunk& some, std::uint8_t* out) noexcept {
    SLUICE_TARGET::ring<false>(
        some.count, some.available,
        [&](std::size_t i) SLUICE_FORCE_INLINE { return f.blocks + f.groups.first(some.digests[i]) * block_bytes; },
        [&](std::size_t i, const std::byte* /*block*/)
            SLUICE_FORCE_INLINE { out[i] = look_up(&f, some.digests[i]) ? 1 : 0; });
  }

  [[nodiscard]] static block_array<block, std::byte> array(const block_groups& groups, std::byte* blocks) noexcept {
    return {{}, groups.blocks(), blocks, 0};
  }
  static insert_outcome insert(const block_groups& groups, std::byte* blocks, ledger_list& list, digest x) {
    return placement(groups).insert(array(groups, blocks), list, x);
  }
  static void insert_many(const block_groups& groups, std::byte* blocks, ledger_list& list, const chunk& some,
                          std::uint8_t* out) {
    SLUICE_TARGET::ring<true>(
        some.count, some.available,
        [&](std::size_t i) SLUICE_FORCE_INLINE { return blocks + groups.first(some.digests[i]) * block_bytes; },
        [&](std::size_t i, std::byte* /*block*/)
            SLUICE_FORCE_INLINE { out[i] = insert(groups, blocks, list, some.digests[i]).was_new ? 1 : 0; });
  }
  static bool erase_entry(const block_groups& groups, std::byte* blocks, digest x) noexcept {
    return placement(groups).erase_entry(array(groups, blocks), x);
  }
};

template <class Simd>
[[nodiscard]] ledger_codes all_ledgers() noexcept {
  static_assert(ledger_layout::all_remainders == std::array<std::uint32_t, 5>{8, 12, 15, 16, 24});
  return {ledgers<8, Simd>::code(), ledgers<12, Simd>::code(), ledgers<15, Simd>::code(), ledgers<16, Simd>::code(),
          ledgers<24, Simd>::code()};
}

}  // namespace sluice::detail::bulk::SLUICE_TARGET
