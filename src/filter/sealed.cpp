// Sealed filters: one body; the kernels know the shapes.
#include "filter/body.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

template <class Request>
body_for_t<Request> make(const sealed_parameters& p, const Request& q) {
  return body_of(make_recipe(p), q);
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(sealed_parameters);
SLUICE_MAKE_PARTS(sealed_parameters);
