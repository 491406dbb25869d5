// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// theory/work: what a model costs, before it is run. Parameters come from files, too, and a file of a few kilobytes can
// describe a filter whose model would take hours or all memory. The estimates (theory/model.cpp has them beside the
// models) follow the loops of the models and err on the large side: one step is about a nanosecond.
//
//   if (const auto why = sluice::theory::why_no_model(p, keys)) ...   the reason, as a sentence
#pragma once

#include <optional>
#include <string>

#include "sluice/parameters.hpp"

namespace sluice::theory {

struct model_work {
  double steps = 0;  ///< about a nanosecond each
  double bytes = 0;
};

/// What theory::predict spends at most: some seconds. The planner's designs take a thirtieth of it.
inline constexpr model_work most_model_work{.steps = 6e9, .bytes = 256e6};

/// What the model of these parameters at this number of keys costs. Precondition: the parameters are normalised.
[[nodiscard]] model_work work_of(const parameters& p, double keys);

/// Why there is no model within the bounds, or nothing if there is one. Precondition: the parameters are normalised.
[[nodiscard]] std::optional<std::string> why_no_model(const parameters& p, double keys,
                                                      const model_work& most = most_model_work);

}  // namespace sluice::theory
