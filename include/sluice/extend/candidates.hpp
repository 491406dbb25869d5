// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/candidates: the planner's parts, for programs that show what it considers: forms of schemes and their designs,
// the candidate that a design makes for a request, links of a chain before there are any. plan() (plan.hpp) is made of
// them; everything here is what it would have said.
//
// Invariants: the same arguments give the same parameters on every machine. Cost: one model for a candidate, none for a
// design of blocks of 256 or 512 bits.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"

namespace sluice::detail::designs {

/// What a planner considers: the schemes, and forms of them with tables of their own. two_choice is 1+alpha with alpha
/// = 1, bloom_2 Bloom-g with g = 2, static_gated what static_builder makes, for people who have all their keys. Sealed
/// filters and ledgers have measured times, but no designs to search for (plan/sealed.hpp, plan/ledger.hpp):
/// all_families is without them.
enum class family : std::uint8_t {
  classic,
  blocked,
  alpha,
  two_choice,
  single,
  sequential,
  mht,
  bloom_2,
  gated,
  static_gated,
  sealed,
  ledger
};

inline constexpr std::array all_families = {family::classic, family::blocked,     family::alpha, family::two_choice,
                                            family::single,  family::sequential,  family::mht,   family::bloom_2,
                                            family::gated,   family::static_gated};

/// The scheme whose form this is.
[[nodiscard]] constexpr scheme scheme_of(family which) noexcept {
  switch (which) {
    case family::classic:
      return scheme::classic;
    case family::blocked:
      return scheme::blocked;
    case family::alpha:
    case family::two_choice:
      return scheme::alpha;
    case family::single:
      return scheme::single;
    case family::sequential:
      return scheme::sequential;
    case family::mht:
      return scheme::mht;
    case family::bloom_2:
      return scheme::bloom_g;
    case family::gated:
    case family::static_gated:
      return scheme::gated;
    case family::sealed:
      return scheme::sealed;
    case family::ledger:
      return scheme::ledger;
  }
  return scheme::classic;
}

inline constexpr std::uint32_t any_hashes = std::numeric_limits<std::uint32_t>::max();

/// Parameters of a scheme that are good at `bits_per_key` bits, with this many blocks (classic: bits) and at most
/// `most` positions; nothing where we know none.
[[nodiscard]] std::optional<parameters> design_with(family which, std::uint32_t block_bits, double bits_per_key,
                                                    std::uint64_t blocks, std::uint32_t most = any_hashes);

/// Parameters of a scheme for `keys` keys at `bits_per_key` bits each (blocks alone); nothing where we know none.
[[nodiscard]] std::optional<parameters> design(family which, std::uint32_t block_bits, double bits_per_key, double keys,
                                               std::uint32_t most = any_hashes);

/// The most blocks that a lookup can read, and whether further ones lie in the page of the first.
struct reach {
  std::uint64_t blocks;
  bool same_page = false;
};
[[nodiscard]] reach reach_of(const parameters& p);

}  // namespace sluice::detail::designs

namespace sluice::detail::planning {

inline constexpr double least_bits = 4;  // bits per key that are considered
inline constexpr double most_bits = 64;

/// So many folds are planned for where they may be needed: beyond, gated filters lose what they are better by.
inline constexpr std::uint32_t planned_folds = 2;

/// How many filters are united to the one that a request plans. One that is folded is a union of its parts.
[[nodiscard]] inline std::uint64_t shards_of(const plan_request& q) {
  constexpr std::uint64_t usual_shards = 16;
  if (q.shards != 0) return q.shards;
  if (q.keys_at_most) return std::uint64_t{1} << planned_folds;
  return q.mergeable ? usual_shards : 1;
}

/// What a filter of these parameters does, or the union of as many as the request has shards; of one that may be folded
/// what is worse, as it is or folded.
[[nodiscard]] theory::prediction predict(const parameters& p, double keys, const plan_request& q);

[[nodiscard]] bool has_list(const parameters& p);

[[nodiscard]] double filter_bits(const parameters& p);

/// The candidate of these parameters: predictions, memory, cost, time.
[[nodiscard]] plan_candidate evaluate(const parameters& p, double keys, const plan_request& q);

/// Whether a lookup takes longer than the request allows. Of a sealed filter it may take what it takes: they are
/// planned for memory, and a plan by time has a faster one (plan/sealed.hpp). So may one of a ledger: nothing else
/// erases.
[[nodiscard]] bool takes_too_long(const plan_candidate& c, const plan_request& q);

/// The design of a scheme for this number of keys with this many bits for each, without a list; nothing where we know
/// none.
[[nodiscard]] std::optional<plan_candidate> candidate_at(designs::family which, double bits_per_key, double keys,
                                                         const plan_request& q);

/// Which r may be taken.
enum class sealed_speed : std::uint8_t { any, fast };

/// The best sealed filter of this speed; nothing where none fits. `keys` are those that it is sized for,
/// 0 where they follow.
[[nodiscard]] std::optional<plan_candidate> sealed_candidate(const plan_request& q, double keys,
                                                             sealed_speed speed = sealed_speed::any);

struct planned_link {
  parameters params;
  double fpr;  ///< when it is full
  std::uint64_t capacity;
};

/// Link `number` of a chain, for this many keys, whose other links have rates of this sum when they are full.
[[nodiscard]] planned_link plan_link(const growth& how, std::uint64_t number, std::uint64_t capacity,
                                     double rate_so_far);

/// The links of a chain that holds so many keys, from its first one on; those that are there are taken as they are.
/// `how` says its factor (with_factor). Throws parameter_error.
void plan_links(const growth& how, double keys, std::vector<planned_link>& links);

/// What a chain costs while it grows from its first link to so many keys, before there is one: bits a key, in memory
/// and in a file, where the last link is folded if links can be; and links, of which a miss reads a line each.
struct chain_cost {
  struct range {
    double best = 0;
    double mean = 0;  ///< over all numbers of keys, each size counting the same
    double worst = 0;
    double in_the_end = 0;
  };
  range bits_in_memory = {};
  range bits_in_file = {};
  range links = {};
};
[[nodiscard]] chain_cost cost_of_chain(std::span<const planned_link> links, double keys);

}  // namespace sluice::detail::planning

namespace sluice::extend {

using detail::designs::all_families;
using detail::designs::design;
using detail::designs::design_with;
using detail::designs::family;
using detail::designs::reach_of;
using detail::planning::candidate_at;
using detail::planning::chain_cost;
using detail::planning::cost_of_chain;
using detail::planning::evaluate;
using detail::planning::filter_bits;
using detail::planning::has_list;
using detail::planning::most_bits;
using detail::planning::plan_link;
using detail::planning::plan_links;
using detail::planning::planned_folds;
using detail::planning::planned_link;
using detail::planning::predict;
using detail::planning::sealed_candidate;
using detail::planning::shards_of;
using detail::planning::takes_too_long;

}  // namespace sluice::extend
