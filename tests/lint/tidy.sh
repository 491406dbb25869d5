#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over all of our own code. Its checks walk over everything that a file includes, so that small files take as
# long as large ones: files are put together into a few units, each of which includes many of them and is read once.
# Therefore names in unnamed namespaces must not clash within a unit; a clash is an error of the compiler here.
# usage: tests/lint/tidy.sh [UNIT...]    all units, or those named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=build/lint
mkdir -p $out
flags=(-std=c++20 -Iinclude -Isrc -Iprograms -Iprograms/sluice -Iintegrations/redis -Iintegrations/python -isystem /usr/include/python3.11 -Iexperiments -Itests -Ibench -DFMT_SHARED
       -DSLUICE_GOLDEN=\"golden\")

files() { git ls-files --cached --others --exclude-standard -- "$@"; }

# unit NAME LIST FILE...: LIST is full (.clang-tidy) or light (below). At most one file has a main.
units=()
unit() {
  local name=$1 list=$2 file
  shift 2
  for file in "$@"; do echo "#include \"../../$file\""; done >"$out/$name.cpp"
  units+=("$name:$list")
}

mapfile -t library < <(files 'src/*.cpp' ':!src/plan/tables' ':!src/bulk/sse42.cpp' ':!src/bulk/avx*.cpp')
unit library full "${library[@]}" docs/examples/all_schemes.cpp
mapfile -t keys < <(files 'programs/keys/*.cpp' 'src/plan/tables/*.cpp')
unit keys_and_tables full "${keys[@]}"
if [[ $(uname -m) == x86_64 ]]; then
  for set in sse42 avx2 avx512; do unit $set full src/bulk/$set.cpp; done
fi
mapfile -t redis < <(files 'integrations/redis/*.cpp')
unit redis full "${redis[@]}"
mapfile -t python < <(files 'integrations/python/*.cpp')
unit python light "${python[@]}"
mapfile -t cli < <(files 'programs/frame/*.cpp' 'programs/sluice/*.cpp')
unit cli light "${cli[@]}"
mapfile -t experiments < <(files 'experiments/*.cpp')
unit experiments light "${experiments[@]}"
mapfile -t statistics < <(files 'tests/statistics/*.cpp' 'bench/*.cpp' ':!bench/peers')
unit statistics light "${statistics[@]}"
unit peers light bench/peers/main.cpp
unit operations light tests/instructions/operations.cpp
mapfile -t others < <(files 'tests/*_test.cpp' ':!tests/statistics' ':!tests/unit/c_test.cpp')
unit other_tests light "${others[@]}"
unit c_interface light tests/unit/c_test.cpp # sluice_keys is an enum there

# Those who are many and small, and whose headers the full list has seen, are looked at for what goes wrong in them.
light='-*,bugprone-dangling-handle,bugprone-narrowing-conversions,bugprone-redundant-branch-condition,'
light+='bugprone-use-after-move,google-build-using-namespace,misc-redundant-expression,performance-for-range-copy,'
light+='readability-duplicate-include,readability-identifier-naming'

# check NAME:LIST
check() {
  local name=${1%:*} options=(--quiet --warnings-as-errors='*' --config-file=.clang-tidy
                           --checks="$([[ ${1#*:} == full ]] || echo "$light,")-bugprone-suspicious-include")
  clang-tidy-19 "${options[@]}" "$out/$name.cpp" -- "${flags[@]}" >"$out/$name.log" 2>&1 || { cat "$out/$name.log"; return 1; }
}

(($#)) || set -- "${units[@]%:*}"
running=()
for wanted in "$@"; do
  for one in "${units[@]}"; do
    [[ ${one%:*} == "$wanted" ]] || continue
    while (($(jobs -rp | wc -l) >= $(nproc))); do sleep 0.2; done
    check "$one" &
    running+=($!)
  done
done
failed=0
for one in "${running[@]}"; do wait "$one" || failed=1; done
exit $failed
