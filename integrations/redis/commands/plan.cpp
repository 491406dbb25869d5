// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.PLAN error_rate capacity [options]: what BF.RESERVE with these arguments would make. The parameters take
// microseconds; what the models say of them is asked in a thread, unless it is remembered.
#include "sluice/extend/plan.hpp"

#include <memory>

#include "background.hpp"
#include "commands/command.hpp"
#include "commands/creation.hpp"
#include "commands/fields.hpp"
#include "plan_link.hpp"
#include "predictions.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

constexpr double overfull = 1.25;  // the multiple of the keys at which a second rate is told

struct planned_filter {
  parameters params = {};
  std::uint64_t capacity = 0;
  double error = 0;
  theory::prediction at_capacity = {};
  theory::prediction when_overfull = {};

  [[nodiscard]] model_question question(double times) const {
    return {.params = params, .keys = static_cast<double>(capacity) * times};
  }
  [[nodiscard]] double bits_per_key() const {
    const double keys = static_cast<double>(capacity);
    return extend::memory_bits(params, at_capacity, keys) / keys;
  }
};

constexpr std::array<reply_field<planned_filter>, 9> plan_fields = {{
    {"Scheme", [](context* ctx, const planned_filter& p) { reply_text(ctx, extend::scheme_name(p.params)); }},
    {"Capacity", [](context* ctx, const planned_filter& p) { reply_count(ctx, p.capacity); }},
    {"Error rate", [](context* ctx, const planned_filter& p) { reply_real(ctx, p.error); }},
    {"FPR of the first link", [](context* ctx, const planned_filter& p) { reply_real(ctx, p.at_capacity.fpr_exact); }},
    {"FPR at 1.25 times the keys",
     [](context* ctx, const planned_filter& p) { reply_real(ctx, p.when_overfull.fpr_exact); }},
    {"Bytes", [](context* ctx, const planned_filter& p) { reply_count(ctx, bytes_for(p.params)); }},
    {"Bits per key", [](context* ctx, const planned_filter& p) { reply_real(ctx, p.bits_per_key()); }},
    {"Blocks per hit", [](context* ctx, const planned_filter& p) { reply_real(ctx, p.at_capacity.accesses_hit); }},
    {"Blocks per miss", [](context* ctx, const planned_filter& p) { reply_real(ctx, p.at_capacity.accesses_miss); }},
}};

}  // namespace

void plan_filter(context* ctx, text** arguments, int count) {
  require_arguments(count, 3);
  const creation c = read_reserve(ctx, arguments, count, 1);
  if (c.like != nullptr) throw refusal("ERR BF.PLAN takes no LIKE; BF.STATS describes a filter that is there");
  planned_filter p{.params = extend::normalised(plan_link({.keys = c.wanted.capacity,
                                                           .rate = rate_of_link(c.wanted, 0),
                                                           .block_bits = c.wanted.block_bits,
                                                           .which = c.wanted.which,
                                                           .bits_per_key = c.bits_per_key})),
                   .capacity = c.wanted.capacity,
                   .error = c.wanted.error};
  const auto at_capacity = remembered_prediction(p.question(1));
  const auto when_overfull = remembered_prediction(p.question(overfull));
  if (at_capacity && when_overfull) {
    p.at_capacity = *at_capacity;
    p.when_overfull = *when_overfull;
    reply_fields(ctx, plan_fields, p);
    return;
  }
  in_background(ctx, [p](context* /*to*/) mutable -> step {
    theory::model_allowance allowance;
    const auto predicted = [&](double times) {
      auto said = predict_within(allowance, p.question(times));
      if (!said) throw refusal("ERR the model of such a filter takes too long; BF.RESERVE makes it");
      return *std::move(said);
    };
    p.at_capacity = predicted(1);
    p.when_overfull = predicted(overfull);
    return [p](context* to) {
      reply_fields(to, plan_fields, p);
      return false;
    };
  });
}

}  // namespace sluice::redis
