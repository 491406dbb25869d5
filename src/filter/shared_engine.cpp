// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Engines over bytes that threads share.
#include <concepts>
#include <memory>
#include <variant>

#include "filter/typed_engine.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

namespace {

/// Nothing but bits that go from 0 to 1, and nothing beside the blocks.
template <class Recipe>
concept shareable =
    Recipe::takes_keys && Recipe::block_type::is_monotone && std::same_as<typename Recipe::overflow_type, no_overflow>;

}  // namespace

bool can_be_shared(const parameters& p) {
  return std::visit([]<class Recipe>(const Recipe& /*recipe*/) { return shareable<Recipe>; }, recipe_for(p));
}

std::unique_ptr<taking_engine> make_shared_engine(const parameters& p, shared_byte* bytes) {
  return std::visit(
      [&]<class Recipe>(const Recipe& recipe) -> std::unique_ptr<taking_engine> {
        if constexpr (shareable<Recipe>) {
          return std::make_unique<typed_taking_engine<Recipe, shared_byte>>(recipe, bytes, overflow_state{}, 0);
        } else {
          return nullptr;  // can_be_shared has refused it
        }
      },
      recipe_for(p));
}

}  // namespace sluice::detail
