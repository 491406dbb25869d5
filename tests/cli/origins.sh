#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# A filter file remembers how its keys were made: what is not said is as it was then, and what contradicts it is refused.
# usage: origins.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

version_of() { "$sluice" info --json "$1" | jq .format_version; }
origin_of() { "$sluice" info --json "$1" | jq -r .key_origin; }

# --- k-mers --------------------------------------------------------------------------------------------------------------
printf '>a\nACGTACGTTTGACCAGTACCATGACCAATTGACC\n' >genome.fa
works build -o genome.sluice --input kmers:5 --canonical genome.fa
holds "k-mers need version 2" test "$(version_of genome.sluice)" = 2
holds "info says how keys were made" test "$(origin_of genome.sluice)" = "--input kmers:5 --canonical"
"$sluice" info genome.sluice >out
holds "and so does its table" grep -q '^key_origin  *--input kmers:5 --canonical$' out
gives 0 30 query genome.sluice --count genome.fa
printf '>b\nGGTCAAACGT\n' >back.fa # the other strand
gives 0 6 query genome.sluice --count back.fa
gives 0 6 query genome.sluice --count --input kmers:5 back.fa
gives 0 GTCAA query genome.sluice --key ttgac
refused "is not a k-mer of 5 letters" query genome.sluice --key ttga
contradicts="the keys of genome.sluice were made by --input kmers:5 --canonical, and"
refused "$contradicts --input kmers:6 --canonical makes others" query genome.sluice --input kmers:6 genome.fa
refused "$contradicts --input lines makes others" query genome.sluice --input lines genome.fa
refused "$contradicts --input lines --field 1 makes others" query genome.sluice --field 1 genome.fa
refused "$contradicts --input fixed:5 makes others" add genome.sluice --input fixed:5 genome.fa
works build -o plain.sluice --input kmers:5 genome.fa
refused "plain.sluice were made by --input kmers:5, and --input kmers:5 --canonical makes others" \
  query plain.sluice --canonical genome.fa
printf '>c\nCCCCCCC\n' >more.fa
works add genome.sluice more.fa
gives 0 CCCCC query genome.sluice --key ggggg
holds "adding keeps it" test "$(origin_of genome.sluice)" = "--input kmers:5 --canonical"
works verify genome.sluice

# --- tables, fields, integers --------------------------------------------------------------------------------------------
printf 'host;port\na;1\nb;2\n' >hosts.csv
works build -o hosts.sluice --input csv:host,port --delimiter ';' hosts.csv
gives 0 $'host;port\na;1\nb;2' query hosts.sluice hosts.csv
printf 'x a 1\ny b 3\n' >log
gives 0 "x a 1" query hosts.sluice --field 2,3 log
refused "hosts.sluice were made by --input csv:host,port --delimiter ';', and --input csv:host" \
  query hosts.sluice --input csv:host hosts.csv
works build -o users.sluice --field 2 log
holds "a field is remembered" test "$(origin_of users.sluice)" = "--input lines --field 2"
gives 0 $'x a 1\ny b 3' query users.sluice log
gives 0 "a z" query users.sluice --field 1 <<<"a z"
gives 0 a query users.sluice --input lines <<<a
printf '5\n7\n' | "$sluice" build -o ids.sluice --input decimal >/dev/null
gives 0 5 query ids.sluice <<<$'5\n8'
gives 0 0x7 query ids.sluice --input hex <<<$'0x7\n0x9'

# --- version 1 where it suffices -----------------------------------------------------------------------------------------
printf 'one\ntwo\n' >lines
works build -o lines.sluice lines
works build -o said.sluice --input lines lines
holds "lines need no section" cmp -s lines.sluice said.sluice
holds "and are version 1" test "$(version_of lines.sluice)" = 1
works dedup --keys 100 -o seen.sluice lines
holds "those of dedup, too" test "$(version_of seen.sluice)" = 1
holds "nothing is said of them" test "$(origin_of seen.sluice)" = null

# --- chains, unions ------------------------------------------------------------------------------------------------------
works build -o chain.sluice --grow --first-keys 64 --input kmers:5 --canonical genome.fa
works compact chain.sluice -o compacted.sluice genome.fa
holds "compact keeps it" test "$(origin_of compacted.sluice)" = "--input kmers:5 --canonical"
works dedup --input csv:host --delimiter ';' -o dedup.sluice hosts.csv
holds "dedup says it" test "$(origin_of dedup.sluice)" = "--input csv:host --delimiter ';'"
works build -o a.sluice --keys 100 --input kmers:5 --canonical genome.fa
works build -o b.sluice --keys 100 --input kmers:5 --canonical more.fa
works build -o c.sluice --keys 100 --input kmers:5 more.fa
works merge -o all.sluice a.sluice b.sluice
gives 0 36 query all.sluice --count genome.fa back.fa
refused "keys of one were made by --input kmers:5 --canonical, of the other by --input kmers:5" \
  merge -o bad.sluice a.sluice c.sluice
# Lines of any form are no k-mers: neither would be found in the union.
works build -o text.sluice --keys 100 lines
refused "keys of one were made by --input kmers:5 --canonical, of the other by --input lines" \
  merge -o bad.sluice a.sluice text.sluice
refused "keys of one were made by --input lines, of the other by --input kmers:5 --canonical" \
  merge -o bad.sluice text.sluice a.sluice
works build -o none.sluice --keys 100 /dev/null
works merge -o kmers.sluice none.sluice a.sluice
holds "of nothing it is a union" test "$(origin_of kmers.sluice)" = "--input kmers:5 --canonical"
works merge -o kmers.sluice --force a.sluice none.sluice
gives 0 36 query kmers.sluice --count genome.fa back.fa
finish
