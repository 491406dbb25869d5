#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Recomputes the numbers of docs/reproduction.md from results. In the document, a comment in a paragraph

    <!-- check NAME NUMBER TOLERANCE% EXPRESSION -->

says that NUMBER, which stands in the same paragraph, is what EXPRESSION gives with the points of the experiment NAME:
simulated(series, x), theory, formula, counted, low, high, paper or memory, of the point nearest to x; rows has all.
`<!-- given NUMBER... -->` names numbers that are settings, or quoted from a paper. A decimal number that is neither is an error.
usage: document.py FOLDER DOCUMENT
"""
import csv
import math
import pathlib
import re
import sys

folder, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
failed = 0


def complain(words):
    global failed
    failed += 1
    print(f"document: {words}", file=sys.stderr)


def reader(name):
    rows = list(csv.DictReader((folder / f"{name}.csv").open()))

    def column(which):
        def value(series, x):
            found = [r for r in rows if r["series"] == series and r[which]]
            if not found:
                raise KeyError(f"{name}.csv has no {which} of '{series}'")
            return float(min(found, key=lambda r: abs(float(r["x"]) - x))[which])
        return value
    columns = ("simulated", "theory", "formula", "counted", "low", "high", "paper", "memory")
    names = {which: column(which) for which in columns}
    return names | {"rows": rows, "min": min, "max": max, "float": float, "abs": abs, "sqrt": math.sqrt}


checked = 0
for paragraph in re.split(r"\n\s*\n|\n(?=- )", document.read_text()):
    comments = re.findall(r"<!--\s*(.*?)\s*-->", paragraph, re.S)
    text = " ".join(re.sub(r"<!--.*?-->", "", paragraph, flags=re.S).split())
    known = set()
    for comment in comments:
        words = " ".join(comment.split())
        if words.startswith("given "):
            known |= set(words.split()[1:])
            continue
        match = re.fullmatch(r"check (\S+) (\S+) (\S+)% (.*)", words)
        if not match:
            complain(f"what is <!-- {words} -->?")
            continue
        name, number, tolerance, expression = match.groups()
        known.add(number)
        if not re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text):
            complain(f"{number} is checked and does not stand in: {text[:70]}")
        try:
            value = eval(expression, reader(name) | {"__builtins__": {}})
        except Exception as error:
            complain(f"{name}: {expression}: {error!r}")
            continue
        checked += 1
        if not abs(value - float(number)) <= float(tolerance) / 100 * abs(float(number)) + 1e-12:
            complain(f"the document says {number}, {name} gives {value:.4g}: {text[:70]}")
    for number in re.findall(r"(?<![\d.\w-])\d+\.\d+(?:e-\d+)?(?![\d.]*\))", text):
        if number not in known:
            complain(f"{number} is neither checked nor given: {text[:70]}")
print(f"document: {checked} numbers recomputed, {failed} wrong")
sys.exit(1 if failed or not checked else 0)
