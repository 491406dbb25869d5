#!/usr/bin/env bash
# The Debian packages, each unpacked into a clean folder and used from there: the command, the C library, the headers.
# usage: run.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >log 2>&1 || { cat log; exit 1; }
fail() { echo "packaging: $*" >&2; exit 1; }
package() { find packages -maxdepth 1 -name "$1_*.deb"; }
for name in libsluice0 libsluice-dev sluice; do
  [[ -f $(package $name) ]] || fail "there is no package $name"
  dpkg-deb -x "$(package $name)" "root-$name"
done

# The command, alone.
command=$work/root-sluice/usr/bin/sluice
dpkg-deb -f "$(package sluice)" Depends | grep -q 'libc6' || fail "the command names no libraries"
seq 1000 | "$command" build -o f.sluice --keys 1000 >/dev/null
[[ $(seq 1000 | "$command" query f.sluice --count) == 1000 ]] || fail "the command loses keys"
[[ -s root-sluice/usr/share/man/man1/sluice.1 ]] || fail "no manual page"
bash -n root-sluice/usr/share/bash-completion/completions/sluice || fail "no completion"
[[ -z $(find root-sluice -type f -not -path '*/bin/sluice' -not -path '*/bin/sluice-reproduce' -not -path '*/bin/sluice-redis' -not -path '*/share/*') ]] || fail "the command brings more than it should"

# The library, and a C program that was compiled with the development package.
library=$(dirname "$(find root-libsluice0 -name 'libsluice.so.0')")
# What it exports: the functions for C, and the face; nothing of its insides, and nothing of std or Boost, type
# information included.
exported=$(nm -DC --defined-only "$library"/libsluice.so.0 | cut -d' ' -f3-)
for name in sluice_build sluice_merge 'sluice::filter::for_keys(' 'sluice::filter_file::map(' 'sluice::plan(' 'sluice::simulate(' \
            'sluice::detail::hash_bytes(' 'sluice::detail::hash_texts(' 'sluice::detail::refuse_null_text(' 'typeinfo for sluice::file_error'; do
  grep -qF "$name" <<<"$exported" || fail "the library does not export $name"
done
inside=$(grep -vE '^(sluice_|(typeinfo( name)? for |vtable for )?sluice::)' <<<"$exported" || true)
inside+=$(grep -E '^sluice::(bulk|bits|lanes|simd|file|designs|detail|extend)::' <<<"$exported" | grep -vE 'build_from_source|sealed_values|in_shares|hash_bytes|hash_texts|refuse_null_text|best_kernels' || true)
[[ -z $inside ]] || fail "the library exports its insides: $inside"
# Whoever includes the headers needs nothing else.
needs=$(dpkg-deb -f "$(package libsluice-dev)" Depends)
[[ $needs == "libsluice0 (= "*")" && $needs != *,* ]] || fail "libsluice-dev needs $needs"
cp -a root-libsluice0/. both && cp -a root-libsluice-dev/. both
libraries=both/${library#root-libsluice0/}
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$source/tests/consumer/c/main.c" -Iboth/usr/include -L"$libraries" -lsluice -o c-program
mkdir folder
LD_LIBRARY_PATH=$library ./c-program folder "$source/tests/golden/sealed-256.sluice"

# The same by CMake, and C++ by the headers alone.
mkdir project
cat >project/CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(sluice 0.1 REQUIRED)
add_executable(c-user ${SOURCE}/tests/consumer/c/main.c)
target_link_libraries(c-user PRIVATE sluice::c)
add_executable(user ${SOURCE}/tests/consumer/main.cpp)
target_link_libraries(user PRIVATE sluice::sluice)
TEXT
{ cmake -G Ninja -S project -B user -DSOURCE="$source" -DCMAKE_PREFIX_PATH="$work/both/usr" && cmake --build user; } >log 2>&1 || { cat log; fail "CMake"; }
./user/user
LD_LIBRARY_PATH=$library ./user/c-user folder "$source/tests/golden/sealed-256.sluice"
