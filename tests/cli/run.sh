#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The sluice command as a person uses it: every subcommand, JSON, help, errors with status 2 and a sentence, closed
# pipes. usage: run.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

check() { # check NAME COMMAND...: the command must succeed; what it prints is shown if it does not
  local name=$1
  shift
  if "$@" >out 2>err; then note ok; else note bad "$name failed"; fi
}
# json EXPRESSION ARGUMENTS...: jq-like check with python; j is the parsed output
json() {
  local expression=$1
  shift
  check "json of: $*" bash -c '"$0" "${@:2}" | /usr/bin/python3 -c "import json,sys; j=json.load(sys.stdin); sys.exit(0 if ($1) else 1)"' "$sluice" "$expression" "$@"
}

keys='"scheme","fpr","accesses_insert","accesses_hit","accesses_miss","overflow_fraction","load_distribution","h","p","k0","subtables","hashes","trace","second_hashes","margin","bits_per_key","memory_bits_per_key"'
for scheme in classic choice blocked alpha single sequential mht bloom-g gated; do
  json "all(k in j for k in ($keys)) and 0 < j['fpr'] < 1 and j['fpr_exact'] == j['fpr'] and 0 < j['fpr_textbook'] < 1.05 * j['fpr'] and j['scheme'] == '$scheme'" \
    model "$scheme" --json
  # Three rates, each under a name of its own: the model's, that of the bits, and the counted one with its interval.
  json "all(k in j for k in ($keys)) and abs(j['fpr'] / j['fpr_from_fill'] - 1) < .2 and 'fpr_exact' not in j
    and j['fpr_low'] <= j['fpr_from_fill'] * 1.2 and j['fpr_high'] >= j['fpr_from_fill'] * 0.8
    and j['fpr_low'] <= j['fpr_counted'] <= j['fpr_high'] and abs(j['fpr_counted'] * 200000 % 1 - .5) > .499" \
    simulate "$scheme" --bits-per-key 10 --keys 20000 --negatives 200000 --json
done
json "j['fpr'] is None and j['fpr_from_fill'] > 0" simulate choice --rounds 3 --bits-per-key 10 --keys 5000 --negatives 1000 --json
# What JSON calls fpr is what the table has; the textbook's is another, 7% lower here.
"$sluice" plan --keys 1e7 --fpr 1e-3 >table
"$sluice" plan --keys 1e7 --fpr 1e-3 --json >out
holds "fpr is the FPR of the table" /usr/bin/python3 -c "
import json
rows=[line.split() for line in open('table') if line.startswith(('blocked', 'gated'))]
named={(c['scheme'], c['design']): c for c in json.load(open('out'))['candidates']}
for scheme, design, _, _, _, fpr, *_ in rows: assert f\"{named[scheme, design]['fpr']:.3g}\" == fpr, fpr
b=named['blocked', 'lanes']
assert len(rows) == 2 and b['fpr'] == b['fpr_exact'] and 0.9 < b['fpr_textbook'] / b['fpr'] < 0.95"

# Reference values, by the command alone.
json "j['h'] == 7 and abs(j['p'] - .1128) < 5e-5 and abs(j['fpr_textbook'] / 1.35e-7 - 1) < .005 and abs(j['accesses_miss'] - 1.935) < 5e-4" \
  model mht --block-bits 256 --bits-per-key 40 --hashes 28 --accesses 1.2 --choices 3 --json
json "abs(j['fpr_textbook'] / 1.44e-7 - 1) < .005 and abs(j['accesses_miss'] - 2.063) < 5e-4" \
  model mht --block-bits 256 --bits-per-key 40 --hashes 28 --paper-rule --json
json "abs(j['overflow_fraction'] - .0262) < 1e-4" model sequential --keys-per-block 8 --accesses 1.2 --choices 3 --json
# The lower bound: its loads are those that the cost is of, and as many keys as do not overflow.
json "abs(sum(j['load_distribution']) - 1) < 1e-9 and abs(sum(i * p for i, p in enumerate(j['load_distribution'])) - 9.9) < 1e-6" \
  bound --keys-per-block 10 --overflow 1% --json
json "abs(j['least_cost'] - sum(i * i * p for i, p in enumerate(j['load_distribution'])) + 9.9 ** 2) < 1e-6" \
  bound --keys-per-block 10 --overflow 0.01 --json
json "abs(j['least_cost'] - sum(i ** 3 * p for i, p in enumerate(j['load_distribution']))) < 1e-6" \
  bound --keys-per-block 10 --overflow 0.01 --cost power --power 3 --json
json "[round(p['accesses'], 2) for p in j['region']] == [1.1, 1.15, 1.2] and all(0 < p['overflow_mht'] < 0.05 for p in j['region'])" \
  bound --region --from 1.1 --to 1.2 --points 3 --keys-per-block 10 --json
refused "not convex" bound --cost power --power 0.5
# Double hashing has the lines that coincide; a random candidate is worse than the first one.
json "abs(j['fpr'] / 1.39e-6 - 1) < 0.03 and abs(j['fpr_textbook'] / 2.1e-7 - 1) < 0.02" \
  model classic --keys 1e4 --bits-per-key 32 --hashes 22 --double-hashing --json
refused "--double-hashing is for classic filters and choice groups" model blocked --double-hashing
json "1.9e-6 < j['fpr'] < 2.2e-6" model mht --bits-per-key 32 --list random --json
json "1.0e-6 < j['fpr'] < 1.1e-6" model mht --bits-per-key 32 --list no --json
# A list of bounded size: what it has no room for is lost, or forced.
bounded='mht --keys 1e5 --bits-per-key 32 --list-capacity 300 --json'
json "abs(j['overflow_fraction'] - .003) < 1e-9 and abs(j['refused_fraction'] / .00198 - 1) < .01" model $bounded
json "j['overflow_fraction'] == .003 and .0012 < j['refused_fraction'] < .0029" simulate $bounded --negatives 1e5
json "j['overflow_fraction'] > .004 and j['refused_fraction'] == 0" model $bounded --when-full first
refused "are for single, sequential and mht filters with a list" model gated --list-capacity 5
refused "are for single, sequential and mht filters with a list" model mht --list no --list-capacity 5
refused "--when-full needs --list-capacity" model mht --when-full first
refused "--list-capacity is from 1" model mht --list-capacity 0

json "abs(j['load_distribution'][0] - 0.0820850) < 1e-6" model single --keys-per-block 2.5 --threshold 2 --acceptance 0.5 --hashes 12 --json
json "abs(j['fpr_textbook'] / 7.2e-4 - 1) < .01" model alpha --block-bits 500 --bits-per-key 16 --alpha 0.3 --hashes 11 --paper-rule --json
json "abs(j['fpr_textbook'] - 1.265) < 5e-4" model alpha --block-bits 500 --bits-per-key 1 --alpha 1 --hashes 1 --paper-rule --json
json "j['hashes'] == 14 and abs(j['fpr_from_fill'] / 2.259e-4 - 1) < .05" \
  simulate choice --groups 2 --rounds 10 --hashes 14 --bits-per-key 16 --keys 10000 --negatives 1000 --json
json "j['trace'] is None and j['k0'] is None and j['subtables'] is None" model blocked --json
json "j['fpr'] > 5e-6" model gated --bits-per-key 32 --load 1.25 --json
json "j['shards'] == 16 and abs(j['fpr'] / 2.35e-5 - 1) < .05" model gated --bits-per-key 26 --shards 16 --json
json "j['shards'] == 16 and abs(j['fpr'] / 2.35e-5 - 1) < .05 and abs(j['fpr_from_fill'] / 2.35e-5 - 1) < .05" \
  simulate gated --bits-per-key 26 --keys 300000 --negatives 1000 --shards 16 --json
json "len(j['candidates']) > 4 and j['candidates'][0]['scheme'] == 'gated' and j['candidates'][0]['fpr'] <= 1e-6 and j['request']['keys'] == 1e8" \
  plan --keys 1e8 --fpr 1e-6 --json
json "all(k in c for c in j['candidates'] for k in ($keys, 'memory_bytes', 'why'))" plan --keys 1e6 --fpr 1e-4 --json --verbose
json "not any('load_distribution' in c for c in j['candidates'])" plan --keys 1e6 --fpr 1e-4 --json
check "a plan in JSON is short" bash -c '(($("$0" plan --keys 1e6 --fpr 1e-4 --json | wc -c) < 12000))' "$sluice"
# Integers above 2^53 are strings if that is wanted; others are numbers.
json "j['seed'] == 2**53 + 1" simulate blocked --keys 1000 --negatives 1000 --seed 9007199254740993 --json
json "j['seed'] == '9007199254740993' and j['trials'] == 1" simulate blocked --keys 1000 --negatives 1000 --seed 9007199254740993 --json --json-strings
json "j['seed'] == 2**53" simulate blocked --keys 1000 --negatives 1000 --seed 9007199254740992 --json --json-strings
refused "--json-strings requires --json" model blocked --json-strings
json "j['static'] and abs(j['fpr'] / 1.26e-5 - 1) < .05 and j['accesses_hit'] < 1.25" model gated --static --bits-per-key 24 --json
json "j['static'] and abs(j['fpr_from_fill'] / 1.26e-5 - 1) < .1 and j['accesses_insert'] is None" \
  simulate gated --static --bits-per-key 24 --keys 300000 --negatives 1000 --json
json "j['fpr_from_fill'] > 1.3e-5 and j['fpr'] is None" simulate gated --static --rounds 1 --bits-per-key 24 --keys 300000 --negatives 1000 --json
json "j['request']['static'] and j['candidates'][0]['scheme'] == 'sealed' and j['candidates'][0]['fingerprint_bits'] == 17 and
  any(c['static'] and c['fpr'] <= 1e-5 for c in j['candidates'])" \
  plan --keys 1e7 --fpr 1e-5 --static --json
json "not any(c['static'] for c in j['candidates'])" plan --keys 1e7 --fpr 1e-5 --json
# The least memory is the least: of sealed filters, too, which have no limit on time. The faster one stands beside it.
for rate_and_bits in "0.001 10" "1e-4 14" "4e-5 15" "0.002 9"; do
  read -r rate bits <<<"$rate_and_bits"
  json "j['candidates'][0]['fingerprint_bits'] == $bits and j['candidates'][0]['fpr'] <= $rate and j['candidates'][0]['why'].startswith('Recommended: the least memory')
    and j['candidates'][0]['memory_bytes'] == min(c['memory_bytes'] for c in j['candidates'])" plan --keys 4.9e6 --fpr "$rate" --static --json
done
json "[c['fingerprint_bits'] for c in j['candidates'] if c['scheme'] == 'sealed'] == [14, 16] and 'no limit for sealed' in j['candidates'][0]['why']
  and '1.15 times the memory' in j['candidates'][1]['why'] and 'a plan by time' in j['candidates'][1]['why']" plan --keys 4.9e6 --fpr 1e-4 --static --json
json "[c['fingerprint_bits'] for c in j['candidates'] if c['scheme'] == 'sealed'] == [16, 14]" plan --keys 4.9e6 --fpr 1e-4 --static --by time --json
# It takes no more keys: with a quarter more it has no rate.
json "all((c['fpr_overfull'] is None) == (c['scheme'] == 'sealed') for c in j['candidates'])" plan --keys 1e6 --fpr 1e-3 --static --json
check "and a dash in the table" bash -c '"$0" plan --keys 1e6 --fpr 1e-3 --static | grep -Eq "^sealed .* -$"' "$sluice"
json "j['candidates'][0]['fpr'] <= 0.01" plan --keys 10 --fpr 0.01 --json
json "j['candidates'][0]['memory_bytes'] <= 2 * 2**20" plan --keys 1e6 --memory 2Mi --json
json "j['candidates'][0]['keys'] > 5e8" plan --memory 1G --fpr 0.001 --json
json "j['candidates'][0]['scheme'] == 'blocked'" plan --keys 1e6 --fpr 0.001 --max-blocks 1 --no-list --json
# Whole pages are rounded down, whatever the budget is.
for bits in 55 56 57; do
  json "j['candidates'][0]['scheme'] == 'gated' and j['candidates'][0]['memory_bytes'] <= $bits * 1e6 / 8" \
    plan --keys 1e6 --bits-per-key $bits --json
done
json "all(c['memory_bytes'] <= 63 for c in j['candidates'])" plan --memory 63 --fpr 0.001 --json
refused "do not hold a single key" plan --memory 8 --fpr 1e-30
# Time: nothing slow is recommended unless lines or bits alone are asked for; every row says what it takes and which design it is.
json "j['request']['by'] == 'balanced' and j['candidates'][0]['scheme'] in ('blocked', 'gated') and j['candidates'][0]['time'] <= 2" \
  plan --keys 1e5 --memory 200K --json
for by in lines bits; do
  json "j['request']['by'] == '$by' and j['candidates'][0]['scheme'] == 'alpha' and j['candidates'][0]['time'] > 2" \
    plan --keys 1e5 --memory 200K --by $by --json
done
json "j['candidates'][0]['scheme'] == 'blocked' and j['candidates'][0]['time_in_cache'] == 1" plan --keys 1e7 --fpr 1e-5 --by time --json
json "all(c['time_in_cache'] > 0 and c['time_in_memory'] > 0 for c in j['candidates'])" plan --keys 1e6 --fpr 1e-4 --json
json "len({(c['scheme'], c['design']) for c in j['candidates']}) == len(j['candidates'])" plan --keys 1e6 --fpr 1e-4 --static --json
refused "nonsense not in" plan --keys 1e6 --fpr 1e-4 --by nonsense
check "memory has a unit" bash -c '"$0" plan --keys 1e8 --fpr 1e-6 | grep -Eq "^gated +page .* [0-9.]+ MB "' "$sluice"
# A list of which nothing can be recommended: status 1, and a sentence.
"$sluice" plan --keys 1e6 --fpr 1e-12 >out 2>err
status=$?
holds "a plan without a recommendation" test $status == 1 -a -s out
holds "says so" said "nothing is recommended"
# And which limit to loosen: what it names is enough.
loosened() { # loosened NAME ARGUMENTS...: a plan without a recommendation; what it says to allow is enough
  loosened_by plan 1 "$@"
}
loosened_by() { # loosened_by COMMAND STATUS NAME ARGUMENTS...: the same of another command
  local command=$1 refusal=$2 name="$1: $3" ways way status option arguments
  shift 3
  "$sluice" "$command" "$@" >out 2>err
  status=$?
  holds "$name: status $refusal" test $status == "$refusal"
  ways=$(sed -n 's/.*; allow //p' err)
  holds "$name: says what to allow" test -n "$ways"
  while IFS= read -r way; do
    arguments=" $* "
    for option in $(grep -o -- '--[a-z-]*' <<<"$way"); do # in place of what was given
      arguments=$(sed -E "s/ $option [^ ]+ / /" <<<"$arguments")
    done
    "$sluice" "$command" $arguments ${way// with / } >out 2>err
    status=$?
    holds "$name: $way is enough" test $status == 0
  done < <(sed 's/, or /\n/g' <<<"$ways")
}
loosened "a rate out of reach" --keys 1e6 --fpr 1e-12
loosened "a rate far out of reach" --keys 1e6 --fpr 1e-40
loosened "small blocks" --keys 1e6 --fpr 1e-6 --block-bits 64
loosened "one block" --keys 1e6 --fpr 1e-9 --max-blocks 1
loosened "reads of hits" --keys 1e6 --fpr 1e-8 --accesses-hit 1.01
# Others that plan say it, too, with options that they have.
seq 1 20000 >numbers
loosened_by build 2 "a rate out of reach" --force -o numbers.sluice --fpr 1e-12 numbers
loosened_by build 2 "a rate far out of reach" --force -o numbers.sluice --fpr 1e-40 numbers
loosened_by build 2 "of a scheme" --force -o numbers.sluice --scheme gated --fpr 1e-40 numbers
loosened_by build 2 "limits of a scheme" --force -o numbers.sluice --scheme classic --max-blocks 3 numbers
loosened_by build 2 "from all keys" --force -o numbers.sluice --static --scheme sealed --fpr 1e-12 numbers
loosened_by dedup 2 "a rate out of reach" --quiet --keys 20000 --fpr 1e-12 numbers
loosened_by dedup 2 "a rate of each of two" --quiet --window 20000 --fpr 1e-12 numbers
"$sluice" dedup --keys 20000 --fpr 1e-12 numbers >out 2>err
holds "no options that dedup has not" bash -c '! grep -q -- "--max-blocks\|--by" err'
"$sluice" plan --keys 1e6 --fpr 1e-12 >out 2>err
rate=$(sed -n 's/.*; allow --fpr \([^ ,]*\).*/\1/p' err)
holds "a rate that can be reached is named" test -n "$rate"
works plan --keys 1e6 --fpr "$rate"
"$sluice" plan --keys 1e6 --fpr 1e-40 >out 2>err
status=$?
holds "a rate that nothing reaches" test $status == 1 -a ! -s out
holds "says so, too" said "no scheme reaches this"
rate=$(sed -n 's/.*; allow --fpr \([^ ,]*\).*/\1/p' err)
works plan --keys 1e6 --fpr "$rate"
"$sluice" plan --keys 1e6 --fpr 1e-40 --json >out 2>err
holds "in JSON there are no candidates" /usr/bin/python3 -c "import json; assert json.load(open('out'))['candidates'] == []"
check "numbers that differ look different" bash -c '"$0" plan --keys 1e6 --fpr 1e-4 | grep -q "its mean cost of 1.252 is above 1.25"' "$sluice"
check "the cost has a word" bash -c '"$0" plan --keys 1e6 --fpr 1e-4 | head -1 | grep -q "lookup cost"' "$sluice"
check "few bits a key" bash -c '"$0" bench --bits-per-key 2 --keys 1000 --repetitions 1 | grep -q "^gated"' "$sluice"

check "help" bash -c '"$0" --help | grep -q examples' "$sluice"
check "help as a word" bash -c 'cmp <("$0" help) <("$0" --help)' "$sluice"
for command in plan build query bench completion help; do
  check "help $command" bash -c 'cmp <("$0" help "$1") <("$0" "$1" --help) && "$0" help "$1" | grep -q "^Usage: sluice $1"' "$sluice" "$command"
done
refused "nonsense not in" help nonsense
for command in model plan simulate; do check "help of $command" bash -c '"$0" "$1" --help | grep -q examples' "$sluice" "$command"; done
check "plan as a table" bash -c '"$0" plan --keys 1e6 --bits-per-key 16 | grep -q "mean cost"' "$sluice"
check "a closed pipe is no crash" bash -c '"$0" plan --keys 1e6 --fpr 1e-3 | head -1 >/dev/null; [[ ${PIPESTATUS[0]} -le 141 ]]' "$sluice"

refused "--static is for gated filters" model blocked --static
refused "offline rounds have no model" model gated --static --rounds 3
refused "counters and list do not merge" simulate mht --shards 4
refused "static filters have no shards" simulate gated --static --shards 4
refused "built offline has no shards" simulate choice --rounds 3 --shards 4 --keys 1000
refused "from 1 to 65536" model blocked --shards 0
refused "--rounds is for choice groups and static builds" simulate gated --rounds 3
refused "subcommand" # nothing asked for
refused "nonsense" model nonsense
refused "exactly two" plan --keys 1e6
refused "exactly two" plan --keys 1e6 --fpr 0.1 --memory 1M
refused "suffix" plan --keys 1e6 --memory 1X
refused "not a number of bytes" plan --keys 1e6 --memory lots
refused "between 0 and 1" plan --keys 1e6 --fpr 7
refused "not both" model blocked --bits-per-key 16 --keys-per-block 4
refused "alpha is a probability" model alpha --alpha 2 --hashes 8
refused "k is zero" model blocked --hashes 0
refused "64 to 4096" model blocked --block-bits 10
refused "offline rounds have no model" model choice --rounds 3
refused "accesses" model mht --accesses 0.5
refused "or --second table" model bloom-g --block-bits 600
works model bloom-g --block-bits 600 --second table
refused "256 or 512 bits" model gated --block-bits 500 --hashes 10 --threshold 100 --margin 1
refused "threshold h of zero" model mht --threshold 0 --acceptance 1
refused "budget needs the exact list" model sequential --budget --list no

finish
