#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Compiles fingerprints.cpp for x86-64, for aarch64 and for big-endian s390x, runs what is not of this machine under
# emulation, as old and as new processors, and demands the same output, and the same files. The emulator does not know
# AVX-512: a machine that has it runs it itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include"
ln -s "$(g++ -E -x c++ - <<<'#include <xxhash.h>' | sed -n 's|^# 1 "\(.*xxhash.h\)".*|\1|p' | head -1)" "$work/include/xxhash.h"
ln -s /usr/include/boost "$work/include/boost"
flags=(-std=c++20 -O2 -Wall -Wextra -Wno-psabi -Iinclude -Isrc -Itests -isystem "$work/include")

# build NAME COMPILER [FLAG...]
build() {
  local name=$1 compiler=$2
  shift 2
  mkdir "$work/$name.objects"
  { find src/{builder,bulk,file,filter,hash,plan,simulate,theory} -maxdepth 1 -name '*.cpp'; echo tests/portability/fingerprints.cpp; } |
    xargs -P "$(nproc)" -I FILE bash -c '"${@:3}" -c "$1" -o "$2/$(sed "s|/|+|g" <<<"$1").o"' _ FILE "$work/$name.objects" "$compiler" "${flags[@]}" "$@"
  "$compiler" "$work/$name.objects"/*.o -o "$work/$name"
}
# check NAME BACKENDS RUNNER...: runs it, demands the same output and that these backends were used.
check() {
  local name=$1 backends=$2 used
  shift 2
  "$@" "$work/$name" >"$work/$name.out" 2>"$work/$name.err" || { cat "$work/$name.out" "$work/$name.err" >&2; exit 1; }
  diff "$work/here.out" "$work/$name.out" || { echo "portability: $name differs" >&2; exit 1; }
  used=$(sed -n 's/^backend //p' "$work/$name.err")
  [[ $used == "$backends" ]] || { echo "portability: $name used '$used', not '$backends'" >&2; exit 1; }
  echo "portability: $name ($used) prints the same"
}

# cross ARCHITECTURE: the compiler for it; this machine's own is g++.
cross() { [[ $1 == "$(uname -m)" ]] && echo g++ || echo "$1-linux-gnu-g++"; }
# libraries ARCHITECTURE: where the emulator finds them.
libraries() { [[ $1 == "$(uname -m)" ]] && echo / || echo "/usr/$1-linux-gnu"; }

build here g++
"$work/here" >"$work/here.out" 2>"$work/here.err"
echo "portability: this machine ($(sed -n 's/^backend //p' "$work/here.err"))"
x86=(qemu-x86_64-static -L "$(libraries x86_64)" -cpu)
build x86-64 "$(cross x86_64)"
check x86-64 'sse2, in bulk sse2' "${x86[@]}" Conroe
check x86-64 'sse2, in bulk sse4.2' "${x86[@]}" Nehalem
check x86-64 'sse2, in bulk avx2' "${x86[@]}" max
build x86-64-avx2 "$(cross x86_64)" -mavx2 -mbmi2 -mpopcnt
check x86-64-avx2 'avx2, in bulk avx2' "${x86[@]}" max
build aarch64 "$(cross aarch64)"
check aarch64 'neon, in bulk neon' qemu-aarch64-static -L "$(libraries aarch64)"
build s390x s390x-linux-gnu-g++
check s390x 'portable, in bulk portable' qemu-s390x-static -L /usr/s390x-linux-gnu
