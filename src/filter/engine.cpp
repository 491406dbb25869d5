// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Engines that look at bytes, and what is said where keys are not taken.
#include "filter/engine.hpp"

#include <memory>
#include <variant>

#include "filter/typed_engine.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

taking_engine& engine::taking() {
  throw parameter_error(
      "a sealed filter takes no more keys: its blocks are solved for all of them at once. Build it again from all "
      "keys, keep later ones in a filter that grows beside it (sluice::resealable_filter), or make it gated");
}
erasing_engine& engine::erasing() {
  throw parameter_error(
      "only a ledger gives keys back: in other filters, keys share their bits. Make one that is erasable, or build a "
      "filter again from the keys that stay");
}
bool engine::refuse_key(void* filter, digest /*x*/) {
  static_cast<void>(static_cast<engine*>(filter)->taking());
  return false;
}

std::unique_ptr<engine> make_view_engine(const parameters& p, const std::byte* bytes,
                                         const overflow_state& overflowed) {
  return std::visit(
      [&]<class Recipe>(const Recipe& recipe) -> std::unique_ptr<engine> {
        return std::make_unique<typed_engine<Recipe, viewed_overflow_of<Recipe>>>(recipe, bytes, overflowed, 0);
      },
      recipe_for(p));
}

statistics count_statistics(const parameters& p, const std::byte* bytes, const overflow_state& overflowed,
                            std::uint64_t keys) {
  return std::visit([&](const auto& recipe) { return statistics_of(recipe, bytes, overflowed, keys); }, recipe_for(p));
}

}  // namespace sluice::detail
