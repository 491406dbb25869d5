#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/benchmarks.md: schemes x bits a key x filters in the cache, about as large as the last cache, and in
memory. It runs `sluice bench` for each size and each number of bits, keeps what it printed, with all that is known of the
machine, as JSON, and makes tables and plots of it, for light and dark pages.

Times of one size and one number of bits come from one run, in which the contestants took turns: compare those, and their
ratios to blocked and to the floor (one random line), with each other, and with nothing else.
"""
import argparse
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from machine import about, caches  # noqa: E402
from plots import Plot  # noqa: E402

operations = ("insert", "insert_bulk", "hit", "hit_bulk", "miss", "miss_bulk", "erase", "erase_bulk")


def run(command, schemes, keys, bits, repetitions, core):
    arguments = ["bench", *schemes, "--keys", str(keys), "--bits-per-key", str(bits), "--repetitions", str(repetitions),
                 "--core", str(core), "--json"]  # fmt: skip
    print(f"sluice {' '.join(arguments)}", file=sys.stderr)
    return {"command": "sluice " + " ".join(arguments),
            "result": json.loads(subprocess.run([command, *arguments], stdout=subprocess.PIPE, check=True).stdout)}


def number(value, form):
    return "-" if value is None else format(value, form)


def tables(runs):
    """Markdown."""
    out = []
    for r in runs:
        result = r["result"]
        out.append(f"\n### {r['size']}: {result['keys']:,} keys, {result['bits_per_key']:g} bits a key\n")
        out.append("| scheme | bits a key | x least | FPR | counted | insert | hit | miss |")
        out.append("|---|---:|---:|---:|---:|---:|---:|---:|")
        for s in result["schemes"]:
            reads = " | ".join(number(s[f"accesses_{o}"], ".3f") for o in ("insert", "hit", "miss"))
            out.append(f"| {s['scheme']} | {s['memory_bits_per_key']:.2f} | {s['times_least_bits']:.2f} | {s['fpr_predicted']:.3g}"
                       f" | {s['fpr_counted']:.3g} | {reads} |")  # fmt: skip
        out.append("\n| ns; x blocked; x floor | " + " | ".join(o.replace("_", " ") for o in operations) + " |")
        out.append("|---|" + "---:|" * len(operations))
        for s in result["schemes"]:
            cells = [" ".join((number(s.get(f"ns_{o}"), ".1f"), number(s.get(f"{o}_to_blocked"), ".2f"),
                               number(s.get(f"{o}_to_floor"), ".2f"))).replace("- - -", "-")
                     for o in operations]  # fmt: skip
            out.append(f"| {s['scheme']} | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def plots(runs):
    """Two for each size, and one for all: what a rate costs in time and in memory, and what time is made of."""
    made = {}
    for size in dict.fromkeys(r["size"] for r in runs):
        time = Plot(f"What a rate costs in time, {size}", "false positive rate", "ns a lookup, one by one, half of them hits")
        memory = Plot(f"What a rate costs in memory, {size}", "false positive rate", "bits a key", y_log=False)
        for r in runs:
            if r["size"] != size:
                continue
            for s in r["result"]["schemes"]:
                time.add(s["scheme"], s["fpr_from_fill"], (s["ns_hit"] + s["ns_miss"]) / 2)
                memory.add(s["scheme"], s["fpr_from_fill"], s["memory_bits_per_key"])
        for exponent in range(2, 10):
            memory.add("least possible", 10**-exponent, math.log2(10**exponent))
        made[f"time-{size.replace(' ', '-')}"] = time
        made[f"memory-{size.replace(' ', '-')}"] = memory
    bits = runs[0]["result"]["bits_per_key"]
    growth = Plot(f"Lookups of absent keys at {bits:g} bits a key", "keys", "ns, one by one")
    for r in runs:
        if r["result"]["bits_per_key"] == bits:
            for s in r["result"]["schemes"]:
                growth.add(s["scheme"], r["result"]["keys"], s["ns_miss"])
    made["keys"] = growth
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="example: ./dev bench --only table --keys 1e5 --bits 16 --repetitions 3")  # fmt: skip
    parser.add_argument("--command", default="build/release/sluice", help=argparse.SUPPRESS)
    parser.add_argument("--schemes", nargs="+", default=["blocked", "gated", "ledger", "sealed", "bloom-g", "classic"])
    parser.add_argument("--keys", nargs="+", type=float, help="in place of the three sizes")
    parser.add_argument("--bits", nargs="+", type=float, default=[16, 24, 32], help="bits a key")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--core", type=int, default=1)
    parser.add_argument("--out", default="build/benchmarks", help="the folder for table.json, table.md and the plots")
    o = parser.parse_args()
    last = max(caches().values(), default=32 << 20)
    sizes = [("in the cache", 100_000), ("about the last cache", last // 2), ("in memory", max(last, 40_000_000))]
    if o.keys:
        sizes = [(f"{k:g} keys", int(k)) for k in o.keys]
    os.makedirs(o.out, exist_ok=True)
    runs = []
    for size, keys in sizes:
        for bits in o.bits:
            runs.append({"size": size, **run(o.command, o.schemes, keys, bits, o.repetitions, o.core)})
    all_of_it = {**about(o.command), "runs": runs}
    with open(f"{o.out}/table.json", "w", encoding="utf-8") as file:
        json.dump(all_of_it, file, indent=1)
    with open(f"{o.out}/table.md", "w", encoding="utf-8") as file:
        m = all_of_it["machine"]
        file.write(f"{all_of_it['date']}, {all_of_it['commit']}, {m['processor']}, {m['compiler']}\n{tables(runs)}")
    for name, plot in plots(runs).items():
        plot.save(f"{o.out}/{name}")
    print(tables(runs))
    print(f"{o.out} has table.json, table.md and the plots")


main()
