// filter/recipes: which block, placement and overflow each scheme is made of. This table is the whole difference between
// the filters:
//
//   scheme            block           placement                          overflow
//   blocked           plain           one_choice                         none
//   alpha             plain/tallied   some_choice                        none
//   single            counted         threshold over the whole table     exact list      (1 candidate)
//   sequential        counted         threshold over the whole table     exact list      (d candidates)
//   mht               counted         threshold over subtables           exact list      (d candidates)
//   gated             laned           gated                              none
//
// Run-time recipes keep their parameters as values; the presets use the same builders with compile-time numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "sluice/block/counted.hpp"
#include "sluice/block/laned.hpp"
#include "sluice/block/plain.hpp"
#include "sluice/block/tallied.hpp"
#include "sluice/filter/recipe.hpp"
#include "sluice/overflow/exact_list.hpp"
#include "sluice/overflow/overflow.hpp"
#include "sluice/parameters.hpp"
#include "sluice/placement/gated.hpp"
#include "sluice/placement/one_choice.hpp"
#include "sluice/placement/some_choice.hpp"
#include "sluice/placement/threshold.hpp"

namespace sluice {

template <number Bits, number Hashes>
using blocked_recipe = recipe<plain_block<Bits>, one_choice<Hashes>, no_overflow>;
template <number Bits, number Hashes>
using alpha_recipe = recipe<plain_block<Bits>, some_choice<Hashes>, no_overflow>;
using tallied_alpha_recipe = recipe<tallied_block<>, some_choice<>, no_overflow>;
template <class Source>
using threshold_recipe = recipe<counted_block, threshold_placement<Source>, exact_list>;
template <number Bits, number Lanes, number Hashes, number Trace, number SecondHashes>
using gated_recipe = recipe<laned_block<Bits, Lanes>, gated_placement<Hashes, Trace, SecondHashes>, no_overflow>;

/// Any recipe whose parameters are run-time values.
using any_recipe = std::variant<blocked_recipe<dynamic, dynamic>, alpha_recipe<dynamic, dynamic>, tallied_alpha_recipe,
                                threshold_recipe<whole_table>, threshold_recipe<subtables>,
                                gated_recipe<dynamic, dynamic, dynamic, dynamic, dynamic>>;

/// Gated filters above one page consist of whole pages; everything else is as large as asked for.
[[nodiscard]] inline parameters normalised(parameters p) {
  std::visit([](const auto& q) { check(q); }, p);
  if (auto* gated = std::get_if<gated_parameters>(&p); gated != nullptr && gated->second == second_block::page) {
    const std::uint64_t page_blocks = page_bytes / detail::stride_for(gated->block_bits);
    if (gated->blocks > page_blocks) {
      const std::uint64_t pages = (gated->blocks - 1) / page_blocks + 1;
      gated->blocks = checked_product(pages, page_blocks, "the number of blocks in whole pages");
    }
  }
  return p;
}

// The builders. Precondition of each: the parameters are normalised.

template <number Bits = dynamic, number Hashes = dynamic>
[[nodiscard]] auto make_recipe(const blocked_parameters& p) {
  return blocked_recipe<Bits, Hashes>{plain_block<Bits>(number_of<Bits>(p.block_bits)),
                                      {p.blocks, number_of<Hashes>(p.hashes)}};
}

template <number Bits = dynamic, number Hashes = dynamic>
[[nodiscard]] auto make_recipe(const alpha_parameters& p) {
  return alpha_recipe<Bits, Hashes>{plain_block<Bits>(number_of<Bits>(p.block_bits)),
                                    {p.blocks, number_of<Hashes>(p.hashes), p.alpha}};
}

[[nodiscard]] inline auto make_tallied_recipe(const alpha_parameters& p) {
  return tallied_alpha_recipe{tallied_block<>(p.block_bits), {p.blocks, p.hashes, p.alpha}};
}

namespace detail {

template <class Source, class P>
[[nodiscard]] auto make_threshold_recipe(const P& p, const Source& source) {
  return threshold_recipe<Source>{{p.block_bits, p.threshold}, {source, p.hashes, {p.threshold, p.acceptance}}};
}

}  // namespace detail

[[nodiscard]] inline auto make_recipe(const single_parameters& p) {
  return detail::make_threshold_recipe(p, whole_table(p.blocks, 1));
}
[[nodiscard]] inline auto make_recipe(const sequential_parameters& p) {
  return detail::make_threshold_recipe(p, whole_table(p.blocks, p.choices));
}
[[nodiscard]] inline auto make_recipe(const mht_parameters& p) {
  return detail::make_threshold_recipe(p, subtables(p.subtables));
}

template <number Bits = dynamic, number Lanes = dynamic, number Hashes = dynamic, number Trace = dynamic,
          number SecondHashes = dynamic>
[[nodiscard]] auto make_recipe(const gated_parameters& p) {
  const laned_block<Bits, Lanes> block(number_of<Bits>(p.block_bits), number_of<Lanes>(p.lanes));
  const std::uint64_t group =
      p.second == second_block::table ? p.blocks : std::min(p.blocks, page_bytes / block.stride_bytes());
  return gated_recipe<Bits, Lanes, Hashes, Trace, SecondHashes>{block,
                                                                {block_groups(p.blocks, group),
                                                                 number_of<Hashes>(p.hashes),
                                                                 number_of<Trace>(p.trace),
                                                                 number_of<SecondHashes>(p.second_hashes),
                                                                 {p.threshold, p.margin}}};
}

/// The run-time recipe of normalised parameters.
[[nodiscard]] inline any_recipe recipe_for(const parameters& p) {
  if (const auto* alpha = std::get_if<alpha_parameters>(&p); alpha != nullptr && alpha->load == load_unit::keys) {
    return make_tallied_recipe(*alpha);
  }
  return std::visit([](const auto& q) -> any_recipe { return make_recipe(q); }, p);
}

}  // namespace sluice
