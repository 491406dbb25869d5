// bulk/sealed: lookups in sealed filters and maps, one key at a time and many, for the best instruction set that this
// processor has. There is code for every set of planes that a column may be cut into and for both sizes of blocks; it is
// chosen once for a filter.
//
//   one    reads the first block, the second behind a closed gate, and asks the list where the bump bit says so
//   many   a first pass over the first blocks; the few keys behind a closed gate, or whose block has bumped keys, are
//          noted without a branch, and a second pass, with a ring of its own, does them again
//   values the same, for maps (sealed_map.hpp): what the columns give, and who must ask the list
//
// Invariant: the answers of the walk (placement/sealed.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "bulk/singles.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/detail/bulk/chunks.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/detail/placement/groups.hpp"

namespace sluice::bulk {

/// A sealed filter, as its lookups see it: what the layout says, computed once.
struct sealed_filter {
  sealed_filter() = default;
  sealed_filter(const sealed_layout& layout, const even_groups& in_groups, const std::byte* bytes,
                const sorted_list_view& bumped) noexcept
      : blocks(bytes),
        groups(in_groups),
        block_count(in_groups.blocks()),
        gate_bits(bits::low_bits(layout.gates)),
        seed_bits(bits::low_bits(layout.seed_bits)),
        fingerprint_bits(bits::low_bits(layout.fingerprint_bits)),
        classes(layout.classes),
        bump_bit(layout.bump_bit()),
        seed_at(layout.seed_at()),
        mask_shift(bits::word_bits - layout.columns),
        columns(layout.columns),
        wide_lane(layout.wide_bits() == 0 ? 0 : layout.wide_at() / layout.wide_bits()),
        byte_lane(layout.bytes_at() / 8),
        singles(layout.single_planes()),
        single_bits(static_cast<std::uint32_t>(bits::low_bits(layout.single_planes()))),
        singles_at(layout.singles_at()),
        list(bumped),
        wide(layout.wide_bits()),
        has_bytes(layout.byte_bits() != 0),
        large(layout.block_bits == 512) {}

  const std::byte* blocks = nullptr;
  even_groups groups{1, 1};
  std::uint64_t block_count = 0;
  std::uint64_t gate_bits = 0;
  std::uint64_t seed_bits = 0;
  std::uint64_t fingerprint_bits = 0;
  std::uint32_t classes = 0;
  std::uint32_t bump_bit = 0;
  std::uint32_t seed_at = 0;
  std::uint32_t mask_shift = 0;
  std::uint32_t columns = 0;
  std::uint32_t wide_lane = 0;    ///< of the block as lanes of 16 or 32 bits: where column 0 is
  std::uint32_t byte_lane = 0;    ///< of the block as bytes
  std::uint32_t singles = 0;      ///< planes of single bits
  std::uint32_t single_bits = 0;  ///< as many ones
  std::uint32_t singles_at = 0;
  sorted_list_view list;
  std::uint32_t wide = 0;  ///< 0, 16 or 32
  bool has_bytes = false;
  bool large = false;
};

using look_up_many_sealed = void (*)(const sealed_filter& filter, const chunk& some, std::uint8_t* out) noexcept;

/// What the columns give a key, and whether the list must be asked before it is believed: the key may be there.
struct sealed_value {
  std::uint32_t value;
  bool ask;
};
using look_up_value = sealed_value (*)(const sealed_filter& filter, digest x) noexcept;
/// Writes a value for each, and the numbers of those whose list must be asked. Returns how many these are.
using look_up_values = std::size_t (*)(const sealed_filter& filter, const chunk& some, std::uint32_t* out,
                                       std::uint16_t* ask) noexcept;

/// The code of one instruction set.
struct sealed_set {
  look_up_one (*one)(const sealed_filter&) noexcept = nullptr;  ///< called with the address of the filter
  look_up_many_sealed (*many)(const sealed_filter&) noexcept = nullptr;
  look_up_value (*value)(const sealed_filter&) noexcept = nullptr;
  look_up_values (*values)(const sealed_filter&) noexcept = nullptr;
};

[[nodiscard]] const sealed_set& best_sealed() noexcept;

}  // namespace sluice::bulk
