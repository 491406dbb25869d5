#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# ./dev release: the archive is the same twice, has the project and nothing else, and is refused where a version differs
# or something is not committed. usage: release.sh
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: $*" >&2; exit 1; }
git clone -q "$source" "$work/clone"
cd "$work/clone"
# What is being tested is what is there, committed or not.
(cd "$source" && git diff HEAD --binary) >"$work/change"
if [[ -s $work/change ]]; then git apply "$work/change" && git add -A && git -c user.name=x -c user.email=x@localhost commit -qm x; fi
integrations/packaging/release.sh "$work/one" >/dev/null || fail "it cannot be made"
sleep 1.1 # another second
integrations/packaging/release.sh "$work/two" >/dev/null
cmp "$work"/{one,two}/sluice-*.tar.gz && cmp "$work"/{one,two}/SHA256SUMS || fail "two archives differ"
(cd "$work/one" && sha256sum -c --quiet SHA256SUMS && tar xzf sluice-*.tar.gz)
diff -r --exclude=.git "$work/clone" "$work"/one/sluice-*/ || fail "the archive is not the project"
echo x >>README.md
! integrations/packaging/release.sh "$work/three" 2>"$work/err" || fail "changes that are not committed"
grep -q "not committed" "$work/err" || fail "$(cat "$work/err")"
git checkout -q README.md
sed -i 's/#define SLUICE_VERSION .*/#define SLUICE_VERSION "0.1.7"/' include/sluice/detail/version.hpp
! integrations/packaging/release.sh "$work/three" 2>"$work/err" || fail "another version"
grep -q "debian/changelog does not say" "$work/err" || fail "$(cat "$work/err")"
