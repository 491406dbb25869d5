#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The command beside what people type instead: every line once (sort -u, awk), and a filter file made and asked (Debian's
bloom). Programs run in turn, on one core or on all; of each the median of its times, its memory at most, and what came
out. False positives are counted: lines that were never in."""
import argparse
import os
import shutil
import statistics
import subprocess


def lines(path, count, distinct, first=0):
    """`count` lines, of which `distinct` are different, in no order."""
    with open(path, "w", encoding="ascii") as file:
        for begin in range(0, count, 100_000):
            end = min(count, begin + 100_000)
            file.writelines(f"user{(first + i * 999_983 % distinct)}@example.org\n" for i in range(begin, end))


def run(command, core):
    """Seconds, megabytes, and the lines that it printed."""
    measured = ["/usr/bin/time", "-f", "%e %M", "-o", "measured", "bash", "-c", command]
    if core is not None:
        measured = ["taskset", "-c", str(core), *measured]
    printed = subprocess.run(measured, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"})
    with open("measured", encoding="ascii") as file:
        seconds, kilobytes = file.read().split("\n")[-2].split()
    return float(seconds), float(kilobytes) / 1000, printed.stdout.decode().strip()


def table(title, commands, core, repetitions):
    measured = {name: [] for name, _ in commands}
    for _ in range(repetitions):
        for name, command in commands:
            measured[name].append(run(command, core))
    print(f"\n{title}\n")
    print("| command | seconds | x | MB | printed |\n|---|---:|---:|---:|---:|")
    first = statistics.median(m[0] for m in measured[commands[0][0]])
    for name, _ in commands:
        seconds = statistics.median(m[0] for m in measured[name])
        print(f"| {name} | {seconds:.2f} | {seconds / first:.2f} | {max(m[1] for m in measured[name]):.0f} | {measured[name][-1][2]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=float, default=1e7)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--core", type=int, help="the core to run on; without it, all")
    parser.add_argument("--sluice", default="build/release/sluice", help=argparse.SUPPRESS)
    parser.add_argument("--out", default="build/benchmarks", help="the folder for its files, which are removed again")
    o = parser.parse_args()
    sluice = os.path.abspath(o.sluice)
    count = int(o.lines)
    folder = os.path.join(o.out, "command")
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    try:
        lines("keys", count, count)
        lines("twice", count, count // 2)
        lines("absent", count, count, first=10 * count)
        everything = [("sluice dedup", f"{sluice} dedup --quiet --keys {count} twice | wc -l"),
                      ("sluice dedup, growing", f"{sluice} dedup --quiet twice | wc -l"),
                      ("sort -u", "sort -u twice | wc -l"),
                      ("awk '!seen[$0]++'", "awk '!seen[$0]++' twice | wc -l")]  # fmt: skip
        table(f"Every line once, of {count:,} lines, half of them different:", everything, o.core, o.repetitions)
        build = [("sluice build", f"{sluice} build -o s --force --fpr 0.001 keys >/dev/null; stat -c %s s"),
                 ("sluice build --keys", f"{sluice} build -o k --force --keys {count} --fpr 0.001 keys >/dev/null; stat -c %s k"),
                 ("sluice build --static", f"{sluice} build -o t --force --static --fpr 0.001 keys >/dev/null; stat -c %s t")]  # fmt: skip
        ask = [("sluice query", f"{sluice} query --count s absent"), ("sluice query, of --static", f"{sluice} query --count t absent")]
        if shutil.which("bloom"):
            build.append(("bloom create, insert", f"rm -f b; bloom create -n {count} -p 0.001 b; bloom insert b <keys; stat -c %s b"))
            ask.append(("bloom check", "bloom check b <absent | wc -l"))
        table(f"A file of {count:,} keys at a rate of 0.001 (printed: its bytes):", build, o.core, o.repetitions)
        table(f"{count:,} absent keys asked (printed: the false positives):", ask, o.core, o.repetitions)
    finally:
        os.chdir("..")
        shutil.rmtree("command")


main()
