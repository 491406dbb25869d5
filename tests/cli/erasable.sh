#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Filter files whose keys are erased again, by the command line: ledgers and chains of them, what goes wrong around
# `sluice remove`, full filters, copies, plans and models. usage: erasable.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
seq 1 20000 >many
json() { /usr/bin/python3 -c "import json; j = json.load(open('out')); assert $1, j"; }
keys_of() { "$sluice" info --json "$1" | /usr/bin/python3 -c "import json, sys; print(json.load(sys.stdin)['keys'])"; }
works build -o gated --scheme gated many

# --- a ledger --------------------------------------------------------------------------------------------------------
works build -o ledger --erasable --fpr 1e-3 many
gives 0 20000 query ledger --count many
works remove ledger <(seq 1 5000)
gives 0 15000 query ledger --count <(seq 5001 20000)
works add ledger <(seq 20001 22000)
gives 0 17000 query ledger --count <(seq 5001 22000)
works verify ledger
works info ledger --json
holds "info says what is in it" json "[j['keys'], j['filters'][0]['scheme'], j['filters'][0]['remainder_bits']] == [17000, 'ledger', 12]"
holds "and where" json "0.5 < j['filters'][0]['fill'] < 0.95 and j['filters'][0]['closed_gates'] < 0.1 and j['filters'][0]['guests'] > 0"
works info ledger
holds "in the table, too" grep -qE '^closed_gates +0\.0' out
works build -o of-a-pipe --erasable <(seq 1 300)
works build -o by-scheme --scheme ledger many
works remove by-scheme many
holds "nothing is left" test "$(keys_of by-scheme)" == 0
gives 1 0 query by-scheme --count many

# A key is kept as often as it comes.
for _ in 1 2 3; do seq 1 1000; done >thrice
for _ in 1 2; do # a file is read twice, a pipe held
  works build -o copies --force --erasable --json thrice
  holds "all copies are planned for" json "j['planned_keys'] == 3000 and j['keys_inserted'] == 3000"
  works remove copies <(seq 1 1000)
  works remove copies <(seq 1 1000)
  gives 0 1000 query copies --count <(seq 1 1000)
  works remove copies <(seq 1 1000)
  holds "after the last copy there is none" test "$(keys_of copies)" == 0
  mv thrice once-more && cat once-more | "$sluice" build -o copies --force --erasable >out 2>err && cp once-more thrice
done
yes a | head -1000 >one-key
refused "this key was inserted so often that its blocks are full of it" build -o bad --erasable one-key
holds "nothing is left of it" test ! -e bad -a ! -e .bad.partial

# --- what is not in, and what cannot be ------------------------------------------------------------------------------
cp ledger before
"$sluice" remove ledger --key never --key 22000 >out 2>err && status=0 || status=$?
holds "what was not in it is told" test $status == 1
holds "with how many" said "1 of 2 keys were not in ledger, and nothing like them"
holds "what was in it is gone" test "$(keys_of ledger)" == 16999
"$sluice" remove ledger --json --key never >out 2>err && status=0 || status=$?
holds "also in JSON" json "[$status, j['keys_read'], j['keys_removed'], j['keys_inserted']] == [1, 1, 0, 16999]"
seq 21000 21999 | "$sluice" remove ledger >out 2>err
holds "keys come from a pipe" test "$(keys_of ledger)" == 15999
works remove ledger /dev/null
cp before ledger
refused "is not erasable: its keys share their bits" remove gated many
gives 0 20000 query gated --count many
works build -o sealed --static many
refused "is not erasable" remove sealed many
printf 'a 1\nb 2\n' >valued
works build -o map --field 1 --values 2 valued
"$sluice" remove map --key a >out 2>err
holds "a map gives nothing back" test $? == 2
refused "cannot be read: No such file" remove missing --key 1
refused "missing" remove ledger missing
refused "this is not a file of sluice" remove many --key 1
refused "ledger cannot be read and be written at the same time" remove ledger ledger
refused "ledger has keys of kind bytes, but --input u64" remove ledger --input u64 many
works build -o numbers --erasable --input u64 <(printf '\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0')
refused "'x' is not a number" remove numbers --key x
works remove numbers --key 2
gives 0 1 query numbers --key 1 --key 2
head -c 3000 ledger >cut
refused "it was cut off" remove cut --key 1
cp ledger bent && printf 'x' | dd of=bent bs=1 seek=5000 conv=notrunc status=none
cp bent as-bent
refused "their checksum differs" remove bent --key 1
holds "and nothing was written" cmp -s bent as-bent
holds "nothing was changed" cmp -s ledger before
printf 'id,n\n7000,x\n' >table.csv
works remove ledger --input csv:id table.csv
gives 1 "" query ledger --key 7000
cp before ledger
"$sluice" remove ledger --key 7000 >&- 2>err
holds "a closed output takes no key back" test "$(keys_of ledger)" == 16999
cp before ledger
"$sluice" remove ledger --key 7000 >out 2>&-
holds "nor does a closed error output" test $? == 0 -a "$(keys_of ledger)" == 16999
cp before ledger
if [[ -w /dev/full ]]; then
  "$sluice" remove ledger --key 7000 >/dev/full 2>err
  holds "a full output is an error" test $? == 2
  holds "with its reason" said "No space left on device"
  cp before ledger
fi

# --- full ------------------------------------------------------------------------------------------------------------
refused "the filter is full: it has" add ledger <(seq 30001 90000)
holds "a full ledger is as it was" cmp -s ledger before
holds "and nothing is beside it" test ! -e .ledger.partial
refused "the filter is full" build -o bad --erasable --keys 1000 many
holds "nor is half a filter" test ! -e bad -a ! -e .bad.partial
refused "for which the blocks of one have no room" merge -o bad ledger ledger
works build -o copies-1 --erasable --keys 20000 --key a --key a
works build -o copies-2 --erasable --keys 20000 --key a --key b
works merge -o all-copies copies-1 copies-2
works remove all-copies --key a --key a
gives 0 2 query all-copies --count --key a --key b
works remove all-copies --key a
gives 0 1 query all-copies --count --key a --key b
refused "cannot be merged" merge -o bad copies-1 gated

# --- chains ----------------------------------------------------------------------------------------------------------
works build -o chain --erasable --grow --first-keys 1000 --growth 2 many
holds "links as they were asked for" grep -qE '^filters +5$' out
gives 0 20000 query chain --count many
works info chain --json
holds "all of them ledgers" json "{f['scheme'] for f in j['filters']} == {'ledger'} and j['grows']['erasable'] and j['grows']['factor'] == 2"
works verify chain
works remove chain <(seq 1 15000)
gives 0 5000 query chain --count <(seq 15001 20000)
works add chain <(seq 30001 45000)
holds "room that was given back is used" bash -c '"$0" info chain --json | grep -c "\"scheme\"" | grep -qx 5' "$sluice"
gives 0 20000 query chain --count <(seq 15001 20000) <(seq 30001 45000)
seq 1 20000 | "$sluice" build -o piped --erasable --buffer 10K >out 2>err
holds "what a buffer does not hold grows" said "the filter grows"
works remove piped many
holds "and gives all back" test "$(keys_of piped)" == 0
refused "each link of an erasable chain holds 2, 4, 8" build -o bad --erasable --grow --growth 3 many
works build -o other --erasable --grow --first-keys 1000 --growth 2 <(seq 50001 60000)
works merge -o both chain other
holds "a union has all keys" test "$(keys_of both)" == 30000
works remove both <(seq 50001 60000) <(seq 15001 20000) <(seq 30001 45000)
holds "each of them once" test "$(keys_of both)" == 0
works build -o shared --grow --first-keys 1000 --growth 2 many
refused "cannot be merged" merge -o bad chain shared
refused "is not erasable" remove shared many
works compact chain -o one <(seq 15001 20000) <(seq 30001 45000)
holds "one ledger in place of a chain" bash -c '"$0" info one | grep -qE "^scheme +ledger$"' "$sluice"
works remove one <(seq 15001 20000) <(seq 30001 45000)
holds "with every key once" test "$(keys_of one)" == 0
refused "were offered: the others would be lost" compact chain -o bad <(seq 15001 20000)
refused "were offered: the others would be lost" compact chain -o bad <(seq 15001 20000) <(seq 30001 44999)
refused "as often as it is in" compact chain -o bad <(seq 15001 20000) <(seq 30001 45000) <(seq 30001 45000)
holds "nothing was written" test ! -e bad

# --- options that do not go together ---------------------------------------------------------------------------------
refused "nothing can be erased" build -o bad --erasable --static many
refused "nothing can be erased" plan --keys 1e6 --fpr 1e-3 --erase --static
refused "cannot be given with --values" build -o bad --erasable --field 1 --values 2 valued
refused "the nearest is ledger, but its entries do not merge" build -o bad --erasable --keys 2000 --mergeable many
refused "the nearest is ledger, but its entries cannot be moved by several threads" build -o bad --erasable --keys 2000 --concurrent many
refused "whose blocks have 512 bits" build -o bad --erasable --keys 2000 --block-bits 256 many
refused "cannot be erased" build -o bad --erasable --keys 2000 --scheme blocked many
refused "; allow --fpr" build -o bad --erasable --keys 2000 --fpr 1e-12 many
refused "a filter that grows is planned by" build -o bad --erasable --grow --memory 100K many
holds "nothing is left of what was refused" test ! -e bad -a ! -e .bad.partial

# --- plans, models, simulations --------------------------------------------------------------------------------------
works plan --keys 1e6 --fpr 1e-4 --erase --json
holds "a plan for keys that are erased" json "j['request']['erase'] and j['candidates'][0]['scheme'] == 'ledger' and j['candidates'][0]['admissible']"
holds "and nothing else is" json "not any(c['admissible'] for c in j['candidates'][1:])"
holds "its numbers" json "j['candidates'][0]['remainder_bits'] == 15 and j['candidates'][0]['fpr'] <= 1e-4 and j['candidates'][0]['accesses_miss'] < 1.07"
works plan --keys 1e6 --fpr 1e-4 --erase
holds "in the table" grep -qE '^ledger +15 bits' out
works plan --keys 1e6 --fpr 1e-4 --json
holds "which nobody gets who did not ask" json "not j['request']['erase'] and all(c['scheme'] != 'ledger' for c in j['candidates'])"
works plan --keys 1e5 --memory 300K --erase --json
holds "by memory" json "j['candidates'][0]['scheme'] == 'ledger' and j['candidates'][0]['memory_bytes'] <= 300000"
works plan --fpr 1e-3 --memory 300K --erase --json
holds "by memory and rate" json "j['candidates'][0]['scheme'] == 'ledger' and j['candidates'][0]['keys'] > 1e5 and j['candidates'][0]['fpr'] <= 1e-3"
for rho in 8 12 15 16 24; do
  works model ledger --remainder-bits $rho --bits-per-key 36 --json
  holds "a model of rho $rho" json "j['remainder_bits'] == $rho and 0 < j['fpr'] < 1e-2 and 1 <= j['accesses_miss'] < 1.03"
done
works model ledger --bits-per-key 20.4 --json
cp out filled
works model ledger --bits-per-key 20.4 --turnovers 8 --json
holds "keys that come and go close gates" /usr/bin/python3 -c "
import json
filled, churned = json.load(open('filled')), json.load(open('out'))
assert filled['fpr'] == churned['fpr'] and 1.02 < filled['accesses_miss'] + 0.005 < churned['accesses_miss'] < 1.07, (filled, churned)"
refused "--turnovers" model gated --turnovers 8
refused "is full" model ledger --bits-per-key 20.4 --load 1.2
refused "needs at least 13 bits a key: with fewer it is full" model ledger --bits-per-key 12
refused "8, 12, 15, 16 or 24" model ledger --remainder-bits 9
works simulate ledger --bits-per-key 17.3 --keys 1e5 --json
holds "a simulation is what the model says" json "abs(j['fpr_from_fill'] / j['fpr'] - 1) < 0.01 and j['fpr_low'] <= j['fpr'] <= j['fpr_high'] and 1 < j['accesses_hit'] < 1.07"
refused "" simulate ledger --keys 1e5 --shards 2

# --- writing ---------------------------------------------------------------------------------------------------------
works build -o shared-out --erasable --keys 20000 many
for round in 1 2 3 4 5 6 7 8; do
  (seq $((round * 1000)) $((round * 1000 + 999)) | "$sluice" remove shared-out >/dev/null) &
done
wait
holds "eight at once remove what each was told to" test "$(keys_of shared-out)" == 12000
gives 0 12000 query shared-out --count <(seq 1 999) <(seq 9000 20000)
mkfifo slow
cp shared-out before
"$sluice" remove shared-out slow >/dev/null 2>&1 &
remover=$!
exec 9>slow
echo 9999 >&9
holds "a writer holds its lock" within_two_minutes test -e .shared-out.partial
kill -TERM $remover
wait $remover 2>/dev/null
exec 9>&-
holds "an interrupt leaves everything as it was" cmp -s shared-out before
holds "and nothing beside it" test ! -e .shared-out.partial

# Killed at any moment, the file is the old one or the new one.
works build -o plain --erasable --keys 100000 <(seq 1 60000)
works build -o grown --erasable --grow --first-keys 2000 --growth 2 <(seq 1 60000)
seq 30001 60000 >going
for file in plain grown; do
  cp $file with
  works remove $file going
  cp $file without
  survived="" died=0
  for round in $(seq 1 10); do
    was=with other=without verb=remove
    if cmp -s $file without; then was=without other=with verb=add; fi
    cp $was $file # of the same keys there is one file that adding makes, and another that building does
    "$sluice" $verb $file going >/dev/null 2>&1 &
    victim=$!
    sleep "0.0$((RANDOM % 50 + 10))"
    kill -9 $victim 2>/dev/null && died=$((died + 1))
    wait $victim 2>/dev/null
    if ! cmp -s $file $was; then
      "$sluice" verify $file >/dev/null 2>err && [[ $("$sluice" query $file --count <(seq 1 30000)) == 30000 ]] || survived="$survived $verb"
      [[ $verb == remove ]] && { cmp -s $file without || survived="$survived otherwise"; }
      [[ $verb == add ]] && { [[ $(keys_of $file) == 60000 && $("$sluice" query $file --count going) == 30000 ]] || survived="$survived in-part"; cp with $file; }
    fi
  done
  holds "$file, killed: old or new, but$survived" test -z "$survived"
  works remove $file --key 5
  holds "nothing is left behind" test ! -e .$file.partial
done

# Disks that are full, or cannot be written to.
mkdir small
if mount -t tmpfs -o size=1m tmpfs small 2>/dev/null; then
  works build -o small/f --erasable --keys 250000 many
  cp small/f kept
  refused "No space left on device" remove small/f --key 5
  refused "No space left on device" add small/f --key 5
  holds "the old file is as it was" cmp -s small/f kept
  holds "and nothing else is there" test "$(ls -A small)" == f
  mount -o remount,ro small
  refused "Read-only file system" remove small/f --key 5
  holds "nor is there then" test "$(ls -A small)" == f
  umount small
fi

finish
