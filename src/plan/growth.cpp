#include "plan/growth.hpp"

#include <cmath>
#include <cstdint>

#include "sluice/extend/chain.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/parameters.hpp"
#include "sluice/plan.hpp"

namespace sluice::detail::planning {

namespace {

constexpr double link_share = 0.5;  // of the rate, which each link leaves to those behind it

}  // namespace

parameters best_of_chain(const growth& how, double keys, double fpr) {
  plan_request q{.keys = keys, .fpr = fpr, .block_bits = how.block_bits, .shards = 1, .seed = how.seed};
  if (how.erasable) {
    q.erase = true;
    return best_plan(q).params;
  }
  // Links are united only while both together have room: as two halves of one, not as many shards.
  q.mergeable = true;
  return plan(q).front().params;
}

planned_link plan_link(const growth& how, std::uint64_t capacity) {
  if (how.erasable) {
    const ledger_parameters first = extend::first_ledger(how.first_keys, how.fpr / extend::planned_ledgers, how.seed);
    const ledger_parameters p = extend::next_ledger(first, capacity / how.first_keys);
    return {p, extend::rate_of_ledger(p, capacity)};
  }
  // A merged chain may have several links of one size: the number of doublings, not of links, says which share is left.
  const double size = std::log(static_cast<double>(capacity) / static_cast<double>(how.first_keys));
  const double number = std::round(size / std::log(static_cast<double>(how.factor)));
  const double fpr = extend::rate_of_link(how.fpr, link_share, static_cast<std::uint64_t>(number));
  return {best_of_chain(how, static_cast<double>(capacity), fpr), fpr};
}

}  // namespace sluice::detail::planning
