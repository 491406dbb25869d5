#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The Redis module and the Python package, each built as a project of its own against an installed sluice, and used
# once: they know the face of the library and sluice/extend/, and nothing else. Ten files at a time and without
# optimisation: compiling is what this is about.
# usage: prefix.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { cat "$work/log"; echo "prefix: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$work/prefix" --component development >"$work/log" 2>&1 || fail "nothing was installed"
cmake --install "$build" --prefix "$work/prefix" --component library >>"$work/log" 2>&1 || fail "no library was installed"
# A copy: whatever lies beside these folders in the project is not there.
cp -r "$source/integrations/redis" "$source/integrations/python" "$work"
for project in redis python; do
  {
    cmake -G Ninja -S "$work/$project" -B "$work/$project/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 \
      -DCMAKE_CXX_FLAGS=-w && cmake --build "$work/$project/build" --target "sluice_$project"
  } >"$work/log" 2>&1 || fail "$project cannot be built against an installed sluice"
done
"$work/redis/demo.sh" "$work/redis/build/sluice.so" >"$work/log" 2>&1 || fail "the module does not work"
PYTHONPATH="$work/python/build/python" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -P "$work/python/demo.py" >"$work/log" 2>&1 ||
  fail "the package does not work"
