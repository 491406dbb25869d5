#include "sluice/parameters.hpp"

#include <utility>

#include "sluice/detail/check.hpp"
#include "sluice/filter/recipes.hpp"

namespace sluice {

parameters normalised(parameters p) {
  return std::visit([](auto& q) -> parameters { return detail::normalised_parameters(std::move(q)); }, p);
}

std::uint64_t bytes_for(const parameters& p) {
  return std::visit([](const auto& recipe) { return recipe.bytes(); }, recipe_for(normalised(p)));
}

}  // namespace sluice
