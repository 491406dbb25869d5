// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "common/plot.hpp"
#include "common/version.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/replacement.hpp"

namespace experiments {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const number& n) { return n ? ordered_json(*n) : ordered_json(nullptr); }
number number_of(const ordered_json& j) { return j.is_null() ? number() : number(j.get<double>()); }

constexpr std::array<const char*, 4> verdict_words = {"not judged", "agrees", "explained", "differs"};
const char* words_of(verdict v) { return verdict_words.at(static_cast<std::size_t>(v)); }
/// What is not one of them is a difference: a result that cannot be understood is made again.
verdict verdict_of(const std::string& words) {
  const auto found = std::ranges::find(verdict_words, words);
  return found == verdict_words.end() ? verdict::differs : static_cast<verdict>(found - verdict_words.begin());
}

std::string csv_cell(const number& n) { return n ? fmt::format("{:.10g}", *n) : std::string(); }
std::string quote(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

void write_whole(const std::filesystem::path& file, const std::string& text) {
  sluice::extend::replacement into(file.string());
  into.write_at(0, std::as_bytes(std::span(text.data(), text.size())));
  into.commit();
}

std::string csv_of(const std::vector<point>& points) {
  std::string text = "series,x,formula,theory,simulated,counted,low,high,paper,memory,verdict\n";
  for (const point& p : points) {
    text += fmt::format("{},{:.10g},{},{},{},{},{},{},{},{},{}\n", quote(p.series), p.x, csv_cell(p.formula),
                        csv_cell(p.theory), csv_cell(p.simulated), csv_cell(p.counted), csv_cell(p.low),
                        csv_cell(p.high), csv_cell(p.paper), csv_cell(p.memory), quote(p.judged.words));
  }
  return text;
}

const std::string& title_of(const experiment& e, const record& r) {
  return r.results.title.empty() ? e.title : r.results.title;
}
const std::vector<axes>& panels_of(const experiment& e, const record& r) {
  return r.results.panels.empty() ? e.panels : r.results.panels;
}

void save(const std::filesystem::path& folder, const experiment& e, const record& r) {
  ordered_json points = ordered_json::array();
  for (const point& p : r.results.points) {
    points.push_back({{"series", p.series},
                      {"x", p.x},
                      {"formula", json_of(p.formula)},
                      {"theory", json_of(p.theory)},
                      {"simulated", json_of(p.simulated)},
                      {"counted", json_of(p.counted)},
                      {"low", json_of(p.low)},
                      {"high", json_of(p.high)},
                      {"paper", json_of(p.paper)},
                      {"memory", json_of(p.memory)},
                      {"verdict", words_of(p.judged.is)},
                      {"words", p.judged.words}});
  }
  ordered_json findings = ordered_json::array();
  for (const finding& f : r.results.findings) {
    findings.push_back({{"verdict", words_of(f.is)}, {"sentence", f.sentence}});
  }
  ordered_json panels = ordered_json::array();
  for (const axes& a : r.results.panels) {
    panels.push_back(
        {{"x", a.x}, {"y", a.y}, {"log_x", a.log_x}, {"log_y", a.log_y}, {"prefix", a.prefix}, {"by_row", a.by_row}});
  }
  ordered_json j;
  j["name"] = r.name;
  j["quick"] = r.quick;
  j["seed"] = r.seed;
  j["version"] = r.version;
  j["traces"] = r.traces;
  j["manifest"] = r.manifest;
  j["seconds"] = r.seconds;
  j["title"] = r.results.title;
  j["sizes"] = r.results.sizes;
  j["panels"] = panels;
  j["findings"] = findings;
  j["points"] = points;
  write_whole(folder / (e.name + ".csv"), csv_of(r.results.points));
  write_whole(folder / (e.name + ".svg"), draw(title_of(e, r), r.results.sizes, panels_of(e, r), r.results.points));
  write_whole(folder / (e.name + ".json"), j.dump(1) + "\n");  // last: its presence says that all are there
}

std::optional<record> load(const std::filesystem::path& folder, const experiment& e, const setting& how) {
  std::ifstream in(folder / (e.name + ".json"));
  if (!in || !std::filesystem::exists(folder / (e.name + ".csv")) ||
      !std::filesystem::exists(folder / (e.name + ".svg"))) {
    return std::nullopt;
  }
  try {
    const ordered_json j = ordered_json::parse(in);
    record r;
    r.name = j.at("name");
    r.quick = j.at("quick");
    r.seed = j.at("seed");
    r.version = j.at("version");
    r.traces = j.at("traces").get<std::vector<std::string>>();
    r.manifest = j.at("manifest");
    r.seconds = j.at("seconds");
    r.results.title = j.at("title");
    r.results.sizes = j.at("sizes");
    for (const auto& a : j.at("panels")) {
      r.results.panels.push_back({a.at("x"), a.at("y"), a.at("log_x"), a.at("log_y"), a.at("prefix"), a.at("by_row")});
    }
    for (const auto& f : j.at("findings")) {
      r.results.findings.push_back({verdict_of(f.at("verdict")), f.at("sentence")});
    }
    for (const auto& p : j.at("points")) {
      r.results.points.push_back({.series = p.at("series"),
                                  .x = p.at("x"),
                                  .formula = number_of(p.at("formula")),
                                  .theory = number_of(p.at("theory")),
                                  .simulated = number_of(p.at("simulated")),
                                  .counted = number_of(p.at("counted")),
                                  .low = number_of(p.at("low")),
                                  .high = number_of(p.at("high")),
                                  .paper = number_of(p.at("paper")),
                                  .memory = number_of(p.at("memory")),
                                  .judged = {verdict_of(p.at("verdict")), p.at("words")}});
    }
    if (r.name != e.name || r.quick != how.quick || r.seed != how.seed || r.version != SLUICE_VERSION ||
        r.traces != how.traces || r.manifest != how.manifest) {
      return std::nullopt;
    }
    return r;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace experiments
