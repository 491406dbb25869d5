#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel and installs it into a new environment, in which the tests of the package run. Debian's numpy is seen
# there, the build folder is not.
# usage: install_wheel.sh BUILD_FOLDER ENVIRONMENT
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
before=$(cd "$root" && git status --short 2>/dev/null || true)
rm -rf "$2"
"$root/integrations/python/wheel.sh" "$1" "$1/wheel"
/usr/bin/python3 -m venv --system-site-packages "$2"
"$2/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "$1"/wheel/sluice_filters-*.whl
cd /
where=$("$2/bin/python" -c 'import sluice; print(sluice.__file__)')
[[ $where == "$2"/* ]] || { echo "the package is $where, not the one of the wheel" >&2; exit 1; }
[[ $(cd "$root" && git status --short 2>/dev/null || true) == "$before" ]] || { echo "the wheel wrote into the source tree" >&2; exit 1; }
