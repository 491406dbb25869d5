#!/usr/bin/env bash
# Compiles fingerprints.cpp for this processor, for x86-64 (SSE2 alone, as on an old processor, and with AVX2) and for big-endian s390x,
# runs the others under emulation, and demands the same output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include"
ln -s "$(g++ -E -x c++ - <<<'#include <xxhash.h>' | sed -n 's|^# 1 "\(.*xxhash.h\)".*|\1|p' | head -1)" "$work/include/xxhash.h"
flags=(-std=c++20 -O2 -Wall -Wextra -Werror -Wno-psabi -Iinclude -Itests -isystem "$work/include")

# check NAME COMPILER [FLAG...] -- RUNNER...
check() {
  local name=$1 compiler=$2 options=()
  shift 2
  while [[ $1 != -- ]]; do options+=("$1"); shift; done
  shift
  "$compiler" "${flags[@]}" "${options[@]}" tests/portability/fingerprints.cpp -o "$work/$name"
  "$@" "$work/$name" >"$work/$name.out" 2>"$work/$name.err" || { cat "$work/$name.out" "$work/$name.err" >&2; exit 1; }
  diff "$work/here.out" "$work/$name.out" || { echo "portability: $name differs" >&2; exit 1; }
  echo "portability: $name ($(sed -n 's/^backend //p' "$work/$name.err")) prints the same"
}

g++ "${flags[@]}" tests/portability/fingerprints.cpp -o "$work/here"
"$work/here" >"$work/here.out" 2>/dev/null
check x86-64-sse2 x86_64-linux-gnu-g++ -- qemu-x86_64-static -L /usr/x86_64-linux-gnu -cpu Nehalem
check x86-64-avx2 x86_64-linux-gnu-g++ -mavx2 -mbmi2 -mpopcnt -- qemu-x86_64-static -L /usr/x86_64-linux-gnu -cpu max
check s390x s390x-linux-gnu-g++ -- qemu-s390x-static -L /usr/s390x-linux-gnu
