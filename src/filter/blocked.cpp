// Blocked filters, and Bloom-g: in lanes or uniform.
#include "filter/body.hpp"
#include "filter/shapes.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

template <class Request>
body_for_t<Request> make(const blocked_parameters& p, const Request& q) {
  if (p.positions == position_rule::uniform) return body_of(make_blocked_recipe<plain_block>(p), q);
  return with_lane_shape(p.block_bits, p.hashes, [&]<class Bits, class Hashes>(Bits, Hashes) {
    return body_of(make_blocked_recipe<ungated_lanes, Bits, Hashes>(p), q);
  });
}

template <class Request>
body_for_t<Request> make(const bloom_g_parameters& p, const Request& q) {
  const bloom_g_placement placement(groups_of(p), p.hashes, p.spread);
  if (p.positions == position_rule::lanes) {
    return body_of(bloom_g_recipe<ungated_lanes<dynamic>>{ungated_lanes<dynamic>(p.block_bits), placement}, q);
  }
  return body_of(bloom_g_recipe<plain_block<>>{plain_block<>(p.block_bits), placement}, q);
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(blocked_parameters);
SLUICE_MAKE_BODIES(bloom_g_parameters);
SLUICE_MAKE_PARTS(blocked_parameters);
SLUICE_MAKE_PARTS(bloom_g_parameters);
