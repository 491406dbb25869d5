#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# What must not compile, and what the compiler says then: a key of a type that sluice does not know is answered with the
# name of the function that would make it one, a view of what is gone at the end of the line with the function that must
# not be called. A second program has their proper forms, which compile. What compiles and does not link: keys and calls
# of a preset that need the library; the linker says what is missing.
# usage: refused.sh STANDARDS COMPILER...      STANDARDS: words, as in "c++20 gnu++20"
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "refused: $*" >&2; exit 1; }

# All refused forms stand in one program, each in a line of its own, and so do the proper ones.
for program in refused proper; do cat >"$work/$program.cpp" <<'TEXT'; done
#include <sluice/presets.hpp>
#include <sluice/sluice.hpp>
#include <list>
#include <memory>
struct point { int x, y; };
enum class lane { left = -1, right };
enum truth : bool { no, yes };
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
using sluice::filter, sluice::filter_file, sluice::filter_view, sluice::key_kind, sluice::to_bytes;
filter made() { return filter::for_keys(1000); }
sluice::presets::gated_512<11> preset() { return sluice::presets::gated_512<11>(10, {.threshold = 196}); }
sluice::sealed_map<> map() { return sluice::sealed_map<>::build(std::vector<int>{1}, std::vector<unsigned>{1}); }
TEXT
lines=() words=() forms=()
# refused WORD STATEMENT: the error in this line speaks of the word.
refused() {
  echo "void form_${#forms[@]}(filter& f) { static_cast<void>(f); $2 }" >>"$work/refused.cpp"
  lines+=("$(wc -l <"$work/refused.cpp")") words+=("$1") forms+=("$2")
}
proper() { echo "void form_$((++proper_forms))(filter& f) { static_cast<void>(f); $1 }" >>"$work/proper.cpp"; }
proper_forms=0

refused no_such_name 'f.no_such_name();' # the script itself
refused has_sluice_digest 'f.insert(point{1, 2});'
refused has_sluice_digest 'f.insert(0.5);'
refused has_sluice_digest 'f.insert(yes);'
refused has_sluice_digest 'f.insert(std::byte{7});'
refused nullptr 'f.insert(nullptr);'
proper 'const char* text = "key"; f.insert(text); f.insert("key"); f.insert(lane::left);'
refused bulk_keys 'const unsigned char bytes[4] = {}; f.insert_bulk(bytes);'
refused bulk::answers 'const bool room[1] = {}; const int keys[1] = {}; f.may_contain_bulk(keys, room);'
proper 'bool room[1] = {}; const lane keys[1] = {}; f.may_contain_bulk(keys, room);'
refused no_number_of_128_bits_but_its_bytes 'f.insert(wide{1});'
refused no_number_of_128_bits_but_its_bytes 'static_cast<void>(f.may_contain(unsigned_wide{1}));'
refused no_number_of_128_bits_but_its_bytes 'f.insert_bulk(std::vector<wide>(3));'
refused operator '(void)sluice::hasher()(wide{1});'
proper 'const wide number = 1; f.insert(std::as_bytes(std::span(&number, 1)));'
refused key_range '(void)filter::sealed(std::string("text"), {.fpr = 0.01});'
refused key_range '(void)filter::sealed(std::vector<unsigned char>{1}, {.fpr = 0.01});'
proper '(void)filter::sealed(std::list<std::string>{"text"}, {.fpr = 0.01}); (void)filter::sealed(std::vector<int>{1});'
# Views of what ends with the line.
refused delete '(void)made().view();'
refused delete '(void)made().bytes();'
refused delete '(void)std::move(f).overflow();'
refused delete '(void)static_cast<const filter&&>(f).bytes();'
refused delete '(void)preset().bytes();'
refused delete '(void)map().bytes();'
refused delete '(void)filter_file::map("path").contents();'
refused delete 'filter_file file(to_bytes(f, {key_kind::bytes}));'
refused delete 'filter_view view(f.params(), std::vector<std::byte>(64));'
proper '(void)f.view(); (void)f.bytes(); (void)f.overflow(); const auto p = preset(); (void)p.bytes();'
proper 'const auto m = map(); (void)m.bytes(); const auto file = filter_file::map("path"); (void)file.contents();'
proper 'const auto b = to_bytes(f, {key_kind::bytes}); filter_file file(b); (void)filter_file::load(to_bytes(f, {key_kind::bytes}));'
proper 'filter_view view(f.params(), f.bytes()); filter_view same(f.params(), std::span<const std::byte>(f.bytes()));'
# What ends with the line, and is taken out of it.
proper 'sluice::parameters p = made().params(); (void)p; auto q = preset().params(); (void)q; auto m = map().params(); (void)m;'
proper 'filter base = sluice::resealable_filter(std::vector<int>{1}).base(); auto links = sluice::growing_filter().chain();'
for program in refused proper; do echo 'int main() {}' >>"$work/$program.cpp"; done

# said LINE: the errors of this line, each with what belongs to it.
said() { awk -v at="refused.cpp:$1:" '/: (fatal )?error:/ { on = index($0, at) > 0 } on' "$work/errors"; }
read -ra standards <<<"$1"
shift
for compiler in "$@"; do
  command -v "$compiler" >/dev/null || continue
  for standard in "${standards[@]}"; do
    "$compiler" -std=$standard -Wall -Wextra -Iinclude -fsyntax-only "$work/proper.cpp" 2>"$work/errors" && [[ ! -s $work/errors ]] ||
      { cat "$work/errors"; fail "$compiler -std=$standard: what is proper does not compile without a warning"; }
    more=(-fmax-errors=0)
    "$compiler" --version | grep -q clang && more=(-ferror-limit=0)
    "$compiler" -std=$standard "${more[@]}" -Iinclude -fsyntax-only "$work/refused.cpp" 2>"$work/errors" && fail "everything compiles"
    for i in "${!forms[@]}"; do
      said "${lines[i]}" >"$work/said"
      [[ -s $work/said ]] || fail "$compiler -std=$standard: '${forms[i]}' compiles"
      grep -q -- "${words[i]}" "$work/said" ||
        { cat "$work/said"; fail "$compiler -std=$standard: the errors of '${forms[i]}' do not speak of ${words[i]}"; }
    done
  done
done
echo "refused: ${#forms[@]} kinds of mistakes do not compile, and the compiler says why; $proper_forms lines of proper forms do"

# unlinked FUNCTIONS STATEMENT: with the headers alone, these functions of sluice are missing, and no others.
unlinked() {
  cat >"$work/unlinked.cpp" <<TEXT
#include <sluice/presets.hpp>
#include <string_view>
int main() {
  sluice::presets::blocked_512<8> f(10);
  $2
}
TEXT
  "$compiler" -std=c++20 -Iinclude "$work/unlinked.cpp" -o "$work/unlinked" 2>"$work/errors" && fail "'$2' links"
  missing=$(grep -E 'undefined (reference|symbol)' "$work/errors" | grep -oE '(hash_bytes|hash_texts|best_kernels|refuse_null_text)[<(]' | tr -d '<(' | sort -u | xargs)
  others=$(grep -E 'undefined (reference|symbol)' "$work/errors" | grep -vE 'hash_bytes|hash_texts|best_kernels|refuse_null_text' || true)
  [[ $missing == "$1" && -z $others ]] || { cat "$work/errors"; fail "the errors of '$2' do not name $1 alone"; }
}
compiler=$1
unlinked hash_bytes 'f.insert("key");'
unlinked 'best_kernels hash_texts' 'const std::string_view keys[2] = {"one", "two"}; f.insert_bulk(keys);'
unlinked best_kernels 'const int keys[2] = {1, 2}; f.insert_bulk(keys);'
echo "refused: text keys and bulk calls do not link without the library, and the linker says what is missing"
