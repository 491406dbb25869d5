#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Packs the Python package that CMake has built into a wheel (setup.py would compile it again).
# usage: wheel.sh BUILD_FOLDER WHEEL_FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$2"
SLUICE_PYTHON_BUILT=$(cd "$1" && pwd)/python/sluice
export SLUICE_PYTHON_BUILT
out=$(cd "$2" && pwd)
rm -f "$out"/*.whl
log=$(mktemp)
trap 'rm -f "$log"' EXIT
/usr/bin/python3 -m build --wheel --no-isolation --outdir "$out" "$root" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
ls "$out"/sluice_filters-*.whl
