// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/static_gated.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "builder/digest_groups.hpp"
#include "builder/static_group.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/theory.hpp"
#include "theory/built_sample.hpp"
#include "theory/static_row.hpp"
#include "theory/static_table.hpp"

namespace sluice::theory {

std::span<const static_row> static_rows_of(std::uint32_t block_bits) {
  const std::span<const static_row> all(static_rows);
  const auto wanted = [&](const static_row& r) { return r.block_bits == block_bits; };
  const auto first = std::find_if(all.begin(), all.end(), wanted);
  return {first, std::find_if_not(first, all.end(), wanted)};
}

std::optional<static_row> static_design(std::uint32_t block_bits, double bits_per_key) {
  const std::span<const static_row> table = static_rows_of(block_bits);
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    const static_row& low = table[i];
    const static_row& high = table[i + 1];
    if (bits_per_key < low.bits_per_key || bits_per_key > high.bits_per_key) continue;
    const double part = (bits_per_key - low.bits_per_key) / (high.bits_per_key - low.bits_per_key);
    const auto real = [&](double static_row::* field) { return low.*field + (high.*field - low.*field) * part; };
    const auto whole = [&](std::uint32_t static_row::* field) {
      return static_cast<std::uint32_t>(std::lround(low.*field + (double{1} * high.*field - low.*field) * part));
    };
    static_row between{.block_bits = block_bits,
                       .bits_per_key = bits_per_key,
                       .hashes = whole(&static_row::hashes),
                       .trace = low.trace,
                       .second_hashes = 0,
                       .log_fpr = real(&static_row::log_fpr),
                       .accesses_miss = real(&static_row::accesses_miss),
                       .accesses_hit = real(&static_row::accesses_hit)};
    // t + k2 follows k, and both are rounded once.
    const auto extra = [](const static_row& r) {
      return static_cast<int>(r.trace + r.second_hashes) - static_cast<int>(r.hashes);
    };
    const int more = part < 0.5 ? extra(low) : extra(high);
    between.second_hashes = static_cast<std::uint32_t>(static_cast<int>(between.hashes - between.trace) + more);
    return between;
  }
  return std::nullopt;
}

void write_static(const gated_parameters& p, std::span<digest> keys, std::span<std::byte> bytes) {
  const detail::block_groups groups = sluice::detail::groups_of(p);
  detail::static_group_writer writer(p, {});
  auto write_group = [&](std::uint64_t group, std::span<const digest> some) {
    writer.write(bytes.data(), group, some);
  };
  detail::for_each_group(groups, {keys, 0, groups.blocks() / groups.group_blocks()}, write_group);
}

namespace {

/// One filter of exactly these parameters, built and looked at.
[[nodiscard]] prediction look_at_static(const gated_parameters& parameters, double bits_per_key,
                                        const static_write& write) {
  const gated_parameters p = detail::static_parameters(parameters);
  const double keys_wanted = static_cast<double>(p.blocks) * p.block_bits / bits_per_key;
  const auto keys = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(keys_wanted)));
  const auto recipe = detail::make_recipe(p);
  std::vector<std::byte> bytes(static_cast<std::size_t>(recipe.bytes()));
  std::vector<digest> digests = sample_keys(keys, p.seed);
  write(p, digests, bytes);
  return look_at_built(recipe, bytes, digests, 0,
                       [&](detail::const_block block, digest x) { return recipe.block.gate_closed(block, x); });
}

constexpr std::uint64_t static_table_blocks = 4096;

}  // namespace

prediction simulate_static(gated_parameters p, double bits_per_key, std::uint64_t groups, const static_write& write) {
  const std::uint64_t page_blocks = detail::page_bytes * 8 / p.block_bits;
  if (p.blocks > page_blocks) {
    p.blocks = p.second == second_block::page ? page_blocks * groups : std::min(p.blocks, static_table_blocks);
    return look_at_static(p, bits_per_key, write);
  }
  return mean_of_built(groups, [&](std::uint64_t seed) {
    p.seed = seed;
    return look_at_static(p, bits_per_key, write);
  });
}

namespace {

constexpr std::uint64_t static_groups = 48;  // that are built where the table does not help

}  // namespace

std::optional<static_row> static_in_table(const gated_parameters& p, double keys) {
  const auto row = static_design(p.block_bits, static_cast<double>(p.blocks) * p.block_bits / keys);
  const bool many_pages = p.second == second_block::page && p.blocks * p.block_bits > 8 * detail::page_bytes;
  const bool same = row && row->hashes == p.hashes && row->trace == p.trace && row->second_hashes == p.second_hashes;
  return many_pages && same ? row : std::nullopt;
}

double static_keys_built(const gated_parameters& p, double keys) {
  const std::uint64_t page_blocks = detail::page_bytes * 8 / p.block_bits;
  double blocks = static_cast<double>(std::min(p.blocks, page_blocks)) * static_groups;
  if (p.blocks > page_blocks && p.second == second_block::table) {
    blocks = static_cast<double>(std::min(p.blocks, static_table_blocks));
  }
  return keys / static_cast<double>(p.blocks) * blocks;
}

prediction predict_static(const gated_parameters& p, double keys) {
  if (const auto row = static_in_table(p, keys)) {
    prediction known;
    known.fpr_usual = known.fpr_exact = std::exp(row->log_fpr);
    known.accesses_miss = row->accesses_miss;
    known.accesses_hit = known.accesses_insert = row->accesses_hit;
    known.unit = load_unit::set_bits;
    return known;
  }
  return simulate_static(p, static_cast<double>(p.blocks) * p.block_bits / keys, static_groups);
}

}  // namespace sluice::theory
