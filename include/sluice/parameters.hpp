// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// parameters: everything that describes a filter before a byte of it exists. One plain struct per scheme, with the
// papers' letters beside our names; `parameters` is any of them. A filter is made from parameters, a view needs the
// same parameters again, and two filters merge if their parameters are equal.
//
// `seed` is that of the hash. 0, the default, is known to everybody: equal keys then give equal bytes, and filters made
// apart can be merged, but who may choose keys can also choose them to be found, or to fill one block. Where keys come
// from untrusted parties, take random_seed() (hash.hpp, docs/adversarial-keys.md), and the same one for all filters
// that are to be merged.
//
// What describes no filter is refused with a sentence, as a parameter_error; sizes are 64-bit throughout.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/errors.hpp"

namespace sluice {

/// The schemes, by the papers' names. The numbers stand in files and never change.
enum class scheme : std::uint8_t {
  classic = 1,
  choice = 2,
  blocked = 3,
  alpha = 4,
  single = 5,
  sequential = 6,
  mht = 7,
  bloom_g = 8,
  gated = 9,
  sealed = 10,
  ledger = 11,
};

/// What is true of every filter of a scheme. One row for each: everything that asks what a scheme is asks here.
struct scheme_traits {
  scheme which;
  std::string_view name;  ///< on the command line, in JSON and in sentences
  bool has_blocks;        ///< a lookup reads blocks; without: single positions of one array
  bool may_share_a_page;  ///< further blocks of a key may lie in the page of its first
  bool may_have_a_list;   ///< of digests that no block took
  bool takes_keys;        ///< one by one; without: a builder makes it from all keys, and it never changes
  bool erases_keys;       ///< one by one, as often as they were inserted
};

namespace detail {

inline constexpr std::array<scheme_traits, 11> all_scheme_traits = {{
    {scheme::classic, "classic", false, false, false, true, false},
    {scheme::choice, "choice", false, false, false, true, false},
    {scheme::blocked, "blocked", true, false, false, true, false},
    {scheme::alpha, "alpha", true, false, false, true, false},
    {scheme::single, "single", true, false, true, true, false},
    {scheme::sequential, "sequential", true, false, true, true, false},
    {scheme::mht, "mht", true, false, true, true, false},
    {scheme::bloom_g, "bloom-g", true, true, false, true, false},
    {scheme::gated, "gated", true, true, false, true, false},
    {scheme::sealed, "sealed", true, true, true, false, false},
    {scheme::ledger, "ledger", true, true, true, true, true},
}};

}  // namespace detail

[[nodiscard]] constexpr const scheme_traits& traits_of(scheme which) noexcept {
  return detail::all_scheme_traits[static_cast<std::size_t>(which) - 1];
}
[[nodiscard]] constexpr std::string_view name_of(scheme which) noexcept { return traits_of(which).name; }

// The words in which parameters choose between ways of doing a thing. Their numbers stand in files and never change.

/// How the positions of classic filters and choice groups are made.
enum class hash_form : std::uint8_t { independent, double_hashing };

/// What load() of a block counts.
enum class load_unit : std::uint8_t { set_bits, keys };

/// Where a key goes that no block takes.
enum class overflow_rule : std::uint8_t { exact_list, first_candidate, random_candidate };

/// What happens to a key for which an exact list of bounded size has no room: it is refused (full_error), or put into
/// one of its candidates all the same.
enum class full_list_rule : std::uint8_t { refuse, first_candidate, random_candidate };

/// Where the further blocks of a gated or Bloom-g key may lie: in the 4 KiB page of the first, or anywhere.
enum class second_block : std::uint8_t { page, table };

/// How the positions of blocked and Bloom-g keys are drawn. Lanes: one vector operation tests four bits; the false
/// positive rate is 5 to 8% above that of uniform positions for a blocked filter at its best k, and 13 to 26% for
/// Bloom-2, whose few bits per block fill quads unevenly. Uniform: independent positions over the whole block, as in
/// the papers. Blocks of other than 256 or 512 bits have no lanes, and are uniform whatever is asked for.
enum class position_rule : std::uint8_t { lanes, uniform };

/// One block per key.
struct blocked_parameters {
  static constexpr scheme which = scheme::blocked;
  std::uint64_t blocks = 0;        ///< m
  std::uint32_t block_bits = 512;  ///< B, from 64 to 4096
  std::uint32_t hashes = 0;        ///< k
  position_rule positions = position_rule::lanes;
  std::uint32_t folds = 0;  ///< filter::fold: blocks are those that keys are drawn from, ceil(m / 2^folds) are there
  std::uint64_t seed = 0;
  friend bool operator==(const blocked_parameters&, const blocked_parameters&) = default;
};

/// 1+alpha: a share alpha of the keys chooses the less loaded of two blocks. alpha = 1 is two-choice.
struct alpha_parameters {
  static constexpr scheme which = scheme::alpha;
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
  static constexpr scheme which = scheme::classic;
  std::uint64_t bits = 0;    ///< length of the array, at least 64
  std::uint32_t hashes = 0;  ///< k
  hash_form form = hash_form::independent;
  std::uint32_t folds = 0;  ///< as of blocked filters, of the bits; of independent positions only
  std::uint64_t seed = 0;
  friend bool operator==(const classic_parameters&, const classic_parameters&) = default;
};

/// Choice groups: c groups of k positions; a key is stored in the one that needs the fewest new ones.
struct choice_parameters {
  static constexpr scheme which = scheme::choice;
  std::uint64_t bits = 0;
  std::uint32_t groups = 2;  ///< c
  std::uint32_t hashes = 0;
  hash_form form = hash_form::independent;
  std::uint64_t seed = 0;
  friend bool operator==(const choice_parameters&, const choice_parameters&) = default;
};

/// Bloom-g: the k bits of a key are spread over g blocks. Above one page, whole pages, as for gated filters.
struct bloom_g_parameters {
  static constexpr scheme which = scheme::bloom_g;
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t spread = 2;  ///< g
  second_block second = second_block::page;
  position_rule positions = position_rule::uniform;
  std::uint32_t folds = 0;  ///< as of blocked filters
  std::uint64_t seed = 0;
  friend bool operator==(const bloom_g_parameters&, const bloom_g_parameters&) = default;
};

/// SINGLE: one candidate, which accepts below load h, at load h with probability p.
struct single_parameters {
  static constexpr scheme which = scheme::single;
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t threshold = 0;                         ///< h
  double acceptance = 1;                               ///< p
  overflow_rule overflow = overflow_rule::exact_list;  ///< where a key goes that is not accepted
  std::uint64_t list_capacity = 0;                     ///< keys that an exact list holds at most; 0: no limit
  full_list_rule when_full = full_list_rule::refuse;   ///< what happens to further ones
  std::uint64_t seed = 0;
  friend bool operator==(const single_parameters&, const single_parameters&) = default;
};

/// SEQUENTIAL: d candidates over the whole table, the first that accepts takes the key.
struct sequential_parameters {
  static constexpr scheme which = scheme::sequential;
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t choices = 2;  ///< d
  std::uint32_t threshold = 0;
  double acceptance = 1;
  overflow_rule overflow = overflow_rule::exact_list;
  std::uint64_t list_capacity = 0;
  full_list_rule when_full = full_list_rule::refuse;
  std::uint64_t access_budget = 0;  ///< accesses that all insertions together may make (a n); 0: no limit
  std::uint64_t seed = 0;
  friend bool operator==(const sequential_parameters&, const sequential_parameters&) = default;
};

/// MHT: d candidates, the j-th in subtable j. theory::subtable_sizes computes good ones.
struct mht_parameters {
  static constexpr scheme which = scheme::mht;
  std::vector<std::uint64_t> subtables = {};  ///< blocks in each; their number is d, their sum m
  std::uint32_t block_bits = 512;
  std::uint32_t hashes = 0;
  std::uint32_t threshold = 0;
  double acceptance = 1;
  overflow_rule overflow = overflow_rule::exact_list;
  std::uint64_t list_capacity = 0;
  full_list_rule when_full = full_list_rule::refuse;
  std::uint64_t access_budget = 0;  ///< accesses that all insertions together may make (a n); 0: no limit
  std::uint64_t seed = 0;
  friend bool operator==(const mht_parameters&, const mht_parameters&) = default;
};

/// The gated filter. Above one page (second_block::page), the number of blocks is rounded up to whole pages.
struct gated_parameters {
  /// When a gated key is spilled from its first block to its second. Placements, kernels and models ask here.
  struct spill_rule {
    std::uint32_t threshold = 0;  ///< h: a first block with fewer filter bits set takes every key
    std::uint32_t margin = 0;     ///< spill only if the second block has more than this many bits fewer

    /// Is the first block so full that the second one is looked at?
    [[nodiscard]] constexpr bool looks_further(std::uint64_t first_load) const noexcept {
      return first_load >= threshold;
    }
    [[nodiscard]] constexpr bool spills(std::uint64_t first_load, std::uint64_t second_load) const noexcept {
      return second_load + margin < first_load;
    }
  };

  static constexpr scheme which = scheme::gated;
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;   ///< 256 or 512
  std::uint32_t hashes = 0;         ///< k: bits of a key that stays in its first block, 64 at most
  std::uint32_t trace = 4;          ///< t: bits that a spilled key leaves in its first block, 4 at most
  std::uint32_t second_hashes = 0;  ///< k2: bits of a spilled key in its second block; t + k2 is 64 at most
  std::uint32_t threshold = 0;      ///< h: a first block with fewer filter bits set takes every key
  std::uint32_t margin = 0;         ///< spill only if the second block has more than this many bits fewer
  second_block second = second_block::page;
  /// Made by static_builder: a closed gate means that every key of its class was spilled. A union of filters is no
  /// longer static, nor is one that was folded.
  bool is_static = false;
  std::uint32_t folds = 0;  ///< as of blocked filters
  std::uint64_t seed = 0;
  [[nodiscard]] constexpr spill_rule rule() const noexcept { return {threshold, margin}; }
  friend bool operator==(const gated_parameters&, const gated_parameters&) = default;
};

/// The sealed filter: made by sealed_builder from keys that are all known, r bits and a little for each, and never
/// changed. Groups of at most a page have equally many blocks, so the number of blocks may be rounded up a little.
struct sealed_parameters {
  static constexpr scheme which = scheme::sealed;
  std::uint64_t blocks = 0;             ///< for sealed_builder, 0: as many as the keys need
  std::uint32_t block_bits = 512;       ///< 256 or 512
  std::uint32_t fingerprint_bits = 16;  ///< r, from 1 to 32: the false positive rate is 2^-r
  std::uint64_t seed = 0;
  friend bool operator==(const sealed_parameters&, const sealed_parameters&) = default;
};

/// The ledger: keys come and go. A key is kept as a remainder of a few bits in one of two blocks, as often as it is
/// inserted, and can be erased again. Above one page, whole pages, as for gated filters.
struct ledger_parameters {
  static constexpr scheme which = scheme::ledger;
  std::uint64_t blocks = 0;
  std::uint32_t block_bits = 512;     ///< 512
  std::uint32_t remainder_bits = 15;  ///< rho: 8, 12, 15, 16 or 24
  std::uint64_t seed = 0;
  friend bool operator==(const ledger_parameters&, const ledger_parameters&) = default;
};

using parameters = std::variant<classic_parameters, choice_parameters, blocked_parameters, alpha_parameters,
                                single_parameters, sequential_parameters, mht_parameters, bloom_g_parameters,
                                gated_parameters, sealed_parameters, ledger_parameters>;

/// How a filter grows whose number of keys is not known (growing_filter.hpp): a chain of filters.
struct growth {
  static constexpr double least_fpr = 1e-9;  ///< lower ones leave too little for later links
  double fpr = 0.001;                        ///< of the whole chain, whatever its length
  std::uint64_t first_keys = 32'768;         ///< that the first link holds
  std::uint32_t factor = 0;                  ///< how many times more each link holds than the one before; 0: the usual
  std::uint32_t block_bits = 512;
  std::uint64_t seed = 0;
  bool erasable = false;  ///< a chain of ledgers, which gives keys back; the factor is a power of two
  friend bool operator==(const growth&, const growth&) = default;
};

[[nodiscard]] inline scheme scheme_of(const parameters& p) {
  return std::visit([](const auto& q) { return q.which; }, p);
}
namespace detail {

[[nodiscard]] inline std::string_view scheme_name(const parameters& p) { return name_of(scheme_of(p)); }
[[nodiscard]] inline std::uint64_t seed_of(const parameters& p) {
  return std::visit([](const auto& q) { return q.seed; }, p);
}
[[nodiscard]] inline parameters with_seed(parameters p, std::uint64_t seed) {
  std::visit([=](auto& q) { q.seed = seed; }, p);
  return p;
}

/// Are these the parameters of a filter that static_builder makes?
[[nodiscard]] inline bool is_static(const parameters& p) {
  const auto* const gated = std::get_if<gated_parameters>(&p);
  return gated != nullptr && gated->is_static;
}

/// Are these the parameters of a filter that sealed_builder makes?
[[nodiscard]] inline bool is_sealed(const parameters& p) { return !traits_of(scheme_of(p)).takes_keys; }

/// Can a filter of this scheme, and with such positions, be folded (filter::fold)?
[[nodiscard]] inline bool may_be_folded(const parameters& p) {
  const auto* const classic = std::get_if<classic_parameters>(&p);
  if (classic != nullptr && classic->form == hash_form::double_hashing) return false;
  return std::visit([](const auto& q) { return requires { q.folds; }; }, p);
}

/// How often was a filter of these parameters folded? 0 where it cannot be.
template <class P>
[[nodiscard]] constexpr std::uint32_t folds_in(const P& p) noexcept {
  if constexpr (requires { p.folds; }) return p.folds;
  return 0;
}
[[nodiscard]] inline std::uint32_t folds_of(const parameters& p) {
  return std::visit([](const auto& q) { return folds_in(q); }, p);
}

/// Of a filter after so many folds more, normalised: static ones are not static any more. Precondition: may_be_folded.
[[nodiscard]] parameters folded_so_often(parameters p, std::uint32_t folds);

/// Are these the parameters of a filter that gives keys back?
[[nodiscard]] inline bool erases_keys(const parameters& p) { return traits_of(scheme_of(p)).erases_keys; }

/// Of the union of two filters: what is left of the parameters of either. Only filters whose unions have equal ones can
/// be merged.
[[nodiscard]] inline parameters united(parameters p) {
  if (auto* const gated = std::get_if<gated_parameters>(&p)) gated->is_static = false;
  return p;
}

/// Checked, and as a filter of them will be: gated, Bloom-g and ledger filters above one page consist of whole pages,
/// blocks that can have no lanes are uniform, and zero is +0, as in files. Throws parameter_error.
[[nodiscard]] parameters normalised(parameters p);

/// Throws parameter_error for a growth that makes no sense, or does not say its factor.
void check(const growth& how);

/// With the usual factor where none is said: 2, of an erasable chain, whose rate eight links keep, 4.
[[nodiscard]] growth with_factor(growth how) noexcept;

}  // namespace detail

/// Is a filter of these parameters made from all its keys at once, by a builder (builders.hpp)?
[[nodiscard]] inline bool needs_all_keys(const parameters& p) { return detail::is_static(p) || detail::is_sealed(p); }

/// How many bytes a filter of these parameters has, without an exact list. Throws parameter_error.
[[nodiscard]] SLUICE_API std::uint64_t bytes_for(const parameters& p);

/// The number of blocks that gives `keys` keys `bits_per_key` bits each, rounded up. Throws parameter_error.
[[nodiscard]] inline std::uint64_t blocks_for(std::uint64_t keys, double bits_per_key, std::uint32_t block_bits = 512) {
  if (keys == 0) throw parameter_error("a filter cannot be sized for zero keys; give the number of keys you expect");
  if (!(bits_per_key > 0) || !std::isfinite(bits_per_key)) {
    throw parameter_error("bits per key must be a positive number, not " + detail::number_text(bits_per_key));
  }
  if (block_bits == 0) throw parameter_error("a block of zero bits holds no filter; use 64 to 4096 bits");
  const double blocks = std::ceil(static_cast<double>(keys) * bits_per_key / block_bits);
  if (blocks >= 0x1.0p63) {
    throw parameter_error("a filter of " + std::to_string(keys) + " keys at " + detail::number_text(bits_per_key) +
                          " bits each has more blocks than 64 bits can count");
  }
  return static_cast<std::uint64_t>(blocks);
}

}  // namespace sluice
