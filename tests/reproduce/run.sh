#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Every experiment at its quick size: verdicts agree or are explained, files are whole, the numbers of
# docs/reproduction.md come out, interrupted runs go on, captures are described, errors are sentences.
# usage: run.sh PATH_TO_SLUICE
set -uo pipefail
sluice=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
unset SLUICE_DATA
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "reproduce: $*" >&2; failed=1; }

"$sluice" reproduce all --quick --out "$work/all" >"$work/log" 2>&1 || { cat "$work/log" >&2; complain "not every finding agrees"; }
names=$(sed -n 's/^\([a-z][a-z0-9-]*\) .* s  agrees.*$/\1/p' "$work/log")
[[ $(wc -l <<<"$names") == 15 ]] || complain "15 experiments should have run"
for name in $names; do
  head -1 "$work/all/$name.csv" | grep -qx 'series,x,formula,theory,simulated,counted,low,high,paper,memory,verdict' || complain "$name.csv has other columns"
  [[ $(wc -l <"$work/all/$name.csv") -gt 5 ]] || complain "$name.csv is nearly empty"
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/all/$name.svg" || complain "$name.svg is no XML"
  grep -q "id=\"$name\"" "$work/all/index.html" || complain "$name is not in the report"
done
[[ $(grep -c '^    quick: ' "$work/log") == 15 ]] || complain "not every experiment says its quick sizes"
# What is known to differ is said to, with its reason, and does not fail the run.
grep -q '^    ~ .* Explained: ' "$work/log" || complain "no finding is explained"
grep -q 'differs, explained: lines of stored keys' "$work/all/lumetta-table1.csv" || complain "double hashing at 32 bits is not explained"
grep -q 'SYNTHETIC' "$work/all/kanizo-fig6.svg" || complain "the picture does not say that its keys are synthetic"
"$here/document.py" "$work/all" "$here/../../docs/reproduction.md" || complain "docs/reproduction.md does not say what came out"
grep -q 'src=\|<link' "$work/all/index.html" && complain "the report needs other files"
[[ -z $(find "$work" -name '*.part*') ]] || complain "half-written files are left"

# What is there is kept; what is missing is made; other settings are made again.
rm "$work/all/krimer-fig4.json"
"$sluice" reproduce all --quick --out "$work/all" >"$work/again" 2>&1
[[ $(grep -c '(kept)' "$work/again") == 14 ]] || complain "14 of 15 results should have been kept"
"$sluice" reproduce kanizo-fig3 --quick --seed 2 --out "$work/all" >"$work/seed" 2>&1
grep -q '(kept)' "$work/seed" && complain "another seed is another result"

# The same numbers whatever the number of threads.
"$sluice" reproduce krimer-fig1 kanizo-fig3 --quick --threads 1 --out "$work/one" >/dev/null 2>&1
"$sluice" reproduce krimer-fig1 kanizo-fig3 --quick --threads 3 --out "$work/three" >/dev/null 2>&1
for name in krimer-fig1 kanizo-fig3; do
  cmp "$work/one/$name.csv" "$work/three/$name.csv" || complain "$name depends on the number of threads"
done

# Interrupted, it leaves whole files only.
timeout -s INT 1 "$sluice" reproduce all --out "$work/cut" >/dev/null 2>&1
[[ -z $(find "$work/cut" -name '*.part*') ]] || complain "an interrupt left half a file"

refused() { # refused WORDS ARGUMENTS...
  local words=$1
  shift
  "$sluice" reproduce "$@" >"$work/out" 2>"$work/err"
  local status=$?
  [[ $status == 2 ]] && grep -qF -- "$words" "$work/err" || complain "'reproduce $*' should have been refused with '$words' ($status)"
}
refused "there is no experiment 'fig9'" fig9 --out "$work/none"
touch "$work/file"
refused "cannot be made a folder" kanizo-fig2 --quick --out "$work/file"
refused "is not a packet capture" kanizo-fig6 --quick --trace "$0" --out "$work/trace"
refused "cannot be read" kanizo-fig6 --quick --trace "$work/nowhere.pcap" --out "$work/trace"

# A capture is told by its checksum, and by what a manifest says of it.
python3 - "$work/ours.pcap" <<'EOF'
import struct, sys
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 96, 101))
    for i in range(7000):
        packet = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28, i, 0, 64, 17, 0, b"\x0a\0\0\1", b"\x0a\0\0\2") + struct.pack(">II", i, 8 << 16)
        out.write(struct.pack("<IIII", i, 0, len(packet), len(packet)) + packet)
EOF
sum=$(sha256sum "$work/ours.pcap" | cut -d' ' -f1)
"$sluice" reproduce kanizo-fig6 --quick --trace "$work/ours.pcap" --out "$work/trace" >"$work/out" 2>&1
grep -q "no manifest says where it is from; SHA-256 $sum" "$work/out" || complain "a capture without a manifest has its checksum"
describe() { printf '[{"file": "ours.pcap", "name": "Ours", "source": "made here", "date": "2026", "licence": "CC0", "sha256": "%s"}]\n' "$1"; }
describe "$sum" >"$work/traces.json"
"$sluice" reproduce kanizo-fig6 --quick --fresh --trace "$work/ours.pcap" --out "$work/trace" >"$work/out" 2>&1
grep -q "Ours; source: made here; date: 2026; licence: CC0; SHA-256 $sum" "$work/out" || complain "the manifest beside a capture is not told"
grep -q 'keys of 1 real trace' "$work/trace/kanizo-fig6.svg" || complain "a picture of a capture calls it real"
describe 0123 >"$work/other.json"
refused "is not the file that" kanizo-fig6 --quick --trace "$work/ours.pcap" --manifest "$work/other.json" --out "$work/trace"
echo '{"file": 7}' >"$work/other.json"
refused "is no list of captures" kanizo-fig6 --quick --trace "$work/ours.pcap" --manifest "$work/other.json" --out "$work/trace"
((failed == 0)) && echo "reproduce: 15 experiments agree"
exit $failed
