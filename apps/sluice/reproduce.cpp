#include "reproduce.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "common/experiment.hpp"
#include "common/report.hpp"
#include "common/store.hpp"
#include "common/version.hpp"
#include "sluice/errors.hpp"

namespace sluice_cli {
namespace {

using experiments::experiment;
using experiments::record;
using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

std::vector<const experiment*> chosen(const std::vector<std::string>& names) {
  std::vector<const experiment*> found;
  const auto& all = experiments::all_experiments();
  for (const std::string& name : names) {
    if (name == "all") {
      for (const experiment& e : all) found.push_back(&e);
      continue;
    }
    const auto it = std::ranges::find(all, name, &experiment::name);
    if (it == all.end()) {
      std::string known = "all";
      for (const experiment& e : all) known += ", " + e.name;
      throw sluice::parameter_error(fmt::format("there is no experiment '{}'; choose one of {}", name, known));
    }
    found.push_back(&*it);
  }
  return found;
}

/// A line that is written over again and again, on a terminal only.
class progress_line {
public:
  explicit progress_line(std::string what)
      : what_(std::move(what)), start_(clock::now()), shown_(isatty(STDERR_FILENO) != 0) {}
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  progress_line(progress_line&&) = delete;
  progress_line& operator=(progress_line&&) = delete;
  ~progress_line() {
    if (shown_) fmt::print(stderr, "\r{:70}\r", "");
  }
  void tell(double share) {
    if (!shown_ || clock::now() - last_ < std::chrono::milliseconds(200)) return;
    last_ = clock::now();
    const double passed = seconds_since(start_);
    fmt::print(stderr, "\r{}: {:.0f}%, {:.0f} s left   ", what_, 100 * share,
               share > 0.01 ? passed / share - passed : 0);
  }

private:
  std::string what_;
  clock::time_point start_;
  clock::time_point last_;
  bool shown_;
};

}  // namespace

int reproduce(const reproduce_options& o) {
  const std::vector<const experiment*> wanted = chosen(o.names);
  const std::filesystem::path folder(o.out);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || !std::filesystem::is_directory(folder)) {
    throw sluice::error(
        fmt::format("{} cannot be made a folder: {}", o.out, failed ? failed.message() : "there is a file"));
  }
  const std::uint32_t threads = o.threads != 0 ? o.threads : std::max(1U, std::thread::hardware_concurrency());
  int differing = 0;
  for (const experiment* e : wanted) {
    experiments::setting how{.quick = o.quick, .seed = o.seed, .threads = threads, .traces = o.traces};
    std::optional<record> r = o.fresh ? std::nullopt : experiments::load(folder, *e, how);
    const bool kept = r.has_value();
    if (!kept) {
      progress_line line(e->name);
      how.progress = [&](double share) { line.tell(share); };
      const auto start = clock::now();
      record made{.name = e->name,
                  .quick = o.quick,
                  .seed = o.seed,
                  .version = experiments::version(),
                  .traces = o.traces,
                  .seconds = 0,
                  .results = e->run(how)};
      made.seconds = seconds_since(start);
      experiments::save(folder, *e, made);
      r = std::move(made);
    }
    const auto bad = std::ranges::count_if(r->results.findings, [](const auto& f) { return !f.agrees; });
    differing += bad > 0 ? 1 : 0;
    fmt::print(
        "{:<16} {:>7.1f} s{}  {}\n", e->name, r->seconds, kept ? " (kept)" : "",
        bad == 0 ? std::string("agrees") : fmt::format("{} of {} findings differ", bad, r->results.findings.size()));
    for (const auto& f : r->results.findings) fmt::print("    {} {}\n", f.agrees ? "+" : "-", f.sentence);
    std::fflush(stdout);
  }
  // The report has everything that is in the folder.
  std::vector<std::pair<const experiment*, record>> all;
  for (const experiment& e : experiments::all_experiments()) {
    const experiments::setting how{.quick = o.quick, .seed = o.seed, .threads = threads, .traces = o.traces};
    if (auto r = experiments::load(folder, e, how)) all.emplace_back(&e, std::move(*r));
  }
  experiments::write_whole(folder / "index.html", experiments::page(all));
  fmt::print("{}\n", (folder / "index.html").string());
  return differing == 0 ? 0 : 1;
}

}  // namespace sluice_cli
