// for_keys: the filter that the planner recommends, made. Apart from the planner itself, which needs no filter and runs
// where there are none, as in a web page.
#include <cstdint>

#include "sluice/concurrent_filter.hpp"
#include "sluice/filter.hpp"
#include "sluice/plan.hpp"

namespace sluice {

namespace {

/// What for_keys asks of the planner: the request with the number of keys, and the usual rate where nothing is said.
plan_request request_for(std::uint64_t keys, const plan_request& wanted) {
  if (wanted.keys) throw parameter_error("for_keys: the number of keys is given twice");
  if (wanted.all_keys_known)
    throw parameter_error("for_keys: static filters are made by sealed_builder and static_builder");
  plan_request q = wanted;
  q.keys = static_cast<double>(keys);
  if (!q.fpr && !q.memory_bits) q.fpr = usual_fpr;
  return q;
}

}  // namespace

filter filter::for_keys(std::uint64_t keys, const plan_request& wanted) {
  const plan_request q = request_for(keys, wanted);
  const plan_candidate best = best_plan(q);
  filter f(best.params);
  f.set_plan(keys, q.fpr.value_or(best.predicted.fpr_exact));
  return f;
}
filter filter::for_keys(std::uint64_t keys) { return for_keys(keys, {}); }

concurrent_filter concurrent_filter::for_keys(std::uint64_t keys, const plan_request& wanted) {
  plan_request q = request_for(keys, wanted);
  q.concurrent = true;
  return concurrent_filter(best_plan(q).params);
}
concurrent_filter concurrent_filter::for_keys(std::uint64_t keys) { return for_keys(keys, {}); }

}  // namespace sluice
