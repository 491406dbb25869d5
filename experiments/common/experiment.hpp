// What an experiment is: it computes points (theory, simulation, the paper's value side by side), judges each, and says
// in sentences what was found. How it is stored, drawn and reported is the same for all (store.hpp, plot.hpp,
// report.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace experiments {

using number = std::optional<double>;

/// One row of a CSV file, one mark of a figure.
struct point {
  std::string series;
  double x = 0;
  number theory = {};
  number simulated = {};
  number low = {};  ///< the range of the simulation; each experiment says which
  number high = {};
  number paper = {};
  std::string verdict = {};  ///< "agrees", "differs ...", or nothing where nothing was to be compared
};

struct axes {
  std::string x;
  std::string y;
  bool log_x = false;
  bool log_y = false;
  std::string prefix = {};  ///< of the series that are drawn here; figures of one panel need none
};

/// A statement that was checked.
struct finding {
  bool agrees = true;
  std::string sentence;
};

struct outcome {
  std::vector<point> points;
  std::vector<finding> findings;
  std::vector<axes> panels = {};  ///< instead of the experiment's, where they depend on what was found
};

/// How to run.
struct setting {
  bool quick = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
  std::vector<std::string> traces = {};                  ///< captures to use instead of those found
  std::function<void(double)> progress = [](double) {};  ///< told the share that is done, by one thread at a time

  [[nodiscard]] std::uint64_t seed_of(std::uint64_t trial) const { return seed * 1'000'003 + trial; }
  [[nodiscard]] std::uint64_t scaled(std::uint64_t full, std::uint64_t quickly) const { return quick ? quickly : full; }
};

struct experiment {
  std::string name;
  std::string title;
  std::string about;  ///< what is shown, and what low and high are
  std::vector<axes> panels;
  outcome (*run)(const setting&);
};

/// All of them, in the order of the report.
[[nodiscard]] const std::vector<experiment>& all_experiments();

}  // namespace experiments
