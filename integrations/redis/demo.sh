#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# A server with the module, shown at work and stopped again: ./dev run redis. It listens on a socket in a folder of its
# own, on no port, and leaves nothing behind.
# usage: demo.sh MODULE
set -euo pipefail
module=$(realpath "$1")
folder=$(mktemp -d)
trap 'redis-cli -s "$folder/socket" shutdown nosave >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT

redis-server --port 0 --unixsocket "$folder/socket" --dir "$folder" --save "" --daemonize yes --logfile "$folder/log" \
  --loadmodule "$module" folder "$folder" >/dev/null
for _ in $(seq 100); do
  [[ $(redis-cli -s "$folder/socket" ping 2>/dev/null) == PONG ]] && break
  sleep 0.1
done
[[ $(redis-cli -s "$folder/socket" ping 2>/dev/null) == PONG ]] || { cat "$folder/log" >&2; exit 1; }

show() {
  printf '\n> %s\n' "$*"
  redis-cli --no-raw -s "$folder/socket" "$@"
}
# A million numbers, in commands of a thousand.
fill() {
  printf '\n> a million items, 1,000 in each BF.MADD: '
  seq 1000000 | xargs -n 1000 echo BF.MADD "$1" | redis-cli -s "$folder/socket" | grep -c '^1$' || true
}

show BF.PLAN 0.0001 1100000
show BF.RESERVE seen 0.0001 1100000
show BF.ADD seen weir
show BF.MADD seen weir lock sluice
show BF.MEXISTS seen weir lock flume
fill seen
show BF.INFO seen
show BF.STATS seen
show MEMORY USAGE seen
show BF.ADD small weir
show MEMORY USAGE small
show BF.RESERVE more 0.0001 1100000 LIKE seen
show BF.MADD more penstock tailrace
show BF.MERGE seen more
show BF.MEXISTS seen weir penstock
show BF.SAVEFILE seen seen.sluice
show BF.LOADFILE again seen.sluice
show BF.MEXISTS again weir penstock flume
show INFO sluice
