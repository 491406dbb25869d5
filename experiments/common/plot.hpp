// A figure as SVG, written directly: theory as lines, simulation as filled marks with its range, the paper's values as
// open diamonds over both. Series differ in dashes and marks as well as in colour, so that a black and white print can
// be read.
#pragma once

#include <string>
#include <vector>

#include "common/experiment.hpp"

namespace experiments {

/// One panel below the other.
[[nodiscard]] std::string draw(const std::string& title, const std::vector<axes>& panels,
                               const std::vector<point>& points);

/// Text that may stand in XML.
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace experiments
