// Lumetta and Mitzenmacher, table 2: the fraction of ones against the differential equation.
#include <fmt/format.h>

#include "common/choice_trials.hpp"
#include "common/judge.hpp"
#include "list.hpp"

namespace experiments {
namespace {

struct table2_row {
  choice_row row;
  double observed;
  double equation;
};
const std::vector<table2_row> table2_rows = {{{80'000, 2, 7}, .5296, .5296},   {{80'000, 3, 7}, .5020, .5019},
                                             {{160'000, 2, 13}, .5187, .5187}, {{160'000, 3, 13}, .4994, .4994},
                                             {{320'000, 2, 24}, .5016, .5016}, {{320'000, 3, 25}, .5022, .5022}};

outcome run_lumetta_table2(const setting& how) {
  outcome out;
  const std::uint64_t trials = how.scaled(1000, 20);
  std::size_t part = 0;
  int digits_agree = 0;
  for (const sluice::hash_form form : {sluice::hash_form::independent, sluice::hash_form::double_hashing}) {
    const bool independent = form == sluice::hash_form::independent;
    for (const auto& [row, observed, equation] : table2_rows) {
      const summary s = summarise(online_ones(row, form, trials, how, part_of(how, part++, 2 * table2_rows.size())));
      const double theory = ones_of(model_rate(row), row);
      if (independent && std::abs(theory - equation) < 1e-4 * 0.51) ++digits_agree;
      const std::string series = fmt::format("c = {}{}", row.groups, independent ? "" : ", double hashing");
      out.points.push_back({series, bits_per_key(row), theory, s.mean, s.least, s.most, observed,
                            compare(s.mean, observed, allowed_from_paper(s, observed, 4), "the paper")});
    }
  }
  out.findings.push_back(tally(out.points, "Fractions of ones, independent and double hashing"));
  out.findings.push_back({digits_agree == static_cast<int>(table2_rows.size()),
                          fmt::format("The differential equation gives the paper's four digits in {} of {} rows.",
                                      digits_agree, table2_rows.size())});
  return out;
}

}  // namespace

experiment lumetta_table2() {
  return {"lumetta-table2",
          "Lumetta and Mitzenmacher, table 2: fraction of ones",
          "The fraction of ones after the online pass, n = 10,000, against the differential equation (theory). Low and "
          "high are the least and the "
          "greatest of all trials.",
          {{"bits per key", "fraction of ones"}},
          run_lumetta_table2};
}

}  // namespace experiments
