// 1+alpha and two-choice, by set bits or by keys counted beside the blocks.
#include "filter/body.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

template <class Request>
body_for_t<Request> make(const alpha_parameters& p, const Request& q) {
  if (p.load == load_unit::keys) return body_of(make_tallied_recipe(p), q);
  return body_of(make_recipe(p), q);
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(alpha_parameters);
