// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// plan: from a budget to the best filter, before any memory is spent.
//
//   auto f = sluice::filter::for_keys(100'000'000, {.fpr = 1e-6});   the best filter for these keys and this rate
//
//   for (const auto& c : sluice::plan({.keys = 1e8, .fpr = 1e-6})) ...  all candidates; the first is recommended
//   sluice::filter f(candidates.front().params);
//
// Every scheme is sized for the request: for a given rate, the fewest bits per key at which its model (fpr_exact)
// meets it; for a given memory, as much of it as whole blocks and pages can use. Those that keep the limits come
// first; `by` says in which order, and whether time is a limit. Those that break a limit follow, with the limit.
//
// Where memory and keys are given, more memory never gives the first candidate a higher rate.
//
// Cost model: a random block costs 1, a second one in the same page second_line_cost, any other 1. Time was measured
// once, on two processors (src/plan/costs.hpp, `./dev tables costs`); `sluice bench` measures on this one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace sluice {

/// What the order of candidates goes by. Each is among those that keep the limits; rank is memory, for given memory
/// the rate, or the keys.
enum class plan_by : std::uint8_t {
  /// By rank, and what takes more than plan_request::most_time is not recommended, unless it is sealed; within 2% of
  /// the least memory the fastest.
  balanced,
  lines,  ///< by rank, whatever the time; within 2% of the least memory the one that costs the fewest block reads
  bits,   ///< by rank alone
  time    ///< the fastest, whatever the rank
};

namespace detail {

/// The words of plan_by, in the order of its numbers.
inline constexpr std::array<std::string_view, 4> plan_by_words = {"balanced", "lines", "bits", "time"};

}  // namespace detail

/// Two of keys, fpr and memory_bits are given; the third follows.
struct plan_request {
  /// The false positive rate of people who ask for none: of for_keys, and of `sluice build`.
  static constexpr double usual_fpr = 0.001;
  /// The longest that a balanced plan lets a lookup take, in times of a blocked filter with the same bits a key. A
  /// sealed filter and a ledger have no such limit; where the best sealed one takes longer, the best one that does not
  /// is a candidate, too.
  static constexpr double most_time = 2;

  std::optional<double> keys = std::nullopt;  ///< distinct keys
  std::optional<double> fpr = std::nullopt;   ///< false positive rate that must hold at the planned number of keys
  std::optional<double> memory_bits = std::nullopt;  ///< everything: blocks, counters, gates, lists

  plan_by by = plan_by::balanced;
  double hit_ratio = 0.5;                             ///< share of lookups whose key is stored
  std::uint32_t max_blocks = 2;                       ///< most blocks that one lookup may read
  double mean_cost_limit = 1.25;                      ///< mean cost of a lookup at the hit ratio, in random block reads
  std::optional<double> accesses_hit = std::nullopt;  ///< limits on mean blocks read
  std::optional<double> accesses_miss = std::nullopt;
  double second_line_cost = 0.5;  ///< what a second block in the same page costs, relative to a random one
  std::uint32_t block_bits = 512;
  double overload = 1;      ///< the rate must hold at this multiple of the keys
  bool no_list = false;     ///< no exact list beside the filter
  bool concurrent = false;  ///< several threads insert at once: bits may only be set
  bool mergeable = false;   ///< filters must unite by a plain OR of their bytes
  /// The keys come in this many filters, filled apart and then united: parameters and predictions are for the union,
  /// and every shard is made with these parameters. 0: 16 if mergeable, otherwise 1.
  std::uint64_t shards = 0;
  bool all_keys_known = false;  ///< beforehand: static builds are considered, too
  /// Fewer keys may come: then the filter is folded to what they need (filter::fold_to). Only filters that can be, with
  /// predictions for the keys as they are given and for a quarter of them in a filter that was folded twice, whichever
  /// is worse; shards are not given.
  bool keys_at_most = false;
  bool erase = false;  ///< keys are erased again: ledgers are considered, and nothing else is recommended
  /// The schemes that are considered; empty: all of them. A plan of few takes a fraction of the time.
  std::vector<scheme> among = {};
  std::uint64_t seed = 0;  ///< of the hash; 0 is known to everybody: see random_seed()
};

/// A filter that could be built, and what it would do.
struct plan_candidate {
  parameters params = {};   ///< of a filter; with is_static, of a static_builder
  std::string design = {};  ///< a word or two that tell designs of one scheme apart: "page", "static", "two-choice"
  theory::prediction predicted = {};  ///< at the planned number of keys
  double keys = 0;
  double bits_per_key = 0;         ///< B m / n
  double memory_bits_per_key = 0;  ///< with the list
  double memory_bytes = 0;
  double mean_cost = 0;  ///< of a lookup at the hit ratio
  /// What a lookup takes, in times of a blocked filter with the same bits a key: the mean of single lookups and bulk
  /// at the hit ratio.
  double time_in_cache = 0;
  double time_in_memory = 0;
  double time = 0;  ///< the longer of both; above 32 MiB, in memory: what the order and the limit go by
  /// At 1.25 times the keys; nothing for a sealed filter and a ledger, which take no more than they were made for.
  std::optional<double> fpr_overfull = std::nullopt;
  std::string broken_limit = {};  ///< empty: admissible
  bool too_slow = false;          ///< time is the only limit that it breaks
  std::string why = {};           ///< a sentence: why it ranks where it does
};

/// Ranked candidates. Throws parameter_error for requests that make no sense.
[[nodiscard]] SLUICE_API std::vector<plan_candidate> plan(const plan_request& q);

/// The recommendation. Throws parameter_error if no filter keeps all limits.
[[nodiscard]] SLUICE_API plan_candidate best_plan(const plan_request& q);

}  // namespace sluice
