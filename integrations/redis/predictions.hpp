// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// predictions: what the models say of filters, for replies. A model takes from a millisecond to seconds: it is run in a
// thread (background.hpp), and what it said is remembered, so that a question that comes again is answered at once.
//
// Invariant: every function may be called from any thread. Cost: 64 answers are remembered, some 20 KiB.
#pragma once

#include <optional>

#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace sluice::redis {

/// A filter, whose seed does not matter, and how many keys it holds.
struct model_question {
  parameters params = {};
  double keys = 1;
};

/// What was said before; nothing if it is not known any more.
[[nodiscard]] std::optional<theory::prediction> remembered_prediction(const model_question& q);

/// Runs the model unless the answer is remembered. Nothing where it would take more than the allowance has left, or
/// leaves the range of numbers.
[[nodiscard]] std::optional<theory::prediction> predict_within(theory::model_allowance& allowance,
                                                               const model_question& q);

}  // namespace sluice::redis
