#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# Forms of input by the command line, as a person uses them: logs, tables, integers, compressed files, sequences,
# captures; what has no key; what is refused. usage: forms.sh PATH_TO_SLUICE
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# both FILE ARGUMENTS...: what is present and what is absent are all lines of FILE, each once
both() {
  local file=$1
  shift
  "$sluice" query "$@" "$file" >present 2>/dev/null
  "$sluice" query "$@" --absent "$file" >absent 2>/dev/null
  holds "'$*' has everything of $file once" cmp -s <(sort present absent) <(sort "$file")
}

# --- logs ----------------------------------------------------------------------------------------------------------------
printf '10.0.0.1 - GET /a 200\n10.0.0.2 - GET /b 404\n10.0.0.1 - PUT /c 200\nodd\n' >log
works build -o hosts --field 1 log
gives 0 $'10.0.0.1\nodd' query hosts --key 10.0.0.1 --key GET --key odd
gives 0 4 query hosts --count --field 1 log
works build -o pages --field 3,4 log
holds "lines with too few fields are counted" said "1 line with too few fields was skipped"
gives 0 $'GET\t/a' query pages --key $'GET\t/a' --key $'/a\tGET'
works build -o swapped --field 4 --field 3 log
gives 0 $'/a\tGET' query swapped --key $'GET\t/a' --key $'/a\tGET'
"$sluice" build -o get --key $'GET\t/a' >/dev/null
gives 0 '10.0.0.1 - GET /a 200' query get --field 3,4 log
gives 0 $'10.0.0.2 - GET /b 404\n10.0.0.1 - PUT /c 200\nodd' query get --absent --field 3,4 log
holds "and said to be absent" said "1 line with too few fields was taken as absent"
gives 0 1 query get --count --field 3,4 log
gives 0 3 query get --count --absent --field 3,4 log
both log get --field 3,4
printf 'a:b:c\n::\n:b\n' >colons
works build -o second --field 2 --delimiter : colons
holds "empty fields are counted" said "1 record with an empty key was skipped"
both colons second --field 2 --delimiter :
gives 0 $'a:b:c\n:b' query second --field 2 --delimiter : colons
gives 0 $'::' query second --absent --field 2 --delimiter : colons
gives 0 3 query second --count --absent --field 3 --delimiter : colons
for tab in tab '\t' $'\t'; do gives 0 $'x\tb' query second --field 2 --delimiter "$tab" <(printf 'x\tb\ny\tc d\n'); done
"$sluice" query get --json --field 3,4 log >out 2>err
holds "json counts what has no key" /usr/bin/python3 -c "import json;j=json.load(open('out'));assert (j['asked'],j['present'],j['absent'],j['without_key'])==(3,1,2,1)"
refused "--field: '0' is not a number of a field" build -o bad --field 0 log
refused "--field is for lines" build -o bad --input u64 --field 1 log
refused "--delimiter: 'ab' is not one byte" build -o bad --field 1 --delimiter ab log
refused "--delimiter is for --field" build -o bad --delimiter , log
refused "cannot be printed among records" query get --field 1 --key x log

# --- tables --------------------------------------------------------------------------------------------------------------
printf 'src,dst,n\na,b,1\n"a,c",b,2\n,,3\n' >flows.csv
works build -o pairs --input csv:src,dst flows.csv
holds "records without a key are counted" said "1 record with an empty key was skipped"
gives 0 $'a\tb' query pairs --key $'a\tb' --key a,b
gives 0 $'src,dst,n\na,b,1\n"a,c",b,2' query pairs --input csv:src,dst flows.csv
gives 0 $'src,dst,n\n,,3' query pairs --absent --input csv:src,dst flows.csv
head -1 flows.csv >no-flows.csv
gives 1 'src,dst,n' query pairs --input csv:src,dst no-flows.csv
printf '%070000d' 0 | tr 0 , >wide.csv
refused "the header has 70001 columns; a table has at most 65536" query pairs --input csv:src,dst wide.csv
(echo "$(printf 'name%.0s' {1..300}),x"; echo 1,2) >long-names.csv
"$sluice" query pairs --input csv:src,dst long-names.csv 2>err
holds "names are shown as far as people read them" test "$(wc -c <err)" -lt 400
gives 0 1 query pairs --absent --count --input csv:src,dst flows.csv
printf 'dst\tn\tsrc\nb\t9\ta\nb\t9\tx\n' >flows.tsv
gives 0 $'dst\tn\tsrc\nb\t9\ta' query pairs --input tsv:src,dst flows.tsv
gives 0 $'b\t9\ta' query pairs --input 'tsv:#3,#1' <(tail -n +2 flows.tsv)
gives 0 $'b;a\n"b";"a"' query pairs --input 'csv:#2,#1' --delimiter ';' <(printf 'b;a\n"b";"a"\nc;c\n')
refused "there is no column '4'; the first record has 3" query pairs --input 'csv:#4,#1' flows.csv
refused "has columns of a table with a header and, with #, of one without" query pairs --input 'csv:#1,dst' flows.csv
# A mistake in the middle costs no answer before it.
"$sluice" query pairs --input csv:src,dst <(cat flows.csv; echo broken) >out 2>err
holds "answers before a mistake are printed" test $? == 2 -a "$(wc -l <out)" == 3
holds "with its place" said "byte 30: record 5 has 1 field, and the header has 3"

# --- integers ------------------------------------------------------------------------------------------------------------
printf '1\n-1\n18446744073709551614\r\n\n16\n' >decimal
works build -o ids --input decimal decimal
holds "their kind" bash -c '"$0" info ids | grep -qE "^key_kind +u64$"' "$sluice"
gives 0 $'-1\n0x10\n18446744073709551615' query ids --key -1 --key 0x10 --key 18446744073709551615
gives 0 2 query ids --count --key=-1 --key -2 --key -3
gives 0 $'1\n-1\n18446744073709551614\r\n16' query ids --input decimal decimal
gives 0 $'0xFFFFFFFFFFFFFFFF\n10' query ids --input hex <(printf '0xFFFFFFFFFFFFFFFF\n10\nabc\n')
printf '\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\x11' >big
"$sluice" query ids --input u64be big >out
holds "big-endian integers are printed so" cmp -s out <(head -c 8 big)
gives 0 1 query ids --count --input u64 <(printf '\x10\0\0\0\0\0\0\0')
gives 0 $'-1 x' query ids --input decimal --field 1 <(printf -- '-1 x\n5 x\n')
refused "byte 2: '1.5' is not a decimal number from" build -o bad --input decimal <(printf '1\n1.5\n')
refused "is not a hexadecimal number of 64 bits" build -o bad --input hex <(printf '0x10000000000000000\n')
refused "several fields make a key of text" build -o bad --input decimal --field 1,2 decimal
refused "--key: '-1' is not a number from 0 to 4294967295" build -o bad --input u32 --key -1
refused "is not a number from -9223372036854775808 to 18446744073709551615" query ids --key -9223372036854775809
printf 'abcdefghi' >records
works build -o threes --input fixed:3 records
gives 0 def query threes --key def
"$sluice" query threes --input fixed:3 <(printf 'xyzghi') >out
holds "records are printed as they are" cmp -s out <(printf ghi)
refused "byte 8: 1 byte is left over; every key has 4" build -o bad --input fixed:4 records
refused "--key ab: a key has 2 bytes, and every key of the filter has 3" query threes --input fixed:3 --key ab
refused "does not have from 1 to" build -o bad --input fixed:0 records

# --- compressed files ----------------------------------------------------------------------------------------------------
seq 1 5000 >numbers
works build -o numbers.f numbers
for tool in gzip bzip2 xz zstd lz4; do
  $tool -q -c numbers >"numbers.$tool"
  gives 0 5000 query numbers.f --count "numbers.$tool"
  cat "numbers.$tool" "numbers.$tool" | "$sluice" query numbers.f --count >out 2>err
  holds "$tool, one after the other" test "$(cat out)" == 10000
  head -c -3 "numbers.$tool" >cut
  refused "the compressed bytes end in the middle" query numbers.f --count cut
  (cat "numbers.$tool"; echo something else) >followed
  refused "it cannot be unpacked" query numbers.f --count followed
  "$sluice" query numbers.f --count --no-unpack "numbers.$tool" >out 2>err
  holds "$tool may stay packed" test "$(cat out)" -lt 5000
done
head -c 70000000 /dev/zero | tr '\0' a | xz -1 >bomb.xz
(ulimit -v 900000 && "$sluice" query numbers.f --longest-key 1Mi bomb.xz >out 2>err)
holds "a bomb takes no memory" said "a key of more than 1048576 bytes"
xz --format=lzma -c numbers >numbers.lzma
refused "numbers.lzma is compressed by lzma, which is not read; unpack it first" query numbers.f numbers.lzma
tar -cf numbers.tar numbers
refused "numbers.tar is a tar archive" query numbers.f numbers.tar
tar -czf numbers.tgz numbers
refused "numbers.tgz is a tar archive" query numbers.f numbers.tgz
/usr/bin/python3 -c "import zipfile; zipfile.ZipFile('numbers.zip','w').write('numbers')"
refused "numbers.zip is a zip archive" build -o bad numbers.zip
holds "nothing is left of what was refused" test ! -e bad

# --- sequences -----------------------------------------------------------------------------------------------------------
printf '>one\nACGTA\ncgtn\n>two\nGGG\n' >genome.fa
works build -o genome --input kmers:4 genome.fa
holds "k-mers with other letters are counted" said "1 k-mer with other letters than ACGT was skipped"
gives 0 $'ACGT\nCGTA' query genome --input kmers:4 --key acgt --key CGTA --key GGGG
gives 0 $'ACGT\nGTAC' query genome --input kmers:4 <(printf '@r\nACGTTGTAC\n+\nIIIIIIIII\n')
gzip -c genome.fa >genome.fa.gz
works build -o either --input kmers:4 --canonical genome.fa.gz
gives 0 $'CGTA\nACGT' query either --input kmers:4 --canonical <(printf '>r\nTACG\n>s\nACGT\n')
gives 0 CGTA query either --key CGTA
refused "byte 0: a FASTA file begins with >, and a record of a FASTQ file with @" build -o bad --input kmers:4 log
refused "--key ACG: 'ACG' is not a k-mer of 4 letters ACGT" query genome --input kmers:4 --key ACG
refused "--canonical is for --input kmers:K" build -o bad --canonical log

# --- captures ------------------------------------------------------------------------------------------------------------
# capture FILE PACKETS: raw IP, UDP; a packet is "SOURCE PORT DESTINATION PORT", or anything else, which has no 5-tuple
capture() {
  /usr/bin/python3 - "$@" <<'PYTHON'
import socket, struct, sys
out = struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
for packet in sys.argv[2:]:
    words = packet.split()
    frame = packet.encode()
    if len(words) == 4:
        frame = struct.pack('>BBHIBBH', 0x45, 0, 28, 0, 64, 17, 0) + socket.inet_aton(words[0]) + socket.inet_aton(words[2])
        frame += struct.pack('>HHHH', int(words[1]), int(words[3]), 8, 0)
    out += struct.pack('<IIII', 1, 2, len(frame), len(frame)) + frame
open(sys.argv[1], 'wb').write(out)
PYTHON
}
capture there.pcap '10.0.0.2 4000 10.0.0.1 53' none 'none, too'
capture back.pcap '10.0.0.1 53 10.0.0.2 4000' none
works build -o flows --input pcap:5tuple there.pcap
holds "several packets without a key" said "2 packets without a key were skipped"
gives 1 0 query flows --count --input pcap:5tuple back.pcap
holds "one packet without a key" said "1 packet without a key was taken as absent"
gives 0 2 query flows --count --absent --input pcap:5tuple back.pcap
"$sluice" query flows --absent --input pcap:5tuple back.pcap >out 2>err
holds "what is absent is the capture" cmp -s out back.pcap
works build -o conversations --input pcap:5tuple --both-directions there.pcap
gives 0 1 query conversations --count --input pcap:5tuple --both-directions back.pcap
gives 0 1 query conversations --count --input pcap:5tuple --both-directions there.pcap
refused "--both-directions is for --input pcap:5tuple" build -o bad --both-directions log

# --- help ----------------------------------------------------------------------------------------------------------------
"$sluice" query --help >out
holds "one key follows --key" bash -c 'grep -qE -- "--key TEXT +a key itself" out && ! grep -q -- "--key TEXT \.\.\." out'
holds "hexadecimal keys are described" grep -q "after 0x" out
"$sluice" --manual | tr -d '\\' >manual
"$sluice" completion bash >completion
for option in --field --delimiter --canonical --both-directions; do
  holds "$option is in the manual" grep -qF -- "$option" manual
  holds "$option is completed" grep -qF -- "$option" completion
done

finish
