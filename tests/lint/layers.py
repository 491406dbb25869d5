#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the table of layers in docs/architecture.md, read and checked against every #include of the project's own files."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
failed = []

layers = {}  # name -> (places, names of the layers that it includes)
for line in (root / "docs/architecture.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) == 6 and "`" in cells[2] and cells[1].replace("-", "").isalpha():
        places = [p if p.startswith(("src/", "programs/", "include/", "integrations/")) else "include/sluice/" + p for p in re.findall("`([^`]+)`", cells[2])]
        layers[cells[1]] = (places, [] if cells[4] == "-" else [name.strip() for name in cells[4].split(",")])
if len(layers) < 10:
    sys.exit("lint: docs/architecture.md has no table of layers")


def layer_of(path):
    """The layer whose place is the longest beginning of the path."""
    best = max(((len(p), name) for name, (places, _) in layers.items() for p in places if path == p or (p.endswith("/") and path.startswith(p))), default=None)
    return best[1] if best else None


files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True).stdout.split()
ours = {f for f in files if re.search(r"\.(hpp|cpp|inl|h)$", f) and (root / f).is_file()}


def included(file, name):
    for folder in (str(pathlib.PurePosixPath(file).parent), "include", "src", "programs", "programs/sluice", "integrations/redis",
                   "integrations/web/module", "integrations/python"):
        if f"{folder}/{name}" in ours:
            return f"{folder}/{name}"
    return None


for name, (places, uses) in layers.items():
    failed += [f"docs/architecture.md: layer {name} may include {used}, which is none" for used in uses if used not in layers]
    failed += [f"docs/architecture.md: {p} is not there" for p in places if not any(f == p or f.startswith(p) for f in ours)]

really = set()  # (layer, layer that it includes)
for file in sorted(ours):
    if not file.startswith(("include/", "src/", "programs/", "integrations/")) or file.startswith("src/plan/tables/"):
        continue
    own = layer_of(file)
    if own is None:
        failed.append(f"{file} belongs to no layer; add it to the table of docs/architecture.md")
        continue
    for name in re.findall(r'^#include "([^"]+)"', (root / file).read_text(), re.M):
        target = included(file, name)
        if target is None:
            failed.append(f"{file} includes {name}, which is not there")
        elif layer_of(target) not in (own, *layers[own][1]):
            failed.append(f"{file} ({own}) includes {target} ({layer_of(target)}), which its layer may not")
        else:
            really.add((own, layer_of(target)))
failed += [f"docs/architecture.md: layer {name} may include {used}, but does not" for name, (_, uses) in layers.items()
           for used in uses if (name, used) not in really]

# Programs know the face and extend/, as if sluice were installed.
for file in sorted(ours):
    if not file.startswith(("programs/", "experiments/", "integrations/")):
        continue
    for name in re.findall(r'^#include "([^"]+)"', (root / file).read_text(), re.M):
        target = included(file, name)
        if target and target.startswith(("src/", "include/sluice/detail/")):
            failed.append(f"{file} includes {target}, which is not for programs; sluice/extend/ has what they need")

# The graph has no circles: every layer reaches only layers that do not reach it.
def reached(name, seen):
    for used in layers[name][1]:
        if used in layers and used not in seen:
            seen.add(used)
            reached(used, seen)
    return seen

failed += [f"docs/architecture.md: layer {name} reaches itself" for name in layers if name in reached(name, set())]
# Adding a scheme: the list of places that the document states is the list of files that know nearly all schemes.
schemes = re.findall(r"^struct (\w+_parameters)", (root / "include/sluice/parameters.hpp").read_text(), re.M)
section = (root / "docs/architecture.md").read_text().split("## Adding a scheme")[1]
stated = set(re.findall(r"`((?:include|src|programs|tests)/[\w/]+\.\w+)`", section))
knowing = {
    f
    for f in ours
    if f.startswith(("include/", "src/", "programs/", "tests/support/"))
    and sum(bool(re.search(rf"\b{s}\b", (root / f).read_text())) for s in schemes) >= len(schemes) - 1
}
failed += [f"{f} knows every scheme, and docs/architecture.md does not say so" for f in sorted(knowing - stated)]
failed += [f"docs/architecture.md says that {f} knows every scheme; it does not" for f in sorted(stated - knowing)]

for sentence in failed:
    print("lint:", sentence, file=sys.stderr)
sys.exit(1 if failed else 0)
