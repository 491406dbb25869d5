// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "theory/alpha.hpp"

#include <algorithm>
#include <boost/numeric/odeint/integrate/integrate_n_steps.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sluice/extend/theory.hpp"
#include "sluice/theory.hpp"
#include "theory/distribution.hpp"
#include "theory/fill_chain.hpp"
#include "theory/united.hpp"

namespace sluice::theory {

namespace {

/// dD/dr: a key goes to a block of load x with probability (1 - alpha) D(x) + alpha chosen(x); `advance` says where the
/// block goes from there, to loads that lie less than `reach` above x. The last component counts keys that went to
/// their second block. Keys that the block itself contains count as thrown into it: they change no bit.
template <class Advance>
[[nodiscard]] std::vector<double> alpha_loads(double alpha, double keys_per_block, const std::vector<double>& match,
                                              std::size_t reach, Advance advance) {
  const std::size_t size = match.size();
  std::vector<double> changes(size + reach);
  using state_type = std::vector<double>;
  const auto equations = [&](const state_type& share, state_type& change, double /*r*/) {
    std::fill(changes.begin(), changes.end(), 0.0);
    double above = 0;
    double ties = 0;
    for (std::size_t x = size; x-- > 0;) {
      const double lacking = share[x] * (1 - match[x]);  // as the other block: it does not contain the key
      const double chosen = share[x] * (lacking + 2 * above);
      const double rate = (1 - alpha) * share[x] + alpha * chosen;
      ties += share[x] * share[x];
      above += lacking;
      if (rate < 1e-22) continue;  // too few blocks to matter, however full
      changes[x] -= rate;
      advance(x, rate, changes);
    }
    std::copy_n(changes.begin(), size, change.begin());
    change[size] = alpha * (1 - ties) / 2;  // the second block is strictly less loaded
  };
  state_type share(size + 1);
  share[0] = 1;
  // Flows are at most 1 + alpha per unit of r, so steps of an eighth are far inside the stable region.
  const auto steps = static_cast<std::size_t>(std::max(64.0, std::ceil(8 * keys_per_block)));
  boost::numeric::odeint::runge_kutta4<state_type> stepper;
  boost::numeric::odeint::integrate_n_steps(stepper, equations, share, 0.0, keys_per_block / static_cast<double>(steps),
                                            steps);
  return share;
}

}  // namespace

prediction predict(const alpha_scheme& s, double keys_per_block, std::uint64_t shards, bool paper_rule) {
  const double r = keys_per_block;
  prediction result{.accesses_insert = 1 + s.alpha, .unit = s.load};
  const extend::local_filter local{s.block_bits, s.hashes};
  std::vector<double> loads;
  double usual = 0;  // of one block
  double exact = 0;
  const auto kept_out = [paper_rule](const std::vector<double>& match) {  // keys that their other block contains
    return paper_rule ? std::vector<double>(match.size()) : match;
  };
  if (s.load == load_unit::keys) {
    const auto size = static_cast<std::size_t>(law_end(r));
    const std::vector<double> match = local.exact_fpr(size - 1);
    loads = alpha_loads(
        s.alpha, r, kept_out(match), 1,
        [size](std::size_t x, double rate, std::vector<double>& change) { change[std::min(x + 1, size - 1)] += rate; });
    for (std::size_t i = 0; i < size; ++i) {
      usual += loads[i] * local.usual_fpr(static_cast<double>(i));
      exact += loads[i] * match[i];
    }
  } else {
    const std::vector<double> match = extend::fill_powers(s.block_bits, s.hashes);
    const std::size_t size = match.size();
    const fill_kernel kernel(s.block_bits, 1, s.hashes, extend::fill_powers(s.block_bits, 1));
    loads = alpha_loads(
        s.alpha, r, kept_out(match), kernel.reach(),
        [&](std::size_t x, double rate, std::vector<double>& change) { kernel.add(x, rate, change.data()); });
    const double spilled = loads.back();
    loads.pop_back();
    std::vector<double> throws(size);  // into a plain block: a throw meets none of x ones with probability 1 - x/B
    for (std::size_t x = 1; x < size; ++x) {
      throws[x] = throws[x - 1] + static_cast<double>(s.block_bits) / static_cast<double>(size - x);
    }
    loads = united_blocks(throws, shards)(loads);
    for (std::size_t x = 0; x < size; ++x) exact += loads[x] * match[x];
    loads.push_back(spilled);
    usual = exact;
  }
  // Wrong in the first block, or right there and wrong in the second.
  result.fpr_usual = usual + s.alpha * (1 - usual) * usual;
  result.fpr_exact = exact + s.alpha * (1 - exact) * exact;
  result.accesses_miss = 1 + s.alpha * (1 - exact);
  if (paper_rule) {
    result.fpr_usual = (1 + s.alpha) * usual;
    result.fpr_exact = (1 + s.alpha) * exact;
    result.accesses_miss = 1 + s.alpha;
  }
  result.accesses_hit = 1 + (r > 0 ? loads.back() / r : s.alpha / 2);
  loads.pop_back();
  result.loads = std::move(loads);
  return result;
}

}  // namespace sluice::theory
