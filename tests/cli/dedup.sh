#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# sluice dedup as a person uses it: every record once, whatever the format; windows that forget; files that are left;
# interrupts and closed pipes that lose nothing. usage: dedup.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# --- what is printed -----------------------------------------------------------------------------------------------------
printf 'one\ntwo\none\nthree\ntwo\none' >lines
gives 0 $'one\ntwo\nthree' dedup lines
holds "a summary" said "6 keys read, 3 printed, 3 dropped; expected to be dropped wrongly: "
gives 0 $'one\ntwo\nthree' dedup --quiet lines
holds "no summary" test ! -s err
printf 'a\n\nb\r\n\nb\n' | "$sluice" dedup >out 2>err
holds "an empty line is a line, and a line's end is not part of it" cmp -s out <(printf 'a\n\nb\r\n')
printf ',a\n\n,b\nx,c\n\nx,d\nodd\nodd\n' >fielded
gives 0 $',a\n\n,b\nx,c\n\nodd' dedup --field 1 --delimiter , fielded
holds "what has no key is counted" said "4 records with an empty key were printed every time"
gives 0 $',a\n\n,b\nx,c\n\nx,d\nodd\nodd' dedup --field 2,3 --delimiter , fielded
holds "too few fields" said "8 lines with too few fields were printed every time"
gives 0 $',a\nx,c\nodd' dedup --field 1 --delimiter , --keep-empty fielded
printf 'a\r\na\n' | "$sluice" dedup --keep-cr >out 2>err
holds "unless it is kept" cmp -s out <(printf 'a\r\na\n')
printf '\xff\xfe\n\xff\n\xff\xfe\n' | "$sluice" dedup >out 2>err
holds "bytes that are no text" cmp -s out <(printf '\xff\xfe\n\xff\n')
printf 'b\n\0a\0b\n\0\0a\0' | "$sluice" dedup --input nul >out 2>err
holds "keys that end with nul" cmp -s out <(printf 'b\n\0a\0\0')
printf '\x01\0\0\0\x02\0\0\0\x01\0\0\0' | "$sluice" dedup --input u32 >out 2>err
holds "integers" cmp -s out <(printf '\x01\0\0\0\x02\0\0\0')
printf 'id,name\r\n1,"Smith, ""Jo"""\r\n2,plain\r\n3,"Smith, ""Jo"""\r\n' >people.csv
gives 0 $'id,name\r\n1,"Smith, ""Jo"""\r\n2,plain\r' dedup --input csv:name people.csv
gives 0 "$(printf 'id,name\r\n1,"Smith, ""Jo"""\r\n2,plain\r\n3,"Smith, ""Jo"""\r')" dedup --input csv:id people.csv people.csv
gives 0 $'a\nb' dedup --key a --key b --key a
gives 0 "" dedup /dev/null
printf 'id,name\n' >nobody.csv
gives 0 "id,name" dedup --input csv:name nobody.csv nobody.csv
gzip -k lines
gives 0 $'one\ntwo\nthree' dedup lines lines.gz
refused "cannot be read" dedup missing

# --- many keys, within a batch and across batches ------------------------------------------------------------------------
seq 1 300000 >many
cat many many many >thrice
for how in "" "--keys 300000" "--memory 2M" "--keys 300k --memory 2M" "--window 1M" "--window-time 1h"; do
  "$sluice" dedup --fpr 1e-8 $how thrice >out 2>err
  # --memory and --keys leave the rate open where both are given.
  [[ $how == *k*memory* ]] && "$sluice" dedup $how thrice >out 2>err
  holds "dedup $how" cmp -s out many
done
holds "each key of a batch that has all of them often" test "$(for i in $(seq 20000); do echo $((i % 7)); done | "$sluice" dedup --quiet | wc -l)" == 7
awk '!seen[$0]++' <(seq 1 100000 | awk '{print $1 % 1234}') >exact
seq 1 100000 | awk '{print $1 % 1234}' | "$sluice" dedup --fpr 1e-6 >out 2>err
holds "in the order of the input" cmp -s out exact
"$sluice" dedup --fpr 1% many >out 2>err
lost=$((300000 - $(wc -l <out)))
holds "some new keys are lost, as many as the rate allows ($lost)" test $lost -gt 100 -a $lost -le 3100
holds "and the summary expects them" /usr/bin/python3 -c "
import re
most = float(re.search('wrongly: ([0-9.e+]+) at most', open('err').read()).group(1))
assert $lost <= most * 1.2 and most <= 3100, most"
"$sluice" dedup --keys 1000 --fpr 0.01 many >out 2>err
holds "more keys than were planned for" said "and the filter was planned for 1000"

# --- windows -------------------------------------------------------------------------------------------------------------
(seq 1 1000; seq 1 1000; seq 2001 6000; seq 1 1000) >turning
"$sluice" dedup --fpr 1e-7 --window 1000 turning >out 2>err
holds "what was seen long ago is new again" cmp -s out <(seq 1 1000; seq 2001 6000; seq 1 1000)
"$sluice" dedup --fpr 1e-7 --window 6000 turning >out 2>err
holds "what was not is not" cmp -s out <(seq 1 1000; seq 2001 6000)
refused "give one of the two" dedup --window 10 -o bad lines
refused "not both" dedup --window 10 --window-time 1m lines
refused "leave --keys and --memory out" dedup --window 10 --keys 10 lines
refused "--window is at least 1" dedup --window 0 lines
refused "'10' is not a time; examples: 90s, 10m" dedup --window-time 10 lines
works dedup --window-time 1e-10s lines
refused "--fpr lies between 0 and 1" dedup --fpr 100% lines
refused "exactly two" dedup --fpr 0.1 --keys 10 --memory 1K lines

# --- the file that is left -----------------------------------------------------------------------------------------------
works dedup -o seen.sluice lines
gives 0 $'one\nthree' query seen.sluice --key one --key three --key four
works verify seen.sluice
refused "seen.sluice is there already; --force replaces it" dedup -o seen.sluice lines
works dedup -o seen.sluice --force --keys 10 lines
holds "planned for its keys" bash -c '"$0" info seen.sluice | grep -qE "^planned_keys +10$"' "$sluice"
printf 'a\n\nb\n' >with_empty
works dedup -o empty.sluice with_empty
works compact empty.sluice -o compacted.sluice with_empty
holds "the file remembers that an empty line was a key" bash -c '"$0" info compacted.sluice | grep -qE "^keys +3$"' "$sluice"
cp lines both
refused "both cannot be read and be written at the same time" dedup -o both --force both
works dedup -o random.sluice --seed random lines
holds "a random seed" bash -c '! "$0" info random.sluice --json | grep -q "\"seed\": 0"' "$sluice"
gives 0 3 query random.sluice --count --key one --key two --key three

# --- interrupts and pipes ------------------------------------------------------------------------------------------------
seq 1 3000000 | "$sluice" dedup 2>err | head -1 >out
holds "a closed pipe is quiet" test "$(cat out)" == 1 -a ! -s err
if [[ -w /dev/full ]]; then
  "$sluice" dedup many >/dev/full 2>err
  holds "a full output is an error" test $? == 2
  holds "with its reason" said "No space left on device"
fi
coproc "$sluice" dedup 2>/dev/null
for key in 5 77 1000; do
  echo $key >&"${COPROC[1]}"
  answer=
  read -r -t 60 answer <&"${COPROC[0]}"
  holds "an answer before the next question" test "$answer" == $key
done
exec {COPROC[1]}>&-
wait "$COPROC_PID"
# Nothing here waits for a time: an interrupt is sent when the answers to what was written have come.
answered() { [[ $(wc -l <out) -ge $1 ]]; } # answered N: whether N lines have been printed
start_reading() {  # start_reading ARGUMENTS...: sluice dedup as $reader, with what is written to descriptor 9 as its keys
  : >out
  rm -f keys_to_come
  mkfifo keys_to_come
  env --default-signal=INT,TERM,HUP "$sluice" dedup "$@" keys_to_come >out 2>err &
  reader=$!
  exec 9>keys_to_come
}
# An hour outlasts every pause of the machine, and 8 s after an answer a window of 3 s has ended.
start_reading --window-time 1h
printf 'again\nagain\nlast\n' >&9
exec 9>&-
wait $reader
holds "within a window of time" test "$(cat out)" == $'again\nlast'
start_reading --window-time 3s
echo again >&9
holds "a key is answered" within_two_minutes answered 1
sleep 8
echo again >&9
exec 9>&-
wait $reader
holds "a window of time ends" test "$(cat out)" == $'again\nagain'
# While the file is written, an interrupt waits for it; a late one finds that all is done.
for signal in INT TERM HUP; do
  rm -f large .large.partial
  env --default-signal=INT,TERM,HUP "$sluice" dedup -o large --keys 40M --fpr 1e-4 many >out 2>err &
  writer=$!
  begun() { [[ -s .large.partial || -e large ]] || ! kill -0 $writer 2>/dev/null; }
  within_two_minutes begun
  kill -$signal $writer 2>/dev/null
  wait $writer
  holds "a file that is being written is written ($signal)" test -s large -a ! -e .large.partial
  holds "with the summary ($signal)" said "300000 keys read"
done
works verify large
for signal in INT TERM HUP; do
  rm -f interrupted
  start_reading -o interrupted
  seq 1 1000 >&9
  seq 1 1000 >&9
  holds "SIG$signal: answers come before the end" within_two_minutes answered 1000
  kill -$signal $reader
  wait $reader
  holds "SIG$signal ends it" test $? == $((128 + $(kill -l $signal)))
  exec 9>&-
  holds "SIG$signal: what was seen is printed" cmp -s out <(seq 1 1000)
  holds "SIG$signal: a summary" said "keys read, 1000 printed"
  gives 0 1000 query interrupted --count <(seq 1 1000)
done
start_reading
echo half >&9
holds "a line is answered" within_two_minutes answered 1
printf 'no end' >&9
sleep 1
kill -TERM $reader
wait $reader
holds "an interrupt in the middle of a line" test $? == 143
exec 9>&-
holds "loses no line that had ended" test "$(cat out)" == half

finish
