#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Proves that the tests bite. Each AREA.bugs is a list of bugs of one line each, with an empty line between them:
#
#   bug    its name
#   why    what a programmer might have thought
#   file   the file it is planted in
#   test   the test target that must notice; or redis/NAME_test.py, of the module and sluice-redis, or
#          python/NAME_test.py, of the package, or web/NAME_test.mjs, of the page, which needs ./dev web and
#          build/release/sluice; or reproduce/NAME, an experiment, of which a finding must differ at its quick size; or
#          instructions, whose limits must be passed
#   only   (optional) a Google Test filter, to keep the run short; of Redis the test, Class.test_name; of Python its name
#   -      the line as it is, without its indentation; it must occur exactly once in the file
#   +      the line with the bug
#
#   run.sh [NAME...]   plants each bug (or the named ones, or all of a named area) in a copy of the tree, builds the test
#                      and demands that it fails; says how long each area took
#   run.sh --check     only demands that every bug can still be planted
#   run.sh --areas     prints the names of the areas
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lists=tests/mutants
[[ ${1:-} == --areas ]] && { basename -s .bugs "$lists"/*.bugs; exit; }

# A file for each bug, in a folder for each area.
bugs=$(mktemp -d)
remove=("$bugs")
trap 'rm -rf "${remove[@]}"' EXIT
for list in "$lists"/*.bugs; do
  mkdir "$bugs/$(basename -s .bugs "$list")"
  awk -v RS= -v to="$bugs/$(basename -s .bugs "$list")" '{ print > (to "/" $2); close(to "/" $2) }' "$list"
done
twice=$(sed -n 's/^bug  *//p' "$lists"/*.bugs | sort | uniq -d)
[[ -z $twice ]] || { echo "mutants: several bugs are named" $twice >&2; exit 2; }

# A bug is named AREA/NAME from here on.
field() { sed -n "s/^$2  *//p" "$bugs/$1" | head -1; }

# plant NAME ROOT: replaces the one line; fails if it is not there exactly once.
plant() {
  local name=$1 root=$2
  OLD=$(sed -n 's/^- //p' "$bugs/$name") NEW=$(sed -n 's/^+ //p' "$bugs/$name") perl -0777 -i -pe '
    BEGIN { $count = 0 }
    s/^([ \t]*)\Q$ENV{OLD}\E$/$count++; "$1$ENV{NEW}"/gme;
    END { exit($count == 1 ? 0 : 3) }' "$root/$(field "$name" file)"
}

built_for() {
  case $1 in
    redis/*) echo sluice_redis sluice-redis sluice-cli ;;
    python/*) echo sluice_python ;;
    reproduce/*) echo sluice-reproduce ;;
    instructions) echo operations ;;
    *) echo "$1" ;;
  esac
}
# build_for TEST: what it runs, in the copy.
build_for() {
  if [[ $1 == web/* ]]; then
    cmake -S "$copy/source/integrations/web" -B "$copy/wasm32" -G Ninja --toolchain wasm32.cmake -DCMAKE_BUILD_TYPE=None \
      -DSLUICE_WEB_OUT="$PWD/$copy/web" -DSLUICE_WEB_UPLOT="$PWD/build/npm/node_modules/uplot" &&
      cmake --build "$copy/wasm32"
  else
    # shellcheck disable=SC2046 # several targets
    cmake --build "$copy/build" --target $(built_for "$1")
  fi
}
# run_test TARGET ONLY: builds nothing.
run_test() {
  if [[ $1 == redis/* ]]; then
    SLUICE_MODULE=$copy/build/integrations/redis/sluice.so SLUICE_COMMAND=$copy/build/sluice timeout 600 \
      /usr/bin/python3 "$copy/source/tests/$1" $2
  elif [[ $1 == python/* ]]; then
    PYTHONPATH=$copy/build/python PYTHONDONTWRITEBYTECODE=1 SLUICE_COMMAND=build/release/sluice timeout 600 \
      /usr/bin/python3 -m pytest -q -p no:cacheprovider "$copy/source/tests/$1" ${2:+-k "$2"}
  elif [[ $1 == reproduce/* ]]; then
    local status=0 # a finding that differs is 1; whatever else goes wrong catches no bug
    env -u SLUICE_DATA timeout 600 "$copy/build/sluice-reproduce" "${1#*/}" --quick --fresh --out "$copy/reproduce" ||
      status=$?
    ((status != 1))
  elif [[ $1 == instructions ]]; then
    timeout 600 tests/instructions/run.py "$copy/build/tests/operations"
  elif [[ $1 == web/* ]]; then
    timeout 600 node "$copy/source/tests/$1" "$copy/web" build/release/sluice 12
  else
    timeout 600 "$copy/build/tests/$1" ${2:+--gtest_filter="$2"}
  fi
}
# has_test TARGET ONLY: a test of Python, or an experiment, that is not there would fail, too.
has_test() {
  case $1 in
    redis/* | python/*) grep -q "def ${2##*.}(" "tests/$1" ;;
    reproduce/*) [[ -d experiments/${1#*/} ]] ;;
  esac
}

# bugs_of NAME: all of an area, or the one of this name.
bugs_of() {
  if [[ -d $bugs/$1 ]]; then
    (cd "$bugs" && ls -d "$1"/*)
  else
    (cd "$bugs" && ls -d -- */"$1") 2>/dev/null || { echo "mutants: there is no bug and no area '$1'" >&2; exit 2; }
  fi
}

check=no
[[ ${1:-} == --check ]] && { check=yes; shift; }
(($#)) || set -- $(basename -s .bugs "$lists"/*.bugs)
names=()
for asked in "$@"; do
  found=$(bugs_of "$asked")
  mapfile -t -O "${#names[@]}" names <<<"$found"
done

if [[ $check == yes ]]; then # never in the way of a real run
  copy=$(mktemp -d)
  remove+=("$copy")
else
  copy=build/mutants
fi
rm -rf "$copy/source"
mkdir -p "$copy/source"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy/source"

failed=0
if [[ $check == no ]]; then
  cmake -S "$copy/source" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 \
    -DSLUICE_BUILD_APPS=ON -DSLUICE_BUILD_TESTS=ON >"$copy/configure.log" 2>&1 ||
    { cat "$copy/configure.log" >&2; exit 1; }
fi

area='' began=$SECONDS
tell_time() { [[ $check == yes || -z $area ]] || echo "mutants: $area took $((SECONDS - began)) s"; }
for name in "${names[@]}"; do
  if [[ ${name%/*} != "$area" ]]; then
    tell_time
    area=${name%/*} began=$SECONDS
  fi
  file=$(field "$name" file) target=$(field "$name" test) only=$(field "$name" only) log=$copy/${name#*/}.log
  if ! has_test "$target" "$only"; then
    echo "mutants: $name: there is no test $only in $target"
    failed=$((failed + 1))
  elif ! plant "$name" "$copy/source"; then
    echo "mutants: $name cannot be planted: its line is not in $file exactly once"
    failed=$((failed + 1))
  elif [[ $check == no ]]; then
    if ! build_for "$target" >"$log" 2>&1; then
      echo "mutants: $name does not compile; see $log"
      failed=$((failed + 1))
    elif run_test "$target" "$only" >"$log" 2>&1; then
      echo "mutants: $name SURVIVED: $target passes"
      failed=$((failed + 1))
    elif grep -q 'Running 0 tests' "$log"; then
      echo "mutants: $name: the filter '$only' names no test of $target"
      failed=$((failed + 1))
    else
      echo "mutants: $name caught by $target"
    fi
  fi
  cp "$file" "$copy/source/$file"
done
tell_time
echo "mutants: ${#names[@]} bugs, $failed not as they should be"
((failed == 0))
