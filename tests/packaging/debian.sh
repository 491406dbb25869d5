#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The Debian packages: built from a copy of the committed sources, looked at by lintian, and their library compared with
# that of the last release (abidiff), if there is one. `./dev test --full packages` installs what this needs.
# usage: debian.sh FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
fail() { echo "packaging: $*" >&2; exit 1; }
rm -rf "$folder"/*
git clone -q "$source" "$folder/sluice"
(cd "$folder/sluice" && dpkg-buildpackage -b -us -uc) >"$folder/build.log" 2>&1 || { tail -30 "$folder/build.log"; fail "dpkg-buildpackage"; }
lintian --fail-on error,warning --tag-display-limit 0 "$folder"/*.changes || fail "lintian"
for package in libsluice0.1 libsluice-dev sluice-filters sluice-redis python3-sluice; do
  [[ -n $(find "$folder" -maxdepth 1 -name "${package}_*.deb") ]] || fail "there is no package $package"
done
[[ $(dpkg-deb -f "$folder"/sluice-filters_*.deb Conflicts) == sluice ]] || fail "sluice-filters does not conflict with sluice"

# What was promised in the last release.
tag=$(git -C "$source" describe --tags --abbrev=0 2>/dev/null) || { echo "no release to compare the library with"; exit 0; }
git -C "$folder/sluice" worktree add -q "$folder/before" "$tag"
for version in before sluice; do
  cmake -G Ninja -S "$folder/$version" -B "$folder/$version-abi" -DSLUICE_BUILD_APPS=OFF -DCMAKE_CXX_FLAGS=-g -DCMAKE_BUILD_TYPE=None >"$folder/log"
  cmake --build "$folder/$version-abi" --target sluice_shared >>"$folder/log"
done
abidiff --headers-dir1 "$folder/before/include" --headers-dir2 "$folder/sluice/include" \
  "$folder"/{before,sluice}-abi/src/libsluice.so || fail "the library breaks what $tag promised"
