// Classic filters and choice groups: one array of bits.
#include "filter/body.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice::detail {

template <class Request>
body_for_t<Request> make(const choice_parameters& p, const Request& q) {
  const choice_placement placement(p.groups, p.hashes);
  if (p.form == hash_form::independent) {
    return body_of(choice_recipe<hash_form::independent>{bit_array<hash_form::independent>(p.bits), placement}, q);
  }
  return body_of(choice_recipe<hash_form::double_hashing>{bit_array<hash_form::double_hashing>(p.bits), placement}, q);
}
template <class Request>
body_for_t<Request> make(const classic_parameters& p, const Request& q) {
  return make(choice_parameters{.bits = p.bits, .groups = 1, .hashes = p.hashes, .form = p.form}, q);
}

}  // namespace sluice::detail

SLUICE_MAKE_BODIES(choice_parameters);
SLUICE_MAKE_BODIES(classic_parameters);
