// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// simulate: real filters, measured. theory.hpp says what will come of parameters; this builds the filter, asks it, and
// counts.
//
//   const auto seen = sluice::simulate(sluice::gated_parameters{...}, {.keys = 1'000'000});
//   seen.stats.fpr_from_fill;   seen.stats.accesses.per_hit;   seen.false_positives;
//
// Keys are the numbers 0, 1, ..., keys - 1, or what key_of says; absent ones are those that follow, or what absent_of
// says. Invariant: a false negative is an error, never a result.
// Cost: that of the operations; n insertions, and lookups as many as are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "sluice/detail/api.hpp"
#include "sluice/filter.hpp"
#include "sluice/parameters.hpp"
#include "sluice/statistics.hpp"

namespace sluice {

struct simulation_request {
  std::uint64_t keys = 0;
  std::uint64_t shards = 1;  ///< filters with equal shares of the keys, of which the union is measured
  /// Stored keys to look up, early ones and late ones alike: the first to come find empty blocks, and their lookups end
  /// sooner.
  std::uint64_t hits = std::numeric_limits<std::uint64_t>::max();
  /// Absent keys to look up; nothing: as many as give 1,000 false positives, at most 1e9.
  std::optional<std::uint64_t> misses = std::nullopt;
  /// Rounds of an offline build, of static gated filters and of choice groups; 0: the usual number, and none for choice
  /// groups.
  std::uint32_t rounds = 0;
  std::uint32_t threads = 1;  ///< of an offline build; 0: all
  std::function<digest(const hasher&, std::uint64_t)> key_of = {};
  std::function<digest(const hasher&, std::uint64_t)> absent_of = {};
  std::function<void(const char* what, double share)> progress = {};
};

struct simulation {
  /// With accesses: per_insert unless it was built offline; per_miss over all lookups of absent keys, false positives
  /// included.
  statistics stats;
  std::uint64_t lookups_absent = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t refused_keys = 0;  ///< for which a bounded list had no room: they are not looked up as stored ones
};

/// Builds a filter of these parameters and measures it. Throws parameter_error; merge_error, if there are shards and
/// they cannot be united; sluice::error for a false negative.
[[nodiscard]] SLUICE_API simulation simulate(const parameters& p, const simulation_request& q);
/// Measures a filter that has the keys already.
[[nodiscard]] SLUICE_API simulation simulate(const filter& f, const simulation_request& q);

}  // namespace sluice
