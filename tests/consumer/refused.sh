#!/usr/bin/env bash
# What must not compile, and what the compiler says then: a key of a type that sluice does not know is answered with the
# name of the function that would make it one. What compiles and does not link: text keys of a preset, without the
# library; the linker says what is missing. usage: refused.sh COMPILER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused NAME WORD STATEMENT: compiles a program with this statement, and looks for the word among the errors.
refused() {
  cat >"$work/$1.cpp" <<TEXT
#include <sluice/filter.hpp>
struct point { int x, y; };
int main() {
  sluice::filter f = sluice::filter::for_keys(1000);
  $3
}
TEXT
  if "$compiler" -std=c++20 -Iinclude -fsyntax-only "$work/$1.cpp" 2>"$work/$1.errors"; then
    echo "refused: '$3' compiles" >&2
    exit 1
  fi
  grep -q -- "$2" "$work/$1.errors" ||
    { cat "$work/$1.errors"; echo "refused: the errors of '$3' do not speak of $2" >&2; exit 1; }
}
compiler=$1
refused nothing 'no_such_name' 'f.no_such_name();' # the script itself
refused own_type 'has_sluice_digest' 'f.insert(point{1, 2});'
refused fraction 'has_sluice_digest' 'f.insert(0.5);'
refused null 'nullptr' 'f.insert(nullptr);'
refused bytes_as_keys 'bulk_keys' 'const unsigned char bytes[4] = {}; f.insert_bulk(bytes);'
refused constant_room 'bulk::answers' 'const bool room[1] = {}; const int keys[1] = {}; f.may_contain_bulk(keys, room);'
# unlinked FUNCTION STATEMENT: with the headers alone, this function of sluice is missing, and no other.
unlinked() {
  cat >"$work/$1.cpp" <<TEXT
#include <sluice/presets.hpp>
#include <string_view>
int main() {
  sluice::blocked_512<8> f(10);
  $2
}
TEXT
  if "$compiler" -std=c++20 -Iinclude "$work/$1.cpp" -o "$work/$1" 2>"$work/$1.errors"; then
    echo "refused: '$2' links" >&2
    exit 1
  fi
  missing=$(sed -nE 's/.*undefined (reference to `|symbol: )([A-Za-z_:]*).*/\2/p' "$work/$1.errors" | sort -u)
  [[ $missing == "sluice::detail::$1" ]] ||
    { cat "$work/$1.errors"; echo "refused: the errors of '$2' do not name $1 alone" >&2; exit 1; }
}
unlinked hash_bytes 'f.insert("key");'
unlinked hash_texts 'const std::string_view keys[2] = {"one", "two"}; f.insert_bulk(keys);'
echo "refused: text keys do not link without the library, and the linker says what is missing"
echo "refused: 5 kinds of mistakes do not compile, and the compiler says why"
