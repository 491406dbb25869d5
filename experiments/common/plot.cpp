// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace experiments {
namespace {

constexpr double width = 900;
constexpr double height = 500;
constexpr double left = 84;
constexpr double right = 310;  // the legend's
constexpr double top = 58;
constexpr double bottom = 62;

struct style {
  const char* colour;
  const char* dash;
  int mark;
};
constexpr std::array<style, 12> styles = {{{"#1f4e9c", "", 0},
                                           {"#b2182b", "7 4", 1},
                                           {"#1a7a3c", "2 3", 2},
                                           {"#7b3294", "9 3 2 3", 3},
                                           {"#b35806", "12 4", 4},
                                           {"#00796b", "4 2 1 2", 0},
                                           {"#444444", "1 2", 1},
                                           {"#c51b7d", "6 2", 2},
                                           {"#5a6b00", "10 2 2 2 2 2", 3},
                                           {"#2b6cb0", "3 6", 4},
                                           {"#000000", "14 3 3 3", 3},
                                           {"#8c6d1f", "5 5", 0}}};

/// Data to pixels on one axis.
class scale {
public:
  scale(double low, double high, bool is_log, double from, double to) : log_(is_log), from_(from), to_(to) {
    low_ = transform(low);
    high_ = transform(high);
    if (!(high_ > low_)) {
      low_ -= 0.5;
      high_ += 0.5;
    }
    const double room = 0.03 * (high_ - low_);
    low_ -= room;
    high_ += room;
  }
  [[nodiscard]] double at(double value) const {
    return from_ + (to_ - from_) * (transform(value) - low_) / (high_ - low_);
  }
  /// Where to write numbers.
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> values;
    if (log_) {
      const int first = static_cast<int>(std::floor(low_));
      const int last = static_cast<int>(std::ceil(high_));
      const int step = std::max(1, (last - first) / 9);
      const bool few = last - first <= 2;
      for (int decade = first; decade <= last; ++decade) {
        if ((decade - first) % step != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
          const double value = factor * std::pow(10, decade);
          if ((few || factor == 1.0) && std::log10(value) >= low_ && std::log10(value) <= high_)
            values.push_back(value);
        }
      }
      return values;
    }
    const double raw = (high_ - low_) / 7;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (step < raw) step = factor * power;
    }
    const double first = std::ceil(low_ / step);
    for (int i = 0; (first + i) * step <= high_ + 1e-9 * step; ++i) values.push_back((first + i) * step + 0.0);
    return values;
  }

private:
  [[nodiscard]] double transform(double value) const {
    return log_ ? std::log10(std::max(value, std::numeric_limits<double>::min())) : value;
  }
  bool log_;
  double from_;
  double to_;
  double low_;
  double high_;
};

std::string tick_text(double value, bool is_log) {
  if (is_log && (value < 1e-3 || value >= 1e5)) return fmt::format("{:.0e}", value);
  return fmt::format("{:.4g}", value);
}

std::string mark(double x, double y, const style& s, bool filled) {
  const std::string paint = filled ? fmt::format(R"(fill="{0}" stroke="{0}")", s.colour)
                                   : fmt::format(R"(fill="white" stroke="{}" stroke-width="1.5")", s.colour);
  switch (s.mark) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\" {}/>\n", x, y, paint);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" {}/>\n", x - 3.2, y - 3.2,
                         paint);
    case 2:
      return fmt::format("<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" {}/>\n", x, y - 4.2, x - 3.9,
                         y + 2.9, x + 3.9, y + 2.9, paint);
    case 3:
      return fmt::format("<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" {}/>\n", x, y + 4.2, x - 3.9,
                         y - 2.9, x + 3.9, y - 2.9, paint);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l7 7m0 -7l-7 7\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", x - 3.5,
                         y - 3.5, s.colour);
  }
}

std::string diamond(double x, double y) {
  constexpr double size = 8.5;  // marks and rings are seen inside
  return fmt::format(
      "<polygon points=\"{0:.1f},{1:.1f} {2:.1f},{3:.1f} {0:.1f},{4:.1f} {5:.1f},{3:.1f}\" fill=\"none\" "
      "stroke=\"black\" "
      "stroke-width=\"1.2\"/>\n",
      x, y - size, x + size, y, y + size, x - size);
}

/// Around a mark.
std::string ring(double x, double y, const char* colour) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5.6\" fill=\"none\" stroke=\"{}\"/>\n", x, y, colour);
}

constexpr double row_height = 19;

/// The names of all series of a figure, without the prefixes of panels: a name has one style.
using series_names = std::vector<std::string>;
std::string draw_panel(const axes& a, const std::vector<point>& points, const series_names& names, double shift);
std::string draw_rows(const axes& a, const std::vector<point>& points, double shift);

double height_of(const axes& a, const std::vector<point>& points) {
  return a.by_row ? top + bottom + row_height * static_cast<double>(std::max<std::size_t>(1, points.size())) : height;
}

}  // namespace

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string draw(const std::string& title, const std::string& sizes, const std::vector<axes>& panels,
                 const std::vector<point>& points) {
  std::vector<std::vector<point>> shown(panels.size());
  series_names names;
  double all = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    for (const point& p : points) {
      // The longest prefix that fits: a panel without one has what no other has.
      const bool fits = p.series.starts_with(panels[i].prefix);
      bool better = false;
      for (const axes& other : panels) {
        better = better || (other.prefix.size() > panels[i].prefix.size() && p.series.starts_with(other.prefix));
      }
      if (!fits || better || (panels[i].by_row && !p.paper)) continue;
      shown[i].push_back(p);
      shown[i].back().series = p.series.substr(panels[i].prefix.size());
      if (!panels[i].by_row && std::ranges::find(names, shown[i].back().series) == names.end()) {
        names.push_back(shown[i].back().series);
      }
    }
    all += height_of(panels[i], shown[i]);
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n"
      "<text x=\"20\" y=\"43\" fill=\"#444444\">{3}</text>\n",
      width, all, escape(title), escape(sizes));
  double shift = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    svg += panels[i].by_row ? draw_rows(panels[i], shown[i], shift) : draw_panel(panels[i], shown[i], names, shift);
    shift += height_of(panels[i], shown[i]);
  }
  return svg + "</svg>\n";
}

namespace {

/// A table: each row's values as ratios to the paper's.
std::string draw_rows(const axes& a, const std::vector<point>& points, double shift) {
  constexpr double label = 330;
  constexpr double edge = 30;
  double low = 1;
  double high = 1;
  for (const point& p : points) {
    for (const number& n : {p.theory, p.simulated, p.counted, p.low, p.high}) {
      if (!n || (a.log_x && *n <= 0)) continue;
      low = std::min(low, *n / *p.paper);
      high = std::max(high, *n / *p.paper);
    }
  }
  const scale x(low, high, a.log_x, label, width - edge);
  const double end = top + row_height * static_cast<double>(points.size());
  std::string svg = fmt::format("<g transform=\"translate(0,{:.0f})\">\n", shift);
  const auto vertical = [&](double value, const char* colour) {
    return fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", x.at(value),
                       top, end, colour);
  };
  for (const double value : x.ticks()) {
    svg +=
        vertical(value, "#dddddd") + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                                                 x.at(value), end + 16, tick_text(value, a.log_x));
  }
  svg += vertical(1, "black");
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (label + width - edge) / 2,
                     end + 36, escape(a.y));
  const style plain{"#1f4e9c", "", 0};
  double y = top + row_height / 2;
  for (const point& p : points) {
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}, {:g} {}</text>\n", label - 10, y + 4,
                       escape(p.series), p.x, escape(a.x));
    const auto at = [&](const number& n) { return x.at(*n / *p.paper); };
    if (p.low && p.high) {
      svg += fmt::format(
          "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}m0 -3v6m0 -3H{0:.1f}m0 -3v6\" stroke=\"{3}\" fill=\"none\"/>\n", at(p.low),
          y, at(p.high), plain.colour);
    }
    if (p.theory) {
      svg += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#b2182b\" "
          "stroke-width=\"2\"/>\n",
          at(p.theory), y - 7, y + 7);
    }
    if (p.simulated) svg += mark(at(p.simulated), y, plain, true);
    if (p.counted && (!a.log_x || *p.counted > 0)) svg += ring(at(p.counted), y, "black");
    y += row_height;
  }
  return svg + fmt::format(
                   "<text x=\"{}\" y=\"{:.1f}\" fill=\"#444444\">dot: from the bits, with range; ring: counted; "
                   "red: model</text>\n</g>\n",
                   20, end + 36);
}

std::string draw_panel(const axes& a, const std::vector<point>& points, const series_names& names, double shift) {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -x_low;
  double y_low = x_low;
  double y_high = -x_low;
  bool has_paper = false;
  bool has_theory = false;
  bool has_range = false;
  bool has_formula = false;
  bool has_counted = false;
  const auto shown = [&](const number& y) { return y && std::isfinite(*y) && (!a.log_y || *y > 0); };
  for (const point& p : points) {
    for (const number& y : {p.formula, p.theory, p.simulated, p.counted, p.low, p.high, p.paper}) {
      if (!shown(y)) continue;
      x_low = std::min(x_low, p.x);
      x_high = std::max(x_high, p.x);
      y_low = std::min(y_low, *y);
      y_high = std::max(y_high, *y);
    }
    has_paper = has_paper || shown(p.paper);
    has_theory = has_theory || shown(p.theory);
    has_formula = has_formula || shown(p.formula);
    has_counted = has_counted || shown(p.counted);
    has_range = has_range || (shown(p.low) && shown(p.high));
  }
  if (!(x_low <= x_high)) x_low = x_high = y_low = y_high = 1;
  const scale x(x_low, x_high, a.log_x, left, width - right);
  const scale y(y_low, y_high, a.log_y, height - bottom, top);

  std::string svg = fmt::format("<g transform=\"translate(0,{:.0f})\">\n", shift);
  for (const double value : x.ticks()) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#dddddd\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        x.at(value), top, height - bottom, height - bottom + 18, tick_text(value, a.log_x));
  }
  for (const double value : y.ticks()) {
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        left, width - right, y.at(value), left - 7, y.at(value) + 4, tick_text(value, a.log_y));
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n", left, top,
                     width - right - left, height - bottom - top);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                     height - 18, escape(a.x));
  svg += fmt::format("<text transform=\"translate(18,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (top + height - bottom) / 2, escape(a.y));

  std::string over;  // the paper's marks lie above everything
  double legend = top + 8;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const style& s = styles[i % styles.size()];
    const auto further_left = [](const point& p, const point& q) { return p.x < q.x; };
    std::vector<point> mine;  // from left to right
    for (const point& p : points) {
      if (p.series == names[i]) mine.insert(std::upper_bound(mine.begin(), mine.end(), p, further_left), p);
    }
    const auto line = [&](number point::* field) {
      std::string path;
      int count = 0;
      for (const point& p : mine) {
        if (!shown(p.*field)) continue;
        path += fmt::format("{}{:.1f} {:.1f}", count++ == 0 ? "M" : "L", x.at(p.x), y.at(*(p.*field)));
      }
      return count > 1 ? path : std::string();
    };
    if (mine.empty()) continue;
    if (const std::string formula = line(&point::formula); !formula.empty()) {
      svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.9\"/>\n", formula, s.colour);
    }
    std::string path = line(&point::theory);
    double thickness = 1.7;
    if (path.empty()) {
      path = line(&point::simulated);
      thickness = 0.8;
    }
    if (!path.empty()) {
      svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\"/>\n",
                         path, s.colour, thickness, s.dash);
    }
    bool simulated = false;
    for (const point& p : mine) {
      if (shown(p.low) && shown(p.high)) {
        svg += fmt::format(
            "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}m-3 0h6m-3 0V{1:.1f}m-3 0h6\" stroke=\"{3}\" fill=\"none\"/>\n",
            x.at(p.x), y.at(*p.low), y.at(*p.high), s.colour);
      }
      if (shown(p.simulated)) {
        svg += mark(x.at(p.x), y.at(*p.simulated), s, true);
        simulated = true;
      } else if (shown(p.theory) && path.empty()) {
        svg += mark(x.at(p.x), y.at(*p.theory), s, false);
      }
      if (shown(p.counted)) svg += ring(x.at(p.x), y.at(*p.counted), s.colour);
      if (shown(p.paper)) over += diamond(x.at(p.x), y.at(*p.paper));
    }
    const double from = width - right + 14;
    svg += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"1.7\" "
        "stroke-dasharray=\"{}\"/>\n",
        from, from + 32, legend, legend, s.colour, s.dash);
    if (simulated) svg += mark(from + 16, legend, s, true);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", from + 40, legend + 4, escape(names[i]));
    legend += 20;
  }
  legend += 12;
  const double from = width - right + 14;
  const auto note = [&](const std::string& text) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#444444\">{}</text>\n", from + 40, legend + 4, text);
    legend += 18;
  };
  if (has_theory) {
    svg +=
        fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#444444\" stroke-width=\"2\"/>\n",
                    from, from + 32, legend, legend);
    note("exact model");
  }
  if (has_formula) {
    svg +=
        fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#444444\" stroke-width=\"0.9\"/>\n",
                    from, from + 32, legend, legend);
    note("the paper's formula, as it stands");
  }
  svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\" fill=\"#444444\"/>\n", from + 16, legend);
  note(has_range ? "simulated, with range" : "simulated");
  if (has_counted) {
    svg += ring(from + 16, legend, "#444444");
    note("counted with lookups");
  }
  if (has_paper) {
    svg += diamond(from + 16, legend);
    note("the paper's value");
  }
  return svg + over + "</g>\n";
}

}  // namespace

}  // namespace experiments
