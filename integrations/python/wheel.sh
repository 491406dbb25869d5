#!/usr/bin/env bash
# Packs the Python package that CMake has built into a wheel. Nothing is written into the source tree: what setuptools
# needs is put together in a folder of its own.
# usage: wheel.sh BUILD_FOLDER WHEEL_FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$2"
built=$(cd "$1" && pwd) out=$(cd "$2" && pwd)
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
cp "$root"/integrations/python/{pyproject.toml,setup.py} "$root/LICENSE" "$source"
mkdir "$source/sluice"
cp "$built"/python/sluice/{*.py,*.pyi,py.typed,_core*.so} "$source/sluice"
strip --strip-unneeded "$source"/sluice/_core*.so
SLUICE_VERSION=$(sed -n 's/^#define SLUICE_VERSION "\(.*\)"/\1/p' "$root/include/sluice/detail/version.hpp")
export SLUICE_VERSION
rm -f "$out"/sluice-*.whl
cd "$source"
/usr/bin/python3 -m build --wheel --no-isolation --outdir "$out" . >"$source/log" 2>&1 ||
  { cat "$source/log" >&2; exit 1; }
ls "$out"/sluice-*.whl
