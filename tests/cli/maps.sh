#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Maps of keys to values by the command line: tables and lines, what is printed with values, and what is refused.
# usage: maps.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# --- tables --------------------------------------------------------------------------------------------------------------
printf 'user,shard,note\nada,7,"x, y"\n"gra,ce","300",\nedsger,7,z\n' >users.csv
works build -o users.sluice --input csv:user --values shard users.csv
gives 0 $'ada\t7\ngra,ce\t300' query users.sluice --values --key ada --key nobody --key gra,ce
gives 0 $'user,city,value\nada,London,7\n"gra,ce",,300' query users.sluice --values <(printf 'user,city\nada,London\n"gra,ce",\nalan,Wilmslow\n')
gives 0 $'user,city\nalan,Wilmslow' query users.sluice --values --absent <(printf 'user,city\nada,London\nalan,Wilmslow\n')
"$sluice" query users.sluice --values <(printf 'user\r\nada\r\n') >out
holds "ends of lines stay" cmp -s out <(printf 'user,value\r\nada,7\r\n')
gives 0 2 query users.sluice --values --count --key ada --key nobody --key edsger
gives 1 "" query users.sluice --values --key nobody
works query users.sluice --values --json --key ada
holds "values in JSON" grep -q '{"key": "ada", "value": 7}' out
gives 0 $'user,value,value2\nada,x,7' query users.sluice --values <(printf 'user,value\nada,x\n')
works build -o bare.sluice --input 'tsv:#2' --values '#1' <(printf '5\tx\n6\ty\n')
gives 0 $'a\tx\t5' query bare.sluice --values <(printf 'a\tx\n')
works info users.sluice --json
holds "info of a map" grep -q '"check_bits": 10' out
holds "info of a map" grep -q '"value_bits": 9' out
gives 0 "users.sluice: good, $(stat -c %s users.sluice) bytes, a map of 3 keys" verify users.sluice

# --- lines ---------------------------------------------------------------------------------------------------------------
works build -o lines.sluice --field 1 --values 3 <(printf 'ada x 1\nbob y 2\r\n')
gives 0 $'bob\t2\nada b c\t1' query lines.sluice --values <(printf 'bob\nada b c\neve\n')
works build -o colons.sluice --field 1 --values 2 --delimiter : <(printf 'ada:1\n:9\nbob:2\n')
holds "a line without a key has no value to lose" said "1 record with an empty key was skipped"
gives 0 $'bob:x:2' query colons.sluice --values <(printf 'bob:x\n')
works build -o numbers.sluice --input decimal --field 1 --values 2 <(printf '5 1\n-9 2\n')
gives 0 $'5\t1' query numbers.sluice --values <(printf '5\n7\n')
printf '\x05\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0' >u64
gives 0 $'5\t1' query numbers.sluice --values --input u64 u64
gives 0 $'5\t1\n5\t1' query numbers.sluice --values --input u64 --key 5 u64
gives 0 $'5\t1' query numbers.sluice --values --input u64be <(printf '\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x07')
gives 0 "7" query numbers.sluice --values --absent --input decimal <(printf '5\n7\n')
printf 'ada 1\0bob 2\0' | "$sluice" build -o nul.sluice --input nul --field 1 --values 2 >/dev/null 2>err
printf 'bob\n\0ada\0' | "$sluice" query nul.sluice --values --input nul --field 1 --delimiter , >out 2>err
holds "nul keys end with nul" cmp -s out <(printf 'ada,1\0')

# All of many, in any order, by threads, to the byte.
awk 'BEGIN { for (i = 0; i < 50000; ++i) print "key" i, i % 1000 }' >many
works build -o many.sluice --field 1 --values 2 --threads 2 many
sort -R --random-source=<(yes) many | "$sluice" build -o again.sluice --field 1 --values 2 --threads 1 >/dev/null 2>err
holds "a map follows from its pairs" cmp -s many.sluice again.sluice
cut -d' ' -f1 many >names
"$sluice" query many.sluice --values --field 1 names >out
holds "every key has its value" cmp -s out <(tr ' ' '\t' <many)
absent=$(awk 'BEGIN { for (i = 0; i < 200000; ++i) print "no" i }' | "$sluice" query many.sluice --values --count)
holds "absent keys get a value as seldom as promised, within 5.5 standard errors" test "$absent" -ge 118 -a "$absent" -le 273
works build -o two.sluice --force --fpr 0.25 --field 1 --values 2 --block-bits 256 many
works info two.sluice --json
holds "--fpr gives the check bits" grep -q '"check_bits": 2' out

# --- what is refused -----------------------------------------------------------------------------------------------------
refused "came with two different values" build -o bad.sluice --field 1 --values 2 <(printf 'a 1\na 2\n')
works build -o same.sluice --field 1 --values 2 <(printf 'a 1\na 1\n')
refused "byte 4: a key without a value: it would be field 2, and there are 1" build -o bad.sluice --field 1 --values 2 <(printf 'a 1\nb\n')
refused "byte 4: the value '-2' is not a whole number from 0 to 4294967295" build -o bad.sluice --field 1 --values 2 <(printf 'a 1\nb -2\n')
refused "the value '4294967296' is not" build -o bad.sluice --field 1 --values 2 <(printf 'a 4294967296\n')
refused "the value '' is not" build -o bad.sluice --input csv:a --values b <(printf 'a,b\nx,\n')
refused "there is no column 'c'" build -o bad.sluice --input csv:a --values c <(printf 'a,b\nx,1\n')
refused "values stand in a column of a table" build -o bad.sluice --values 2 many
refused "values stand in a column of a table" build -o bad.sluice --input u64 --values 2 u64
refused "'b' is not the number of a field" build -o bad.sluice --field 1 --values b many
refused "--scheme cannot be given with --values, which makes a map" build -o bad.sluice --field 1 --values 2 --scheme gated many
refused "--memory cannot be given with --values" build -o bad.sluice --field 1 --values 2 --memory 1M many
refused "--key: a key that is given itself has no value" build -o bad.sluice --field 1 --values 2 --key a
refused "7 check bits beside values of 32 bits" build -o bad.sluice --fpr 0.01 --field 1 --values 2 <(printf 'a 4294967295\n')
refused "--fpr 9.32e-10 can be had" build -o bad.sluice --fpr 1e-12 --field 1 --values 2 <(printf 'a 3\n')
works build -o least.sluice --fpr 9.32e-10 --field 1 --values 2 <(printf 'a 3\n')
refused "'#' is not the number of a column" build -o bad.sluice --input 'csv:#1' --values '#' <(printf 'a,1\n')
works build -o wide.sluice --field 1 --values 2 <(printf 'a 4294967295\n')
holds "no room for checks is said" said "leave room for 0 check bits"
refused "there already; --force replaces it" build -o many.sluice --field 1 --values 2 many
holds "nothing was left" test ! -e bad.sluice
refused "many.sluice: this is a map of keys to values, not a filter; ask it with --values" query many.sluice --key a
refused "many.sluice: this is a map of keys to values, not a filter" add many.sluice --key a
refused "many.sluice: this is a map of keys to values, not a filter" merge -o bad.sluice many.sluice many.sluice
works build -o filter.sluice names
refused "filter.sluice: this is a filter, not a map" query filter.sluice --values --key a
head -c 5000 many.sluice >cut.sluice
refused "it was cut off" verify cut.sluice
refused "it was cut off" query cut.sluice --values --key a
cp many.sluice damaged.sluice
printf '\xff\xff\xff\xff' | dd of=damaged.sluice bs=1 seek=20000 conv=notrunc 2>/dev/null
refused "damaged: their checksum differs" verify damaged.sluice
refused "damaged: their checksum differs" query damaged.sluice --values --key key1
"$sluice" query many.sluice --values --field 1 names 2>err | head -1 >/dev/null
holds "a closed pipe is no error" test ! -s err
finish
