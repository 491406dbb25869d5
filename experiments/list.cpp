// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "list.hpp"

namespace experiments {

const std::vector<experiment>& all_experiments() {
  static const std::vector<experiment> all = {lumetta_table1(),  lumetta_table2(), lumetta_table3(), krimer_fig1(),
                                              krimer_fig2(),     krimer_fig3(),    krimer_fig4(),    kanizo_fig2(),
                                              kanizo_fig3(),     kanizo_fig4(),    kanizo_fig5(),    kanizo_fig6(),
                                              kanizo_variance(), frontier(),       overload()};
  return all;
}

}  // namespace experiments
