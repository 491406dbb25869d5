#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The line between face and inside: include/sluice/detail and extend declare nothing in namespace sluice, and the other headers declare few names there. Both limits may only be raised in a commit of their own, with a reason."""
import json
import pathlib
import re
import subprocess
import sys

most_names = 81
most_headers = 16

root = pathlib.Path(__file__).resolve().parents[2]
headers = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "include/sluice"], cwd=root,
                         capture_output=True, text=True, check=True).stdout.split()
headers = [h for h in headers if (root / h).is_file()]
tags = subprocess.run(["ctags", "--output-format=json", "--languages=C++", "--langmap=C++:+.inl", "--kinds-C++=cefgnpstuvx",
                       "--fields=+sZ", "-f", "-", *headers], cwd=root, capture_output=True, text=True, check=True).stdout
names = {}  # name -> headers that declare it
for tag in map(json.loads, tags.splitlines()):
    if tag.get("scope") == "sluice" and tag["name"] not in ("detail", "extend") and not tag["name"].startswith(("operator", "__anon")):
        names.setdefault(tag["name"], set()).add(tag["path"])
for header in headers:  # concepts, which ctags does not know; those of detail are inside of it
    outside = re.sub(r"^namespace detail \{.*?^\}  // namespace detail$", "", (root / header).read_text(), flags=re.M | re.S)
    if re.search(r"^namespace sluice \{", outside, re.M):
        for name in re.findall(r"^concept (\w+) =", outside, re.M):
            names.setdefault(name, set()).add(header)

failed = [f"{path} declares {name} in namespace sluice, but all of detail/ is in sluice::detail"
          for name, paths in sorted(names.items()) for path in sorted(paths) if path.startswith("include/sluice/detail/")]
failed += [f"{path} declares {name} in namespace sluice, but all of extend/ is in sluice::extend"
           for name, paths in sorted(names.items()) for path in sorted(paths) if path.startswith("include/sluice/extend/")]
face = sorted(names)
if len(face) < 20:
    sys.exit("lint: ctags finds no names in include/sluice")
if len(face) > most_names:
    failed.append(f"namespace sluice has {len(face)} names, {most_names} at most: {' '.join(face)}")
public = [h for h in headers if not h.startswith(("include/sluice/detail/", "include/sluice/extend/"))]
if len(public) > most_headers:
    failed.append(f"include/sluice has {len(public)} public headers, {most_headers} at most")
for sentence in failed:
    print(f"lint: {sentence}", file=sys.stderr)
sys.exit(1 if failed else 0)
