#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The Python package as pip builds it, in new environments, with what Debian has and without a network: from a clone and
# from an sdist. Each compiles the library.
# usage: pip.sh FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
rm -rf "$folder"/*
fail() { echo "pip: $*" >&2; exit 1; }
git clone -q "$source" "$folder/clone"
before=$(git -C "$folder/clone" status --short --untracked-files=all)

# works NAME WHAT: pip installs it, and the package works from there.
works() {
  /usr/bin/python3 -m venv --system-site-packages "$folder/env-$1"
  "$folder/env-$1/bin/pip" install --no-index --no-build-isolation --no-deps --disable-pip-version-check "$2" >"$folder/log" 2>&1 ||
    { tail -20 "$folder/log"; fail "$1 cannot be installed"; }
  (cd / && "$folder/env-$1/bin/python" -P "$source/integrations/python/demo.py") >"$folder/log" 2>&1 ||
    { tail -20 "$folder/log"; fail "$1 does not work"; }
  [[ $("$folder/env-$1/bin/pip" show --disable-pip-version-check sluice-filters) == *"Location: $folder/env-$1/"* ]] || fail "$1 is another one"
}

(cd "$folder/clone" && /usr/bin/python3 -m build --sdist --no-isolation --outdir "$folder" .) >"$folder/log" 2>&1 ||
  { tail -20 "$folder/log"; fail "there is no sdist"; }
works sdist "$folder"/sluice*filters-*.tar.gz
works clone "$folder/clone"
[[ $(git -C "$folder/clone" status --short --untracked-files=all) == "$before" ]] || fail "something was written into the sources"
