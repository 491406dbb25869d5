#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Builds redis-server with the address sanitizer and the system's malloc, from the source package of Debian's own
# redis-server, in build/redis-asan; prints where it is. The package's signature is checked by apt. It needs the
# archive; a server that was built before is taken as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=build/redis-asan
server=$PWD/$out/source/src/redis-server
if [[ ! -x $server ]]; then
  mkdir -p $out/apt/partial
  # The archive with its sources, beside what this machine is configured with.
  cat >$out/sources.list <<'TEXT'
deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main
TEXT
  options=(-o Dir::Etc::sourcelist="$PWD/$out/sources.list" -o Dir::Etc::sourceparts=-
           -o Dir::State::lists="$PWD/$out/apt" -o APT::Sandbox::User=root)
  {
    apt-get -qq "${options[@]}" update
    (cd $out && rm -rf source redis_* && apt-get -qq "${options[@]}" --download-only source redis &&
      dpkg-source --no-check -x redis_*.dsc source)
    make -C $out/source -j "$(nproc)" SANITIZER=address MALLOC=libc USE_SYSTEMD=no BUILD_TLS=no redis-server
  } >$out/log 2>&1 || {
    tail -20 $out/log >&2
    echo "redis-server could not be built with the address sanitizer" >&2
    exit 1
  }
fi
echo "$server"
