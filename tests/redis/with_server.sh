#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The module's tests in another server than the one that is installed: a newer Redis, or Valkey. Goes on after a test
# that fails, and says which did. usage: with_server.sh SERVER MODULE [TEST...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export SLUICE_REDIS_SERVER=$1 SLUICE_MODULE=$2 SLUICE_COMMAND=${SLUICE_COMMAND:-build/release/sluice}
export PYTHONDONTWRITEBYTECODE=1
shift 2
tests=("$@")
((${#tests[@]})) || tests=(contract ledger ledger_kept beyond waiting rights settings memory defrag persistence migration hostile files
                           stress parts sealed_parts bad_server cluster slots replicas)
failed=()
for name in "${tests[@]}"; do
  echo "redis in $SLUICE_REDIS_SERVER: $name" >&2
  /usr/bin/python3 "tests/redis/${name}_test.py" || failed+=("$name")
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}" >&2; exit 1; }
