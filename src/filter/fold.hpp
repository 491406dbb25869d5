// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter/fold: filters made smaller. Block b of a filter that was folded f times more is the OR of 2^f neighbours, bit
// b of an array too; the last may have fewer. Keys are drawn as before and shifted (detail/placement/groups.hpp), so
// that every lookup reads the OR of what it read: no key is lost.
//
// A static gated filter goes over to the rule of others, as unions of static ones do: a gate that a neighbour closed
// would hide its keys.
//
// Invariant: a fold changes nothing, or all: its memory comes first.
// Cost: reads every byte once and writes 2^-f of them. The rate after folds that are not made: reads 2 MiB for every
// 2^-f of the filter, or all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sluice/detail/memory/storage.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

// Precondition of all: the parameters are normalised.

/// How often such a filter can be folded, until it has one block, or fewer than 128 bits; 0: not at all, and if there
/// is room for it, `why_not` gets the sentence.
[[nodiscard]] std::uint32_t most_folds_of(const parameters& p, std::string* why_not = nullptr);

/// Throws parameter_error where it cannot be folded so often.
void require_folds(const parameters& p, std::uint32_t folds);

/// How many keys a filter is planned for after so many folds; 0 where that is not known.
[[nodiscard]] constexpr std::uint64_t keys_after_folds(std::uint64_t planned, std::uint32_t folds) noexcept {
  return planned == 0 ? 0 : std::max<std::uint64_t>(planned >> folds, 1);
}

/// Writes its bytes to `to`. Those of `from` are gone afterwards: memory goes back to the system on the way, so that
/// both together hardly take more than `from` did. Precondition: `to` has bytes_for(folded_so_often(p, folds)).
void fold_bytes(const parameters& p, owned_bytes& from, std::uint32_t folds, owned_bytes& to) noexcept;

/// The rate that it will have, by its bits: of all, or in large filters of a sample, 1% off.
[[nodiscard]] double rate_after_folds(const parameters& p, std::span<const std::byte> bytes, std::uint32_t folds);

/// How often it can be folded with a rate of at most `fpr`. Throws parameter_error for what is no rate, and for filters
/// of which none can be folded.
[[nodiscard]] std::uint32_t folds_within(const parameters& p, std::span<const std::byte> bytes, double fpr);

}  // namespace sluice::detail
