// SINGLE, SEQUENTIAL and MHT, with an exact list or forced.
#include "filter/body.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

namespace {

template <class Source, class P, class Request>
body_for_t<Request> make_threshold(const P& p, const Source& source, const Request& q) {
  return with_threshold_recipe(p, source, [&](const auto& recipe) { return body_of(recipe, q); });
}

}  // namespace

template <class Request>
body_for_t<Request> make(const single_parameters& p, const Request& q) {
  return make_threshold(p, whole_table(p.blocks, 1), q);
}
template <class Request>
body_for_t<Request> make(const sequential_parameters& p, const Request& q) {
  return make_threshold(p, whole_table(p.blocks, p.choices), q);
}
template <class Request>
body_for_t<Request> make(const mht_parameters& p, const Request& q) {
  return make_threshold(p, subtables(p.subtables), q);
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(single_parameters);
SLUICE_MAKE_BODIES(sequential_parameters);
SLUICE_MAKE_BODIES(mht_parameters);
