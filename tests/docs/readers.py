# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The readers of sealed files that docs/lookups.md shows, in Python and in JavaScript, answer as the library does, for
stored keys and absent ones, of every kind of layout. usage: readers.py NODE, or '' where there is none"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import sluice

document = (pathlib.Path(__file__).parents[2] / "docs/lookups.md").read_text()
shown = {kind: re.search(rf"^```{kind}\n(.*?)^```", document, re.M | re.S)[1] for kind in ("python", "js")}
reader = {}
exec(shown["python"], reader)

asked = list(range(0, 60_000, 40)) + list(range(10**12, 10**12 + 1500))
with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    files = []
    for fpr, seed in ((0.5, 0), (0.2, 1), (0.01, 2), (0.001, 3), (2**-12, 0), (2**-16, 4), (1e-6, 5), (2**-32, 0)):
        f = sluice.build_static(np.arange(60_000), fpr=fpr, scheme="sealed", seed=seed, kind="int")
        files.append((str(here / f"{fpr}.sluice"), [k in f for k in asked]))
        f.save(files[-1][0])
        assert all(files[-1][1][:1500]), "a false negative of the library"
    for path, expected in files:
        python = reader["Sealed"](path)
        assert [python.may_contain(k) for k in asked] == expected, f"Python's reader of {path}"
    lists = sum(len(reader["Sealed"](path).list) for path, _ in files)
    assert lists > 0, "the list is tested, too"
    if sys.argv[1]:
        module = here / "sealed.mjs"
        module.write_text(shown["js"])
        (here / "asked.json").write_text(json.dumps({"asked": asked, "files": [path for path, _ in files]}))
        (here / "ask.mjs").write_text(
            "import fs from 'node:fs'; import {Sealed} from './sealed.mjs';\n"
            "const {asked, files} = JSON.parse(fs.readFileSync('asked.json'));\n"
            "console.log(JSON.stringify(files.map((f) => { const s = new Sealed(f);"
            " return asked.map((k) => s.mayContain(k)); })));\n")
        said = subprocess.run([sys.argv[1], "ask.mjs"], cwd=here, capture_output=True, text=True, check=True).stdout
        assert json.loads(said) == [expected for _, expected in files], "JavaScript's reader"
print(f"{len(files)} files, {len(asked)} keys each, {lists} keys in lists")
