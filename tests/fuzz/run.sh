#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Fuzzes what reads untrusted bytes, for SECONDS each, under the address and undefined behaviour sanitizers.
# The golden files and what was found before (tests/fuzz/corpus) are where it begins; what it finds is left in
# build/fuzz and fails the run. usage: run.sh SECONDS
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=$1
mkdir -p build/fuzz
flags=(-std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Iinclude -Isrc -Iprograms -Itests)

# What looks at the bytes of a file is compiled with the sanitizers, and in a long run all of the library; the rest of it
# comes from the release build. Compiled again only where something is newer.
folders=(file map)
((seconds < 60)) || folders+=(builder bulk filter hash plan simulate theory)
rest=build/release/src/libsluice.a
[[ -f $rest ]] || { echo "fuzz: $rest is missing; ./dev build makes it" >&2; exit 1; }
form=${#folders[@]} # of the library, and of the programs with it
library=build/fuzz/libsluice-$form.a
if [[ ! -f $library || -n $(find include src -newer "$library" -name '*.[chi]*' -print -quit) ]]; then
  rm -rf build/fuzz/objects "$library"
  mkdir -p build/fuzz/objects
  for folder in "${folders[@]}"; do find "src/$folder" -maxdepth 1 -name '*.cpp'; done | sed 's|/|+|g; s|.cpp$||' |
    xargs -P "$(nproc)" -I NAME bash -c 'clang++-19 "${@:2}" -fsanitize=fuzzer-no-link -c "$(sed "s|+|/|g" <<<"$1").cpp" -o "build/fuzz/objects/$1.o"' _ NAME "${flags[@]}"
  ar rcs "$library" build/fuzz/objects/*.o
fi

# target NAME SOURCES...: compiled again only if something is newer.
target() {
  local program=build/fuzz/$1-$form
  shift
  if [[ ! -x $program || -n $(find include src tests/fuzz tests/support -newer "$program" -name '*.[chi]*' -print -quit) ]]; then
    clang++-19 "${flags[@]}" -fsanitize=fuzzer "$@" -o "$program"
  fi
}
target file tests/fuzz/file_fuzz.cpp "$library" "$rest" &
target keys tests/fuzz/keys_fuzz.cpp programs/keys/*.cpp "$library" "$rest" -lfmt -lpcap -lzstd -lz -llzma -lbz2 -llz4
wait %1

export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fuzz() { # fuzz NAME MOST_BYTES CORPUS...
  local name=$1 most=$2
  shift 2
  mkdir -p "build/fuzz/found-$name"
  "build/fuzz/$name-$form" -max_total_time="$seconds" -max_len="$most" -timeout=20 -rss_limit_mb=2048 -seed=1 -verbosity=0 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" "build/fuzz/found-$name" "$@" 2>build/fuzz/$name.log ||
    { tail -40 "build/fuzz/$name.log" >&2; echo "fuzz: $name failed; the input is in build/fuzz" >&2; exit 1; }
  echo "fuzz: $name is clean after $(sed -n 's/stat::number_of_executed_units: *//p' "build/fuzz/$name.log") inputs"
}
fuzz file 20000 tests/golden & # both at once
fuzz keys 4000 tests/fuzz/corpus/keys
wait $!
