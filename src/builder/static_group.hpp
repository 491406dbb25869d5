// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/static_group: one group of blocks of a static filter, written: gates first, then the keys, which obey them.
// The builder does it with several threads, the model of small filters with none.
// Cost: that of the search (builder/gate_search.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "builder/gate_search.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

/// The parameters of a static filter: its gates are static, and h and the margin, which play no part, may be left out.
[[nodiscard]] inline gated_parameters static_parameters(gated_parameters p) {
  p.is_static = true;
  if (p.threshold == 0) p.threshold = p.block_bits / 2;  // for insertions into a union
  return std::get<gated_parameters>(normalised(p));
}

/// Writes one group after the other; memory is kept from group to group. One for each thread.
class static_group_writer {
public:
  static_group_writer(const gated_parameters& p, const build_options& options)
      : recipe_(make_recipe(p)), search_(p, recipe_.placement.groups(), options) {}

  /// The group's keys, each once and in ascending order, into the bytes of the whole filter.
  void write(std::byte* bytes, std::uint64_t group, std::span<const digest> keys) {
    const std::uint64_t base = group * recipe_.placement.groups().group_blocks();
    const std::span<const std::uint8_t> closed = search_.decide(base, keys);
    const auto blocks = recipe_.blocks(bytes);
    const std::uint32_t classes = recipe_.block.gates();
    for (std::size_t c = 0; c < closed.size(); ++c) {
      if (closed[c] != 0) recipe_.block.close_gate(blocks[base + c / classes], static_cast<std::uint32_t>(c % classes));
    }
    // Now that the gates stand, the keys obey them as any later one will.
    for (const digest x : keys) recipe_.placement.put(blocks, x);
  }

private:
  gated_recipe<dynamic, dynamic, dynamic, dynamic, dynamic> recipe_;
  gate_search search_;
};

}  // namespace sluice::detail
