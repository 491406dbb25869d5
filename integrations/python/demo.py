# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""./dev run python: the package at work, on numbers and on words; every line is printed before it is run."""
import pathlib
import tempfile

import numpy as np

import sluice


def show(code: str, names: dict) -> None:
    print(">>>", code)
    try:
        value = eval(code, names)
    except SyntaxError:
        exec(code, names)
        return
    if value is not None:
        print(value)


path = pathlib.Path(tempfile.mkdtemp()) / "seen.sluice"
names = {"np": np, "sluice": sluice, "path": path}
for code in (
    "best = sluice.plan(keys=1_000_000, fpr=1e-6)[0]",
    "print(best.scheme, f'{best.memory / 1e6:.1f} MB', f'FPR {best.fpr:.1e}', best.why)",
    "seen = sluice.Filter(keys=1_000_000, fpr=1e-6)",
    "seen.update(np.arange(1_000_000))",
    "42 in seen, -42 in seen",
    "seen.contains(np.array([1, 10, 10**9]))",
    "int(seen.contains(np.arange(10_000_000, 20_000_000)).sum())  # false positives of 1e7",
    "seen",
    "seen.save(path)",
    "opened = sluice.open(path)",
    "999_999 in opened",
    "words = sluice.build_static(['weir', 'lock', 'sluice'], fpr=1e-6)",
    "words.contains(['sluice', 'gate'])",
):
    show(code, names)
path.unlink()
path.parent.rmdir()
