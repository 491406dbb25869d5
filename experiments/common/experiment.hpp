// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What an experiment is: it computes points (formula, theory, simulation, the paper's value side by side), judges each,
// and says in sentences what was found. How it is judged, stored, drawn and reported is the same for all (judge.hpp,
// store.hpp, plot.hpp, report.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace experiments {

using number = std::optional<double>;

/// What came of a comparison. What differs for a reason that was checked as well is explained: it is told, and does not
/// fail a run.
enum class verdict : std::uint8_t { not_judged, agrees, explained, differs };

struct judgement {
  verdict is = verdict::not_judged;
  std::string words = {};  ///< by how much, and why; of what was not judged, why not
};

/// One row of a CSV file, one mark of a figure.
struct point {
  std::string series;
  double x = 0;
  number formula = {};    ///< the paper's, as it stands
  number theory = {};     ///< the exact model: what real filters should have
  number simulated = {};  ///< real filters; rates from their final bits
  number counted = {};    ///< a rate by real lookups: false positives counted
  number low = {};        ///< the range of the simulation; each experiment says which
  number high = {};
  number paper = {};   ///< the value that the paper prints
  number memory = {};  ///< bits per key, everything included
  judgement judged = {};
};

struct axes {
  std::string x;
  std::string y;
  bool log_x = false;
  bool log_y = false;
  std::string prefix = {};  ///< of the series that are drawn here; figures of one panel need none
  bool by_row = false;      ///< a table: every point on a line of its own, as a ratio to the paper's value
};

/// A statement that was checked: judge.hpp makes them.
struct finding {
  verdict is = verdict::not_judged;
  std::string sentence;
};

struct outcome {
  std::vector<point> points = {};
  std::vector<finding> findings = {};
  std::string sizes = {};         ///< keys, trials: what was run this time
  std::vector<axes> panels = {};  ///< instead of the experiment's, where they depend on what was found
  std::string title = {};         ///< the same
};

/// How to run.
struct setting {
  bool quick = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
  std::vector<std::string> traces = {};                  ///< captures to use instead of those found
  std::string manifest = {};                             ///< what is known about captures; empty: the one beside them
  std::function<void(double)> progress = [](double) {};  ///< told the share that is done, by one thread at a time

  [[nodiscard]] std::uint64_t seed_of(std::uint64_t trial) const { return seed * 1'000'003 + trial; }
  [[nodiscard]] std::uint64_t scaled(std::uint64_t full, std::uint64_t quickly) const { return quick ? quickly : full; }
};

struct experiment {
  std::string name;
  std::string title;
  std::string about;  ///< what is shown, and what low and high are; sizes are the outcome's
  std::vector<axes> panels;
  outcome (*run)(const setting&);
};

/// All of them, in the order of the report.
[[nodiscard]] const std::vector<experiment>& all_experiments();

}  // namespace experiments
