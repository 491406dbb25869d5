// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/parameters.hpp"

#include <bit>
#include <utility>

#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/detail/check.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice {

parameters detail::normalised(parameters p) {
  return std::visit([](auto& q) -> parameters { return detail::normalised_parameters(std::move(q)); }, p);
}

parameters detail::folded_so_often(parameters p, std::uint32_t folds) {
  p = united(std::move(p));
  std::visit(
      [&](auto& q) {
        if constexpr (requires { q.folds; }) q.folds += folds;
      },
      p);
  return normalised(std::move(p));
}

std::uint64_t bytes_for(const parameters& p) {
  return std::visit([](const auto& recipe) { return recipe.bytes(); }, detail::recipe_for(detail::normalised(p)));
}

growth detail::with_factor(growth how) noexcept {
  if (how.factor == 0) how.factor = how.erasable ? 4 : 2;
  return how;
}

void detail::check(const growth& how) {
  const auto require = [](bool holds, const char* sentence) {
    if (!holds) throw parameter_error(std::string("growing filter: ") + sentence);
  };
  // Later links have ever smaller shares of it: the fortieth, of 1.8e16 keys, a 2,500th, which 64 bits a key reach.
  require(how.fpr >= growth::least_fpr && how.fpr < 1, "the false positive rate of a chain is from 1e-9 to 1");
  require(how.first_keys >= 64, "the first link holds at least 64 keys");
  require(how.factor >= 2 && how.factor <= 64, "each link holds 2 to 64 times the keys of the one before");
  require(how.block_bits >= 64 && how.block_bits <= 4096, "a block has 64 to 4096 bits");
  if (!how.erasable) return;
  require(std::has_single_bit(how.factor), "each link of an erasable chain holds 2, 4, 8, 16, 32 or 64 times the keys");
  require(how.block_bits == ledger_layout::block_bits, "the blocks of an erasable chain have 512 bits");
}

}  // namespace sluice
