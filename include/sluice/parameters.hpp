// parameters: everything that describes a filter before a byte of it exists. One plain struct per scheme, with the
// papers' letters beside our names; `parameters` is any of them. A filter is made from parameters, a view needs the same
// parameters again, and two filters merge if their parameters are equal.
//
// `seed` is that of the hash. 0, the default, is known to everybody: equal keys then give equal bytes, and filters made
// apart can be merged, but who may choose keys can also choose them to be found, or to fill one block. Where keys come
// from strangers, take random_seed() (random_seed.hpp, docs/adversarial-keys.md), and the same one for all parts.
//
// check() throws parameter_error with a sentence for everything that describes no filter; sizes are 64-bit throughout.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sluice/block/bit_array.hpp"
#include "sluice/block/counted.hpp"
#include "sluice/block/laned.hpp"
#include "sluice/block/tallied.hpp"
#include "sluice/errors.hpp"
#include "sluice/overflow/forced.hpp"
#include "sluice/placement/candidates.hpp"
#include "sluice/placement/groups.hpp"

namespace sluice {

/// Where the further blocks of a gated or Bloom-g key may lie: in the 4 KiB page of the first, or anywhere.
enum class second_block : std::uint8_t { page, table };

/// How the positions of blocked and Bloom-g keys are drawn. Lanes: one vector operation tests four bits; the false positive
/// rate is 5 to 8% above that of uniform positions for a blocked filter at its best k, and 13 to 26% for Bloom-2, whose few bits per
/// block fill quads unevenly. Uniform: independent positions over the whole block, as in the papers. Blocks of other than 256 or 512
/// bits have no lanes, and are uniform whatever is asked for.
enum class position_rule : std::uint8_t { lanes, uniform };

/// One block per key.
struct blocked_parameters {
  static constexpr std::string_view scheme = "blocked";
  std::uint64_t blocks = 0;        ///< m
  std::uint32_t block_bits = 512;  ///< B, from 64 to 4096
  std::uint32_t hashes = 0;        ///< k
  position_rule positions = position_rule::lanes;
  std::uint64_t seed = 0;
  friend bool operator==(const blocked_parameters&, const blocked_parameters&) = default;
};

/// 1+alpha: a share alpha of the keys chooses the less loaded of two blocks. alpha = 1 is two-choice.
struct alpha_parameters {
  static constexpr std::string_view scheme = "alpha";
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  double alpha = 1;
  load_unit load = load_unit::set_bits;  ///< keys: counted beside the blocks, as the paper does
  std::uint64_t seed = 0;
  friend bool operator==(const alpha_parameters&, const alpha_parameters&) = default;
};

/// Classic: k positions in one array of bits.
struct classic_parameters {
  static constexpr std::string_view scheme = "classic";
  std::uint64_t bits = 0;    ///< length of the array, at least 64
  std::uint32_t hashes = 0;  ///< k
  hash_form form = hash_form::independent;
  std::uint64_t seed = 0;
  friend bool operator==(const classic_parameters&, const classic_parameters&) = default;
};

/// Choice groups: c groups of k positions; a key is stored in the one that needs the fewest new ones.
struct choice_parameters {
  static constexpr std::string_view scheme = "choice";
  std::uint64_t bits = 0;
  std::uint32_t groups = 2;  ///< c
  std::uint32_t hashes = 0;
  hash_form form = hash_form::independent;
  std::uint64_t seed = 0;
  friend bool operator==(const choice_parameters&, const choice_parameters&) = default;
};

/// Bloom-g: the k bits of a key are spread over g blocks. Above one page, whole pages, as for gated filters.
struct bloom_g_parameters {
  static constexpr std::string_view scheme = "bloom-g";
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t spread = 2;  ///< g
  second_block second = second_block::page;
  position_rule positions = position_rule::uniform;
  std::uint64_t seed = 0;
  friend bool operator==(const bloom_g_parameters&, const bloom_g_parameters&) = default;
};

/// SINGLE: one candidate, which accepts below load h, at load h with probability p.
struct single_parameters {
  static constexpr std::string_view scheme = "single";
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t threshold = 0;                         ///< h
  double acceptance = 1;                               ///< p
  overflow_rule overflow = overflow_rule::exact_list;  ///< where a key goes that is not accepted
  std::uint64_t seed = 0;
  friend bool operator==(const single_parameters&, const single_parameters&) = default;
};

/// SEQUENTIAL: d candidates over the whole table, the first that accepts takes the key.
struct sequential_parameters {
  static constexpr std::string_view scheme = "sequential";
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t choices = 2;  ///< d
  std::uint32_t threshold = 0;
  double acceptance = 1;
  overflow_rule overflow = overflow_rule::exact_list;
  std::uint64_t access_budget = 0;  ///< accesses that all insertions together may make (a n); 0: no limit
  std::uint64_t seed = 0;
  friend bool operator==(const sequential_parameters&, const sequential_parameters&) = default;
};

/// MHT: d candidates, the j-th in subtable j. theory/subtables.hpp computes good sizes.
struct mht_parameters {
  static constexpr std::string_view scheme = "mht";
  std::vector<std::uint64_t> subtables = {};  ///< blocks in each; their number is d, their sum m
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t threshold = 0;
  double acceptance = 1;
  overflow_rule overflow = overflow_rule::exact_list;
  std::uint64_t access_budget = 0;  ///< accesses that all insertions together may make (a n); 0: no limit
  std::uint64_t seed = 0;
  friend bool operator==(const mht_parameters&, const mht_parameters&) = default;
};

/// The gated filter. Above one page (second_block::page), the number of blocks is rounded up to whole pages.
struct gated_parameters {
  static constexpr std::string_view scheme = "gated";
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;   ///< 256 or 512
  std::uint32_t hashes = 0;         ///< k: bits of a key that stays in its first block, 64 at most
  std::uint32_t trace = 4;          ///< t: bits that a spilled key leaves in its first block, 4 at most
  std::uint32_t second_hashes = 0;  ///< k2: bits of a spilled key in its second block; t + k2 is 64 at most
  std::uint32_t threshold = 0;      ///< h: a first block with fewer filter bits set takes every key
  std::uint32_t margin = 0;         ///< spill only if the second block has more than so many bits fewer
  second_block second = second_block::page;
  /// Made by static_builder: a closed gate means that every key of its class was spilled. A union of filters is no longer static.
  bool is_static = false;
  std::uint64_t seed = 0;
  friend bool operator==(const gated_parameters&, const gated_parameters&) = default;
};

using parameters =
    std::variant<classic_parameters, choice_parameters, blocked_parameters, alpha_parameters, single_parameters,
                 sequential_parameters, mht_parameters, bloom_g_parameters, gated_parameters>;

[[nodiscard]] inline std::string_view scheme_name(const parameters& p) {
  return std::visit([](const auto& q) { return q.scheme; }, p);
}
[[nodiscard]] inline std::uint64_t seed_of(const parameters& p) {
  return std::visit([](const auto& q) { return q.seed; }, p);
}
[[nodiscard]] inline parameters with_seed(parameters p, std::uint64_t seed) {
  std::visit([=](auto& q) { q.seed = seed; }, p);
  return p;
}

/// Of the union of two filters: what is left of the parameters of either. Only filters whose unions have equal ones can be merged.
[[nodiscard]] inline parameters united(parameters p) {
  if (auto* const gated = std::get_if<gated_parameters>(&p)) gated->is_static = false;
  return p;
}

/// The number of blocks that gives `keys` keys `bits_per_key` bits each, rounded up.
[[nodiscard]] inline std::uint64_t blocks_for(std::uint64_t keys, double bits_per_key, std::uint32_t block_bits = 512) {
  if (keys == 0) throw parameter_error("a filter cannot be sized for zero keys; give the number of keys you expect");
  if (!(bits_per_key > 0) || !std::isfinite(bits_per_key)) {
    throw parameter_error("bits per key must be a positive number, not " + std::to_string(bits_per_key));
  }
  if (block_bits == 0) throw parameter_error("a block of zero bits holds no filter; use 64 to 4096 bits");
  const double blocks = std::ceil(static_cast<double>(keys) * bits_per_key / block_bits);
  if (blocks >= 0x1.0p63) {
    throw parameter_error("a filter of " + std::to_string(keys) + " keys at " + std::to_string(bits_per_key) +
                          " bits each has more blocks than 64 bits can count");
  }
  return static_cast<std::uint64_t>(blocks);
}

namespace detail {

inline constexpr std::uint32_t least_block_bits = 64;
inline constexpr std::uint32_t most_block_bits = 4096;
inline constexpr std::uint32_t most_array_hashes = 4096;
inline constexpr std::uint64_t most_choice_positions = 16'384;  // c k: a lookup computes them all

inline void demand(bool holds, std::string_view scheme, const std::string& sentence) {
  if (!holds) throw parameter_error(std::string(scheme) + " filter: " + sentence);
}

inline void check_probability(std::string_view scheme, const char* name, double value) {
  demand(value >= 0 && value <= 1, scheme,
         std::string(name) + " is a probability from 0 to 1, not " + std::to_string(value));
}

/// What every blocked scheme has: blocks, their size, and k that fits into the usable bits.
inline void check_shape(std::string_view scheme, std::uint64_t blocks, std::uint32_t block_bits) {
  demand(blocks > 0, scheme, "zero blocks hold no keys; size it with blocks_for(keys, bits_per_key)");
  demand(block_bits >= least_block_bits && block_bits <= most_block_bits, scheme,
         "a block has 64 to 4096 bits, not " + std::to_string(block_bits));
}

inline void check_hashes(std::string_view scheme, const char* name, std::uint32_t hashes, std::uint32_t usable) {
  demand(hashes > 0, scheme, std::string(name) + " is zero: a key must set at least one bit");
  demand(hashes <= usable, scheme,
         std::string(name) + " is " + std::to_string(hashes) + ", but a block has only " + std::to_string(usable) +
             " usable bits");
}

/// Keys of blocks with lanes have so many positions and no more.
inline void check_positions(std::string_view scheme, const char* name, std::uint64_t positions) {
  demand(positions <= lanes::most_positions, scheme,
         std::string(name) + " is " + std::to_string(positions) + ", but a key has at most 64 positions in its lanes");
}

/// Blocked and Bloom-g: are the positions drawn in lanes?
template <class P>
[[nodiscard]] bool in_lanes(const P& p) {
  return p.positions == position_rule::lanes && lanes::has_lanes(p.block_bits);
}

/// What SINGLE, SEQUENTIAL and MHT share.
template <class P>
void check_threshold(const P& p, std::uint64_t blocks, std::uint64_t choices) {
  check_shape(p.scheme, blocks, p.block_bits);
  demand(choices >= 1 && choices <= most_candidates, p.scheme,
         "a key has 1 to " + std::to_string(most_candidates) + " candidate blocks, not " + std::to_string(choices));
  demand(choices <= blocks, p.scheme,
         std::to_string(choices) + " candidates need at least as many blocks, not " + std::to_string(blocks));
  demand(p.threshold > 0, p.scheme, "a threshold h of zero lets no block take a key; use 1 or more");
  check_probability(p.scheme, "the acceptance p", p.acceptance);
  demand(counted_block::counter_bits(p.threshold) < p.block_bits, p.scheme, "the counter for h fills the whole block");
  check_hashes(p.scheme, "k", p.hashes, counted_block(p.block_bits, p.threshold).usable_bits());
}

/// Keys that are placed without being read can only be told from absent ones by a list.
template <class P>
void check_budget(const P& p) {
  demand(p.access_budget == 0 || p.overflow == overflow_rule::exact_list, p.scheme,
         "an access budget needs the exact list; without one, lookups of later keys would stop too early");
}

inline void check_array(std::string_view scheme, std::uint64_t bits, std::uint32_t hashes) {
  demand(bits >= least_block_bits, scheme, "the array has at least 64 bits, not " + std::to_string(bits));
  demand(bits <= std::numeric_limits<std::uint64_t>::max() - bits::word_bits, scheme,
         "the length of the array does not fit in 64 bits");
  check_hashes(scheme, "k", hashes, bits < most_array_hashes ? static_cast<std::uint32_t>(bits) : most_array_hashes);
}

/// Gated and Bloom-g filters whose blocks share a page.
inline void check_page(std::string_view scheme, second_block second, std::uint32_t block_bits) {
  demand(second == second_block::table || page_bytes % stride_for(block_bits) == 0, scheme,
         "blocks of " + std::to_string(block_bits) +
             " bits do not divide a page of 4096 bytes; use a power of two, or second_block::table");
}

}  // namespace detail

inline void check(const classic_parameters& p) { detail::check_array(p.scheme, p.bits, p.hashes); }

inline void check(const choice_parameters& p) {
  detail::check_array(p.scheme, p.bits, p.hashes);
  detail::demand(p.groups >= 1, p.scheme, "a key has at least one group");
  detail::demand(std::uint64_t{p.groups} * p.hashes <= detail::most_choice_positions, p.scheme,
                 std::to_string(p.groups) + " groups of " + std::to_string(p.hashes) +
                     " positions are too many; all groups together have at most 16384");
}

inline void check(const bloom_g_parameters& p) {
  detail::check_shape(p.scheme, p.blocks, p.block_bits);
  detail::demand(p.spread >= 1 && p.spread <= most_candidates, p.scheme,
                 "a key has 1 to " + std::to_string(most_candidates) + " blocks, not " + std::to_string(p.spread));
  detail::check_page(p.scheme, p.second, p.block_bits);
  const std::uint64_t group =
      p.second == second_block::table ? p.blocks : std::min(p.blocks, page_bytes / detail::stride_for(p.block_bits));
  detail::demand(p.spread <= group, p.scheme,
                 std::to_string(p.spread) + " different blocks cannot come from a group of " + std::to_string(group));
  detail::demand(p.hashes >= p.spread, p.scheme,
                 "k is " + std::to_string(p.hashes) + ", but each of the " + std::to_string(p.spread) +
                     " blocks needs at least one bit");
  detail::check_hashes(p.scheme, "k / g", (p.hashes - 1) / p.spread + 1, p.block_bits);
  if (detail::in_lanes(p)) detail::check_positions(p.scheme, "k", p.hashes);
}

inline void check(const blocked_parameters& p) {
  detail::check_shape(p.scheme, p.blocks, p.block_bits);
  detail::check_hashes(p.scheme, "k", p.hashes, p.block_bits);
  if (detail::in_lanes(p)) detail::check_positions(p.scheme, "k", p.hashes);
}

inline void check(const alpha_parameters& p) {
  detail::check_shape(p.scheme, p.blocks, p.block_bits);
  detail::check_hashes(p.scheme, "k", p.hashes, p.block_bits);
  detail::check_probability(p.scheme, "alpha", p.alpha);
  detail::demand(p.alpha == 0 || p.blocks >= 2, p.scheme, "two candidates need at least two blocks");
}

inline void check(const single_parameters& p) { detail::check_threshold(p, p.blocks, 1); }

inline void check(const sequential_parameters& p) {
  detail::check_threshold(p, p.blocks, p.choices);
  detail::check_budget(p);
}

inline void check(const mht_parameters& p) {
  std::uint64_t blocks = 0;
  for (const std::uint64_t size : p.subtables) {
    detail::demand(size > 0, p.scheme, "a subtable without blocks has no place for its candidate");
    detail::demand(blocks + size > blocks, p.scheme, "the number of blocks of all subtables does not fit in 64 bits");
    blocks += size;
  }
  detail::demand(!p.subtables.empty(), p.scheme, "it needs at least one subtable; see sluice::subtable_sizes");
  detail::check_threshold(p, blocks, p.subtables.size());
  detail::check_budget(p);
}

inline void check(const gated_parameters& p) {
  const auto demand = [&](bool holds, const std::string& sentence) { detail::demand(holds, p.scheme, sentence); };
  detail::check_shape(p.scheme, p.blocks, p.block_bits);
  demand(lanes::has_lanes(p.block_bits), "a block has 256 or 512 bits, not " + std::to_string(p.block_bits));
  const std::uint32_t usable = laned_block<>(p.block_bits).usable_bits();
  detail::check_hashes(p.scheme, "k", p.hashes, usable);
  detail::check_hashes(p.scheme, "k2", p.second_hashes, usable);
  demand(p.trace < p.hashes,
         "the trace t is " + std::to_string(p.trace) + ", but it must be smaller than k = " + std::to_string(p.hashes));
  demand(p.trace <= lanes::most_trace, "the trace t is " + std::to_string(p.trace) + ", but 4 bits are the most");
  detail::check_positions(p.scheme, "k", p.hashes);
  detail::check_positions(p.scheme, "t + k2", std::uint64_t{p.trace} + p.second_hashes);
  demand(p.threshold > 0, "a threshold h of zero spills every key; use the number of bits at which a block is full");
  demand(p.threshold <= usable, "no block ever reaches a threshold of " + std::to_string(p.threshold) +
                                    " bits; it has " + std::to_string(usable));
  demand(p.margin <= usable, "no two blocks ever differ by a margin of " + std::to_string(p.margin) + " bits");
  detail::check_page(p.scheme, p.second, p.block_bits);
}

}  // namespace sluice
