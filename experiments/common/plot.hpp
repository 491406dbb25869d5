// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A figure as SVG, written directly: exact models as thick lines, the paper's formulas as thin ones, real filters as
// filled marks with their range, counted rates as rings around them, the paper's values as open diamonds over all.
// Series differ in dashes and marks as well as in colour, so that a black and white print can be read; a series looks
// the same in all panels of a figure. Tables have a line for each row, with ratios to the paper's value.
#pragma once

#include <string>
#include <vector>

#include "common/experiment.hpp"

namespace experiments {

/// One panel below the other; `sizes` is written below the title.
[[nodiscard]] std::string draw(const std::string& title, const std::string& sizes, const std::vector<axes>& panels,
                               const std::vector<point>& points);

/// Text that may stand in XML.
[[nodiscard]] std::string escape(const std::string& text);

}  // namespace experiments
