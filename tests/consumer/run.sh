#!/usr/bin/env bash
# Uses sluice as others would: find_package on an installed copy, add_subdirectory on the sources, and pkg-config.
# usage: run.sh BUILD_FOLDER WAY       WAY: find_package, add_subdirectory, add_subdirectory_and_link, pkg_config, install
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

case $way in
  find_package)
    install_it
    programs=(consumer preset_user text_user_{sluice,shared} own_xxhash_{0,1}_{NONE,XXH_INLINE_ALL,XXH_STATIC_LINKING_ONLY})
    build_consumer "${programs[*]}" -DCMAKE_PREFIX_PATH="$work/prefix"
    # Warnings are errors in our own build only, and nobody inherits our tests.
    ;;
  add_subdirectory) build_consumer preset_user -DSLUICE_SOURCE="$source" ;;
  add_subdirectory_and_link)
    build_consumer "consumer preset_user" -DSLUICE_SOURCE="$source"
    cmake --build "$work/consumer" >/dev/null
    [[ -z $(find "$work/consumer" -name 'sluice' -type f -o -name all_schemes -o -name '*_test') ]] || { echo "a consumer built our programs"; exit 1; }
    ;;
  pkg_config)
    install_it
    export PKG_CONFIG_PATH="$work/prefix/share/pkgconfig"
    read -ra flags < <(pkg-config --cflags --libs sluice)
    g++ "$source/tests/consumer/main.cpp" "${flags[@]}" -o "$work/program"
    (cd "$work" && ./program)
    g++ "$source/tests/consumer/texts.cpp" "${flags[@]}" -o "$work/texts"
    "$work/texts"
    read -ra flags < <(pkg-config --cflags --libs sluice-c)
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$source/tests/consumer/c/main.c" "${flags[@]}" -o "$work/c-program"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice-c) "$work/c-program" "$work" "$source/tests/golden/sealed-256.sluice"
    ;;
  install)
    install_it
    # Exactly the public headers, the libraries, the CMake package and the pkg-config file.
    diff <(cd "$source/include" && find . -type f | sort) <(cd "$work/prefix/include" && find . -type f | sort)
    others=$(cd "$work/prefix" && find . -type f -not -path './include/*' | grep -vE '/sluice(Config|ConfigVersion|Targets(-[a-z]+)?)\.cmake$|/sluice(-c)?\.pc$|/libsluice\.(so|a)' || true)
    [[ -z $others ]] || { echo "installed besides the headers: $others"; exit 1; }
    ;;
  *) echo "no such way: $way" >&2; exit 2 ;;
esac
