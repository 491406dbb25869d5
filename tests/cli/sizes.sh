#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Filters that find their size, by the command line: build --keys-at-most, fold, chains that are folded before they are
# written, and what plans say of them. usage: sizes.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
json() { /usr/bin/python3 -c "import json; j = json.load(open('out')); assert $1, j"; }
info_of() { "$sluice" info --json "$1" | /usr/bin/python3 -c "import json, sys; j = json.load(sys.stdin); print($2)"; }
seq 1 20000 >many

# --- at most so many -------------------------------------------------------------------------------------------------
cat many many | "$sluice" build -o piped --keys-at-most 1M --fpr 0.001 --json >out 2>err
holds "a pipe is folded to its keys" json "j['folds'] == 5 and 19950 <= j['keys_distinct'] <= 20000 and j['filters'] == 1"
holds "and read once" json "j['keys_read'] == 40000 and j['planned_keys'] == 31250 and j['fpr_from_fill'] < 0.001"
holds "a blocked filter is an ordinary one" test "$(info_of piped "j['filters'][0]['scheme'], j['filters'][0].get('folds')")" == "blocked None"
gives 0 20000 query piped --count many
works verify piped
works build -o of-files --keys-at-most 1M --fpr 0.001 --json many
holds "files, too" cmp piped of-files
works build -o ordinary --keys 31250 --fpr 0.001 --json many
holds "as large as one that was planned so" test $(($(stat -c %s piped) * 10)) -le $(($(stat -c %s ordinary) * 11))
for scheme in blocked gated bloom-g classic; do
  works build -o $scheme --scheme $scheme --keys-at-most 100K --fpr 1e-4 many --json
  holds "$scheme is folded, below its rate" json "j['folds'] >= 2 and j['scheme'] == '$scheme' and j['fpr_from_fill'] <= 1e-4"
  gives 0 20000 query $scheme --count many
  works verify $scheme
  works add $scheme <(seq 20001 21000)
  gives 0 21000 query $scheme --count <(seq 1 21000)
done
holds "what is not ordinary says so" test "$(info_of gated "j['filters'][0]['folds'] >= 2")" == True
works build -o in-memory --keys-at-most 100K --memory 300K many --json
holds "to the rate of a memory" json "j['folds'] >= 2 and j['fpr_from_fill'] <= j['fpr_promised']"
works build -o empty --keys-at-most 100K /dev/null
gives 1 0 query empty --count many

# --- more than that --------------------------------------------------------------------------------------------------
seq 1 50000 | "$sluice" build -o overfull --keys-at-most 20K --fpr 0.001 --json >out 2>err
holds "a warning tells it" said "overfull was planned for 20000 keys"
holds "and the rate that came out" json "j['folds'] == 0 and j['fpr_from_fill'] > 0.01 and j['keys_read'] == 50000"
gives 0 50000 query overfull --count <(seq 1 50000)
seq 1 50000 | "$sluice" build -o grown --keys-at-most 20K --grow --fpr 0.001 --json >out 2>err
holds "or the filter grows" json "j['filters'] == 2 and j['fpr_from_fill'] < 0.001 and j['keys_inserted'] > 49900"
gives 0 50000 query grown --count <(seq 1 50000)

refused "excludes" build -o bad --keys-at-most 1M --keys 1M many
refused "can be counted" build -o bad --keys-at-most 1M --static many
refused "ledgers cannot be folded" build -o bad --keys-at-most 1M --erasable many
refused "it cannot be folded" build -o bad --keys-at-most 1M --scheme single many
refused "--keys-at-most" build -o bad --keys-at-most many many
refused "a filter that grows is planned by" build -o bad --keys-at-most 1M --grow --max-blocks 1 many

# --- files that are there --------------------------------------------------------------------------------------------
works build -o large --keys 1M --fpr 0.001 many
works fold large -o small --json
holds "a file is folded to its rate" json "j['folds'] >= 4 and j['file_bytes'] * 10 < j['file_bytes_before'] and j['fpr_from_fill'] < 0.001"
gives 0 20000 query small --count many
works verify small
cp large same
works fold same -o same --force --times 2 --json
holds "or so often, in its place" json "j['folds'] == 2 and 3.9 < j['file_bytes_before'] / j['file_bytes'] <= 4"
gives 0 20000 query same --count many
works fold same -o again --times 1
works fold large -o thrice --times 3
holds "one after the other is all at once" cmp again thrice
refused "can be folded" fold large -o bad --times 60
refused "is there already" fold large -o small
refused "excludes" fold large -o bad --times 1 --fpr 0.1
holds "nothing is left of what was refused" test ! -e bad
works fold small -o smaller --fpr 0.2 --json
holds "to another rate" json "j['folds'] >= 1 and 0.001 < j['fpr_from_fill'] <= 0.2"
gives 0 20000 query smaller --count many
works fold large -o too-small --times 9
holds "a rate that is not kept is told" said "warning: too-small was planned for"
works fold too-small -o as-it-was --fpr 1e-9
holds "one that cannot be kept, too" said "as it is: above 1e-09"
refused "between 0 and 1" fold large -o bad --fpr 1
# What was folded equally often is united; what was not, is not.
works build -o part1 --scheme gated --keys 1M --fpr 1e-4 <(seq 1 10000)
works build -o part2 --scheme gated --keys 1M --fpr 1e-4 <(seq 10001 20000)
works merge -o whole part1 part2
works fold whole -o whole-folded --times 3
for part in 1 2; do works fold part$part -o folded$part --times 3; done
works merge -o of-folded folded1 folded2
holds "a union of folded filters is a folded union" cmp <(tail -c +8193 whole-folded) <(tail -c +8193 of-folded) # but for the number of keys
gives 0 20000 query of-folded --count many
refused "cannot be merged" merge -o bad folded1 part2
for scheme in single classic; do works build -o not-$scheme --scheme $scheme --keys 100K many; done
works build -o static --static --fpr 1e-4 many
works build -o ledger --erasable many
refused "cannot be folded" fold not-single -o bad --times 1
refused "cannot be folded" fold static -o bad --times 1
refused "cannot be folded" fold ledger -o bad --times 1
refused "cannot be folded" fold static -o bad
refused "cannot be folded" fold ledger -o bad
refused "chain" fold grown -o bad
head -c 5000 large >cut
refused "cut" fold cut -o bad

# --- chains ----------------------------------------------------------------------------------------------------------
seq 1 300000 | "$sluice" build -o chain --grow --fpr 0.001 --json >out 2>err
holds "the last link of a chain is folded" json "j['folds'] >= 1 and j['filters'] == 4 and j['file_bits_per_key'] < 32"
gives 0 300000 query chain --count <(seq 1 300000)
bits=0
for ((day = 1; day <= 12; ++day)); do
  seq $((300000 + 20000 * (day - 1) + 1)) $((300000 + 20000 * day)) | "$sluice" add chain --json >out 2>err || bits=1
done
holds "a file that is added to every day" test "$(info_of chain "len(j['filters']) <= 8")" == True
holds "keeps its rate" json "j['fpr_from_fill'] < 0.001 and j['keys_inserted'] > 539000"
holds "has few bits" test $(($(stat -c %s chain) * 8 / 540000)) -lt 48 -a $bits == 0
gives 0 540000 query chain --count <(seq 1 540000)
seq 1 300000 | "$sluice" dedup --quiet -o seen 2>err | wc -l >out
holds "what dedup remembers is folded, too" test $(($(stat -c %s seen) * 8 / 300000)) -lt 32
gives 0 300000 query seen --count <(seq 1 300000)

# --- plans -----------------------------------------------------------------------------------------------------------
works plan --keys-at-most 1e7 --fpr 0.001 --json
holds "sizes are told before" json "[s['folds'] for s in j['folded']] == list(range(11)) and j['request']['keys_at_most']"
holds "each half of the last" json "all(abs(a['memory_bytes'] / b['memory_bytes'] - 2) < 0.01 and a['keys_at_most'] == 2 * b['keys_at_most'] for a, b in zip(j['folded'], j['folded'][1:]))"
holds "of what is folded alone" json "{c['scheme'] for c in j['candidates'] if c['admissible']} <= {'blocked', 'gated', 'bloom-g', 'classic'}"
works plan --keys-at-most 1e7 --fpr 0.001
holds "also in words" grep -qE '^  up to +2500000 keys +[0-9.]+ MB' out
works plan --keys 1e6 --fpr 0.001 --grow --json
holds "so is what a chain costs" json "j['chain']['factor'] == 2 and j['chain']['links'] == {'best': 1, 'mean': j['chain']['links']['mean'], 'worst': 5, 'in_the_end': 5}"
seq 1 1000000 | "$sluice" build -o chain --force --grow --fpr 0.001 --json >out 2>err
built=$(/usr/bin/python3 -c "import json; print(json.load(open('out'))['file_bits_per_key'])")
works plan --keys 1e6 --fpr 0.001 --grow --json
holds "as it is when it is built" json "abs(j['chain']['bits_per_key_in_file']['in_the_end'] / $built - 1) < 0.02"
works plan --keys 1e6 --fpr 0.001 --grow --growth 8 --first-keys 10000
holds "of any factor" grep -qE '^A chain \(--grow\) from 10000 keys on, each link for 8 times' out
works plan --keys 1e6 --fpr 0.001 --grow --erase --json
holds "of ledgers, too" json "j['chain']['factor'] == 4 and j['chain']['bits_per_key_in_file'] == j['chain']['bits_per_key_in_memory']"
refused "--grow needs --keys and --fpr" plan --keys 1e6 --memory 2M --grow
refused "each link holds 2 to 64 times" plan --keys 1e6 --fpr 0.1 --grow --growth 0
finish
