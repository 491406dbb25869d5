#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The benchmarks' table at a size that takes a second: what it writes can be read, and rates are those of the plan.
# usage: table.sh SLUICE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bench/table.py --command "$1" --schemes gated sealed ledger --keys 20000 --bits 16 --repetitions 1 --core 0 --out "$out" >"$out/printed"
/usr/bin/python3 - "$out" <<'TEXT'
import glob, json, sys, xml.dom.minidom
out = sys.argv[1]
table = json.load(open(f"{out}/table.json"))
assert table["machine"]["processor"] and table["machine"]["cache_bytes"] and table["date"] and table["version"], table["machine"]
assert [r["result"]["bits_per_key"] for r in table["runs"]] == [16]
for r in table["runs"]:
    names = [s["scheme"] for s in r["result"]["schemes"]]
    assert names == ["blocked", "gated", "sealed", "ledger"], names
    for s in r["result"]["schemes"]:
        asked = s["fpr_counted_of"]
        assert abs(s["fpr_counted"] - s["fpr_from_fill"]) * asked < 6 * (s["fpr_from_fill"] * asked) ** 0.5 + 1, s
plots = glob.glob(f"{out}/*.svg")
assert len(plots) == 6, plots  # time, memory and keys, light and dark
for path in plots:
    drawn = xml.dom.minidom.parse(path)
    assert {"blocked", "gated", "sealed", "ledger"} <= {t.firstChild.data for t in drawn.getElementsByTagName("text")}, path
assert open(f"{out}/table.md").read().split("\n", 1)[1] in open(f"{out}/printed").read()
TEXT
echo "the table is complete"
