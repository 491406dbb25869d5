// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// placement/sealed: the gated placement for keys that are all known, over blocks that are systems of equations.
//
//   lookup   the gate of the key's class in its first block b1 is open: j = b1; closed: j = b2, another block of the
//            group. True if block j gives the key its fingerprint. Otherwise, if the bump bit of b1 is set: what the
//            list says.
//
// A key has no third place: a builder puts it into the equations of the block that its gate names, or, where these have
// no solution, into the list, and sets the bump bit of b1. Why there are no false negatives: the gate, the bump bit and
// the list are read as they were written, nothing is ever written again, and a solution satisfies every equation.
//
// Groups have at most as many blocks as a page, and all have equally many (even_groups), so that a filter of 70 blocks
// is two groups of 35 and not two pages.
// Cost: 1 block; 2, in one page or two neighbours, if the gate is closed: 5 to 6% of hits, 2 to 5% of misses. The list
// is asked by fewer than 1% of all lookups.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sluice/detail/block/sealed.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/placement/placement.hpp"

namespace sluice::detail {

class sealed_placement {
public:
  constexpr explicit sealed_placement(const even_groups& groups) noexcept : groups_(groups) {}

  [[nodiscard]] constexpr std::uint64_t blocks() const noexcept { return groups_.blocks(); }
  [[nodiscard]] static constexpr std::uint32_t hashes() noexcept { return 1; }
  [[nodiscard]] constexpr const even_groups& groups() const noexcept { return groups_; }
  [[nodiscard]] constexpr std::uint32_t candidates(digest /*x*/) const noexcept {
    return groups_.group_blocks() > 1 ? 2 : 1;
  }
  [[nodiscard]] constexpr candidate at(digest x, std::uint32_t j) const noexcept {
    const std::uint64_t first = groups_.first(x);
    return {j == 0 ? first : groups_.second(x, first), {.count = 1}};
  }
  /// What is seen in the first block counts only if its gate is open.
  [[nodiscard]] bool counts(const auto& blocks, digest x, std::uint32_t j, const candidate& c) const noexcept {
    return j != 0 || !blocks.kind().gate_closed(blocks[c.block], sealed_key(x));
  }
  [[nodiscard]] bool goes_on(const auto& blocks, digest x, std::uint32_t j, const candidate& c) const noexcept {
    return j == 0 && blocks.kind().gate_closed(blocks[c.block], sealed_key(x));
  }

  [[nodiscard]] walk_result walk(const auto& blocks, digest x) const noexcept {
    const auto& kind = blocks.kind();
    const sealed_key key(x);
    const std::uint64_t first = groups_.first(x);
    const bool closed = kind.gate_closed(blocks[first], key);
    const std::uint64_t block = closed ? groups_.second(x, first) : first;
    const std::uint32_t last = closed ? 1 : 0;
    if (kind.value(blocks[block], key) == key.fingerprint(kind.layout().fingerprint_bits)) {
      return {walk_end::found, last, last + 1};
    }
    return {kind.is_bumped(blocks[first]) ? walk_end::exhausted : walk_end::stopped, last, last + 1};
  }

  /// A block that has keys answers a random absent one with probability 2^-r, an empty one never; which of the two
  /// blocks is asked, the gates say.
  [[nodiscard]] fill_estimate estimate(const auto& blocks, std::uint64_t /*keys*/) const {
    const sealed_layout& layout = blocks.kind().layout();
    const double free_bit = layout.fingerprint_bits == 1 ? 1 : 0;
    double answering = 0;
    double closed = 0;
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      // The chance that one of the selected columns is used; without any the XOR is 0.
      const double unused = 1 - static_cast<double>(blocks.load(b)) / layout.columns;
      answering += std::max(free_bit, 1 - std::pow(unused, sealed_layout::selected));
      closed += std::popcount(layout.gates_of(blocks.kind().meta(blocks[b])));
    }
    const auto count = static_cast<double>(blocks.size());
    return {answering / count * std::ldexp(1.0, -static_cast<int>(layout.fingerprint_bits)),
            1 + closed / (count * layout.classes)};
  }

private:
  even_groups groups_;
};

}  // namespace sluice::detail
