#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Reads the library's sources as the compiler of the other processor does (x86-64, or aarch64), with warnings as errors
# and nothing written: what is compiled on one must compile on both. tests/portability runs it, too, outside CI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=build/lint/other_processor
rm -rf $out
mkdir -p $out/include

sources=('src/*.cpp' ':!src/plan/tables')
case $(uname -m) in
  x86_64) other=aarch64 ;;
  *) other=x86_64 ;;
esac
# Headers that are the same for every processor, and nothing else of this one's.
ln -s "$(g++ -E -x c++ - <<<'#include <xxhash.h>' | sed -n 's|^# 1 "\(.*xxhash.h\)".*|\1|p' | head -1)" $out/include/xxhash.h
ln -s /usr/include/boost $out/include/boost
flags=(-std=c++20 -O1 -fsyntax-only -Iinclude -Isrc -isystem $out/include -Wall -Wextra -Wpedantic -Wconversion
       -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wno-psabi -Werror)

# One unit, whose headers are read once; code for one instruction set has a unit of its own.
mapfile -t apart < <(git ls-files --cached --others --exclude-standard 'src/bulk/sse42.cpp' 'src/bulk/avx*.cpp')
mapfile -t together < <(git ls-files --cached --others --exclude-standard "${sources[@]}" "${apart[@]/#/:!}")
for file in "${together[@]}"; do echo "#include \"../../../$file\""; done >$out/library.cpp
units=($out/library.cpp)
[[ $other != x86_64 ]] || units+=("${apart[@]}")
printf '%s\n' "${units[@]}" | xargs -P "$(nproc)" -I UNIT "$other-linux-gnu-g++" "${flags[@]}" UNIT
