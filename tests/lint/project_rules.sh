#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The project's own rules, as far as a script can see them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0
complain() { echo "lint: $*" >&2; failed=1; }

python3 tests/lint/layers.py || failed=1
python3 tests/lint/includes.py || failed=1
python3 tests/lint/face.py || failed=1

# Each file says whose it is and under which license; then what it is.
reuse lint --quiet || { reuse lint || true; failed=1; }

while IFS= read -r header; do
  [[ $header == *.cpp ]] || sed -n 3p "$header" | grep -q '^// ' || complain "$header does not open with what it is"
  grep -qE 'std::(cout|cerr)|printf|std::abort|std::exit|\bassert\(' "$header" && complain "$header prints or aborts"
  grep -q 'using namespace' "$header" && complain "$header has a using directive"
done < <(git ls-files --cached --others --exclude-standard 'include/sluice/*.hpp' 'include/sluice/*.inl' 'src/*.hpp' 'src/*.cpp' ':!src/plan/tables')

# Who includes the library's headers has nothing to do with xxHash; who includes xxHash lets it read by memcpy (GCC on
# ARM would read through packed unions, against the rules of aliasing). Consumers include it in all the other ways.
while IFS= read -r header; do
  complain "$header mentions xxHash, which is for src/hash/ alone"
done < <(git ls-files --cached --others --exclude-standard include | xargs grep -liE 'xxhash|XXH_|XXH3_')
while IFS= read -r file; do
  sed '/#include <xxhash.h>/q' "$file" | grep -q '^#define XXH_FORCE_MEMORY_ACCESS 0$' ||
    complain "$file includes xxHash without #define XXH_FORCE_MEMORY_ACCESS 0 before it"
done < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.inl' '*.cpp' '*.h' '*.c' ':!tests/consumer' | xargs grep -lF '#include <xxhash.h>')

while IFS= read -r file; do
  sed -n 3p "$file" | grep -qE '^// |^#include "' || complain "$file does not open with what it is"
done < <(git ls-files --cached --others --exclude-standard 'integrations/*.hpp' 'integrations/*.cpp')

while IFS= read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= 600)) || complain "$file has $lines lines; 600 is the limit"
done < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.inl' '*.cpp' '*.sh' dev)

# clang-format leaves comments and strings as they are. In documents, commands and tables have one line each.
while IFS= read -r place; do
  complain "$place has more than 120 columns"
done < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.inl' '*.cpp' '*.h' '*.c' '*.md' |
  xargs perl -CSD -ne '
    $code = $ARGV =~ /md$/ && !$code if /^```/;
    print "$ARGV:$.\n" if length > 121 && !$code && !/^\||https?:|!\[|<source|<img/;
    if (eof) { close ARGV; $code = 0 }')

# Verdicts of experiments are computed (experiments/common/judge.hpp): none is written down, and each experiment has a
# bug that it must notice.
while IFS= read -r file; do
  perl -0777 -ne 'exit(/\b(?:check|explained)\(\s*!?(?:true|false)\b|\{\s*(?:true|false)\s*,|\{\s*verdict::|findings\.\w+\(\s*\{/)' "$file" ||
    complain "$file writes a verdict down instead of computing it"
  name=$(basename "$(dirname "$file")")
  grep -qxE "test +reproduce/$name" tests/mutants/*.bugs || complain "no bug in tests/mutants must be noticed by $name"
done < <(git ls-files --cached --others --exclude-standard 'experiments/*/experiment.cpp')

entries=$(git ls-files --cached --others --exclude-standard | cut -d/ -f1 | sort -u | grep -vc '^\.')
# Six are where tools look for them: debian, pyproject.toml, setup.py, MANIFEST.in, CITATION.cff, LICENSES.
((entries <= 20)) || complain "the root has $entries entries; 20 keep it readable"

tests/mutants/run.sh --check >/dev/null || { tests/mutants/run.sh --check || true; failed=1; }
exit $failed
