# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, for a light page and for a dark one: points of several series, joined by lines, which differ in marks and
dashes as well as in colour; each name stands at the end of its line, where names do not overlap."""
import html
import math

width, height = 720, 440
left, right, top, bottom = 76, 150, 46, 58

themes = {"light": {"page": "#ffffff", "ink": "#1c1e21", "grid": "#d9dce0",
                    "series": ["#1f4e9c", "#b2182b", "#1a7a3c", "#7b3294", "#b35806", "#00796b", "#444444"]},
          "dark": {"page": "#14171a", "ink": "#e6e8ea", "grid": "#363c42",
                   "series": ["#7fb0ff", "#ff8a80", "#7ddb9a", "#d6a2ff", "#ffb86b", "#5fd6c4", "#c8ccd0"]}}  # fmt: skip
dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 3"]


def label(value, log):
    if log and value <= 1e-2:
        return f"1e{round(math.log10(value))}"
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


class Axis:
    def __init__(self, values, log, begin, end):
        self.log, self.begin, self.end = log, begin, end
        if log:
            self.low = 10 ** math.floor(math.log10(min(values)) + 1e-9)
            self.high = 10 ** math.ceil(math.log10(max(values)) - 1e-9)
            if self.high == self.low:
                self.high *= 10
        else:
            step = 10 ** math.floor(math.log10(max(values)))
            self.low, self.high = 0, math.ceil(max(values) / step * 2) * step / 2

    def __call__(self, value):
        share = (math.log(value / self.low) / math.log(self.high / self.low) if self.log
                 else (value - self.low) / (self.high - self.low))  # fmt: skip
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        if not self.log:
            return [self.low + (self.high - self.low) * i / 5 for i in range(6)]
        decades = round(math.log10(self.high / self.low))
        steps = (1, 2, 5) if decades < 3 else (1,)
        every = max(1, decades // 8)
        found = [self.low * 10**d * s for d in range(0, decades + 1, every) for s in steps]
        return [t for t in found if t <= self.high * 1.001]


class Plot:
    def __init__(self, title, x, y, x_log=True, y_log=True):
        self.title, self.x, self.y, self.x_log, self.y_log = title, x, y, x_log, y_log
        self.series = {}

    def add(self, name, x, y):
        if x and y:
            self.series.setdefault(name, []).append((x, y))

    def draw(self, theme):
        t = themes[theme]
        points = [p for all_of_it in self.series.values() for p in all_of_it]
        x = Axis([p[0] for p in points], self.x_log, left, width - right)
        y = Axis([p[1] for p in points], self.y_log, height - bottom, top)
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
               f'font-size="12" fill="{t["ink"]}"><rect width="{width}" height="{height}" fill="{t["page"]}"/>'
               f'<text x="{left}" y="24" font-size="15">{html.escape(self.title)}</text>']  # fmt: skip
        for tick in x.ticks():
            out.append(f'<line x1="{x(tick):.1f}" y1="{top}" x2="{x(tick):.1f}" y2="{height - bottom}" stroke="{t["grid"]}"/>'
                       f'<text x="{x(tick):.1f}" y="{height - bottom + 18}" text-anchor="middle">{label(tick, self.x_log)}</text>')  # fmt: skip
        for tick in y.ticks():
            out.append(f'<line x1="{left}" y1="{y(tick):.1f}" x2="{width - right}" y2="{y(tick):.1f}" stroke="{t["grid"]}"/>'
                       f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{label(tick, self.y_log)}</text>')  # fmt: skip
        out.append(f'<text x="{(left + width - right) / 2}" y="{height - 14}" text-anchor="middle">{html.escape(self.x)}</text>'
                   f'<text transform="translate(20 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">{html.escape(self.y)}</text>')  # fmt: skip
        ends = []
        for number, (name, some) in enumerate(self.series.items()):
            colour = t["series"][number % len(t["series"])]
            at = [(x(a), y(b)) for a, b in sorted(some)]
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in at)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes[number % len(dashes)]}"/>')
            out += [mark(number, a, b, colour) for a, b in at]
            ends.append([at[-1][1], at[-1][0], name, colour])
        place = -math.inf
        for b, a, name, colour in sorted(ends):
            place = max(b, place + 14)
            out.append(f'<line x1="{a + 6:.1f}" y1="{b:.1f}" x2="{width - right + 10}" y2="{place:.1f}" stroke="{colour}" stroke-opacity="0.4"/>'
                       f'<text x="{width - right + 14}" y="{place + 4:.1f}" fill="{colour}">{html.escape(name)}</text>')  # fmt: skip
        return "\n".join(out) + "\n</svg>\n"

    def save(self, path):
        """As PATH-light.svg and PATH-dark.svg."""
        for theme in themes:
            with open(f"{path}-{theme}.svg", "w", encoding="utf-8") as file:
                file.write(self.draw(theme))


def mark(number, x, y, colour):
    shapes = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>',
              f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>',
              f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{colour}"/>',
              f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{colour}"/>']  # fmt: skip
    return shapes[number % len(shapes)]
