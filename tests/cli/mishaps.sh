#!/usr/bin/env bash
# What goes wrong around a program: closed streams, limits, files in each other's way, options that are nearly right, terminals, feeders that wait.
# usage: mishaps.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
seq 1000 >keys
works build -o f keys
cp f good
unchanged() { holds "$1: the file is as it was" cmp -s f good; }

# --- closed and full streams ---------------------------------------------------------------------------------------------
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
fi
(ulimit -f 4 && "$sluice" build -o limited --fpr 1e-9 keys >out 2>err)
holds "a limit on files is an error" test $? == 2 -a ! -e limited -a ! -e .limited.partial
holds "with its reason" said "File too large"

# --- files in each other's way -------------------------------------------------------------------------------------------
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
timeout 5 "$sluice" info pipe >out 2>err
holds "a pipe is no filter" said "not a regular file"
cp f first && cp f second && ln -s first current
exec 8<>.first.partial
flock 8
"$sluice" add current --key new >out 2>err 8>&- &
sleep 0.5
ln -sfn second current
exec 8>&-
wait $!
gives 0 new query first --key new
gives 1 "" query second --key new
chmod 600 f
works add f --key private
holds "what replaces a private file is private" test "$(stat -c %a f)" == 600
cp good f

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
refused "there is no command 'ask'" ask f
seq 10 >'[a,b]'
works build -o brackets '[a,b]'
gives 0 10 query brackets --count '[a,b]'
gives 1 "" query brackets --key '[1,2]'
refused "nowhere cannot be read: No such file" query nowhere --key 1
refused "there is no command 'help'" help
refused "there is no command '-V'" -V
for seed in -1 0x1 1.5 18446744073709551616; do refused "is not a whole number" build -o bad --seed "$seed" keys; done
works build -o octal --seed 010 keys
works build -o decimal --seed 10 keys
holds "010 is ten" cmp -s octal decimal
refused "a hit reads at least one block" plan --keys 1000 --fpr 0.1 --accesses-hit nan
refused "threads" build -o bad --threads 4294967295 keys
refused "3.2 bits a key are too few" build -o bad --memory 400 keys
for memory in 2000 2k 2KB 2KiB 2Ki 0.002M 0.000002G; do works plan --keys 1000 --memory $memory; done
refused "suffix" plan --keys 1000 --memory 2X
refused "choice" build -o bad --scheme choice keys
works build -o listed --scheme mht keys
refused "breaks a limit: it keeps an exact list" build -o bad --scheme mht --no-list keys
refused "breaks a limit: its counters" build -o bad --scheme mht --mergeable keys
refused "breaks a limit: a lookup may read" build -o bad --scheme classic --max-blocks 3 keys
for count in 0 1 5 10 20; do
  works build -o static$count --static <(seq $count)
  gives $((count == 0)) $count query static$count --count <(seq $count)
done
seq 10 | "$sluice" build -o bad --max-blocks 1 >out 2>err
holds "a filter that grows cannot keep limits" said "give --keys"
seq 10 | "$sluice" build -o bad --fpr 3e-13 >out 2>err
holds "nor any rate" said "from 1e-9 to 1"
"$sluice" build -o counted --memory 2K <keys >out 2>err
holds "an input that is a file is counted" test $? == 0
(read -r _ && "$sluice" build -o rest) <keys >out 2>err
gives 0 999 query rest --count keys
refused "cannot be read: No such file" build -o bad --scheme blocked missing
refused "there is no such core" bench --core 9999

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
refused "the packed bytes end in the middle" query odd.f --count odd
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
# A feeder that waits for its answers.
coproc "$sluice" query f 2>/dev/null
for key in 5 77 1000; do
  echo $key >&"${COPROC[1]}"
  answer=
  read -r -t 5 answer <&"${COPROC[0]}"
  holds "an answer before the next question" test "$answer" == $key
done
exec {COPROC[1]}>&-
wait "$COPROC_PID"

# --- promises ------------------------------------------------------------------------------------------------------------
for part in 1 2 3 4 5; do seq $((part * 1000000)) $((part * 1000000 + 30000)) | "$sluice" build -o grown$part >/dev/null; done
works merge -o grown grown1 grown2 grown3 grown4 grown5
holds "a union above its rate says so" said "false positive rate of"
works build -o wide --scheme blocked --block-bits 384 --keys 2e7 --key a

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
