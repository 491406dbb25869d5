#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# A release: every place that names the version says the same, and the committed sources become an archive, which is the
# same to the byte wherever it is made, with its checksum beside it. usage: release.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$root"
fail() { echo "release: $*" >&2; exit 1; }
version=$(sed -n 's/^#define SLUICE_VERSION "\(.*\)"/\1/p' include/sluice/detail/version.hpp)

# says FILE TEXT: does the file say it?
wrong=0
says() { grep -qF -- "$2" "$1" || { echo "release: $1 does not say '$2'" >&2; wrong=1; }; }
says CHANGELOG.md "## $version"
says CITATION.cff "version: $version"
says debian/changelog "sluice-filters ($version)"
says debian/control "Package: libsluice${version%.*}"
says debian/libsluice"${version%.*}".symbols "libsluice.so.${version%.*}"
says docs/versions.md "It is $version"
says integrations/packaging/vcpkg/ports/sluice/vcpkg.json "\"version\": \"$version\""
says integrations/packaging/homebrew/sluice.rb "sluice-$version.tar.gz"
((wrong == 0)) || fail "the version is $version (include/sluice/detail/version.hpp)"
[[ -z $(git status --porcelain) ]] || fail "what is not committed would not be in the archive"

git archive --format=tar --prefix="sluice-$version/" HEAD | gzip -9n >"$out/sluice-$version.tar.gz"
(cd "$out" && sha256sum "sluice-$version.tar.gz" >SHA256SUMS)
cat "$out/SHA256SUMS"
