#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Uses sluice as others would: find_package on an installed copy, add_subdirectory or FetchContent on the sources, and
# pkg-config.
# usage: run.sh BUILD_FOLDER WAY
# WAY: find_package, add_subdirectory, add_subdirectory_and_link, fetch_content, pkg_config, install
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 way=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install_it() {
  local part
  for part in library development; do
    cmake --install "$build" --component $part --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
  done
}
# build_consumer PROGRAMS OPTION...
build_consumer() {
  local programs program
  read -ra programs <<<"$1"
  cmake -G Ninja -S "$source/tests/consumer" -B "$work/consumer" "${@:2}" >"$work/log" 2>&1 &&
    cmake --build "$work/consumer" --target "${programs[@]}" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  for program in "${programs[@]}"; do (cd "$work" && "consumer/$program"); done
}

# The same, of the sources: warnings are errors in our own build only, whoever compiles the library.
with_source() {
  build_consumer "$@" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  grep -q 'src/filter/filter.cpp' "$work/consumer/compile_commands.json" || { echo "the library is not compiled"; exit 1; }
  ! grep -q -- '-Werror' "$work/consumer/compile_commands.json" || { echo "our -Werror reaches a consumer"; exit 1; }
}

case $way in
  find_package)
    install_it
    programs=(consumer preset_user text_user_{sluice,shared} own_xxhash_{0,1}_{NONE,XXH_INLINE_ALL,XXH_STATIC_LINKING_ONLY})
    build_consumer "${programs[*]}" -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
  add_subdirectory) with_source preset_user -DSLUICE_SOURCE="$source" ;;
  fetch_content) with_source preset_user -DFETCHCONTENT_SOURCE_DIR_SLUICE="$source" ;;
  add_subdirectory_and_link)
    with_source "consumer preset_user" -DSLUICE_SOURCE="$source"
    cmake --build "$work/consumer" >/dev/null
    [[ -z $(find "$work/consumer" -name 'sluice' -type f -o -name all_schemes -o -name '*_test') ]] || { echo "a consumer built our programs"; exit 1; }
    ;;
  pkg_config)
    install_it
    # The files lie beside the library whose folder they name, and the copy may be moved.
    mv "$work/prefix" "$work/moved"
    PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name sluice.pc)")
    export PKG_CONFIG_PATH
    [[ -f $PKG_CONFIG_PATH/../libsluice.a ]] || { echo "sluice.pc lies in $PKG_CONFIG_PATH"; exit 1; }
    read -ra flags < <(pkg-config --cflags --libs sluice)
    [[ ${flags[*]} != *-std=* && ${flags[*]} != *-D* ]] || { echo "pkg-config chooses for its user: ${flags[*]}"; exit 1; }
    g++ -std=c++20 "$source/tests/consumer/main.cpp" "${flags[@]}" -o "$work/program"
    (cd "$work" && ./program)
    # Another compiler, and a later standard.
    compiler=g++
    ! command -v clang++ >/dev/null || compiler=clang++
    "$compiler" -std=c++2b "$source/tests/consumer/texts.cpp" "${flags[@]}" -o "$work/texts"
    "$work/texts"
    read -ra flags < <(pkg-config --cflags --libs sluice-c)
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$source/tests/consumer/c/main.c" "${flags[@]}" -o "$work/c-program"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice-c) "$work/c-program" "$work" "$source/tests/golden/sealed-256.sluice"
    ;;
  install)
    install_it
    # Exactly the public headers, the libraries, the CMake package and the pkg-config file; those of Redis clients, too.
    { (cd "$source/include" && find . -type f); (cd "$source/integrations/redis" && printf './sluice-redis/%s\n' part_header.hpp client/*.hpp); } |
      sort >"$work/expected"
    diff "$work/expected" <(cd "$work/prefix/include" && find . -type f | sort)
    others=$(cd "$work/prefix" && find . -type f -not -path './include/*' | grep -vE '/sluice(Config|ConfigVersion|(RedisClient)?Targets(-[a-z]+)?)\.cmake$|/sluice(-c)?\.pc$|/libsluice(_redis_client)?\.(so|a)' || true)
    [[ -z $others ]] || { echo "installed besides the headers: $others"; exit 1; }
    ;;
  *) echo "no such way: $way" >&2; exit 2 ;;
esac
