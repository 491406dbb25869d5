// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Engines of owners: those that take keys, and of sealed filters those that look at their own list.
#include <memory>
#include <variant>

#include "filter/typed_engine.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

namespace {

/// What takes keys owns its overflow; of what does not, Overflow says whose it is.
template <template <class> class Overflow>
std::unique_ptr<engine> make(const parameters& p, std::byte* bytes, std::uint64_t origin,
                             const overflow_state& overflowed) {
  return std::visit(
      [&]<class Recipe>(const Recipe& recipe) -> std::unique_ptr<engine> {
        if constexpr (Recipe::takes_keys) {
          return std::make_unique<typed_owning_engine<Recipe>>(recipe, bytes, overflowed, origin);
        } else {
          return std::make_unique<typed_engine<Recipe, Overflow<Recipe>>>(recipe, bytes, overflowed, origin);
        }
      },
      recipe_for(p));
}

}  // namespace

std::unique_ptr<engine> make_engine(const parameters& p, std::byte* bytes, const overflow_state& overflowed) {
  return make<owned_overflow_of>(p, bytes, 0, overflowed);
}
std::unique_ptr<engine> make_part_engine(const parameters& whole, std::byte* bytes, std::uint64_t origin,
                                         const overflow_state& overflowed) {
  return make<viewed_overflow_of>(whole, bytes, origin, overflowed);
}

void unite(const parameters& p, engine& ours, const engine& theirs) {
  std::visit(
      [&]<class Recipe>(const Recipe& /*recipe*/) {
        if constexpr (Recipe::takes_keys) {
          using typed = typed_owning_engine<Recipe>;
          static_cast<typed&>(ours).unite(static_cast<const typed&>(theirs));
        } else {
          static_cast<void>(ours.taking());
        }
      },
      recipe_for(p));
}

}  // namespace sluice::detail
