// Real filters and their models, for experiments: everything that has to instantiate a filter is behind these
// functions, compiled once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/experiment.hpp"
#include "common/trials.hpp"
#include "plan/row.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace experiments {

/// What real filters of these parameters do: rates from their final bits.
struct measured {
  summary fpr;
  summary miss;  ///< blocks read
  summary hit;
  summary insert;
  summary overflow;  ///< share of the keys
};

using teller = std::function<void(double)>;
inline const teller nobody = [](double) {};

/// Keys 0 to keys - 1, with a seed for each trial; no false negatives, or it throws. Static gated filters are built,
/// all others take the keys one by one.
[[nodiscard]] measured measure(const sluice::parameters& p, std::uint64_t keys, std::uint64_t trials,
                               const setting& how, const teller& told = nobody);
/// The same with the first n of these keys.
[[nodiscard]] measured measure(const sluice::parameters& p, const std::vector<std::string>& keys, std::size_t n,
                               std::uint64_t trials, const setting& how);

/// [trial][moment][load]: shares of the blocks with this many keys (or bits), when `until` keys are in.
[[nodiscard]] std::vector<std::vector<std::vector<double>>> loads_over_time(const sluice::parameters& p,
                                                                            const std::vector<std::uint64_t>& moments,
                                                                            std::uint64_t trials, const setting& how,
                                                                            const teller& told = nobody);

/// The model, and the planner's parameters for a scheme.
[[nodiscard]] sluice::theory::prediction predicted(const sluice::parameters& p, double keys);
[[nodiscard]] sluice::parameters design_of(sluice::designs::family which, std::uint32_t block_bits, double bits_per_key,
                                           double keys);
/// Nothing where the planner knows none.
[[nodiscard]] std::optional<sluice::parameters> designed(sluice::designs::family which, std::uint32_t block_bits,
                                                         double bits_per_key, double keys);

}  // namespace experiments
