#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# What goes wrong around a program: closed streams, limits, files in each other's way, options that are nearly right,
# terminals, feeders that wait. usage: mishaps.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
seq 1000 >keys
works build -o f keys
cp f good
unchanged() { holds "$1: the file is as it was" cmp -s f good; }

# --- closed and full streams
# ---------------------------------------------------------------------------------------------
printf 'a\n\nb\n' >gaps
"$sluice" build -o closed gaps >out 2>&-
holds "a closed error output is not written into the filter" "$sluice" verify closed
"$sluice" add closed gaps >/dev/null 2>&-
holds "nor when keys are added" "$sluice" verify closed
"$sluice" build -o closed-input >out 2>err <&-
holds "a closed input is an error" test $? == 2 -a ! -e closed-input
"$sluice" verify missing 2>&-
holds "an error without an error output" test $? == 2
if [[ -w /dev/full ]]; then
  "$sluice" query f missing 2>/dev/full
  holds "an error with a full error output" test $? == 2
  for arguments in --help --version "build --help" "info f"; do
    "$sluice" $arguments >/dev/full 2>err
    holds "$arguments to a full output" test $? == 2
  done
  for arguments in "plan --keys 1e6 --fpr 0.001 --json" "plan --keys 1e6 --fpr 0.001" "info f --json" "completion bash" "query f keys"; do
    "$sluice" $arguments >/dev/full 2>err
    holds "$arguments to a full output, too" test $? == 2
    holds "in the same words" said "sluice: the output could not be written: No space left on device"
  done
fi
(ulimit -f 4 && "$sluice" build -o limited --fpr 1e-9 keys >out 2>err)
holds "a limit on files is an error" test $? == 2 -a ! -e limited -a ! -e .limited.partial
holds "with its reason" said "File too large"

# --- files in each other's way
# -------------------------------------------------------------------------------------------
cp keys both
refused "both cannot be read and be written at the same time" build -o both --force both
holds "keys are not replaced by a filter of them" cmp -s keys both
mkdir folder
refused "it is a folder" build -o folder keys
refused "./- is a file" build -o - keys
mkdir .blocked.partial
refused ".blocked.partial: Is a directory" build -o blocked keys
ln -s later link
works build -o link keys
holds "a link to nothing yet is a link still" test -L link -a -f later
mkfifo pipe
timeout 60 "$sluice" info pipe >out 2>err
holds "a pipe is no filter" said "not a regular file"
cp f first && cp f second && ln -s first current
exec 8<>.first.partial
flock 8
"$sluice" add current --key new >out 2>err 8>&- &
waits_for_lock() { grep -qE -- "-> FLOCK .* $! " /proc/locks; }
holds "a second writer waits" within_two_minutes waits_for_lock
ln -sfn second current
exec 8>&-
wait $!
gives 0 new query first --key new
gives 1 "" query second --key new
chmod 600 f
works add f --key private
holds "what replaces a private file is private" test "$(stat -c %a f)" == 600
cp good f

# What is written first has a name of its own; an input of that name is not removed.
cp f part && cp f .all.partial
refused ".all.partial cannot be read and be written at the same time: a new all is written there first" merge -o all part .all.partial
refused "same time" merge -o all --force part ./.all.partial
cp keys .f.partial
refused "same time" add f .f.partial
refused "same time" build -o f --force .f.partial
"$sluice" add f <.f.partial >out 2>err
holds "nor where it is the standard input" test $? == 2
mkdir elsewhere && ln -s elsewhere/g linked && cp keys elsewhere/.g.partial
refused "same time" build -o linked elsewhere/.g.partial
holds "inputs are where they were" test -e .all.partial -a -e .f.partial -a -e elsewhere/.g.partial
holds "as they were" cmp -s keys .f.partial
unchanged "an input in the way"
rm .all.partial .f.partial elsewhere/.g.partial
refused "f cannot be read and be written at the same time" add f f
works merge -o part --force part f
ln part .part.partial # as a writer does that is killed in the middle
works merge -o part --force part f
gives 0 1000 query part --count keys
name=$(printf 'n%.0s' $(seq 255))
works build -o "$name" keys
works add "$name" --key more
gives 0 more query "$name" --key more
refused "File name too long" build -o "n$name" keys
chmod 4755 f
works add f --key x
holds "no right to run as another is handed on" test "$(stat -c %a f)" == 755
chmod 644 good && cp -p good f

# A mapped file that another program changes.
mkfifo feed
cp f changing
"$sluice" query changing --count feed >out 2>err &
asking=$!
exec 9>feed
echo 5 >&9
sleep 0.3
cat good >>changing
exec 9>&-
wait $asking
holds "a filter that is changed while it is asked" test $? == 2
holds "says so" said "was changed by another program"
cp f shrinking
"$sluice" query shrinking feed >out 2>err &
asking=$!
exec 9>feed
echo 5 >&9
sleep 0.3
truncate -s 0 shrinking
seq 3 >&9
exec 9>&-
wait $asking
holds "a filter that is cut short while it is asked" test $? == 2
holds "says so, too" said "cut short"

# --- options -------------------------------------------------------------------------------------------------------------
nothing=
cp keys precious
"$sluice" build --force --out="$nothing" precious >out 2>err </dev/null
holds "an empty value is no reason to take the next argument" test $? == 2
holds "nor to replace it" cmp -s keys precious
gives 1 "" query f --key="$nothing"
for option in fpr keys memory seed threads input out; do
  refused "" build -o bad "--$option=" keys
done
refused "unknown command 'ask'; \`sluice --help\` lists them" ask f
refused "unknown command 'qurey'; did you mean 'query'?" qurey f --key 1
refused "unknown command 'biuld'; did you mean 'build'?" biuld -o bad keys
refused "unknown command 'reprodcue'; did you mean 'reproduce'?" reprodcue all # a program of its own
seq 10 >'[a,b]'
works build -o brackets '[a,b]'
gives 0 10 query brackets --count '[a,b]'
gives 1 "" query brackets --key '[1,2]'
refused "nowhere cannot be read: No such file" query nowhere --key 1
refused "unknown command 'hepl'; did you mean 'help'?" hepl
refused "unknown command '-V'" -V
for seed in -1 0x1 1.5 18446744073709551616; do refused "is not a whole number" build -o bad --seed "$seed" keys; done
works build -o octal --seed 010 keys
works build -o decimal --seed 10 keys
holds "010 is ten" cmp -s octal decimal
for number in nan inf 0x10 1e400 " 5" "5 " +5 1e 1,5 five; do
  refused "--accesses-hit: '$number' is not a decimal number" plan --keys 1000 --fpr 0.1 --accesses-hit "$number"
  refused "'$number' is not a decimal number" model blocked --bits-per-key "$number"
  refused "--memory: '$number'" plan --keys 1000 --memory "$number"
  refused "--repetitions: '$number' is not a whole number from 0 to 2147483647" bench --repetitions "$number"
done
for number in -1 2147483648 1.5 1e-1 2,147,483,648 1K5; do
  refused "--repetitions: '$number' is not a whole number from 0 to 2147483647" bench --repetitions "$number"
  refused "--core: '$number' is not a whole number" bench --core "$number"
done
refused "--hashes" model blocked --hashes 4294967296
# A million, a thousandth.
"$sluice" plan --keys 1000000 --fpr 0.001 >plain
for number in 1M 1000k 1,000,000 1e6 1.0e+6 0.001G; do
  "$sluice" plan --keys $number --fpr 0.1% >out 2>err
  holds "--keys $number" cmp -s out plain
done
works build -o million --fpr 1% --keys 1M keys
holds "in files, too" grep -qE '^planned_keys +1000000$' out
"$sluice" bench blocked --keys 1k --repetitions 1e0 >out 2>err
holds "whole numbers have suffixes" grep -q "^1000 keys" out
for number in 1X 1,00 0,001 1.5 1MB -1 1m nan; do
  refused "--keys: '$number' is not a whole number" plan --keys "$number" --fpr 0.1
  refused "1,000,000, 1e6, 1M" plan --keys "$number" --fpr 0.1
done
for number in 1k 0,001 1%% % five; do
  refused "--fpr: '$number' is not a decimal number or a percentage" plan --keys 1000 --fpr "$number"
done
refused "between 0 and 1" plan --keys 1000 --fpr 100%
refused "--threshold: '-1' is not a whole number" model single --threshold -1
"$sluice" bench blocked --keys 1000 --repetitions 010 >out 2>err
holds "010 repetitions are ten" grep -q "medians of 10 runs" out
refused "a hit reads at least one block" plan --keys 1000 --fpr 0.1 --accesses-hit 0.5
refused "threads" build -o bad --threads 4294967295 keys
refused "3.2 bits a key are too few" build -o bad --memory 400 keys
for memory in 2000 2k 2KB 2KiB 2Ki 0.002M 0.000002G; do works plan --keys 1000 --memory $memory; done
refused "suffix" plan --keys 1000 --memory 2X
for buffer in nan true %n -1 1X; do refused "--buffer: '$buffer'" build -o bad --buffer "$buffer" keys; done
refused "the first link holds at least 64 keys" build -o bad --first-keys 0 keys
refused "each link holds 2 to 64 times the keys" build -o bad --growth 0 --keys 1000 keys
refused "alpha is a probability from 0 to 1, not 1.0000001" simulate alpha --alpha 1.0000001 --keys 1000
for scheme in sealed "gated --static"; do # refused before memory is taken: less would be named
  (ulimit -v 2000000 && "$sluice" simulate $scheme --keys 1e12 >out 2>err)
  holds "a trillion keys of $scheme are too many" said "the system refused memory for the digests of 1000000000000 keys"
done
holds "--seed is explained" bash -c '"$0" build --help | grep -qF "random\` draws one that those who choose keys do not know"' "$sluice"
refused "choice" build -o bad --scheme choice keys
works build -o listed --scheme mht keys
refused "breaks a limit: it keeps an exact list" build -o bad --scheme mht --no-list keys
refused "breaks a limit: its counters" build -o bad --scheme mht --mergeable --keys 100 keys
refused "breaks a limit: a lookup may read" build -o bad --scheme classic --max-blocks 3 keys
for count in 0 1 5 10 20; do
  works build -o static$count --static <(seq $count)
  gives $((count == 0)) $count query static$count --count <(seq $count)
done
seq 10 | "$sluice" build -o bad --grow --max-blocks 1 >out 2>err
holds "a filter that grows cannot keep limits" said "a filter that grows is planned by"
seq 10 | "$sluice" build -o bad --grow --fpr 3e-13 >out 2>err
holds "nor any rate" said "from 1e-9 to 1"
"$sluice" build -o counted --memory 2K <keys >out 2>err
holds "an input that is a file is counted" test $? == 0
(read -r _ && "$sluice" build -o rest) <keys >out 2>err
gives 0 999 query rest --count keys
refused "cannot be read: No such file" build -o bad --scheme blocked missing
refused "there is no such core" bench --core 9999

# --- seeds ---------------------------------------------------------------------------------------------------------------
"$sluice" build -o random1 --keys 2000 --seed random --json keys >out 2>err
seed=$(/usr/bin/python3 -c "import json; print(json.load(open('out'))['seed'])")
holds "a random seed is drawn and told" test "$seed" != 0 # which is never drawn
holds "and stands in the file" bash -c '"$0" info random1 | grep -qE "^seed +$1$"' "$sluice" "$seed"
works build -o random2 --keys 2000 --seed random keys
holds "another one each time" bash -c '! cmp -s random1 random2'
refused "cannot be merged" merge -o bad random1 random2
works build -o random3 --keys 2000 --seed "$seed" <(seq 2000 3000)
works merge -o random random1 random3
gives 0 1000 query random --count keys
works build -o again --keys 2000 --seed "$seed" keys
holds "the seed that was told gives the same file" cmp -s random1 again
seq 10 | "$sluice" build -o grown-random --grow --seed random >out 2>err
holds "also where it grows" bash -c '! grep -qE "^seed +0$" out && grep -qE "^seed +[0-9]+$" out'
refused "'Random' is not a whole number" build -o bad --seed Random keys
works simulate blocked --keys 1000 --bits-per-key 8 --negatives 1000 --seed random
works model blocked --seed random

# --- what comes from outside, on a terminal
# ------------------------------------------------------------------------------
bad_name=$'\e[31m\e]0;title\aname\x7f\xc2\x9b5m\x9b\nsluice: all is well'
shown='\x1b[31m\x1b]0;title\x07name\x7f\xc2\x9b5m\x9b\x0asluice: all is well'
quiet() { ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out err; }
refused "$shown cannot be read" query f "$bad_name"
holds "a name commands no terminal" quiet
holds "and says nothing of its own" test "$(wc -l <err)" == 1
refused "$shown" build -o bad --input "$bad_name" keys
refused "$shown" build -o bad --input "csv:$bad_name" keys
refused "$shown" "$bad_name"
refused "$shown" build -o bad "--$bad_name" keys
refused "$shown" build -o bad --seed "$bad_name" keys
holds "nor do arguments" quiet
printf 'a\e[1m,b\n1,2\n' >escape.csv
refused 'the header has 2: a\x1b[1m, b' build -o bad --input csv:c escape.csv
works build -o "$bad_name" keys
holds "nor the table" quiet
holds "which has the name" grep -qF "$shown" out
works info "$bad_name"
holds "nor that of info" quiet
"$sluice" build -o "$bad_name" --force keys --json >out 2>err
holds "nor JSON" quiet
holds "which has the name" /usr/bin/python3 -c "import json; assert json.load(open('out'))['file'].startswith('\x1b[31m\x1b]0;title\x07name\x7f\x9b5m')"
gives 1 "" query f --key $'\x7f\xc2\x9b5m'
"$sluice" query f --absent --json --key $'\x7f\xc2\x9b5m' >out 2>err
holds "nor keys in JSON" quiet
printf 'k\e[1m\n' >escape
works build -o escape.f escape
gives 0 $'k\e[1m' query escape.f escape

# --- keys ----------------------------------------------------------------------------------------------------------------
printf '\x50\x2a\x4d\x18\x04\0\0\0skip' >frame.zst
if command -v zstd >/dev/null; then
  zstd -q -c keys >>frame.zst
  gives 0 1000 query f --count frame.zst
fi
gzip -c keys >keys.gz
head -c 10 /dev/zero | cat keys.gz - >padded.gz
gives 0 1000 query f --count padded.gz
echo x | cat keys.gz - >followed.gz
refused "follows it" query f --count followed.gz
printf '\x1f\x8b\x08\0\0\0\0\0' >odd
works build -o odd.f --input u64 --no-unpack odd
gives 0 1 query odd.f --no-unpack --count odd
refused "the compressed bytes end in the middle" query odd.f --count odd
printf '\xef\xbb\xbf"id","name"\r\n"1","foo"\r\n' >marked.csv
works build -o marked --input csv:id marked.csv
gives 0 1 query marked --key 1
printf 'id,name\n9,foo\n' >plain.csv
gives 1 id,name query marked --input csv:id plain.csv
"$sluice" query marked --absent --input csv:1 marked.csv plain.csv >out 2>err
holds "files with different headers are not one" said "marked.csv and plain.csv have different headers"
refused "cannot be printed among records" query marked --input csv:id --key 1 marked.csv
"$sluice" build -o $'bad\xff' --json keys >out 2>err
holds "a file name that is no text" /usr/bin/python3 -c "import json; assert json.load(open('out'))['keys_read'] == 1000"
"$sluice" query $'bad\xff' --json --key 1 >out 2>err
holds "in answers, too" /usr/bin/python3 -c "import json; assert json.load(open('out'))['present'] == 1"
head -c 100 keys.gz >cut.gz
for round in $(seq 8); do
  "$sluice" query f keys cut.gz >out 2>err
  [[ $? == 2 && $(wc -l <out) -ge 1000 ]] || { note bad "answers before an error are printed (round $round)"; break; }
done
note ok
# Longest keys.
head -c 70000000 /dev/zero | tr '\0' a | gzip >bomb.gz
refused "bomb.gz: byte 0: a key of more than 16777216 bytes; --longest-key takes longer ones" build -o bad bomb.gz
refused "a key of more than 1000 bytes" query f --longest-key 1K bomb.gz
refused "a record of more than 1048576 bytes" build -o bad --input csv:1 --longest-key 1Mi bomb.gz
(ulimit -v 900000 && "$sluice" add f --longest-key 1Mi bomb.gz >out 2>err)
holds "nor is all memory taken" said "a key of more than 1048576 bytes"
works build -o long.f --longest-key 70M bomb.gz
gives 0 1 query long.f --count --longest-key 0.07G bomb.gz
for longest in 0 0.5 -1 2Ti x 1X; do refused "--longest-key: '$longest'" build -o bad --longest-key $longest keys; done
# A feeder that waits for its answers.
coproc "$sluice" query f 2>/dev/null
for key in 5 77 1000; do
  echo $key >&"${COPROC[1]}"
  answer=
  read -r -t 60 answer <&"${COPROC[0]}"
  holds "an answer before the next question" test "$answer" == $key
done
exec {COPROC[1]}>&-
wait "$COPROC_PID"

# --- promises ------------------------------------------------------------------------------------------------------------
for part in {1..10}; do
  seq $((part * 1000000)) $((part * 1000000 + 4000)) | "$sluice" build -o grown$part --grow --first-keys 4096 >/dev/null
done
works merge -o grown grown{1..10}
holds "a union above its rate says so" said "false positive rate of"
works build -o one --keys 1 --key a
works add one --key b
holds "more keys than were planned, and a better rate: no warning" bash -c '! grep -q warning err'
works build -o few --keys 10 --key a
works add few keys
holds "more keys, and a worse rate" said "warning: few was planned for 10 keys and has"
works build -o wide --scheme blocked --block-bits 384 --keys 2e7 --key a

# --- output into what is read ------------------------------------------------------------------------------------------
cp keys grows
cp f filter-too
"$sluice" query f grows >>grows 2>err
holds "an output that is read is refused" bash -c '[[ $1 == 2 ]] && grep -q "the output goes into grows, which is read" err' _ $?
"$sluice" query filter-too keys >>filter-too 2>err
holds "a filter is no output of its query" bash -c '[[ $1 == 2 ]] && cmp -s f filter-too' _ $?
"$sluice" dedup <grows >>grows 2>err
holds "nor the standard input of dedup" bash -c '[[ $1 == 2 ]] && cmp -s keys grows' _ $?
refused "the standard input, which is grows, cannot be read and be written" build -o grows --force <grows
seq 1 300000 | "$sluice" dedup -o piped 2>err | head -1 >out
holds "a closed pipe leaves nothing half written" test ! -e .piped.partial
refused "--from is at most --to" bound --region --from 2 --to 1

# --- a terminal ----------------------------------------------------------------------------------------------------------
if command -v script >/dev/null; then
  script -qec "'$sluice' query f --key 5" /dev/null </dev/null >out
  holds "nothing but answers on a terminal" test "$(tr -d '\r' <out)" == 5
  script -qec "'$sluice' query f keys" /dev/null </dev/null >out
  holds "nor among many" cmp -s <(tr -d '\r' <out) keys
fi
"$sluice" completion bash >out
touch 'a file'
holds "names with spaces are one" bash -c 'source out; COMP_WORDS=(sluice query "a f") COMP_CWORD=2; _sluice; [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == "a file" ]]'
holds "values are completed" bash -c 'source out; COMP_WORDS=(sluice build --scheme ga) COMP_CWORD=3; _sluice; [[ ${COMPREPLY[*]} == gated ]]'
holds "shells are completed" bash -c 'source out; COMP_WORDS=(sluice completion z) COMP_CWORD=2; _sluice; [[ ${COMPREPLY[*]} == zsh ]]'
if command -v zsh >/dev/null; then "$sluice" completion zsh >_sluice && holds "zsh likes its completion" zsh -n _sluice; fi
if command -v fish >/dev/null; then "$sluice" completion fish >sluice.fish && holds "fish likes its completion" fish -n sluice.fish; fi

finish
