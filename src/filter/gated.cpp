// Gated filters. Those with a trace of four bits, which are all that the planner makes, have code for their shape.
#include "filter/body.hpp"
#include "filter/shapes.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

template <class Request>
body_for_t<Request> make(const gated_parameters& p, const Request& q) {
  if (p.trace != lanes::quad_lanes) return body_of(make_recipe(p), q);
  return with_lane_shape(p.block_bits, p.hashes, [&]<class Bits, class Hashes>(Bits, Hashes) {
    return body_of(make_recipe<Bits, Hashes, fixed<4>>(p), q);
  });
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(gated_parameters);
SLUICE_MAKE_PARTS(gated_parameters);
