// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/static_gated: what a static build comes to: a few dozen pages of random keys are built and their bits looked
// at (built_sample.hpp). For the parameters that the planner chooses this was done once, with many pages, for block
// sizes and numbers of bits per key (static_table.hpp, `./dev tables`); between rows the logarithm of the rate is
// nearly linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "builder/static_group.hpp"
#include "sluice/builders.hpp"
#include "sluice/theory.hpp"
#include "theory/static_row.hpp"

namespace sluice::theory {

/// The rows of a block size, ascending in bits per key; empty where there are none.
[[nodiscard]] std::span<const static_row> static_rows_of(std::uint32_t block_bits);

/// A row between two rows; nothing beyond the ends of the table.
[[nodiscard]] std::optional<static_row> static_design(std::uint32_t block_bits, double bits_per_key);

/// Writes the blocks of a static filter of these keys into bytes that are all zero.
using static_write = std::function<void(const gated_parameters& p, std::span<digest> keys, std::span<std::byte> bytes)>;

/// As static_builder would, in this thread alone: the same bytes.
void write_static(const gated_parameters& p, std::span<digest> keys, std::span<std::byte> bytes);

/// Builds this many groups of blocks, at least one, from random keys and looks at them. Of filters of one page or less
/// as many are built; a table of one group is cut down to 4,096 blocks.
[[nodiscard]] prediction simulate_static(gated_parameters p, double bits_per_key, std::uint64_t groups,
                                         const static_write& write = write_static);

/// The row of the table for a filter of these parameters built from this many keys; nothing where it has to be
/// simulated.
[[nodiscard]] std::optional<static_row> static_in_table(const gated_parameters& p, double keys);

/// How many keys a simulation puts into filters.
[[nodiscard]] double static_keys_built(const gated_parameters& p, double keys);

/// A filter built from this many keys with build_options' own rounds and weight. From the table where it has these
/// parameters; otherwise simulated, which takes a tenth of a second.
[[nodiscard]] prediction predict_static(const gated_parameters& p, double keys);

}  // namespace sluice::theory
