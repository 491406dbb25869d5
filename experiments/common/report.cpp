// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/judge.hpp"
#include "common/plot.hpp"
#include "common/version.hpp"

namespace experiments {
namespace {

std::string table_cell(const number& n) {
  if (!n) return "<td></td>";
  const double v = *n;
  const bool plain = v == 0 || (v >= 1e-3 && v < 1e5) || (v <= -1e-3 && v > -1e5);
  return plain ? fmt::format("<td>{:.4g}</td>", v) : fmt::format("<td>{:.3e}</td>", v);
}

std::string table(const std::vector<point>& points) {
  std::string html =
      "<table><tr><th>series</th><th>x</th><th>paper's formula</th><th>theory</th><th>simulated</th><th>counted</th>"
      "<th>low</th><th>high</th><th>paper</th><th>memory</th><th>verdict</th></tr>\n";
  for (const point& p : points) {
    html += fmt::format("<tr><td>{}</td>", escape(p.series));
    for (const number& n :
         {number(p.x), p.formula, p.theory, p.simulated, p.counted, p.low, p.high, p.paper, p.memory}) {
      html += table_cell(n);
    }
    html += fmt::format("<td class=\"{}\">{}</td></tr>\n", class_of(p.judged.is), escape(p.judged.words));
  }
  return html + "</table>\n";
}

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>sluice: the papers' results</title>
<style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.45; color: #222; }
table { border-collapse: collapse; font-size: 85%; margin: 0.7em 0; }
td, th { border: 1px solid #bbb; padding: 0.15em 0.6em; text-align: right; }
td:first-child, td:last-child, th { text-align: left; }
.good { color: #1a6b33; } .bad { color: #a02020; font-weight: bold; } .explained { color: #7a5200; }
svg { max-width: 100%; height: auto; } summary { cursor: pointer; }
footer { margin-top: 3em; color: #555; font-size: 85%; }
@media print { details > * { display: block; } }
</style></head><body>
<h1>sluice: the papers' results, reproduced</h1>
<p>Theory, simulation and the papers' own numbers side by side. Thick lines are exact models, thin ones the papers'
formulas as they stand; filled marks are real filters (rates from their bits), rings around them rates counted with
lookups, open diamonds values that a paper prints. Memory is everything, in bits per key. A finding agrees (green),
differs for a reason that was checked as well (explained, brown), or differs (red).</p>
)";

}  // namespace

std::string compiler() {
#if defined(__clang__)
  return std::string("Clang ") + __clang_version__;
#else
  return std::string("GCC ") + __VERSION__;
#endif
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  std::string part;
  while (std::getline(in, line)) {
    const auto value = [&] { return line.substr(std::min(line.size(), line.find(':') + 2)); };
    if (line.starts_with("model name")) return value();
    if (line.starts_with("CPU part")) part = "ARM part " + value();
  }
  return part.empty() ? "unknown" : part;
}

std::string page(const std::vector<std::pair<const experiment*, record>>& all) {
  std::string html = head;
  html += "<table><tr><th>experiment</th><th>what</th><th>time</th><th>result</th></tr>\n";
  double seconds = 0;
  for (const auto& [e, r] : all) {
    const auto bad = std::ranges::count(r.results.findings, verdict::differs, &finding::is);
    html += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2:.1f} s</td><td class=\"{3}\">{4}</td></tr>\n", e->name,
        escape(title_of(*e, r)), r.seconds, bad == 0 ? "good" : "bad", result_of(r.results.findings));
    seconds += r.seconds;
  }
  html += "</table>\n";
  for (const auto& [e, r] : all) {
    html += fmt::format("<h2 id=\"{}\">{}</h2>\n<p>{}</p>\n<p>{}: {}</p>\n", e->name, escape(title_of(*e, r)),
                        escape(e->about), r.quick ? "Quick sizes" : "Sizes", escape(r.results.sizes));
    html += draw(title_of(*e, r), r.results.sizes, panels_of(*e, r), r.results.points);
    html += "<ul>\n";
    for (const finding& f : r.results.findings) {
      html += fmt::format("<li class=\"{}\">{}</li>\n", class_of(f.is), escape(f.sentence));
    }
    html += fmt::format("</ul>\n<details><summary>{} points</summary>\n{}</details>\n", r.results.points.size(),
                        table(r.results.points));
  }
  if (!all.empty()) {
    const record& r = all.front().second;
    html += fmt::format(
        "<footer>sluice {}, {}; processor: {}; seed {}; {}; {:.0f} seconds in all. Made by <code>sluice "
        "reproduce</code>."
        "</footer>\n",
        escape(r.version), escape(compiler()), escape(processor()), r.seed, r.quick ? "quick sizes" : "full sizes",
        seconds);
  }
  return html + "</body></html>\n";
}

}  // namespace experiments
