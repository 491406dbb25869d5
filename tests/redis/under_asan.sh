#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The module's tests in a server that was built with the address sanitizer, with the module built so, too: whatever
# reads or writes beyond its memory, or after it was freed, ends the server, and a test notices. usage: under_asan.sh
# SERVER MODULE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# Sizes that no machine has are refused by the allocator, and the sanitizer must let it say so. Lua and the module's
# caches are never freed; leaks are not looked for.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0
export SLUICE_UNDER_ASAN=1
./with_server.sh "$1" "$(realpath "$2")" contract ledger ledger_kept beyond waiting rights settings memory persistence migration \
  hostile files stress parts sealed_parts
