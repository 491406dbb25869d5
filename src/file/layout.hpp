// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/layout: where everything lies in a file of version 1 or 2. docs/format.md is this header in prose. All numbers
// are little-endian.
//
//   0                 header: the preamble, a record for every filter, the sizes of MHT subtables, sections (version 2)
//   header_bytes      checksums of the chunks of the data, 8 bytes each
//                     zeros up to a multiple of 4096
//   data_offset       of every filter: its blocks exactly as in memory, then the slots of its list (of a sealed map,
//                     with their values behind them); each begins at a multiple of 4096, with zeros before it
//   file_bytes        the end
//
// Invariants: positions follow from sizes, and sizes from parameters, so that a file has one way to be written: what
// was read is written again and must be equal (file/parse.hpp). Every byte is under a checksum, or zero and checked to
// be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "file/checksum.hpp"
#include "file/sections.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/file.hpp"

namespace sluice::detail::file {

inline constexpr unsigned char magic[8] = {0x89, 'S', 'L', 'U', 'I', 'C', 'E', '\n'};

inline constexpr std::uint32_t plain_version = 1;  // which has no sections

inline constexpr std::uint32_t version = 2;  // the newest that is read, written where there are sections

inline constexpr std::uint32_t hash_identity =
    1;  // XXH3 for bytes, the mix of hash.hpp for integers; and all that is derived from them

inline constexpr std::uint32_t flag_grows = 1;

inline constexpr std::uint64_t preamble_bytes = 128;

inline constexpr std::uint64_t record_bytes = 192;

inline constexpr std::uint64_t most_header_bytes = std::uint64_t{1} << 20;

inline constexpr std::uint64_t alignment = 4096;

inline constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 62;  // so that sums of two positions fit

// What numbers in files mean must never change.
static_assert(std::variant_size_v<parameters> == 11);

static_assert(std::is_same_v<std::variant_alternative_t<0, parameters>, classic_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<1, parameters>, choice_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<2, parameters>, blocked_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<3, parameters>, alpha_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<4, parameters>, single_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<5, parameters>, sequential_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<6, parameters>, mht_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<7, parameters>, bloom_g_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<8, parameters>, gated_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<9, parameters>, sealed_parameters>);

static_assert(std::is_same_v<std::variant_alternative_t<10, parameters>, ledger_parameters>);

static_assert(hash_form{1} == hash_form::double_hashing && second_block{1} == second_block::table);

static_assert(position_rule{1} == position_rule::uniform && load_unit{1} == load_unit::keys);

static_assert(overflow_rule{1} == overflow_rule::first_candidate &&
              overflow_rule{2} == overflow_rule::random_candidate);

static_assert(full_list_rule{1} == full_list_rule::first_candidate &&
              full_list_rule{2} == full_list_rule::random_candidate);

/// The first bytes of a file.
struct preamble {
  std::uint32_t format = plain_version;
  std::uint32_t header_bytes = 0;
  std::uint64_t header_checksum = 0;  ///< of the header, with zeros in its own place
  std::uint64_t file_bytes = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t chunk = chunk_bytes;
  std::uint64_t table_checksum = 0;
  std::uint32_t flags = 0;
  std::uint32_t keys = 0;
  std::uint32_t hash = hash_identity;
  std::uint32_t filters = 0;
  growth grows = {.fpr = 0, .first_keys = 0, .factor = 0, .block_bits = 0};
};

/// The record of a filter, but for its parameters.
struct record {
  std::uint32_t scheme = 0;
  std::uint64_t keys = 0;
  std::uint64_t planned_keys = 0;
  double planned_fpr = 0;
  std::uint64_t blocks_offset = 0;
  std::uint64_t blocks_bytes = 0;
  std::uint64_t slots_offset = 0;
  std::uint64_t slots_bytes = 0;
  std::uint64_t overflow_keys = 0;
  std::uint64_t spent = 0;
  std::uint32_t overflow_flags = 0;  ///< 1: the digest 0 is a member; 2: the access budget is spent
  std::uint64_t forced = 0;          ///< version 2: keys that were forced because the list was full
  std::uint8_t edition = 0;          ///< version 2: of the layout of the blocks, see edition_of
  std::uint32_t value_bits = 0;      ///< version 2: of a sealed map; of filters 0
};

// Offsets: from the beginning of the file, and from that of a record.
namespace in_preamble {
inline constexpr std::uint64_t format = 8;
inline constexpr std::uint64_t header_bytes = 12;
inline constexpr std::uint64_t header_checksum = 16;
inline constexpr std::uint64_t file_bytes = 24;
inline constexpr std::uint64_t data_offset = 32;
inline constexpr std::uint64_t chunk = 40;
inline constexpr std::uint64_t table_checksum = 48;
inline constexpr std::uint64_t flags = 56;
inline constexpr std::uint64_t keys = 60;
inline constexpr std::uint64_t hash = 64;
inline constexpr std::uint64_t filters = 68;
inline constexpr std::uint64_t growth_fpr = 72;
inline constexpr std::uint64_t growth_first_keys = 80;
inline constexpr std::uint64_t growth_factor = 88;
inline constexpr std::uint64_t growth_block_bits = 92;
inline constexpr std::uint64_t growth_seed = 96;
}  // namespace in_preamble

namespace in_record {
inline constexpr std::uint64_t scheme = 0;
inline constexpr std::uint64_t block_bits = 4;
inline constexpr std::uint64_t blocks = 8;    // or bits
inline constexpr std::uint64_t hashes = 16;   // or bits of a fingerprint or remainder
inline constexpr std::uint64_t choices = 20;  // or groups, spread, the number of subtables
inline constexpr std::uint64_t threshold = 24;
inline constexpr std::uint64_t second_hashes = 28;
inline constexpr std::uint64_t trace = 32;
inline constexpr std::uint64_t margin = 36;
inline constexpr std::uint64_t form = 40;
inline constexpr std::uint64_t second = 41;
inline constexpr std::uint64_t positions = 42;
inline constexpr std::uint64_t overflow = 43;
inline constexpr std::uint64_t load = 44;
inline constexpr std::uint64_t is_static = 45;
inline constexpr std::uint64_t when_full = 46;  // version 2
inline constexpr std::uint64_t edition = 47;    // version 2
inline constexpr std::uint64_t alpha = 48;      // or acceptance
inline constexpr std::uint64_t access_budget = 56;
inline constexpr std::uint64_t seed = 64;
inline constexpr std::uint64_t keys = 72;
inline constexpr std::uint64_t planned_keys = 80;
inline constexpr std::uint64_t planned_fpr = 88;
inline constexpr std::uint64_t blocks_offset = 96;
inline constexpr std::uint64_t blocks_bytes = 104;
inline constexpr std::uint64_t slots_offset = 112;
inline constexpr std::uint64_t slots_bytes = 120;
inline constexpr std::uint64_t overflow_keys = 128;
inline constexpr std::uint64_t spent = 136;
inline constexpr std::uint64_t overflow_flags = 144;
inline constexpr std::uint64_t forced = 152;         // version 2
inline constexpr std::uint64_t list_capacity = 160;  // version 2
inline constexpr std::uint64_t value_bits = 168;     // version 2
inline constexpr std::uint64_t folds = 172;          // version 2
}  // namespace in_record

// Which field lies where: said once, for reading and for writing. `f.at(offset, field)` does either; `f.one_of(offset,
// field, last)` is for enumerations, `f.sizes(offset, field)` for the sizes of subtables.

template <class Fields, class Preamble>
void preamble_fields(Fields& f, Preamble& p) {
  f.at(in_preamble::format, p.format);
  f.at(in_preamble::header_bytes, p.header_bytes);
  f.at(in_preamble::header_checksum, p.header_checksum);
  f.at(in_preamble::file_bytes, p.file_bytes);
  f.at(in_preamble::data_offset, p.data_offset);
  f.at(in_preamble::chunk, p.chunk);
  f.at(in_preamble::table_checksum, p.table_checksum);
  f.at(in_preamble::flags, p.flags);
  f.at(in_preamble::keys, p.keys);
  f.at(in_preamble::hash, p.hash);
  f.at(in_preamble::filters, p.filters);
  f.at(in_preamble::growth_fpr, p.grows.fpr);
  f.at(in_preamble::growth_first_keys, p.grows.first_keys);
  f.at(in_preamble::growth_factor, p.grows.factor);
  f.at(in_preamble::growth_block_bits, p.grows.block_bits);
  f.at(in_preamble::growth_seed, p.grows.seed);
}

template <class Fields, class Record>
void record_fields(Fields& f, Record& r) {
  f.at(in_record::scheme, r.scheme);
  f.at(in_record::keys, r.keys);
  f.at(in_record::planned_keys, r.planned_keys);
  f.at(in_record::planned_fpr, r.planned_fpr);
  f.at(in_record::blocks_offset, r.blocks_offset);
  f.at(in_record::blocks_bytes, r.blocks_bytes);
  f.at(in_record::slots_offset, r.slots_offset);
  f.at(in_record::slots_bytes, r.slots_bytes);
  f.at(in_record::overflow_keys, r.overflow_keys);
  f.at(in_record::spent, r.spent);
  f.at(in_record::overflow_flags, r.overflow_flags);
  f.at(in_record::forced, r.forced);
  f.at(in_record::edition, r.edition);
  f.at(in_record::value_bits, r.value_bits);
}

/// What a scheme does not have stays zero.
template <class Fields, class Parameters>
void parameter_fields(Fields& f, Parameters& p) {
  if constexpr (requires { p.block_bits; }) f.at(in_record::block_bits, p.block_bits);
  if constexpr (requires { p.blocks; }) f.at(in_record::blocks, p.blocks);
  if constexpr (requires { p.bits; }) f.at(in_record::blocks, p.bits);
  if constexpr (requires { p.hashes; }) f.at(in_record::hashes, p.hashes);
  if constexpr (requires { p.fingerprint_bits; }) f.at(in_record::hashes, p.fingerprint_bits);
  if constexpr (requires { p.remainder_bits; }) f.at(in_record::hashes, p.remainder_bits);
  if constexpr (requires { p.choices; }) f.at(in_record::choices, p.choices);
  if constexpr (requires { p.groups; }) f.at(in_record::choices, p.groups);
  if constexpr (requires { p.spread; }) f.at(in_record::choices, p.spread);
  if constexpr (requires { p.subtables; }) f.sizes(in_record::choices, p.subtables);
  if constexpr (requires { p.threshold; }) f.at(in_record::threshold, p.threshold);
  if constexpr (requires { p.second_hashes; }) f.at(in_record::second_hashes, p.second_hashes);
  if constexpr (requires { p.trace; }) f.at(in_record::trace, p.trace);
  if constexpr (requires { p.margin; }) f.at(in_record::margin, p.margin);
  if constexpr (requires { p.form; }) f.one_of(in_record::form, p.form, hash_form::double_hashing);
  if constexpr (requires { p.second; }) f.one_of(in_record::second, p.second, second_block::table);
  if constexpr (requires { p.positions; }) f.one_of(in_record::positions, p.positions, position_rule::uniform);
  if constexpr (requires { p.overflow; }) f.one_of(in_record::overflow, p.overflow, overflow_rule::random_candidate);
  if constexpr (requires { p.load; }) f.one_of(in_record::load, p.load, load_unit::keys);
  if constexpr (requires { p.is_static; }) f.one_of(in_record::is_static, p.is_static, true);
  if constexpr (requires { p.alpha; }) f.at(in_record::alpha, p.alpha);
  if constexpr (requires { p.acceptance; }) f.at(in_record::alpha, p.acceptance);
  if constexpr (requires { p.access_budget; }) f.at(in_record::access_budget, p.access_budget);
  if constexpr (requires { p.list_capacity; }) f.at(in_record::list_capacity, p.list_capacity);
  if constexpr (requires { p.when_full; })
    f.one_of(in_record::when_full, p.when_full, full_list_rule::random_candidate);
  if constexpr (requires { p.folds; }) f.at(in_record::folds, p.folds);
  f.at(in_record::seed, p.seed);
}

/// Where the parts of a file lie.
struct layout {
  struct positions {
    std::uint64_t blocks;
    std::uint64_t blocks_bytes;
    std::uint64_t slots;  ///< 0: there are none
    std::uint64_t slots_bytes;
  };
  std::uint64_t header_bytes = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t file_bytes = 0;
  std::vector<positions> filters = {};

  [[nodiscard]] std::uint64_t chunks() const noexcept { return (file_bytes - data_offset - 1) / chunk_bytes + 1; }
};

[[nodiscard]] std::uint64_t aligned(std::uint64_t position);

/// Of one filter, in bytes, but for the number of its subtables.
struct filter_sizes {
  std::uint64_t blocks;
  std::uint64_t slots;
  std::uint64_t subtables;
};

/// Throws parameter_error for a file that would be larger than any.
[[nodiscard]] layout layout_for(const std::vector<filter_sizes>& filters, std::uint64_t sections_bytes = 0);

[[nodiscard]] std::uint64_t subtables_of(const parameters& p) noexcept;

[[nodiscard]] layout layout_of(const file_contents& contents);

/// Of the layout of sealed blocks, in which a key selects five columns. Those of the first, with masks, which only
/// version 1 and development versions of 2 have, are read no more.
inline constexpr std::uint8_t sealed_edition = 2;
/// Of the layout of a ledger's blocks.
inline constexpr std::uint8_t ledger_edition = 1;
/// Of blocks, and arrays, that were folded.
inline constexpr std::uint8_t folded_edition = 1;

/// Of a scheme: what a reader knows.
[[nodiscard]] std::uint8_t newest_edition(scheme which) noexcept;
/// Of a filter: what a reader must know. 0, where version 1 has a place for everything.
[[nodiscard]] std::uint8_t edition_of(const parameters& p) noexcept;

/// Of the format of a file with these contents.
[[nodiscard]] std::uint32_t version_of(const file_contents& contents);

/// The header of contents that lie so, whose table of checksums has the checksum given. What the spans of the contents
/// point to is not looked at.
[[nodiscard]] std::vector<std::byte> header_of(const file_contents& contents, const layout& at,
                                               std::uint64_t table_checksum);

}  // namespace sluice::detail::file
