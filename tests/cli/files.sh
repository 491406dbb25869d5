#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Filter files by the command line, as a person uses it: all formats of keys, pipes, wrong files, full disks,
# interrupts, several writers at once. usage: files.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# --- formats -------------------------------------------------------------------------------------------------------------
printf 'one\ntwo\r\n\nthree' >lines
works build -o lines.sluice lines
holds "empty lines are counted" said "1 empty key was skipped"
gives 0 $'one\ntwo\nthree' query lines.sluice --key one --key two --key three
gives 0 $'one\ntwo\r\nthree' query lines.sluice lines
gives 1 "" query lines.sluice --key four --key $'two\r'
gives 0 $'four' query lines.sluice --absent --key four --key one
gives 0 3 query lines.sluice --count lines
gives 1 0 query lines.sluice --count --absent lines
works build -o cr.sluice --keep-cr --keep-empty lines
gives 0 $'two\r' query cr.sluice --key $'two\r' --key two
gives 0 4 query cr.sluice --count --keep-cr --keep-empty lines
printf 'a\0b\n\0c' >nul
works build -o nul.sluice --input nul nul
gives 0 3 query nul.sluice --input nul --count nul
printf 'b\n\0x\0' | "$sluice" query nul.sluice --input nul >out 2>err
holds "nul keys end with nul" cmp -s out <(printf 'b\n\0')
printf '\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff' >u64
works build -o u64.sluice --input u64 u64
gives 0 2 query u64.sluice --count u64
"$sluice" query u64.sluice u64 >out
holds "integers are printed in binary" cmp -s out u64
gives 0 1 query u64.sluice --count --key 18446744073709551615 --key 7
gives 0 1 query u64.sluice --count --key 0x1
printf '\x01\0\0\0\x02\0\0\0' >u32
works build -o u32.sluice --input u32 u32
gives 0 2 query u32.sluice --count u32
refused "u64.sluice has keys of kind u64, but --input lines reads keys of kind bytes" query u64.sluice --input lines lines
refused "u32.sluice has keys of kind u32, but --input u64" query u32.sluice --input u64 u64
refused "lines.sluice has keys of kind bytes" add lines.sluice --input u64 u64
refused "byte 16: 3 bytes are left over; every key has 8" build -o bad.sluice --input u64 <(cat u64 <(printf abc))
refused "'x1' is not a number" query u64.sluice --key x1
refused "is not a number from 0 to 4294967295" query u32.sluice --key 4294967296
refused "is none of lines, nul" build -o bad.sluice --input words lines
printf 'id,name\r\n1,"Smith, ""Jo"""\r\n2,"two\nlines"\r\n3,plain\r\n' >people.csv
works build -o people.sluice --input csv:name people.csv
gives 0 $'Smith, "Jo"\ntwo\nlines\nplain' query people.sluice --key 'Smith, "Jo"' --key $'two\nlines' --key plain
works build -o ids.sluice --input csv:1 people.csv
"$sluice" build -o two.sluice --key 2 >/dev/null
gives 0 $'id,name\r\n2,"two\nlines"\r' query two.sluice --input csv:id people.csv
refused "there is no column 'age'; the header has 2: id, name" build -o bad.sluice --input csv:age people.csv
refused "byte 3: a quote is opened here and never closed" build -o bad.sluice --input csv:a <(printf 'a\n\n"x')
refused "record 2 has 1 field, and the header has 2" build -o bad.sluice --input csv:b <(printf 'a,b\n1\n')
refused "a quote within a field" build -o bad.sluice --input csv:a <(printf 'a,b\nx"y,1\n')
refused "there is nothing in it" build -o bad.sluice --input csv:a /dev/null
gzip -k lines && zstd -q lines 2>/dev/null || cp lines.gz lines.zst
gives 0 3 query lines.sluice --count lines.gz
cat lines.gz | "$sluice" query lines.sluice --count >out && holds "a packed pipe" test "$(cat out)" == 3
printf "one\ntwo\n" | gzip >two.gz
cat two.gz two.gz >twice.gz
gives 0 4 query lines.sluice --count twice.gz
head -c 25 lines.gz >cut.gz
refused "the compressed bytes end in the middle" query lines.sluice --count cut.gz
refused "it is a folder" build -o bad.sluice .
refused "cannot be read: No such file" build -o bad.sluice missing
holds "nothing is left of what was refused" test ! -e bad.sluice -a ! -e .bad.sluice.partial
refused "is not a packet capture" build -o bad.sluice --input pcap:5tuple lines

# --- building ------------------------------------------------------------------------------------------------------------
seq 1 20000 >many
works build -o many.sluice --fpr 0.01 many
gives 0 20000 query many.sluice --count many
refused "many.sluice is there already; --force replaces it" build -o many.sluice many
works build -o many.sluice --force --static many
gives 0 20000 query many.sluice --count many
holds "sealed" bash -c '"$0" info many.sluice | grep -q "scheme  *sealed"' "$sluice"
refused "many.sluice is a sealed filter, which takes no more keys: build it again" add many.sluice lines
holds "nothing that only a program has" bash -c '! grep -q "::\|_filter\|_builder" err'
refused "sealed filters cannot be merged" merge -o bad.sluice many.sluice many.sluice
refused "say --static, too" build -o bad.sluice --scheme sealed many
works build -o many.sluice --force --static --scheme gated many
gives 0 20000 query many.sluice --count many
holds "static" bash -c '"$0" info many.sluice | grep -q "static  *true"' "$sluice"
for scheme in blocked alpha single sequential mht bloom-g gated classic; do
  works build -o "$scheme.sluice" --scheme $scheme many
  gives 0 20000 query "$scheme.sluice" --count many
  works verify "$scheme.sluice"
  works info "$scheme.sluice"
  seq 20001 25000 | "$sluice" add "$scheme.sluice" >out 2>err
  holds "$scheme: an overfull filter says so" said "was planned for 20000 keys"
  gives 0 25000 query "$scheme.sluice" --count <(seq 1 25000)
done
seq 1 100000 | "$sluice" build -o grown.sluice --grow >out 2>err
holds "--grow grows" bash -c '"$0" info grown.sluice | grep -q "filter 3 of 3"' "$sluice"
gives 0 100000 query grown.sluice --count <(seq 1 100000)
seq 100001 400000 | "$sluice" add grown.sluice >out 2>err
gives 0 400000 query grown.sluice --count <(seq 1 400000)
# A pipe is held until it ends, and makes one filter of the right size; what it cannot hold grows.
for _ in 1 2 3; do seq 1 100000; done | "$sluice" build -o piped.sluice >out 2>err
holds "a pipe makes one filter" grep -qE '^filters +1$' out
holds "of the distinct keys" awk '$1 == "keys_distinct" { exit !($2 > 98000 && $2 < 102000) }' out
holds "with as many bits as they need" awk '$1 == "file_bits_per_key" { exit !($2 < 18) }' out
gives 0 100000 query piped.sluice --count <(seq 1 100000)
seq 1 100000 | "$sluice" build -o held.sluice --buffer 100K >out 2>err
holds "a small buffer grows, and says so" said "than --buffer 100K holds: the filter grows"
gives 0 100000 query held.sluice --count <(seq 1 100000)
seq 1 100000 | "$sluice" build -o bad.sluice --buffer 100K --scheme blocked >out 2>err
holds "which limits forbid" said "a larger --buffer"
seq 1 100000 | "$sluice" build -o links.sluice --grow --first-keys 1000 --growth 2 >out 2>err
holds "links as they were asked for" grep -qE '^filters +7$' out
works compact links.sluice -o compact.sluice <(seq 1 200000)
holds "a chain becomes one filter" bash -c '"$0" info compact.sluice | grep -qE "^keys +(100|99)[0-9]{3}$"' "$sluice"
holds "others are left out" said "that links.sluice does not have were left out"
gives 0 100000 query compact.sluice --count <(seq 1 100000)
# Planned for all keys, also for those that the chain found by chance when they came, and did not count.
works build -o uncounted.sluice --grow --fpr 0.01 <(seq 1 100000)
works compact uncounted.sluice --json -o planned.sluice <(seq 1 100000)
holds "a chain is planned anew for all its keys" /usr/bin/python3 -c "
import json
j=json.load(open('out'))
assert 100000 <= j['planned_keys'] < 102000 and j['fpr_promised'] <= 0.01, j"
# At a rate that needs more reads than plans allow, its links read more, too.
works build -o strict.sluice --grow --fpr 1e-7 --block-bits 64 <(seq 1 1000)
works compact strict.sluice -o planned.sluice --force <(seq 1 1000)
refused "were offered: the others would be lost" compact links.sluice -o bad.sluice <(seq 1 5000)
"$sluice" build -o few.sluice --grow --key 1 --key 2 --key 3 >/dev/null
refused "0 of the 3 keys of few.sluice were offered" compact few.sluice -o bad.sluice /dev/null
refused "2 of the 3 keys of few.sluice were offered" compact few.sluice -o bad.sluice --key 3 --key 1 --key 3
works compact few.sluice -o three.sluice --key 1 --key 2 --key 3
refused "give one of the two" build -o bad.sluice --grow --keys 100 --key 1
refused "give one of the two" build -o bad.sluice --grow --static --key 1
# Of 100,000 keys some hundred are found by chance and not counted; more are missed.
refused "were offered: the others would be lost" compact links.sluice -o bad.sluice <(seq 1 99500)
seq 1 100000 >all-keys
cp all-keys kept-keys
refused "cannot be read and be written" compact links.sluice -o all-keys --force all-keys
holds "keys are no place for a filter" cmp all-keys kept-keys
works build -o often.sluice --grow --fpr 0.1 all-keys
works compact often.sluice -o often.sluice --force all-keys
for half in 1 2; do works build --grow -o half$half.sluice <(seq $((half * 5000)) $((half * 5000 + 10000))); done
works merge -o halves.sluice half1.sluice half2.sluice
refused "--all says so" compact halves.sluice -o bad.sluice <(seq 5000 20000)
works compact halves.sluice -o whole.sluice --all <(seq 5000 20000)
gives 0 15001 query whole.sluice --count <(seq 5000 20000)
refused "is one filter already" compact compact.sluice -o bad.sluice <(seq 1 100000)
# Keys that are repeated are counted once: exactly up to 65,536, then to 0.4%.
for _ in 1 2 3 4 5 6 7 8; do seq 1 185; done >repeated
works build -o repeated.sluice --force repeated
holds "185 of 1480" grep -qE '^keys_distinct +185$' out
holds "sized for 185" grep -qE '^planned_keys +185$' out
for _ in 1 2 3; do seq 1 100000; done >repeated
works build -o repeated.sluice --force repeated
holds "about 100000 of 300000" awk '$1 == "planned_keys" { exit !($2 > 98000 && $2 < 103000) }' out
works build -o repeated.sluice --static --force repeated
holds "also if it is static" awk '$1 == "planned_keys" { exit !($2 > 98000 && $2 < 103000) }' out
# Parts of a union: the rate of the whole is kept.
for part in 1 2 3 4; do
  seq $((part * 100000)) $((part * 100000 + 99999)) >part.txt
  works build -o shard$part --keys 400000 --fpr 1e-5 --shards 4 part.txt
done
works merge -o union shard1 shard2 shard3 shard4
holds "a union keeps its rate" awk '$1 == "fpr_from_fill" { exit !($2 < 1.05e-5 && $2 > 0.7e-5) }' out
holds "its keys are counted by its bits" awk '$1 == "keys_inserted" { exit !($2 > 396000 && $2 <= 400000) }' out
works merge -o twice --force shard1 shard1
holds "the same keys twice are one set" awk '$1 == "keys_inserted" { exit !($2 > 99000 && $2 < 101000) }' out
refused "need --keys: the number of keys of all shards" build -o bad.sluice --shards 4 part.txt
seq 1 1000 | "$sluice" build -o planned.sluice --keys 1000 >out 2>err
gives 0 1000 query planned.sluice --count <(seq 1 1000)
seq 1 1000 | "$sluice" build -o static-pipe.sluice --static >out 2>err
gives 0 1000 query static-pipe.sluice --count <(seq 1 1000)
works build -o memory.sluice --memory 100K many
holds "memory is kept" test "$(stat -c %s memory.sluice)" -le 110000
"$sluice" build -o small.sluice --memory 5K --fpr 0.1 many >out 2>err
holds "more keys than the memory is good for" said "small.sluice was planned for"
seq 1 10 | "$sluice" build -o little.sluice --memory 100K >out 2>err
gives 0 10 query little.sluice --count <(seq 1 10)
seq 1 10 | "$sluice" build -o bad.sluice --grow --memory 100K >out 2>err
holds "what grows keeps no limits" said "a filter that grows is planned by --fpr"
works build -o empty.sluice /dev/null
gives 1 "" query empty.sluice --key x
works build -o dup.sluice <(for _ in 1 2 3; do echo same; done)
holds "the same key again is one key" bash -c '"$0" info dup.sluice | grep -qE "^keys +1$"' "$sluice"
head -c 3000000 /dev/zero | tr '\0' x >long
works build -o long.sluice long
gives 0 1 query long.sluice --count long
gives 1 0 query long.sluice --count <(head -c 2999999 long)

# --- order, threads, output -------------------------------------------------------------------------------------------
seq 1 3 3000000 >third
works build -o third.sluice --fpr 1e-9 third
seq 1 3000000 | "$sluice" query third.sluice --threads 3 >out
holds "the order of the input is kept" cmp -s out third
"$sluice" query third.sluice --json --key 1 --key 2 --key $'\xff' >out
holds "json" /usr/bin/python3 -c "import json;j=json.load(open('out'));assert j['keys']==['1'] and j['asked']==3 and j['present']==1"
"$sluice" query third.sluice --json --absent --key $'\xffa' --key '\xffa' --key $'caf\xc3\xa9' >out
holds "all bytes are strings" /usr/bin/python3 -c "import json;j=json.load(open('out'));assert j['absent_keys']==[r'\xffa', r'\\\\xffa', 'caf\u00e9']"
"$sluice" query u64.sluice --json --key 18446744073709551615 --key 1 >out
holds "integers are numbers" /usr/bin/python3 -c "import json;j=json.load(open('out'));assert j['keys']==[2**64-1,1]"
"$sluice" query u64.sluice --json --json-strings --key 18446744073709551615 --key 1 >out
holds "large ones strings if that is wanted" /usr/bin/python3 -c "import json;j=json.load(open('out'));assert j['keys']==[str(2**64-1),1]"
seq 1 3000000 | "$sluice" query third.sluice 2>err | head -1 >out
holds "a closed pipe is quiet" test "$(cat out)" == 1 -a ! -s err
if [[ -w /dev/full ]]; then
  "$sluice" query third.sluice third >/dev/full 2>err
  holds "a full output is an error" test $? == 2
  holds "with its reason" said "No space left on device"
fi

# --- untrusted files --------------------------------------------------------------------------------------------------
refused "this is not a file of sluice" query lines --key x
refused "cannot be read" query missing.sluice --key x
refused "Is a directory" info .
head -c 5000 many.sluice >cut.sluice
refused "it was cut off" query cut.sluice --key x
cp many.sluice bent.sluice
printf 'x' | dd of=bent.sluice bs=1 seek=9000 conv=notrunc status=none
refused "bent.sluice: byte 4096: the next" query bent.sluice --key x
refused "their checksum differs" verify bent.sluice
refused "their checksum differs" add bent.sluice --key x
"$sluice" query bent.sluice --no-verify --key 1 >out 2>err
holds "a file may be believed unseen" test $? -le 1
chmod a-r u32 && if ! cat u32 >/dev/null 2>&1; then refused "Permission denied" build -o bad.sluice u32; fi

# --- writing -------------------------------------------------------------------------------------------------------------
cp many.sluice before.sluice
for round in 1 2 3 4 5 6 7 8; do
  (seq $((round * 100000)) $((round * 100000 + 999)) | "$sluice" add many.sluice >/dev/null) &
done
wait
for round in 1 2 3 4 5 6 7 8; do seq $((round * 100000)) $((round * 100000 + 999)); done >added
gives 0 28000 query many.sluice --count many added
refused "No such file or directory" build -o missing-folder/f many
refused "it is a folder" build -o . --force many
works build -o part1 --keys 20000 <(seq 1 10000)
works build -o part2 --keys 20000 <(seq 10001 20000)
works merge -o whole part1 part2
gives 0 20000 query whole --count many
refused "whole is there already" merge -o whole part1 part2
refused "cannot be merged" merge -o bad.sluice part1 grown.sluice
refused "cannot be merged" merge -o bad.sluice part1 u64.sluice
refused "cannot be merged" merge -o bad.sluice part1 gated.sluice
seq 5 | "$sluice" build -o g1 >/dev/null && seq 6 10 | "$sluice" build -o g2 >/dev/null
works merge -o g12 g1 g2
gives 0 10 query g12 --count <(seq 1 10)

# An interrupt leaves everything as it was.
mkfifo slow
"$sluice" add many.sluice slow >/dev/null 2>&1 &
adder=$!
exec 9>slow
echo 123456789 >&9
holds "a writer holds its lock" within_two_minutes test -e .many.sluice.partial
kill -TERM $adder
wait $adder 2>/dev/null
exec 9>&-
holds "an interrupt removes what was begun" test ! -e .many.sluice.partial
gives 0 28000 query many.sluice --count many added
works verify many.sluice

# Killed at any moment, the file is whole: the old one or the new one.
seq 1 200000 >big
works build -o big.sluice --fpr 1e-6 big
for round in $(seq 1 30); do
  seq $((round * 1000000)) $((round * 1000000 + 50000)) | "$sluice" add big.sluice >/dev/null 2>&1 &
  victim=$!
  sleep "0.0$((RANDOM % 90 + 10))"
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
  "$sluice" verify big.sluice >/dev/null 2>err && [[ $("$sluice" query big.sluice --count big) == 200000 ]] || { note bad "killed in round $round"; break; }
done
note ok
works add big.sluice --key after
gives 0 after query big.sluice --key after
holds "nothing is left behind" test ! -e .big.sluice.partial

# A disk that is full.
mkdir small
if mount -t tmpfs -o size=1m tmpfs small 2>/dev/null; then
  seq 1 400000 >big
  works build -o small/f --memory 200K many
  cp small/f kept
  refused "No space left on device" build -o small/g --fpr 1e-9 big
  refused "No space left on device" build -o small/f --force --fpr 1e-9 big
  holds "the old file is as it was" cmp -s small/f kept
  holds "and nothing else is there" test "$(ls small)" == f
  umount small
fi

# --- help ----------------------------------------------------------------------------------------------------------------
for command in plan build query add remove merge compact dedup info verify bench model simulate reproduce completion; do
  holds "help of $command has examples" bash -c '"$0" "$1" --help | grep -q examples' "$sluice" "$command"
done
"$sluice" --manual >out && holds "the manual has every command" bash -c 'for c in BUILD QUERY ADD REMOVE MERGE COMPACT DEDUP INFO VERIFY BENCH; do grep -q "^.SH $c" out || exit 1; done'
command -v man >/dev/null && holds "man likes the manual" bash -c 'test -z "$(man --warnings -l out 2>&1 >/dev/null)"'
for program in redis reproduce; do
  "$sluice-$program" --manual >out && holds "sluice-$program has a manual, too" grep -q "^.TH SLUICE-${program^^} 1" out
done
"$sluice" completion bash >out && holds "bash likes its completion" bash -n out
holds "completion completes" bash -c 'source out; COMP_WORDS=(sluice query --abs) COMP_CWORD=2; _sluice; [[ ${COMPREPLY[*]} == --absent ]]'
holds "completion of commands" bash -c 'source out; COMP_WORDS=(sluice ver) COMP_CWORD=1; _sluice; [[ ${COMPREPLY[*]} == verify ]]'
works completion zsh
works completion fish
"$sluice" bench blocked gated --keys 20000 --repetitions 1 --json >out 2>err
holds "bench" /usr/bin/python3 -c "
import json
j=json.load(open('out'))
b,g=j['schemes']
assert b['scheme']=='blocked' and abs(b['fpr_from_fill']/b['fpr']-1)<.2 and b['fpr_predicted']==b['fpr'] and abs(g['accesses_hit']/g['accesses_hit_predicted']-1)<.03
assert b['accesses_insert']==1 and abs(g['accesses_insert']/g['accesses_insert_predicted']-1)<.05
assert all(abs(s['fpr_counted']/s['fpr_from_fill']-1)<.1 and s['fpr_counted_of']>=10**6 and 'ns_erase' not in s for s in (b,g))
import math
assert all(abs(s['times_least_bits']*-math.log2(s['fpr_from_fill'])/s['memory_bits_per_key']-1)<1e-9 for s in (b,g))
assert b['hit_bulk_to_blocked']==1 and all(s['ns_'+t]>0 for s in (b,g) for t in ('insert','insert_bulk','hit','hit_bulk','miss','miss_bulk'))"
"$sluice" bench gated sealed --keys 20000 --repetitions 1 --json >out 2>err
holds "bench of what takes no keys" /usr/bin/python3 -c "
import json
s=json.load(open('out'))['schemes'][2]
assert s['scheme']=='sealed' and abs(s['fpr']*2**14-1)<.02 and abs(s['fpr_from_fill']/s['fpr']-1)<.1 and s['ns_insert'] is None and s['insert_to_floor'] is None
assert all(s['ns_'+t]>0 for t in ('insert_bulk','hit','hit_bulk','miss','miss_bulk'))"
"$sluice" bench ledger --keys 20000 --repetitions 1 --json >out 2>err
holds "bench of what erases" /usr/bin/python3 -c "
import json
b,l=json.load(open('out'))['schemes']
assert all(s['ns_'+t]>0 for s in (b,l) for t in ('erase','erase_bulk')) and b['erase_to_blocked']==1"
holds "and in the table" bash -c '"$0" bench sealed --keys 20000 --repetitions 1 | grep -c "^sealed\|^blocked" | grep -qx 4' "$sluice"

# A union of equal lists needs no more slots than either, and can be read.
seq 1 3077 >k
works build -o m --scheme mht k
works merge -o both m m
works verify both
works merge --force -o both both m
gives 0 3077 query --count both k

finish
