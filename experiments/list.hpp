// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Every experiment has a folder with one file, and is listed here.
#pragma once

#include "common/experiment.hpp"

namespace experiments {

[[nodiscard]] experiment lumetta_table1();
[[nodiscard]] experiment lumetta_table2();
[[nodiscard]] experiment lumetta_table3();
[[nodiscard]] experiment krimer_fig1();
[[nodiscard]] experiment krimer_fig2();
[[nodiscard]] experiment krimer_fig3();
[[nodiscard]] experiment krimer_fig4();
[[nodiscard]] experiment kanizo_fig2();
[[nodiscard]] experiment kanizo_fig3();
[[nodiscard]] experiment kanizo_fig4();
[[nodiscard]] experiment kanizo_fig5();
[[nodiscard]] experiment kanizo_fig6();
[[nodiscard]] experiment kanizo_variance();
[[nodiscard]] experiment frontier();
[[nodiscard]] experiment overload();

}  // namespace experiments
