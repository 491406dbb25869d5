#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Executes what the documents show. In README.md, docs/*.md and experiments/README.md:
#   ```cpp      a complete program: compiled with the project's warnings and run
#   ```sh       commands: run, or, if they take long (./dev test, bench, lint, ...), checked to be verbs of ./dev
#   ```python   a complete program: run by Debian's Python, with the package of this build
#   ```js       a module: tests/docs/readers.py runs those of docs/lookups.md
#   ```output   directly after one of these: exactly what it must have printed
# usage: run.sh LIBRARY COMPILER [FLAGS...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
library=$1
compile=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

report() {
  if [[ $1 == ok ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "docs: $2" >&2; fi
}

# Nearly every program includes sluice.hpp: it is compiled once, and put before those.
echo '#include <sluice/sluice.hpp>' >"$work/before.hpp"
"${compile[@]}" -x c++-header "$work/before.hpp" -o "$work/before.hpp.gch"

run_program() {
  local before=()
  ! grep -qx '#include <sluice/sluice.hpp>' "$1" || before=(-include "$work/before.hpp")
  if ! "${compile[@]}" "${before[@]}" "$1" "$library" -o "$work/program" 2>"$work/errors"; then
    cat "$work/errors" >&2
    return 1
  fi
  (cd "$work" && ./program) >"$work/printed"
}

package=$(cd "$(dirname "$library")/.." && pwd)/python
run_python() {
  (cd "$work" && PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - <"$1") >"$work/printed"
}

run_commands() {
  : >"$work/printed"
  local command
  while IFS= read -r command; do
    case $command in
      "" | "#"*) ;;
      "./dev run"*) bash -c "$command" >>"$work/printed" 2>"$work/errors" || { cat "$work/errors" >&2; return 1; } ;;
      "./dev "*)
        local verb=${command#./dev }
        ./dev --help | grep -q "^  ${verb%% *}\b" || { echo "./dev has no verb ${verb%% *}" >&2; return 1; }
        ;;
      "git clone "* | "cd sluice") ;; # where a reader starts
      *) bash -c "$command" >>"$work/printed" 2>"$work/errors" || { cat "$work/errors" >&2; return 1; } ;;
    esac
  done <"$1"
}

for document in README.md docs/*.md experiments/README.md; do
  rm -f "$work"/block.*
  awk -v out="$work/block" '
    /^```/ { if (open) { open = 0; close(file) } else { kind = substr($0, 4); n++; open = 1
             file = sprintf("%s.%03d.%s", out, n, kind == "" ? "none" : kind); printf "" > file }; next }
    open { print > file }' "$document"
  for block in "$work"/block.*; do
    [[ -e $block ]] || continue
    where="$document, block ${block#"$work"/block.}"
    case $block in
      *.cpp)
        cp "$block" "$work/program.cpp"
        if run_program "$work/program.cpp"; then report ok; else report bad "$where does not compile or fails"; fi
        ;;
      *.python)
        if run_python "$block"; then report ok; else report bad "$where fails"; fi
        ;;
      *.sh) if run_commands "$block"; then report ok; else report bad "$where fails"; fi ;;
      *.output)
        if diff -u "$block" "$work/printed" >&2; then report ok; else report bad "$where is not what was printed"; fi
        ;;
      *.js) ;; # tests/docs/readers.py runs it
      *.text) ;; # pictures and layouts
      *) report bad "$where: write cpp, sh, python, js, output or text behind the fence" ;;
    esac
  done
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
