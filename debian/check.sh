#!/bin/sh
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# What was built works: a filter built and asked, the module in a server, the Python package. The tests of the project
# (./dev test) take longer than a build should.
# usage: check.sh BUILD_FOLDER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seq 10000 >"$work/keys"
"$1/sluice" build -o "$work/f.sluice" --fpr 0.001 "$work/keys" >/dev/null
test "$("$1/sluice" query --count "$work/f.sluice" "$work/keys")" = 10000
"$1/sluice" verify "$work/f.sluice" >/dev/null
integrations/redis/demo.sh "$1/integrations/redis/sluice.so" >/dev/null
PYTHONPATH="$1/python" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -P integrations/python/demo.py >/dev/null
