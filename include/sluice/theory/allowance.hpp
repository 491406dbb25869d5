// theory/allowance: models of many filters within one bound of work. A file may have thousands of filters, and a
// stranger may have chosen their parameters; whoever prints what the models say of them has a second or two for all of
// them together.
//
//   sluice::theory::model_allowance models;
//   const auto answer = models(parameters, keys);       answer.predicted, or answer.why_not
//
// Cost: at most the allowance, theory/work.hpp's steps of about a nanosecond; nothing is thrown.
#pragma once

#include <optional>
#include <string>

#include "sluice/errors.hpp"
#include "sluice/filter/recipes.hpp"
#include "sluice/theory/model.hpp"
#include "sluice/theory/work.hpp"

namespace sluice::theory {

class model_allowance {
public:
  struct answer {
    std::optional<prediction> predicted = std::nullopt;
    std::string why_not = {};  ///< a sentence, where nothing is predicted
  };

  explicit model_allowance(double steps = 1.5e9) : left_(steps) {}

  [[nodiscard]] answer operator()(const parameters& p, double keys) {
    try {
      const parameters filter = normalised(p);
      if (const auto why = why_no_model(filter, keys)) return {.why_not = *why};
      const double steps = work_of(filter, keys).steps;
      if (steps > left_) return {.why_not = "the models of all filters together would take too long"};
      left_ -= steps;
      return {.predicted = predict(filter, keys)};
    } catch (const error& e) {
      return {.why_not = e.what()};
    }
  }

private:
  double left_;
};

}  // namespace sluice::theory
