// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// for_keys, sealed and fold: the filter that the planner recommends, made, and planned anew when it was folded. Apart
// from the planner itself, which needs no filter and runs where there are none, as in a web page.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "builder/sealed_work.hpp"
#include "filter/bodies.hpp"
#include "filter/fold.hpp"
#include "plan/folded.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/block/sealed_layout.hpp"
#include "sluice/errors.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/plan.hpp"

namespace sluice {

namespace {

/// What for_keys asks of the planner: the request with the number of keys, and the usual rate where nothing is said.
plan_request request_for(std::uint64_t keys, const plan_request& wanted) {
  if (wanted.keys) throw parameter_error("for_keys: the number of keys is given twice; leave plan_request::keys empty");
  if (wanted.all_keys_known) {
    throw parameter_error(
        "for_keys: filters of keys that are all known are made by filter::sealed, sealed_builder and static_builder");
  }
  plan_request q = wanted;
  q.keys = static_cast<double>(keys);
  if (!q.fpr && !q.memory_bits) q.fpr = plan_request::usual_fpr;
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
filter filter::for_at_most(std::uint64_t keys, const plan_request& wanted) {
  plan_request q = wanted;
  q.keys_at_most = true;
  return for_keys(keys, q);
}
filter filter::for_at_most(std::uint64_t keys) { return for_at_most(keys, {}); }

void filter::fold(std::uint32_t times) { fold_keeping(times, 0); }
std::uint32_t filter::fold_to(double fpr) {
  const std::uint32_t times = detail::folds_within(params(), bytes(), fpr);
  fold_keeping(times, fpr <= planned_fpr() ? keys_inserted() : 0);
  return times;
}
/// Precondition: `kept` keys keep the planned rate afterwards, by the bits of the filter.
void filter::fold_keeping(std::uint32_t times, std::uint64_t kept) {
  if (times == 0) return;
  if (!body_) throw parameter_error("a filter that was moved from cannot be folded");
  detail::require_folds(params(), times);
  // The model, which may need memory that is not there, comes first: the filter is folded or has not changed.
  const std::uint64_t planned = detail::planning::planned_after_folds(
      detail::folded_so_often(params(), times), body_->planned_keys, times, body_->planned_fpr, kept);
  body_->fold(times);
  body_->planned_keys = planned;
  take_calls();
}

const plan_request& filter::usual_request() noexcept {
  static const plan_request usual;
  return usual;
}
std::uint64_t filter::planned_seed(const plan_request& wanted) noexcept { return wanted.seed; }

filter filter::sealed_from(digest_store digests, const plan_request& wanted, std::uint32_t threads) {
  if (wanted.keys) throw parameter_error("sealed: the keys are counted; leave plan_request::keys empty");
  if (!wanted.among.empty() && wanted.among != std::vector{scheme::sealed}) {
    throw parameter_error("sealed: plan_request::among may name the sealed scheme alone");
  }
  const std::uint64_t keys = detail::count_different<digest>(digests.all(), detail::threads_or_all(threads));
  plan_request q = wanted;
  q.keys = std::max(1.0, static_cast<double>(keys));
  if (!q.fpr && !q.memory_bits) q.fpr = plan_request::usual_fpr;
  q.all_keys_known = true;
  q.among = {scheme::sealed};
  if (q.fpr > 0.0 && q.fpr < std::ldexp(1.0, -static_cast<int>(detail::sealed_layout::most_fingerprint))) {
    throw parameter_error("sealed: the least rate of a sealed filter is 2^-32, 2.3e-10");
  }
  const plan_candidate best = plan(q).front();
  if (!best.broken_limit.empty() && !best.too_slow) {
    throw parameter_error("sealed: the filter breaks a limit: " + best.broken_limit);
  }
  filter f = filter::of_all_keys(best.params, std::move(digests), {.threads = threads});
  f.set_plan(keys, q.fpr.value_or(best.predicted.fpr_exact));
  return f;
}

concurrent_filter concurrent_filter::for_keys(std::uint64_t keys, const plan_request& wanted) {
  plan_request q = request_for(keys, wanted);
  q.concurrent = true;
  return concurrent_filter(best_plan(q).params);
}
concurrent_filter concurrent_filter::for_keys(std::uint64_t keys) { return for_keys(keys, {}); }

}  // namespace sluice
