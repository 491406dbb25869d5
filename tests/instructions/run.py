#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the hot operations under callgrind, and compares them with tests/instructions/limits.csv.

Times depend on the machine and on what else it does; instructions of one program do not. They depend on the processor's
family and on the compiler: limits are for Debian 12's g++ and the kernels that valgrind's processor has, AVX2 or NEON.
Fails for an operation that takes more than its limit by 3%, and for one that takes less by 10%: then the limit is to
come down, or the guard would sleep. Exit status 77: there are no limits for this processor, and nothing was compared.
usage: run.py PROGRAM [--print]
  --print   the file as it would have to be for this processor, in place of the comparison
"""
import csv
import glob
import os
import platform
import re
import subprocess
import sys
import tempfile

keys = 10_000  # of tests/instructions/operations.cpp
most_more, most_less = 1.03, 0.9
limits = os.path.join(os.path.dirname(os.path.abspath(__file__)), "limits.csv")


def counted(program):
    """Instructions for a key, by operation, in the order in which they were measured."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"instructions: the program failed:\n{ran.stderr}")
        for path in glob.glob(f"{folder}/out.*"):
            with open(path, encoding="utf-8") as lines:
                text = lines.read()
            name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)$", text, re.M)
            if name and total:
                found[int(path.rsplit(".", 1)[1]), name[1]] = int(total[1]) / keys
    return {name: value for (_, name), value in sorted(found.items())}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--print"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    processor = platform.machine()
    if processor == "x86_64":
        with open("/proc/cpuinfo", encoding="utf-8") as cpu:
            if " avx2 " not in cpu.read():
                print("instructions: this processor has no AVX2, for which the limits are")
                sys.exit(77)
    with open(limits, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    known = {row[0]: row for row in rows[1:]}
    if processor not in rows[0]:
        if "--print" not in sys.argv:
            print(f"instructions: {limits} has no column for {processor} yet: --print counts one")
            sys.exit(77)
        rows[0].append(processor)
        for row in known.values():
            row.append("")
    column = rows[0].index(processor)
    measured = counted(arguments[0])
    if "--print" in sys.argv:
        print(",".join(rows[0]))
        for name, value in measured.items():
            row = known.get(name, [name] + [""] * (len(rows[0]) - 1))
            row[column] = f"{value:.1f}"
            print(",".join(row))
        return
    failed = False
    for name in sorted(known.keys() - measured.keys()):
        failed = True
        print(f"{name}: has a limit and was not measured")
    for name, value in measured.items():
        limit = known.get(name, [""] * len(rows[0]))[column]
        if not limit:
            failed = True
            print(f"{name:<28}{value:8.1f}  has no limit for {processor}")
            continue
        ratio = value / float(limit)
        verdict = "TOO MANY" if ratio > most_more else "fewer: bring the limit down" if ratio < most_less else ""
        failed = failed or bool(verdict)
        print(f"{name:<28}{value:8.1f}  limit {float(limit):8.1f}  x{ratio:.3f}  {verdict}")
    sys.exit(1 if failed else 0)


main()
