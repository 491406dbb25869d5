# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# What the tests of the command line share: sourced by them, in a folder of their own that is gone afterwards. $sluice
# is the program, $1 of the test.
sluice=$(realpath "$1")
passed=0 failed=0
work=$(mktemp -d)
cleanup() {
  mountpoint -q "$work/small" && umount "$work/small"
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 2

note() { # note OK|bad NAME
  if [[ $1 == ok ]]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "cli: $2" >&2
    head -3 out err >&2 2>/dev/null
  fi
}
# gives STATUS OUTPUT ARGUMENTS...: exit status and standard output of sluice
gives() {
  local status=$1 expected=$2
  shift 2
  "$sluice" "$@" >out 2>err
  local was=$?
  if [[ $was == "$status" && $(cat out) == "$expected" ]]; then note ok; else note bad "'sluice $*' gave status $was, wanted $status and '$expected'"; fi
}
# refused WORDS ARGUMENTS...: status 2, nothing on stdout, WORDS on stderr
refused() {
  local words=$1
  shift
  "$sluice" "$@" >out 2>err
  local was=$?
  if [[ $was == 2 && ! -s out ]] && grep -qF -- "$words" err; then note ok; else note bad "'sluice $*' should be refused with '$words'; status $was"; fi
}
works() { # works ARGUMENTS...
  if "$sluice" "$@" >out 2>err; then note ok; else note bad "'sluice $*' failed"; fi
}
holds() { # holds NAME CONDITION...: a condition of the shell
  local name=$1
  shift
  if "$@"; then note ok; else note bad "$name"; fi
}
within_two_minutes() { # within_two_minutes CONDITION...: waits until it holds, so that a slow machine fails no test
  local tries
  for ((tries = 0; tries < 1200; ++tries)); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}
said() { grep -qF -- "$1" err; } # on the error output
finish() {
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
