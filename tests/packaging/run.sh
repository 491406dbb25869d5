#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# What is installed, part by part, each in a clean folder and used from there: the command, the C library, the headers,
# the module. Every file is in exactly one of the packages of debian/, and where its list says. (./dev test --full
# packages builds and installs the packages themselves.)
# usage: run.sh BUILD_FOLDER
set -euo pipefail
shopt -s globstar nullglob
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "packaging: $*" >&2; exit 1; }
for part in library development command module; do
  DESTDIR=$work/root-$part cmake --install "$build" --prefix /usr --component $part >log 2>&1 || { cat log; fail "$part"; }
done
DESTDIR=$work/all cmake --install "$build" --prefix /usr >log 2>&1 || { cat log; fail "all of it"; }

# Debian's lists name every file once. (Debian puts libraries below the name of the processor.)
for list in "$source"/debian/*.install; do
  while read -r pattern _; do
    pattern=${pattern/#etc/usr/etc}
    found=(all/${pattern/usr\/lib\/\*/usr/lib}) # patterns
    ((${#found[@]})) || fail "$(basename "$list"): there is no $pattern"
    for one in "${found[@]}"; do find "$one" ! -type d; done | sort -u
  done <"$list"
done | sort >listed
[[ -z $(uniq -d listed) ]] || fail "in two packages: $(uniq -d listed)"
diff <(find all ! -type d | sort) listed >&2 || fail "not in any package, or not there"

# The command, alone.
command=$work/root-command/usr/bin/sluice
seq 1000 | "$command" build -o f.sluice --keys 1000 >/dev/null
[[ $(seq 1000 | "$command" query f.sluice --count) == 1000 ]] || fail "the command loses keys"
for page in man1/sluice.1 man1/sluice-redis.1 man1/sluice-reproduce.1 man5/sluice.5; do
  [[ -s root-command/usr/share/man/$page ]] || fail "no manual page $page"
done
bash -n root-command/usr/share/bash-completion/completions/sluice || fail "no completion"

# The module, where its configuration says.
[[ -x root-module$(sed -n 's/^loadmodule //p' root-module/usr/etc/redis/sluice.conf) ]] || fail "no module that can be loaded where its configuration says"

# The library, and a C program that was compiled with the development package.
library=$(dirname "$(find root-library -name 'libsluice.so.0.1')")
# What it exports: the functions for C, and the face; nothing of its insides, and nothing of std or Boost, type
# information included.
exported=$(nm -DC --defined-only "$library"/libsluice.so.0.1 | cut -d' ' -f3-)
for name in sluice_build sluice_merge 'sluice::filter::for_keys(' 'sluice::filter_file::map(' 'sluice::plan(' 'sluice::simulate(' \
            'sluice::detail::hash_bytes(' 'sluice::detail::hash_texts(' 'sluice::detail::refuse_null_text(' 'typeinfo for sluice::file_error'; do
  grep -qF "$name" <<<"$exported" || fail "the library does not export $name"
done
inside=$(grep -vE '^(sluice_|(typeinfo( name)? for |vtable for )?sluice::)' <<<"$exported" || true)
inside+=$(grep -E '^sluice::(bulk|bits|lanes|simd|file|designs|detail|extend)::' <<<"$exported" | grep -vE 'build_from_source|sealed_values|in_shares|hash_bytes|hash_texts|refuse_null_text|best_kernels' || true)
[[ -z $inside ]] || fail "the library exports its insides: $inside"
# Whoever includes the headers needs nothing else.
cp -a root-library/. both && cp -a root-development/. both
libraries=both/${library#root-library/}
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$source/tests/consumer/c/main.c" -Iboth/usr/include -L"$libraries" -lsluice -o c-program
mkdir folder
LD_LIBRARY_PATH=$library ./c-program folder "$source/tests/golden/sealed-256.sluice"

# The same by CMake, and C++ by the headers alone.
mkdir project
cat >project/CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(sluice 0.1 REQUIRED COMPONENTS redis_client)
add_executable(client client.cpp)
target_link_libraries(client PRIVATE sluice::redis_client)
add_executable(c-user ${SOURCE}/tests/consumer/c/main.c)
target_link_libraries(c-user PRIVATE sluice::c)
add_executable(user ${SOURCE}/tests/consumer/main.cpp)
target_link_libraries(user PRIVATE sluice::sluice)
TEXT
cat >project/client.cpp <<'TEXT'
#include <sluice-redis/client/cluster.hpp>

int main() {
  try {
    const sluice::redis::cluster nobody({.to = {{"127.0.0.1", 1}}});
  } catch (const sluice::error&) {
    return 0;  // where nobody listens
  }
  return 1;
}
TEXT
{ cmake -G Ninja -S project -B user -DSOURCE="$source" -DCMAKE_PREFIX_PATH="$work/both/usr" && cmake --build user; } >log 2>&1 || { cat log; fail "CMake"; }
./user/user
./user/client || fail "the library of Redis clients"
LD_LIBRARY_PATH=$library ./user/c-user folder "$source/tests/golden/sealed-256.sluice"
