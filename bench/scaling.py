#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""How costs grow with the number of keys: runs sluice-bench --only scaling, keeps what it prints with what is known of the
machine, and makes a table and plots of it, for light and dark pages."""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from machine import about  # noqa: E402
from plots import Plot  # noqa: E402

columns = {"ns_build": "build", "ns_build_2": "2 threads", "ns_hit": "hit", "ns_miss": "miss", "ns_hit_bulk": "hits in bulk",
           "ns_miss_bulk": "misses in bulk", "ns_miss_bulk_2": "2 threads"}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bench/sluice-bench", help=argparse.SUPPRESS)
    parser.add_argument("--most", type=float, default=1e9, help="keys of the largest filter; its size is 2 bytes each")
    parser.add_argument("--repetitions", type=int, default=3, help="below 1e8 keys; then there is one")
    parser.add_argument("--out", default="build/benchmarks", help="the folder for scaling.json, scaling.md and the plots")
    o = parser.parse_args()
    os.makedirs(o.out, exist_ok=True)
    command = [o.program, "--only", "scaling", "--most", str(int(o.most)), "--repetitions", str(o.repetitions)]
    rows = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            rows.append(json.loads(line))
            print(f"{rows[-1]['filter']}, {rows[-1]['keys']:,} keys", file=sys.stderr)
    if running.returncode != 0:
        sys.exit(running.returncode)
    table = ["| filter | keys | MB | " + " | ".join(columns.values()) + " |", "|---|---:|---:|" + "---:|" * len(columns)]
    build, look = (Plot(f"Growth: {what}", "keys", "ns a key") for what in ("build, by one thread and by two", "lookups of absent keys"))
    for r in rows:
        table.append(f"| {r['filter']} | {r['keys']:,} | {r['bytes'] / 1e6:.3g} | " + " | ".join(f"{r[c]:.1f}" for c in columns) + " |")
        build.add(r["filter"], r["keys"], r["ns_build"])
        build.add(r["filter"] + ", 2 threads", r["keys"], r["ns_build_2"])
        look.add(r["filter"], r["keys"], r["ns_miss"])
        look.add(r["filter"] + ", bulk", r["keys"], r["ns_miss_bulk"])
    with open(f"{o.out}/scaling.json", "w", encoding="utf-8") as file:
        json.dump({**about("build/release/sluice"), "rows": rows}, file, indent=1)
    with open(f"{o.out}/scaling.md", "w", encoding="utf-8") as file:
        file.write("\n".join(table) + "\n")
    build.save(f"{o.out}/scaling-build")
    look.save(f"{o.out}/scaling-lookups")
    print("\n".join(table))
    print(f"{o.out} has scaling.json, scaling.md and the plots")


main()
